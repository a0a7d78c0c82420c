import { type Static, Type } from 'typebox'
import { inquiryServiceTypes } from '../../x12/codes/inquiry-service-types.ts'

/** X12 1365, as an inquiry may name it. */
export const InquiryServiceType = Type.Enum([...inquiryServiceTypes])

const serviceTypes = Type.Array(InquiryServiceType, { minItems: 1, maxItems: 99 })

/** How coverages are verified before visits: docs/verification.md. */
export const VerificationRules = Type.Object({
  /** Whether the service verifies coverages before visits by itself. */
  enabled: Type.Boolean(),
  days_ahead: Type.Integer({ minimum: 1, maximum: 30 }),
  /** Who asks before a visit whose appointment names no doctor with an NPI. */
  npi: Type.Optional(Type.String()),
  /** The service types that are asked about for each service that an appointment may name; one that is not named is an office visit. */
  visit_services: Type.Object({
    MD_Visit: Type.Optional(serviceTypes),
    Treatment: Type.Optional(serviceTypes),
    Tests: Type.Optional(serviceTypes),
    Activity: Type.Optional(serviceTypes),
  }),
  /** Whether eligibility checks may write benefits into coverages. */
  auto_update_benefits: Type.Boolean(),
})
export type VerificationRules = Static<typeof VerificationRules>
