// An organization's rules of verification on the wire, an extension of the interface. Source: rules.md 17; docs/verification.md.
import { type Static, Type } from 'typebox'
import { ServiceTypeCode } from '../../contract/benefits.schema.ts'
import { DAYS_AHEAD_MAX } from '../../contract/days-ahead.ts'
import { UniversalServiceIdentifier } from '../../resources/appointments/appointment.schema.ts'

const serviceTypes = Type.Array(ServiceTypeCode, { minItems: 1, maxItems: 99 })

/** How coverages are verified before visits: docs/verification.md. */
export const VerificationRules = Type.Object({
  /** Whether the service verifies coverages automatically before visits. */
  enabled: Type.Boolean(),
  days_ahead: Type.Integer({ minimum: 1, maximum: DAYS_AHEAD_MAX }),
  /** The NPI of the inquiry when the appointment names no doctor with an NPI. */
  npi: Type.Optional(Type.String()),
  /**
   * The service types to ask about for each service of an appointment; a service that is not listed counts as an office
   * visit.
   */
  visit_services: Type.Partial(Type.Record(UniversalServiceIdentifier, serviceTypes)),
  /** Whether eligibility checks may write benefits into coverages. */
  auto_update_benefits: Type.Boolean(),
})
export type VerificationRules = Static<typeof VerificationRules>
