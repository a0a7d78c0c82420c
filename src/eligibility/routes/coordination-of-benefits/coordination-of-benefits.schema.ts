// Coordination of benefits on the wire. Source: types.md, "Eligibility checks"; rules.md 13.11.
import { type Static, Type } from 'typebox'
import { EligibilityCheckErrorDetails, IDENTIFIER_MAX } from '../../../contract/eligibility-check.schema.ts'
import { Identifier, Name, ShortText, serviceDates } from '../request-fields.ts'

const text = Type.Optional(Type.String())
const shortText = Type.Optional(ShortText)
/** YYYY-MM-DD. */
const day = ShortText

export const CobProvider = Type.Object({
  organization_name: shortText,
  first_name: shortText,
  last_name: shortText,
  npi: Identifier,
})

export const CobSubscriber = Type.Object({
  first_name: Name,
  last_name: Name,
  date_of_birth: day,
  member_id: Type.Optional(Type.String({ maxLength: IDENTIFIER_MAX })),
  ssn: shortText,
})

export const CobDependent = Type.Object({
  first_name: Name,
  last_name: Name,
  date_of_birth: day,
  ssn: shortText,
})

export const CobEncounter = Type.Object({ ...serviceDates })

export const CoordinationOfBenefitsRequest = Type.Object({
  trading_partner_service_id: Identifier,
  provider: CobProvider,
  subscriber: CobSubscriber,
  dependent: Type.Optional(CobDependent),
  encounter: CobEncounter,
})
export type CoordinationOfBenefitsRequest = Static<typeof CoordinationOfBenefitsRequest>

export const CobAddress = Type.Object({
  address_1: text,
  address_2: text,
  city: text,
  state: text,
  postal_code: text,
  country_code: text,
  country_sub_division_code: text,
})

const aaaErrors = Type.Optional(Type.Array(EligibilityCheckErrorDetails))

const person = {
  member_id: text,
  first_name: text,
  last_name: text,
  middle_name: text,
  gender: text,
  date_of_birth: text,
  ssn: text,
  group_number: text,
  birth_sequence_number: text,
  address: Type.Optional(CobAddress),
  aaa_errors: aaaErrors,
}

export const CobResponseProvider = Type.Object({
  provider_name: text,
  provider_first_name: text,
  provider_org_name: text,
  npi: text,
  aaa_errors: aaaErrors,
})

export const CobResponseSubscriber = Type.Object(person)

export const CobResponseDependent = Type.Object({
  ...person,
  relation_to_subscriber: text,
  relation_to_subscriber_code: text,
})

export const CobPayer = Type.Object({ name: text, payer_identification: text })

export const CobPlanDateInformation = Type.Object({ plan_begin: text, plan_end: text })

const flag = Type.Optional(Type.Boolean())

export const Cob = Type.Object({
  classification: text,
  instance_exists: flag,
  primacy_determined: flag,
  coverage_overlap: flag,
  benefit_overlap: flag,
})
export type Cob = Static<typeof Cob>

export const CoordinationOfBenefitsResponse = Type.Object({
  provider: Type.Optional(CobResponseProvider),
  subscriber: Type.Optional(CobResponseSubscriber),
  dependent: Type.Optional(CobResponseDependent),
  payer: Type.Optional(CobPayer),
  plan_date_information: Type.Optional(CobPlanDateInformation),
  benefits_information: Type.Optional(Type.Array(Type.Unknown())),
  errors: Type.Optional(Type.Array(EligibilityCheckErrorDetails)),
  coordination_of_benefits: Type.Optional(Cob),
})
export type CoordinationOfBenefitsResponse = Static<typeof CoordinationOfBenefitsResponse>
