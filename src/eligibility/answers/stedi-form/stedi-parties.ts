import { relationshipNames } from '../../../x12/codes/relationships.ts'
import { memberReferenceKeys, militaryKeys, payerIdKeys, providerIdKeys } from '../../../x12/codes/stedi-keys.ts'
import type { Party, Rejection } from '../../../x12/model.ts'
import { findMemberId } from '../benefits/plan-metadata.ts'
import { contactModeName, entityIdentifierName, entityTypeName } from '../benefits/related-entities.ts'
import { errorDetails } from '../rejections/rejections.ts'

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
    ...identified(party, payerIdKeys),
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
    ...identified(party, providerIdKeys),
    providerCode: party.providerCode,
    referenceIdentification: party.taxonomy,
    address: describeAddress(party),
    aaaErrors: rejections.map(errorDetails),
  })
}

/** 2100C: the subscriber. Only subscribers have a member id. */
export function describeSubscriber(party: Party, rejections: readonly Rejection[]): object {
  return {
    ...present({
      memberId: findMemberId(party),
      uniqueHealthIdentifier: party.idQualifier === 'II' ? party.id : undefined,
    }),
    ...describeMember(party, rejections),
  }
}

/** The fields that 2100C and 2100D share; dates of birth are CCYYMMDD as sent. */
export function describeMember(party: Party, rejections: readonly Rejection[]): object {
  return present({
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
    responseProvider:
      party.taxonomy === undefined
        ? undefined
        : present({ providerCode: party.providerCode, referenceIdentification: party.taxonomy }),
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

/** All PER segments under the first one's name; undefined when there are none. */
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

/** The object without missing values, empty text and empty lists. */
export function present(members: Record<string, unknown>): Record<string, unknown> {
  const result: Record<string, unknown> = {}
  for (const key in members) {
    const value = members[key]
    if (value === undefined || value === '' || (Array.isArray(value) && value.length === 0)) continue
    result[key] = value
  }
  return result
}

function identified({ idQualifier, id }: Party, keys: Readonly<Record<string, string>>): object {
  const key = idQualifier === undefined ? undefined : keys[idQualifier]
  return key === undefined || id === undefined ? {} : { [key]: id }
}

function describeMemberReferences({ references }: Party): object {
  const described: Record<string, string | undefined> = {}
  for (const { qualifier, value, description } of references) {
    const [valueKey, descriptionKey] = memberReferenceKeys.get(qualifier) ?? []
    if (valueKey !== undefined) described[valueKey] = value
    if (descriptionKey !== undefined) described[descriptionKey] = description
  }
  return described
}

/** MPI; a range is also given as two dates. Source: 005010X279A1 2100C MPI01..MPI07. */
function describeMilitary(military: readonly string[] | undefined): object {
  if (!military) return {}
  const service: Record<string, string | undefined> = {}
  for (const [index, key] of militaryKeys.entries()) service[key] = military[index]
  if (service.dateTimePeriodFormatQualifier === 'RD8') {
    const [start, end] = service.dateTimePeriod?.split('-', 2) ?? []
    service.startDateTimePeriod = start
    service.endDateTimePeriod = end
  }
  return service
}
