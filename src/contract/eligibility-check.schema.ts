// The eligibility check on the wire. Source: types.md, "Eligibility checks"; rules.md 13.1 to 13.3.
import { type Static, Type } from 'typebox'
import { CoverageBenefits, PlanMetadata, ServiceTypeCode } from './benefits.schema.ts'
import { recordId, UserId } from './common.schema.ts'

/** The published keys end in a question mark. The same keys without it are added for readers (rules.md 13.3). */
export const ERROR_DETAIL_KEYS = [
  'field',
  'description',
  'location',
  'possibleResolutions',
  'code',
  'followupAction',
] as const

export const EligibilityCheckErrorDetails = Type.Object(
  Object.fromEntries(
    ERROR_DETAIL_KEYS.flatMap((key) => [
      [`${key}?`, Type.Optional(Type.String())],
      [key, Type.Optional(Type.String())],
    ]),
  ),
)

export const EligibilityCheckErrorSource = Type.Enum(['CANDID', 'STEDI'])

export const EligibilityCheckError = Type.Object({
  source: EligibilityCheckErrorSource,
  errorDetails: EligibilityCheckErrorDetails,
})

export const EligibilityCheckStatus = Type.Enum(['COMPLETED', 'FAILED', 'PENDING'])

export const EligibilityCheckMetadata = Type.Object({
  check_id: recordId(),
  service_code: ServiceTypeCode,
  status: EligibilityCheckStatus,
  initiated_by: UserId,
  initiated_at: Type.String({ format: 'date-time' }),
})

export const Encounter = Type.Object({
  date_of_service: Type.Optional(Type.String({ format: 'date' })),
  service_type_codes: Type.Optional(Type.Array(Type.String())),
})

/** An X12 identifier has at most 80 characters. Source: 005010X279A1 NM109. */
export const IDENTIFIER_MAX = 80

export const MemberInfo = Type.Object({
  member_id: Type.Optional(Type.String({ maxLength: IDENTIFIER_MAX })),
  first_name: Type.String(),
  last_name: Type.String(),
  // Plain text and not a date: one of the published mock cases sends `20040404`, which the engine accepts (rules.md
  // 13.4).
  date_of_birth: Type.Optional(Type.String()),
})

export const IndividualProvider = Type.Object({
  first_name: Type.Optional(Type.String()),
  last_name: Type.Optional(Type.String()),
  npi: Type.String({ maxLength: IDENTIFIER_MAX }),
})

export const OrganizationProvider = Type.Object({
  organization_name: Type.Optional(Type.String()),
  npi: Type.String({ maxLength: IDENTIFIER_MAX }),
})

export const Provider = Type.Union([IndividualProvider, OrganizationProvider])

export const EligibilityRequest = Type.Object({
  submitter_transaction_identifier: Type.Optional(Type.String()),
  payer_id: Type.String({ maxLength: IDENTIFIER_MAX }),
  provider: Provider,
  subscriber: MemberInfo,
  dependent: Type.Optional(MemberInfo),
  encounter: Type.Optional(Encounter),
  get_existing_check_initiated_after: Type.Optional(Type.String({ format: 'date-time' })),
  source: Type.Optional(Type.String()),
  portal_password: Type.Optional(Type.String({ 'x-secret': true })),
  portal_username: Type.Optional(Type.String()),
})

export const EligibilityStatus = Type.Enum(['ACTIVE', 'INACTIVE', 'UNKNOWN'])

export const ParsedResponse = Type.Object({
  eligibility_status: EligibilityStatus,
  plan_metadata: Type.Optional(PlanMetadata),
  benefits: Type.Optional(CoverageBenefits),
})

export const RequestCorrection = Type.Object({
  property: Type.String(),
  request_value: Type.String(),
  corrected_value: Type.String(),
})

export const EligibilityCheck = Type.Object({
  batch_id: Type.Optional(Type.String()),
  errors: Type.Optional(Type.Array(EligibilityCheckError)),
  request: Type.Optional(EligibilityRequest),
  response: Type.Optional(Type.Unknown()),
  parsed_response: Type.Optional(ParsedResponse),
  request_corrections: Type.Optional(Type.Array(RequestCorrection)),
})
export type EligibilityRequest = Static<typeof EligibilityRequest>
export type EligibilityCheck = Static<typeof EligibilityCheck>
