// The extended view of a check, with the values that the interface's EligibilityCheck leaves out (rules.md 13.2).
import { Type } from 'typebox'
import {
  EligibilityCheck,
  EligibilityCheckStatus,
  EligibilityStatus,
} from '../../../contract/eligibility-check.schema.ts'
import { LIMIT_KINDS } from '../../answers/coverage/limits.ts'

export const StoredCheckSummary = Type.Object({
  check_id: Type.String(),
  status: EligibilityCheckStatus,
  initiated_at: Type.String({ format: 'date-time' }),
  initiated_by: Type.String(),
  completed_at: Type.Optional(Type.String({ format: 'date-time' })),
  payer_id: Type.Optional(Type.String()),
  date_of_service: Type.Optional(Type.String()),
  eligibility_status: Type.Optional(EligibilityStatus),
  batch_id: Type.Optional(Type.String()),
  /** Its place in the request of its batch, from 0. */
  batch_index: Type.Optional(Type.Integer()),
  coverage_id: Type.Optional(Type.String()),
  appointment_id: Type.Optional(Type.String()),
})

export const CoverageLimit = Type.Object({
  /**
   * COVERAGE: for some services only, or another fact that limits it. OTHER_PAYER: another payer is primary, or a plan pays instead.
   * SPEND_DOWN: the patient owes an amount first. IDENTITY: the payer has different identity data, or questions the person.
   * CHANGED: the coverage or its patient was changed after the check, whatever it answered; only with a coverage, not with a check.
   */
  kind: Type.Enum([...LIMIT_KINDS]),
  /** The payer's statement, or what was changed, in plain words. */
  note: Type.String(),
})

/** The limits of a coverage's latest answer. */
export const CoverageLimits = Type.Object({
  coverage_id: Type.String(),
  check_id: Type.String(),
  limits: Type.Array(CoverageLimit, { minItems: 1 }),
})

export const StoredCheck = Type.Object({
  ...StoredCheckSummary.properties,
  check: EligibilityCheck,
  /** What limits ACTIVE coverage; absent when nothing does. */
  limits: Type.Optional(Type.Array(CoverageLimit, { minItems: 1 })),
})

export const CheckMessages = Type.Object({
  check_id: Type.String(),
  /** The X12 270, or the JSON or form that a connector without X12 sent. */
  inquiry: Type.Optional(Type.String()),
  /** The X12 271, or the response received in its place. */
  response: Type.Optional(Type.String()),
})

export const ExplainedElement = Type.Object({
  /** EB03. */
  position: Type.String(),
  /** In the terms of the standard; absent when the standard does not define the element. */
  name: Type.Optional(Type.String()),
  /** As it was sent. */
  value: Type.String(),
  /** The meaning of a code, date or amount. */
  meaning: Type.Optional(Type.String()),
})

export const ExplainedSegment = Type.Object({
  id: Type.String(),
  name: Type.Optional(Type.String()),
  elements: Type.Array(ExplainedElement),
})

export const ExplainedMessage = Type.Object({
  format: Type.Enum(['X12', 'OTHER']),
  segments: Type.Optional(Type.Array(ExplainedSegment)),
  /** The number of further segments in the message. */
  segments_left_out: Type.Optional(Type.Integer()),
  /** A message that is not X12, unchanged. */
  text: Type.Optional(Type.String()),
})

export const ExplainedMessages = Type.Object({
  check_id: Type.String(),
  inquiry: Type.Optional(ExplainedMessage),
  response: Type.Optional(ExplainedMessage),
})
