import { benefitNames, networkNames } from '../../x12/codes/benefits.ts'
import { codeTable } from '../../x12/codes/code-table.ts'
import { coverageLevelNames } from '../../x12/codes/coverage-levels.ts'
import { insuranceTypeNames } from '../../x12/codes/insurance-types.ts'
import { placeOfServiceNames } from '../../x12/codes/places-of-service.ts'
import { procedureQualifierNames } from '../../x12/codes/procedures.ts'
import { quantityQualifierNames } from '../../x12/codes/quantity-qualifiers.ts'
import { deliveryPatternNames, deliveryTimeNames, serviceDeliveryUnitNames } from '../../x12/codes/service-delivery.ts'
import { serviceTypeName } from '../../x12/codes/service-types.ts'
import { benefitReferenceKeys } from '../../x12/codes/stedi-keys.ts'
import { timeQualifierNames } from '../../x12/codes/time-qualifiers.ts'
import type { BenefitRow, Party, Reference, ServiceDelivery } from '../../x12/model.ts'
import { entityIdentifierName, entityTypeName } from './related-entities.ts'
import { describeBenefitDates } from './stedi-dates.ts'
import { describeAddress, describeContacts, present } from './stedi-parties.ts'

/** An object in the making. Its keys are set one by one: rows come by the thousand, and copying objects is what costs. */
type Told = Record<string, unknown>

/**
 * One EB row with everything under it as an entry of `benefitsInformation`: every code with its name, amounts as text,
 * the percentage as the fraction that was sent. Codes without a name keep the code alone. Source: clearinghouse.md A2.
 */
export function describeBenefit(row: BenefitRow): object {
  const told: Told = {}
  if (row.code !== '') told.code = row.code
  const name = benefitNames[row.code]
  if (name !== undefined) told.name = name
  tellCoverage(told, row)
  tellFigures(told, row)
  tellIndicators(told, row)
  tellLists(told, row)
  if (row.entities.length > 0) tellEntities(told, row)
  return told
}

function tellCoverage(told: Told, row: BenefitRow): void {
  const { coverageLevel, serviceTypeCodes, insuranceType, planDescription } = row
  if (coverageLevel !== undefined) {
    told.coverageLevelCode = coverageLevel
    const name = coverageLevelNames[coverageLevel]
    if (name !== undefined) told.coverageLevel = name
  }
  if (serviceTypeCodes.length > 0) {
    told.serviceTypeCodes = [...serviceTypeCodes]
    told.serviceTypes = serviceTypeCodes.map((code) => serviceTypeName(code) ?? code)
  }
  if (insuranceType !== undefined) {
    told.insuranceTypeCode = insuranceType
    const name = insuranceTypeNames[insuranceType]
    if (name !== undefined) told.insuranceType = name
  }
  if (planDescription !== undefined) told.planCoverage = planDescription
}

function tellFigures(told: Told, row: BenefitRow): void {
  const { timeQualifier, amount, percent, quantityQualifier, quantity } = row
  if (timeQualifier !== undefined) {
    told.timeQualifierCode = timeQualifier
    const name = timeQualifierNames[timeQualifier]
    if (name !== undefined) told.timeQualifier = name
  }
  if (amount !== undefined) told.benefitAmount = amount
  if (percent !== undefined) told.benefitPercent = percent.startsWith('.') ? `0${percent}` : percent
  if (quantityQualifier !== undefined) {
    told.quantityQualifierCode = quantityQualifier
    const name = quantityQualifierNames[quantityQualifier]
    if (name !== undefined) told.quantityQualifier = name
  }
  if (quantity !== undefined) told.benefitQuantity = quantity
}

function tellIndicators(told: Told, row: BenefitRow): void {
  const { authorizationIndicator, networkIndicator } = row
  if (authorizationIndicator !== undefined) told.authOrCertIndicator = authorizationIndicator
  if (networkIndicator !== undefined) {
    told.inPlanNetworkIndicatorCode = networkIndicator
    const name = networkNames[networkIndicator]
    if (name !== undefined) told.inPlanNetworkIndicator = name
  }
  if (row.hasLoopHeader) {
    told.headerLoopIdentifierCode = '2120'
    told.trailerLoopIdentifierCode = '2120'
  }
}

function tellLists(told: Told, row: BenefitRow): void {
  if (row.procedure || row.diagnosisPointers) told.compositeMedicalProcedureIdentifier = describeProcedure(row)
  if (row.references.length > 0) {
    const references = describeReferences(row.references)
    if (references) told.benefitsAdditionalInformation = references
  }
  if (row.dates.length > 0) {
    const dates = describeBenefitDates(row.dates)
    if (dates) told.benefitsDateInformation = dates
  }
  if (row.deliveries.length > 0) told.benefitsServiceDelivery = row.deliveries.map(describeDelivery)
  if (row.messages.length > 0) told.additionalInformation = row.messages.map((description) => ({ description }))
  if (row.additionalInformation.length > 0) {
    const information = row.additionalInformation.map(describeInformation)
    told.eligibilityAdditionalInformation = information[0]
    told.eligibilityAdditionalInformationList = information
  }
}

function tellEntities(told: Told, row: BenefitRow): void {
  const entities = row.entities.map(describeRelatedEntity)
  told.benefitsRelatedEntity = entities[0]
  told.benefitsRelatedEntities = entities
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
