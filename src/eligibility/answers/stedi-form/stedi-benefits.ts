import { benefitNames, networkNames } from '../../../x12/codes/benefits.ts'
import { codeTable } from '../../../x12/codes/code-table.ts'
import { coverageLevelNames } from '../../../x12/codes/coverage-levels.ts'
import { insuranceTypeNames } from '../../../x12/codes/insurance-types.ts'
import { placeOfServiceNames } from '../../../x12/codes/places-of-service.ts'
import { procedureQualifierNames } from '../../../x12/codes/procedures.ts'
import { quantityQualifierNames } from '../../../x12/codes/quantity-qualifiers.ts'
import {
  deliveryPatternNames,
  deliveryTimeNames,
  serviceDeliveryUnitNames,
} from '../../../x12/codes/service-delivery.ts'
import { serviceTypeName } from '../../../x12/codes/service-types.ts'
import { benefitReferenceKeys } from '../../../x12/codes/stedi-keys.ts'
import { timeQualifierNames } from '../../../x12/codes/time-qualifiers.ts'
import type { BenefitRow, Party, Reference, ServiceDelivery } from '../../../x12/model.ts'
import { entityIdentifierName, entityTypeName } from '../benefits/related-entities.ts'
import { LONGEST_TEXT } from '../payer-text.ts'
import { describeBenefitDates } from './stedi-dates.ts'
import { describeAddress, describeContacts, present } from './stedi-parties.ts'

/** An object under construction. Its keys are set one by one: there may be thousands of rows, and copying objects is expensive. */
type StediBenefit = Record<string, unknown>

/**
 * One EB row with everything below it as an entry of `benefitsInformation`: every code with its name, amounts as text, the percentage as
 * the fraction that was sent. Codes without a name stand alone. Source: clearinghouse.md A2.
 */
export function describeBenefit(row: BenefitRow): object {
  const benefit: StediBenefit = {}
  if (row.code !== '') benefit.code = row.code
  const name = benefitNames[row.code]
  if (name !== undefined) benefit.name = name
  addCoverage(benefit, row)
  addFigures(benefit, row)
  addIndicators(benefit, row)
  addLists(benefit, row)
  if (row.entities.length > 0) addEntities(benefit, row)
  return benefit
}

/** More entries than the guide allows under one EB, and more service types than there are. */
const MOST_ENTRIES = 32
export const MOST_SERVICES = 300

/**
 * The row as a recommendation keeps it beside the answer, once for each of its payers: the first entries of each list and the beginning of each
 * text. The answer itself has all of them.
 */
export function describeBriefly(row: BenefitRow): object {
  const brief = { ...row, serviceTypeCodes: row.serviceTypeCodes.slice(0, MOST_SERVICES) }
  for (const list of ['deliveries', 'references', 'dates', 'messages', 'additionalInformation', 'entities'] as const) {
    Object.assign(brief, { [list]: row[list].slice(0, MOST_ENTRIES) })
  }
  brief.messages = brief.messages.map((text) => text.slice(0, LONGEST_TEXT))
  brief.planDescription &&= brief.planDescription.slice(0, LONGEST_TEXT)
  return describeBenefit(brief)
}

function addCoverage(benefit: StediBenefit, row: BenefitRow): void {
  const { coverageLevel, serviceTypeCodes, insuranceType, planDescription } = row
  if (coverageLevel !== undefined) {
    benefit.coverageLevelCode = coverageLevel
    const name = coverageLevelNames[coverageLevel]
    if (name !== undefined) benefit.coverageLevel = name
  }
  if (serviceTypeCodes.length > 0) {
    benefit.serviceTypeCodes = [...serviceTypeCodes]
    benefit.serviceTypes = serviceTypeCodes.map((code) => serviceTypeName(code) ?? code)
  }
  if (insuranceType !== undefined) {
    benefit.insuranceTypeCode = insuranceType
    const name = insuranceTypeNames[insuranceType]
    if (name !== undefined) benefit.insuranceType = name
  }
  if (planDescription !== undefined) benefit.planCoverage = planDescription
}

function addFigures(benefit: StediBenefit, row: BenefitRow): void {
  const { timeQualifier, amount, percent, quantityQualifier, quantity } = row
  if (timeQualifier !== undefined) {
    benefit.timeQualifierCode = timeQualifier
    const name = timeQualifierNames[timeQualifier]
    if (name !== undefined) benefit.timeQualifier = name
  }
  if (amount !== undefined) benefit.benefitAmount = amount
  if (percent !== undefined) benefit.benefitPercent = percent.startsWith('.') ? `0${percent}` : percent
  if (quantityQualifier !== undefined) {
    benefit.quantityQualifierCode = quantityQualifier
    const name = quantityQualifierNames[quantityQualifier]
    if (name !== undefined) benefit.quantityQualifier = name
  }
  if (quantity !== undefined) benefit.benefitQuantity = quantity
}

