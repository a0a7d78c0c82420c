// `benefitsInformation` of Stedi's JSON as the EB rows of a 271. Source: clearinghouse.md A2.

import { emptyRow } from '../../x12/benefit-row.ts'
import { benefitNames, networkNames } from '../../x12/codes/benefits.ts'
import { coverageLevelNames } from '../../x12/codes/coverage-levels.ts'
import { dateNames } from '../../x12/codes/dates.ts'
import { insuranceTypeNames } from '../../x12/codes/insurance-types.ts'
import { quantityQualifierNames } from '../../x12/codes/quantity-qualifiers.ts'
import { serviceTypeNames } from '../../x12/codes/service-types.ts'
import { benefitDateSpellings, benefitReferenceKeys } from '../../x12/codes/stedi-keys.ts'
import { timeQualifierNames } from '../../x12/codes/time-qualifiers.ts'
import type { BenefitRow, DatePeriod, Reference, ServiceDelivery } from '../../x12/model.ts'
import { codesByLowerName, readerOfCodes, readPeriodText, referenceReader } from '../json-segments.ts'
import { type JsonObject, objectOf, objectsOf, textOf, textsOf, wordsOf } from '../json-values.ts'
import { codesByName, readRelatedEntity } from './read-parties.ts'

/** Every row of the answer. The older `planStatus` counts only without `benefitsInformation`. */
export function readBenefits(json: JsonObject): BenefitRow[] {
  const rows = objectsOf(json.benefitsInformation).map(readBenefit)
  return rows.length > 0 ? rows : objectsOf(json.planStatus).map(readStatus)
}

/** Dates under Stedi's names of their qualifiers; unknown names are left out. */
export function readDates(json: JsonObject, names: ReadonlyMap<string, string>): DatePeriod[] {
  return Object.entries(json).flatMap(([name, value]) => {
    const qualifier = names.get(name)
    // A day in an unexpected form may be the end of the coverage.
    return qualifier === undefined ? [] : wordsOf(value, []).map((text) => toPeriod(qualifier, text))
  })
}

export const planDateCodes = codesByName(dateNames)
const benefitDateCodes = new Map([...planDateCodes, ...codesByName(benefitDateSpellings)])

/** The code under its key, else that of its name: relays of Stedi's answers keep the names alone. An unknown name is passed on. */
function codeOrName(codeKey: string, nameKey: string, names: Readonly<Record<string, string>>) {
  const read = readerOfCodes(codeKey, nameKey, names)
  return (json: JsonObject) => read(json)?.trim().toUpperCase() ?? textOf(json[nameKey])
}

const readCode = codeOrName('code', 'name', benefitNames)
const readLevel = codeOrName('coverageLevelCode', 'coverageLevel', coverageLevelNames)
const readInsuranceType = codeOrName('insuranceTypeCode', 'insuranceType', insuranceTypeNames)
const readTimeQualifier = codeOrName('timeQualifierCode', 'timeQualifier', timeQualifierNames)
const readQuantityQualifier = codeOrName('quantityQualifierCode', 'quantityQualifier', quantityQualifierNames)
const readNetwork = codeOrName('inPlanNetworkIndicatorCode', 'inPlanNetworkIndicator', networkNames)
const serviceCodes = codesByLowerName(serviceTypeNames)

/** EB03. Services without codes are read by their names: a row of an unknown one is not about the plan. */
function readServices({ serviceTypeCodes, serviceTypes }: JsonObject): string[] {
  const codes = textsOf(serviceTypeCodes)
  if (codes.length > 0) return codes.map((code) => serviceCodes.get(code.toLowerCase()) ?? code)
  return textsOf(serviceTypes).map((name) => serviceCodes.get(name.trim().toLowerCase()) ?? name)
}

function readBenefit(json: JsonObject): BenefitRow {
  const row = emptyRow(readCode(json) ?? '', readServices(json))
  row.coverageLevel = readLevel(json)
  row.insuranceType = readInsuranceType(json)
  row.planDescription = textOf(json.planCoverage)
  row.timeQualifier = readTimeQualifier(json)
  row.amount = textOf(json.benefitAmount)
  row.percent = textOf(json.benefitPercent)
  row.quantityQualifier = readQuantityQualifier(json)
  row.quantity = textOf(json.benefitQuantity)
  row.authorizationIndicator = textOf(json.authOrCertIndicator)
  row.networkIndicator = readNetwork(json)
  takeProcedure(row, json.compositeMedicalProcedureIdentifier)
  row.deliveries = objectsOf(json.benefitsServiceDelivery).map(readDelivery)
  row.references = readBenefitReferences(objectOf(json.benefitsAdditionalInformation))
  row.dates = readDates(objectOf(json.benefitsDateInformation), benefitDateCodes)
  row.messages = readMessages(json.additionalInformation)
  const information = allOrOne(json, 'eligibilityAdditionalInformationList', 'eligibilityAdditionalInformation')
  row.additionalInformation = information.map(readInformation)
  row.entities = allOrOne(json, 'benefitsRelatedEntities', 'benefitsRelatedEntity').map(readRelatedEntity)
  if (textOf(json.headerLoopIdentifierCode) !== undefined) row.hasLoopHeader = true
  return row
}

/** MSG: objects with a description, or the texts themselves. */
const readMessages = (value: unknown) => wordsOf(value, ['description'])

/** Older answers have only the first entry of a list, under a different key. */
function allOrOne(json: JsonObject, listKey: string, key: string): JsonObject[] {
  const list = objectsOf(json[listKey])
  return list.length > 0 ? list : objectsOf([json[key]])
}

function readStatus(json: JsonObject): BenefitRow {
  return readBenefit({
    code: json.statusCode,
    name: json.status,
    planCoverage: json.planDetails,
    serviceTypeCodes: json.serviceTypeCodes,
  })
}

/** The published schema has two spellings of this key. */
function readBenefitReferences(json: JsonObject): Reference[] {
  const { medicaidRecepientIdNumber: misspelled } = json
  return readReferences(misspelled === undefined ? json : { medicaidRecipientIdNumber: misspelled, ...json })
}

const readReferences = referenceReader(benefitReferenceKeys)

/** EB13 and EB14. Components: qualifier, code, four modifiers, description, end of the code range. */
function takeProcedure(row: BenefitRow, value: unknown): void {
  const json = objectOf(value)
  const qualifier = textOf(json.productOrServiceIDQualifierCode)
  const code = textOf(json.procedureCode)
  const pointers = textsOf(json.diagnosisCodePointer)
  const modifiers = textsOf(json.procedureModifiers).slice(0, 4)
  const rangeEnd = textOf(json.productOrServiceID)
  const components = [qualifier ?? '', code ?? '', ...modifiers]
  if (rangeEnd !== undefined) components.push(...Array(7 - components.length).fill(''), rangeEnd)
  if (components.some((component) => component !== '')) row.procedure = components
  if (pointers.length > 0) row.diagnosisPointers = pointers
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

/** `CCYYMMDD` or a range of two; some of Stedi's products write the days with hyphens, or with a time of day. */
function toPeriod(qualifier: string, text: string): DatePeriod {
  const days = text.replace(/(\d{4})-(\d{2})-(\d{2})(?:T\d{2}:[\d:.]*(?:Z|[+-]\d{2}:?\d{2})?)?/g, '$1$2$3')
  return readPeriodText(qualifier, days)
}
