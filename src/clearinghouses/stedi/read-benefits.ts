// `benefitsInformation` of Stedi's JSON as the EB rows of a 271. Source: clearinghouse.md A2.
import { dateNames } from '../../x12/codes/dates.ts'
import { benefitDateSpellings, benefitReferenceKeys } from '../../x12/codes/stedi-keys.ts'
import type { BenefitRow, DatePeriod, Reference, ServiceDelivery } from '../../x12/model.ts'
import { readPeriodText } from '../json-segments.ts'
import { type JsonObject, objectOf, objectsOf, textOf, textsOf } from '../json-values.ts'
import { codesByName, readReferences, readRelatedEntity } from './read-parties.ts'

/** Every row of the answer. The older `planStatus` counts only without `benefitsInformation`. */
export function readBenefits(json: JsonObject): BenefitRow[] {
  const rows = objectsOf(json.benefitsInformation).map(readBenefit)
  return rows.length > 0 ? rows : objectsOf(json.planStatus).map(readStatus)
}

/** Dates under Stedi's names of their qualifiers; unknown names are left out. */
export function readDates(json: JsonObject, names: ReadonlyMap<string, string>): DatePeriod[] {
  return Object.entries(json).flatMap(([name, value]) => {
    const qualifier = names.get(name)
    const text = textOf(value)
    return qualifier === undefined || text === undefined ? [] : [toPeriod(qualifier, text)]
  })
}

export const planDateCodes = codesByName(dateNames)
const benefitDateCodes = new Map([...planDateCodes, ...codesByName(benefitDateSpellings)])

function readBenefit(json: JsonObject): BenefitRow {
  return {
    code: textOf(json.code) ?? '',
    coverageLevel: textOf(json.coverageLevelCode),
    serviceTypeCodes: textsOf(json.serviceTypeCodes),
    insuranceType: textOf(json.insuranceTypeCode),
    planDescription: textOf(json.planCoverage),
    timeQualifier: textOf(json.timeQualifierCode),
    amount: textOf(json.benefitAmount),
    percent: textOf(json.benefitPercent),
    quantityQualifier: textOf(json.quantityQualifierCode),
    quantity: textOf(json.benefitQuantity),
    authorizationIndicator: textOf(json.authOrCertIndicator),
    networkIndicator: textOf(json.inPlanNetworkIndicatorCode),
    ...readProcedure(objectOf(json.compositeMedicalProcedureIdentifier)),
    deliveries: objectsOf(json.benefitsServiceDelivery).map(readDelivery),
    references: readBenefitReferences(objectOf(json.benefitsAdditionalInformation)),
    dates: readDates(objectOf(json.benefitsDateInformation), benefitDateCodes),
    messages: objectsOf(json.additionalInformation)
      .map(({ description }) => textOf(description))
      .filter((message) => message !== undefined),
    additionalInformation: allOrOne(
      json,
      'eligibilityAdditionalInformationList',
      'eligibilityAdditionalInformation',
    ).map(readInformation),
    entities: allOrOne(json, 'benefitsRelatedEntities', 'benefitsRelatedEntity').map(readRelatedEntity),
    rejections: [],
    ...(textOf(json.headerLoopIdentifierCode) !== undefined && { hasLoopHeader: true }),
  }
}

/** Older answers have only the first entry of a list, under a different key. */
function allOrOne(json: JsonObject, listKey: string, key: string): JsonObject[] {
  const list = objectsOf(json[listKey])
  return list.length > 0 ? list : objectsOf([json[key]])
}

function readStatus(json: JsonObject): BenefitRow {
  return readBenefit({
    code: json.statusCode,
    planCoverage: json.planDetails,
    serviceTypeCodes: json.serviceTypeCodes,
  })
}

/** The published schema has two spellings of this key. */
function readBenefitReferences(json: JsonObject): Reference[] {
  const { medicaidRecepientIdNumber: misspelled } = json
  return readReferences({ medicaidRecipientIdNumber: misspelled, ...json }, benefitReferenceKeys)
}

/** EB13 and EB14. Components: qualifier, code, four modifiers, description, end of the code range. */
function readProcedure(json: JsonObject): Pick<BenefitRow, 'procedure' | 'diagnosisPointers'> {
  const qualifier = textOf(json.productOrServiceIDQualifierCode)
  const code = textOf(json.procedureCode)
  const pointers = textsOf(json.diagnosisCodePointer)
  const modifiers = textsOf(json.procedureModifiers).slice(0, 4)
  const rangeEnd = textOf(json.productOrServiceID)
  const components = [qualifier ?? '', code ?? '', ...modifiers]
  if (rangeEnd !== undefined) components.push(...Array(7 - components.length).fill(''), rangeEnd)
  return {
    procedure: components.some((component) => component !== '') ? components : undefined,
    diagnosisPointers: pointers.length > 0 ? pointers : undefined,
  }
}

/** Stedi's schema has two keys for each code of HSD. */
function readDelivery(json: JsonObject): ServiceDelivery {
  return {
    quantityQualifier: textOf(json.quantityQualifierCode),
    quantity: textOf(json.quantity),
    frequencyUnit: textOf(json.unitForMeasurementQualifierCode) ?? textOf(json.unitForMeasurementCode),
    modulus: textOf(json.sampleSelectionModulus),
    periodQualifier: textOf(json.timePeriodQualifierCode),
    periodCount: textOf(json.numOfPeriods),
    pattern: textOf(json.deliveryOrCalendarPatternQualifierCode) ?? textOf(json.deliveryOrCalendarPatternCode),
    timePattern: textOf(json.deliveryPatternTimeQualifierCode) ?? textOf(json.deliveryPatternTimeCode),
  }
}

function readInformation(json: JsonObject): BenefitRow['additionalInformation'][number] {
  return {
    qualifier: textOf(json.codeListQualifierCode),
    code: textOf(json.industryCode),
    category: textOf(json.codeCategory),
    text: textOf(json.injuredBodyPartName),
  }
}

/** `CCYYMMDD` or a range of two; some of Stedi's products write the days with hyphens. */
function toPeriod(qualifier: string, text: string): DatePeriod {
  return readPeriodText(qualifier, text.replace(/(\d{4})-(\d{2})-(\d{2})/g, '$1$2$3'))
}