function addIndicators(benefit: StediBenefit, row: BenefitRow): void {
  const { authorizationIndicator, networkIndicator } = row
  if (authorizationIndicator !== undefined) benefit.authOrCertIndicator = authorizationIndicator
  if (networkIndicator !== undefined) {
    benefit.inPlanNetworkIndicatorCode = networkIndicator
    const name = networkNames[networkIndicator]
    if (name !== undefined) benefit.inPlanNetworkIndicator = name
  }
  if (row.hasLoopHeader) {
    benefit.headerLoopIdentifierCode = '2120'
    benefit.trailerLoopIdentifierCode = '2120'
  }
}

function addLists(benefit: StediBenefit, row: BenefitRow): void {
  if (row.procedure || row.diagnosisPointers) benefit.compositeMedicalProcedureIdentifier = describeProcedure(row)
  if (row.references.length > 0) {
    const references = describeReferences(row.references)
    if (references) benefit.benefitsAdditionalInformation = references
  }
  if (row.dates.length > 0) {
    const dates = describeBenefitDates(row.dates)
    if (dates) benefit.benefitsDateInformation = dates
  }
  if (row.deliveries.length > 0) benefit.benefitsServiceDelivery = row.deliveries.map(describeDelivery)
  if (row.messages.length > 0) benefit.additionalInformation = row.messages.map((description) => ({ description }))
  if (row.additionalInformation.length > 0) {
    const information = row.additionalInformation.map(describeInformation)
    benefit.eligibilityAdditionalInformation = information[0]
    benefit.eligibilityAdditionalInformationList = information
  }
}

function addEntities(benefit: StediBenefit, row: BenefitRow): void {
  const entities = row.entities.map(describeRelatedEntity)
  benefit.benefitsRelatedEntity = entities[0]
  benefit.benefitsRelatedEntities = entities
}

function describeReferences(references: readonly Reference[]): object | undefined {
  const described: Record<string, string> = {}
  let isEmpty = true
  for (const { qualifier, value, description } of references) {
    const [valueKey, descriptionKey] = benefitReferenceKeys.get(qualifier) ?? []
    if (valueKey !== undefined && value !== undefined) described[valueKey] = value
    if (descriptionKey !== undefined && description !== undefined) described[descriptionKey] = description
    isEmpty &&= valueKey === undefined || (value === undefined && description === undefined)
  }
  return isEmpty ? undefined : described
}

/** EB13 and EB14. Components: qualifier, code, four modifiers, description, end of the code range. */
function describeProcedure({ procedure, diagnosisPointers }: BenefitRow): object {
  const [qualifier, code, ...rest] = procedure ?? []
  return present({
    productOrServiceIDQualifierCode: qualifier,
    productOrServiceIDQualifier: qualifier && procedureQualifierNames[qualifier],
    procedureCode: code,
    procedureModifiers: rest.slice(0, 4).filter((modifier) => modifier !== ''),
    productOrServiceID: rest[5],
    diagnosisCodePointer: diagnosisPointers?.filter((pointer) => pointer !== ''),
  })
}

function describeDelivery(delivery: ServiceDelivery): object {
  const { quantityQualifier, frequencyUnit, periodQualifier, pattern, timePattern } = delivery
  return present({
    quantityQualifierCode: quantityQualifier,
    quantityQualifier: quantityQualifier && quantityQualifierNames[quantityQualifier],
    quantity: delivery.quantity,
    unitForMeasurementQualifierCode: frequencyUnit,
    unitForMeasurementQualifier: frequencyUnit && serviceDeliveryUnitNames[frequencyUnit],
    sampleSelectionModulus: delivery.modulus,
    timePeriodQualifierCode: periodQualifier,
    timePeriodQualifier: periodQualifier && timeQualifierNames[periodQualifier],
    numOfPeriods: delivery.periodCount,
    deliveryOrCalendarPatternQualifierCode: pattern,
    deliveryOrCalendarPatternQualifier: pattern && deliveryPatternNames[pattern],
    deliveryPatternTimeQualifierCode: timePattern,
    deliveryPatternTimeQualifier: timePattern && deliveryTimeNames[timePattern],
  })
}

const INFORMATION_LISTS = codeTable({
  GR: 'National Council on Compensation Insurance (NCCI) Nature of Injury Code',
  NI: 'Nature of Injury Code',
  ZZ: 'Mutually Defined',
})

function describeInformation(information: BenefitRow['additionalInformation'][number]): object {
  const { qualifier, code, category, text } = information
  return present({
    codeListQualifierCode: qualifier,
    codeListQualifier: qualifier && INFORMATION_LISTS[qualifier],
    industryCode: code,
    industry: code && qualifier === 'ZZ' ? placeOfServiceNames[code] : undefined,
    codeCategory: category,
    injuredBodyPartName: text,
  })
}

function describeRelatedEntity(party: Party): object {
  const { providerCode, taxonomy } = party
  return present({
    entityIdentifier: entityIdentifierName(party),
    entityType: entityTypeName(party),
    entityName: party.lastName,
    entityFirstname: party.firstName,
    entityMiddlename: party.middleName,
    entitySuffix: party.suffix,
    entityIdentification: party.idQualifier,
    entityIdentificationValue: party.id,
    entityRelationship: party.relationship,
    address: describeAddress(party),
    contactInformation: describeContacts(party),
    providerInformation:
      providerCode === undefined && taxonomy === undefined
        ? undefined
        : present({ providerCode, referenceIdentification: taxonomy }),
  })
}
