import { codeTable } from '../x12/codes/code-table.ts'
import { relationshipNames } from '../x12/codes/relationships.ts'
import type { Party, Rejection } from '../x12/model.ts'
import { findMemberId } from './plan-metadata.ts'
import { errorDetails } from './rejections.ts'
import { contactModeName, entityIdentifierName, entityTypeName } from './related-entities.ts'

/** NM108 of a provider: the key of its NM109. Source: clearinghouse.md A2. */
const PROVIDER_IDS = codeTable({
  '24': 'employersId',
  '34': 'ssn',
  FI: 'federalTaxpayersIdNumber',
  PI: 'payorIdentification',
  PP: 'pharmacyProcessorNumber',
  SV: 'serviceProviderNumber',
  XV: 'servicesPlanID',
  XX: 'npi',
})

const PAYER_IDS = codeTable({
  '24': 'employersId',
  '46': 'etin',
  FI: 'federalTaxpayersIdNumber',
  NI: 'naic',
  PI: 'payorIdentification',
  XV: 'centersForMedicareAndMedicaidPlanId',
  XX: 'npi',
})

/** NM1 of 2100A. */
export function describePayer(party: Party, rejections: readonly Rejection[]): object {
  const isPerson = party.entityType === '1'
  return present({
    entityIdentifier: entityIdentifierName(party),
    entityType: entityTypeName(party),
    name: isPerson ? undefined : party.lastName,
    lastName: isPerson ? party.lastName : undefined,
    firstName: party.firstName,
    middleName: party.middleName,
    suffix: party.suffix,
    ...identified(party, PAYER_IDS),
    contactInformation: describeContacts(party),
    aaaErrors: rejections.map(errorDetails),
  })
}

/** NM1 of 2100B; `providerName` is NM103 for persons and organizations alike. */
export function describeProvider(party: Party, rejections: readonly Rejection[]): object {
  return present({
    entityIdentifier: entityIdentifierName(party),
    entityType: entityTypeName(party),
    providerName: party.lastName,
    providerFirstName: party.firstName,
    middleName: party.middleName,
    suffix: party.suffix,
    ...identified(party, PROVIDER_IDS),
    referenceIdentification: party.taxonomy,
    address: describeAddress(party),
    aaaErrors: rejections.map(errorDetails),
  })
}

/** 2100C or 2100D; dates of birth are CCYYMMDD as sent. */
export function describeMember(party: Party, rejections: readonly Rejection[]): object {
  return present({
    memberId: findMemberId(party),
    firstName: party.firstName,
    middleName: party.middleName,
    lastName: party.lastName,
    suffix: party.suffix,
    gender: party.gender,
    dateOfBirth: party.birthDate,
    entityIdentifier: entityIdentifierName(party),
    entityType: entityTypeName(party),
    relationToSubscriberCode: party.relationshipCode,
    relationToSubscriber: party.relationshipCode && relationshipNames[party.relationshipCode],
    insuredIndicator: party.insuredIndicator,
    maintenanceTypeCode: party.maintenanceTypeCode,
    maintenanceReasonCode: party.maintenanceReasonCode,
    birthSequenceNumber: party.birthSequence,
    ...describeMemberReferences(party),
    healthCareDiagnosisCodes: party.diagnoses?.map(({ qualifier, code }) =>
      present({ diagnosisTypeCode: qualifier, diagnosisCode: code }),
    ),
    ...describeMilitary(party.military),
    address: describeAddress(party),
    aaaErrors: rejections.map(errorDetails),
  })
}

/** N3 and N4; undefined when there is no address. */
export function describeAddress({ address }: Party): object | undefined {
  if (!address) return undefined
  return present({
    address1: address.line1,
    address2: address.line2,
    city: address.city,
    state: address.state,
    postalCode: address.postalCode,
    countryCode: address.countryCode,
    countrySubDivisionCode: address.countrySubdivision,
  })
}

/** PER, all of them under the first one's name; undefined when there is none. */
export function describeContacts({ contacts }: Party): object | undefined {
  if (contacts.length === 0) return undefined
  return present({
    name: contacts.find(({ name }) => name !== undefined)?.name,
    contacts: contacts.flatMap(({ numbers }) =>
      numbers.map(({ qualifier, value }) => ({
        communicationMode: contactModeName(qualifier),
        communicationNumber: value,
      })),
    ),
  })
}

/** The object without what is missing, empty text and empty lists. */
export function present(members: Record<string, unknown>): Record<string, unknown> {
  const kept: Record<string, unknown> = {}
  for (const [key, value] of Object.entries(members)) {
    if (value === undefined || value === '' || (Array.isArray(value) && value.length === 0)) continue
    kept[key] = value
  }
  return kept
}

function identified({ idQualifier, id }: Party, keys: Readonly<Record<string, string>>): object {
  const key = idQualifier === undefined ? undefined : keys[idQualifier]
  return key === undefined || id === undefined ? {} : { [key]: id }
}

function describeMemberReferences({ references }: Party): object {
  const described: Record<string, string | undefined> = {}
  for (const { qualifier, value, description } of references) {
    if (qualifier === '6P') Object.assign(described, { groupNumber: value, groupDescription: description })
    if (qualifier === '18') Object.assign(described, { planNumber: value, planDescription: description })
    if (qualifier === 'N6')
      Object.assign(described, { planNetworkIdNumber: value, planNetworkDescription: description })
    if (qualifier === 'SY') described.ssn = value
  }
  return described
}

/** MPI. Source: 005010X279A1 2100C MPI01..MPI07. */
function describeMilitary(military: readonly string[] | undefined): object {
  const [status, employment, affiliation, description, rank, format, period] = military ?? []
  return {
    informationStatusCode: status,
    employmentStatusCode: employment,
    governmentServiceAffiliationCode: affiliation,
    description,
    militaryServiceRankCode: rank,
    dateTimePeriodFormatQualifier: format,
    dateTimePeriod: period,
  }
}
