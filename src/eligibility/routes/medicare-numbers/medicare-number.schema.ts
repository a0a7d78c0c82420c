// The look-up of a Medicare number on the wire: an extension of the interface. Source: docs/eligibility.md.
import { type Static, Type } from 'typebox'
import { EligibilityCheckErrorDetails } from '../../../contract/eligibility-check.schema.ts'
import { Identifier, Name, ShortText } from '../request-fields.ts'

const text = Type.Optional(ShortText)

export const MedicareNumberProvider = Type.Object({
  npi: Identifier,
  organization_name: text,
  first_name: text,
  last_name: text,
})

export const MedicareNumberPerson = Type.Object({
  first_name: Name,
  last_name: Name,
  /** YYYY-MM-DD. */
  date_of_birth: ShortText,
  /** Nine digits. It is neither stored nor logged. */
  ssn: ShortText,
})

export const MedicareNumberRequest = Type.Object({ provider: MedicareNumberProvider, person: MedicareNumberPerson })
export type MedicareNumberRequest = Static<typeof MedicareNumberRequest>

export const MedicareNumberCorrection = Type.Object({
  property: Type.String(),
  request_value: Type.String(),
  corrected_value: Type.String(),
})

export const MedicareNumberResponse = Type.Object({
  /** The Medicare number, for use as the `member_id` of a coverage. */
  member_id: Type.Optional(Type.String()),
  /** Medicare's payer id. */
  payer_id: Type.Optional(Type.String()),
  eligibility_status: Type.Optional(Type.Enum(['ACTIVE', 'INACTIVE', 'UNKNOWN'])),
  /** Differences in Medicare's records, which a user confirms before the number is used. */
  request_corrections: Type.Optional(Type.Array(MedicareNumberCorrection)),
  errors: Type.Optional(Type.Array(EligibilityCheckErrorDetails)),
})
export type MedicareNumberResponse = Static<typeof MedicareNumberResponse>
