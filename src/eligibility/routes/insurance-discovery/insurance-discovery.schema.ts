// Insurance discovery on the wire. Source: types.md, "Eligibility checks"; rules.md 13.10.
import { type Static, Type } from 'typebox'
import { EligibilityCheckErrorDetails } from '../../../contract/eligibility-check.schema.ts'
import { Identifier, Name, ShortText, serviceDates } from '../request-fields.ts'

const text = Type.Optional(ShortText)
/** YYYYMMDD. */
const day = text

export const InsuranceDiscoveryGender = Type.Enum(['M', 'F'])

export const InsuranceDiscoveryAddress = Type.Object({
  address_1: text,
  address_2: text,
  city: text,
  state: text,
  postal_code: text,
  country_code: text,
})

const person = {
  first_name: Name,
  last_name: Name,
  middle_name: text,
  date_of_birth: day,
  /** Nine digits, or the last four. */
  ssn: text,
  gender: Type.Optional(InsuranceDiscoveryGender),
  address: Type.Optional(InsuranceDiscoveryAddress),
}

export const InsuranceDiscoverySubscriber = Type.Object({ ...person })
export const InsuranceDiscoveryDependent = Type.Object({ ...person })

export const InsuranceDiscoveryProvider = Type.Object({ npi: Identifier })

/** Its dates are YYYYMMDD, too. */
export const InsuranceDiscoveryEncounter = Type.Object({ ...serviceDates })

export const InsuranceDiscoveryRequest = Type.Object({
  provider: InsuranceDiscoveryProvider,
  subscriber: InsuranceDiscoverySubscriber,
  dependent: Type.Optional(InsuranceDiscoveryDependent),
  encounter: Type.Optional(InsuranceDiscoveryEncounter),
})
export type InsuranceDiscoveryRequest = Static<typeof InsuranceDiscoveryRequest>

export const InsuranceDiscoveryStatus = Type.Enum(['PENDING', 'COMPLETE'])

export const InsuranceDiscoveryResponse = Type.Object({
  discovery_id: Type.Optional(Type.String()),
  status: Type.Optional(InsuranceDiscoveryStatus),
  items: Type.Optional(Type.Array(Type.Unknown())),
  coverages_found: Type.Optional(Type.Integer()),
  errors: Type.Optional(Type.Array(EligibilityCheckErrorDetails)),
})
export type InsuranceDiscoveryResponse = Static<typeof InsuranceDiscoveryResponse>
