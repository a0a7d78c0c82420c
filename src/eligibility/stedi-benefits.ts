import { benefitNames, networkNames } from '../x12/codes/benefits.ts'
import { codeTable } from '../x12/codes/code-table.ts'
import { coverageLevelNames } from '../x12/codes/coverage-levels.ts'
import { dateNames } from '../x12/codes/dates.ts'
import { insuranceTypeNames } from '../x12/codes/insurance-types.ts'
import { placeOfServiceNames } from '../x12/codes/places-of-service.ts'
import { procedureQualifierNames } from '../x12/codes/procedures.ts'
import { quantityQualifierNames } from '../x12/codes/quantity-qualifiers.ts'
import { deliveryPatternNames, deliveryTimeNames, serviceDeliveryUnitNames } from '../x12/codes/service-delivery.ts'
import { serviceTypeNames } from '../x12/codes/service-types.ts'
import { timeQualifierNames } from '../x12/codes/time-qualifiers.ts'
import type { BenefitRow, DatePeriod, Party, Reference, ServiceDelivery } from '../x12/model.ts'
import { entityIdentifierName, entityTypeName } from './related-entities.ts'
import { describeAddress, describeContacts, present } from './stedi-parties.ts'

/** REF01 under an EB: the keys of its value (REF02) and its description (REF03). Source: clearinghouse.md A2. */
const REFERENCE_KEYS: ReadonlyMap<string, readonly [value: string, description?: string]> = new Map([
  ['18', ['planNumber', 'planDescription']],
  ['1L', ['policyNumber']],
  ['1W', ['memberId']],
  ['49', ['familyUnitNumber']],
  ['6P', ['groupNumber', 'groupDescription']],
  ['9F', ['referralNumber']],
  ['ALS', ['alternativeListId']],
  ['CLI', ['coverageListId']],
  ['F6', ['hicNumber']],
  ['FO', ['drugFormularyNumber']],
  ['G1', ['priorAuthorizationNumber']],
  ['IG', ['insurancePolicyNumber']],
  ['M7', ['medicalAssistanceCategory']],
  ['N6', ['planNetworkIdNumber', 'planNetworkDescription']],
  ['NQ', ['medicaidRecipientIdNumber']],
])

/** `benefitsDateInformation` spells this one otherwise than `planDateInformation`. Source: clearinghouse.md A2. */
const BENEFIT_DATE_SPELLINGS = codeTable({ '342': 'premiumPaidtoDateBegin' })
const NO_SPELLINGS = codeTable({})

/**
 * One EB row with everything under it as an entry of `benefitsInformation`: every code with its name, amounts as text,
 * the percentage as the fraction that was sent. Codes without a name keep the code alone. Source: clearinghouse.md A2.
 */
export function describeBenefit(row: BenefitRow): object {
  const entities = row.entities.map(describeRelatedEntity)
  const information = row.additionalInformation.map(describeInformation)
  return present({
    code: row.code,
    name: benefitNames[row.code],
    ...coded('coverageLevel', row.coverageLevel, coverageLevelNames),
    ...describeServiceTypes(row.serviceTypeCodes),
    ...coded('insuranceType', row.insuranceType, insuranceTypeNames),
    planCoverage: row.planDescription,
    ...coded('timeQualifier', row.timeQualifier, timeQualifierNames),
    benefitAmount: row.amount,
    benefitPercent: row.percent?.replace(/^\./, '0.'),
    ...coded('quantityQualifier', row.quantityQualifier, quantityQualifierNames),
    benefitQuantity: row.quantity,
    authOrCertIndicator: row.authorizationIndicator,
    ...coded('inPlanNetworkIndicator', row.networkIndicator, networkNames),
    headerLoopIdentifierCode: row.hasLoopHeader ? '2120' : undefined,
    trailerLoopIdentifierCode: row.hasLoopHeader ? '2120' : undefined,
    compositeMedicalProcedureIdentifier: describeProcedure(row),
    benefitsAdditionalInformation: describeReferences(row.references),
    benefitsDateInformation: describeDates(row.dates, BENEFIT_DATE_SPELLINGS),
    benefitsServiceDelivery: row.deliveries.map(describeDelivery),
    additionalInformation: row.messages.map((description) => ({ description })),
    eligibilityAdditionalInformation: information[0],
    eligibilityAdditionalInformationList: information,
    benefitsRelatedEntity: entities[0],
    benefitsRelatedEntities: entities,
  })
}

/** EB03 with names, side by side; a code without a name stands for itself. */
export function describeServiceTypes(codes: readonly string[]): {
  serviceTypeCodes?: string[]
  serviceTypes?: string[]
} {
  if (codes.length === 0) return {}
  return { serviceTypeCodes: [...codes], serviceTypes: codes.map((code) => serviceTypeNames[code] ?? code) }
}

/**
 * DTP as one object of named dates: `CCYYMMDD` or `CCYYMMDD-CCYYMMDD`, as sent. Of several with one name the last
 * stands; `spellings` overrides names. Undefined when there are none.
 */
export function describeDates(
  dates: readonly DatePeriod[],
  spellings: Readonly<Record<string, string>> = NO_SPELLINGS,
): object | undefined {
  const named = dates.map(({ qualifier, raw }) => [spellings[qualifier] ?? dateNames[qualifier], raw])
  const known = named.filter(([name, raw]) => name !== undefined && raw !== '')
  return known.length > 0 ? Object.fromEntries(known) : undefined
}

function describeReferences(references: readonly Reference[]): object | undefined {
  const described: Record<string, string> = {}
  for (const { qualifier, value, description } of references) {
    const [valueKey, descriptionKey] = REFERENCE_KEYS.get(qualifier) ?? []
    if (valueKey !== undefined && value !== undefined) described[valueKey] = value
    if (descriptionKey !== undefined && description !== undefined) described[descriptionKey] = description
  }
  return Object.keys(described).length > 0 ? described : undefined
}

/** EB13 and EB14. Components: qualifier, code, four modifiers, description, end of the code range. */
function describeProcedure({ procedure, diagnosisPointers }: BenefitRow): object | undefined {
  if (!procedure && !diagnosisPointers) return undefined
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
  return present({
    ...coded('quantityQualifier', delivery.quantityQualifier, quantityQualifierNames),
    quantity: delivery.quantity,
    ...coded('unitForMeasurementQualifier', delivery.frequencyUnit, serviceDeliveryUnitNames),
    sampleSelectionModulus: delivery.modulus,
    ...coded('timePeriodQualifier', delivery.periodQualifier, timeQualifierNames),
    numOfPeriods: delivery.periodCount,
    ...coded('deliveryOrCalendarPatternQualifier', delivery.pattern, deliveryPatternNames),
    ...coded('deliveryPatternTimeQualifier', delivery.timePattern, deliveryTimeNames),
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
  return present({
    entityIdentifier: entityIdentifierName(party),
    entityType: entityTypeName(party),
    entityName: party.lastName,
    entityFirstname: party.firstName,
    entityMiddlename: party.middleName,
    entitySuffix: party.suffix,
    entityIdentification: party.idQualifier,
    entityIdentificationValue: party.id,
    address: describeAddress(party),
    contactInformation: describeContacts(party),
    providerInformation: party.taxonomy === undefined ? undefined : { referenceIdentification: party.taxonomy },
  })
}

/** `{<key>Code: code, <key>: name}`, the pair in which every code is told. */
function coded(key: string, code: string | undefined, names: Readonly<Record<string, string>>): object {
  return code === undefined ? {} : { [`${key}Code`]: code, [key]: names[code] }
}
