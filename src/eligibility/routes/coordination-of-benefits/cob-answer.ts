import { type JsonObject, objectOf, objectsOf, textOf } from '../../../clearinghouses/json-values.ts'
import { isoDate } from '../../../x12/iso-date.ts'
import { bareErrors } from '../../answers/rejections/bare-errors.ts'
import type { CoordinationOfBenefitsResponse } from './coordination-of-benefits.schema.ts'

/**
 * Stedi's answer under the interface's names. Benefits are passed on unchanged; values that the answer does not contain are missing.
 * Source: types.md; clearinghouse.md A8.
 */
export function toWire(json: JsonObject): CoordinationOfBenefitsResponse {
  const flags = objectOf(json.coordinationOfBenefits)
  const errors = gatherErrors(json)
  return present({
    provider: describeProvider(objectOf(json.provider)),
    subscriber: describePerson(objectOf(json.subscriber)),
    dependent: describePerson(objectOf(json.dependent), DEPENDENT_NAMES),
    payer: rename(objectOf(json.payer), { name: 'name', payerIdentification: 'payer_identification' }),
    plan_date_information: rename(objectOf(json.planDateInformation), { planBegin: 'plan_begin', planEnd: 'plan_end' }),
    benefits_information: Array.isArray(json.benefitsInformation) ? json.benefitsInformation : undefined,
    errors: errors.length > 0 ? errors : undefined,
    coordination_of_benefits: present({
      classification: textOf(flags.classification),
      instance_exists: flagOf(flags.instanceExists),
      primacy_determined: flagOf(flags.primacyDetermined),
      coverage_overlap: flagOf(flags.coverageOverlap),
      benefit_overlap: flagOf(flags.benefitOverlap),
    }),
  })
}

/** `errors` collects those of all levels; without it, those of the levels are used. */
function gatherErrors(json: JsonObject) {
  const gathered = bareErrors(json.errors)
  if (gathered.length > 0) return gathered
  return [json.provider, json.subscriber, json.dependent].flatMap((level) => bareErrors(objectOf(level).aaaErrors))
}

function describeProvider(provider: JsonObject): object {
  return {
    ...rename(provider, {
      providerName: 'provider_name',
      providerFirstName: 'provider_first_name',
      providerOrgName: 'provider_org_name',
      npi: 'npi',
    }),
    ...aaaErrors(provider),
  }
}

const PERSON_NAMES = {
  memberId: 'member_id',
  firstName: 'first_name',
  lastName: 'last_name',
  middleName: 'middle_name',
  gender: 'gender',
  ssn: 'ssn',
  groupNumber: 'group_number',
  birthSequenceNumber: 'birth_sequence_number',
}

const DEPENDENT_NAMES = {
  ...PERSON_NAMES,
  relationToSubscriber: 'relation_to_subscriber',
  relationToSubscriberCode: 'relation_to_subscriber_code',
}

const ADDRESS_NAMES = {
  address1: 'address_1',
  address2: 'address_2',
  city: 'city',
  state: 'state',
  postalCode: 'postal_code',
  countryCode: 'country_code',
  countrySubDivisionCode: 'country_sub_division_code',
}

function describePerson(person: JsonObject, names: Readonly<Record<string, string>> = PERSON_NAMES): object {
  const born = textOf(person.dateOfBirth)
  return present({
    ...rename(person, names),
    date_of_birth: isoDate(born) ?? born,
    address: rename(objectOf(person.address), ADDRESS_NAMES),
    ...aaaErrors(person),
  })
}

function aaaErrors(level: JsonObject): object {
  return objectsOf(level.aaaErrors).length > 0 ? { aaa_errors: bareErrors(level.aaaErrors) } : {}
}

/** The texts of an object under other keys. */
function rename(json: JsonObject, names: Readonly<Record<string, string>>): Record<string, string> {
  const renamed: Record<string, string> = {}
  for (const [key, name] of Object.entries(names)) {
    const text = textOf(json[key])
    if (text !== undefined) renamed[name] = text
  }
  return renamed
}

/** The object without missing values and empty objects. */
function present(members: Record<string, unknown>): Record<string, never> {
  const isEmpty = (value: unknown) =>
    value === undefined || (typeof value === 'object' && value !== null && Object.keys(value).length === 0)
  const isKept = ([, value]: [string, unknown]) => Array.isArray(value) || !isEmpty(value)
  return Object.fromEntries(Object.entries(members).filter(isKept)) as Record<string, never>
}

function flagOf(value: unknown): boolean | undefined {
  return typeof value === 'boolean' ? value : undefined
}
