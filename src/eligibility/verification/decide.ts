// The result of a visit's verification. Source: rules.md 17, 11.1; decisions/0010-verification.md.
import type { Static } from 'typebox'
import type { PlanConversionType } from '../../contract/plan-conversions.ts'
import type {
  AppointmentStatus,
  AppointmentWorkQueue,
  NotReadyReason,
  ReadySource,
} from '../../resources/appointments/appointment.schema.ts'

/**
 * The finding about one coverage on the date of service.
 * - ACTIVE, INACTIVE: stated by the payer. UNKNOWN: the payer answered without stating it.
 * - OTHER_PAYER: the coverage is active, and another payer is primary.
 * - REJECTED: a user must act first: an AAA, an answer about another person, a correction, an unmet spend-down.
 * - UNUSABLE: the answer cannot be used.
 * - UNAVAILABLE: the payer cannot be reached, or cannot answer now. PENDING: the check is still open.
 * - NOT_ASKED: data for the inquiry is missing.
 */
export type Finding = (typeof FINAL_FINDINGS)[number] | 'UNAVAILABLE' | 'PENDING' | 'NOT_ASKED'

/** Those that another inquiry would not change. */
export const FINAL_FINDINGS = ['ACTIVE', 'INACTIVE', 'OTHER_PAYER', 'UNKNOWN', 'REJECTED', 'UNUSABLE'] as const

/** The finding about one coverage, or why there is none. */
export interface CoverageFinding {
  coverage_id: string
  finding: Finding
  /** Absent when no inquiry was sent. */
  check_id?: string
  /** The reason, for the user; contains no value of the patient. */
  detail?: string
  /** The delay that the clearinghouse requests, in milliseconds. */
  afterMs?: number
}

/** Everything that affects the decision about a visit. */
export interface Facts {
  /** Of the primary coverage and the secondary one, as many as are filed. */
  findings: Finding[]
  /** The recommendation of the answers that concerns the visit. */
  conversion?: PlanConversionType | undefined
  /** The patient's cost of the visit according to the primary payer's answer. */
  copayCents?: number | undefined
  /** The cost that a user has entered, if any. */
  knownCopayCents?: number | undefined
  hoursToVisit: number
  hasEarlierVisit: boolean
}

/** The fields of the appointment that the verification writes; an absent one is cleared. */
export interface Decision {
  status: Extract<AppointmentStatus, 'READY' | 'NOT_READY'>
  not_ready_reason?: Static<typeof NotReadyReason>
  ready_source?: Static<typeof ReadySource>
  work_queue?: Static<typeof AppointmentWorkQueue>
  automated_eligibility_check_complete: boolean
  /** Present when it is to be filled in. */
  estimated_copay_cents?: number
}

/** From this time on, unanswered coverages are reported, and the visit is urgent. */
export const URGENT_HOURS = 24

const FINAL: ReadonlySet<Finding> = new Set(FINAL_FINDINGS)

/** True for a finding that another inquiry would not change. */
export function isFinal(finding: Finding): boolean {
  return FINAL.has(finding)
}

/** Reasons by finding, in order of precedence; each for the primary coverage and then for the secondary one. */
const REASONS = [
  ['INACTIVE', ['INACTIVE_PRIMARY', 'INACTIVE_SECONDARY']],
  ['OTHER_PAYER', ['NEW_INSURANCE', 'NEW_INSURANCE']],
  ['REJECTED', ['ELIGIBILITY_CHECK_FAILED_PRIMARY', 'ELIGIBILITY_CHECK_FAILED_SECONDARY']],
  ['UNAVAILABLE', ['UNAVAILABLE_PRIMARY', 'UNAVAILABLE_SECONDARY']],
  ['PENDING', ['PENDING_PRIMARY', 'PENDING_SECONDARY']],
] as const satisfies readonly (readonly [Finding, readonly Static<typeof NotReadyReason>[]])[]

const CONVERSIONS = {
  MEDICARE_ADVANTAGE: 'MEDICARE_ADVANTAGE_CONVERSION',
  MEDICAID_MANAGED_CARE: 'MEDICAID_MANAGED_CONVERSION',
} as const

/**
 * The decision to write; undefined while a payer may still answer and the visit is more than a day away. Source: rules.md 17. Our choice: a
 * conversion counts even when the coverage is active, because the inquired payer will not be the one that pays.
 */
export function decide(facts: Facts): Decision | undefined {
  const { findings, hoursToVisit, copayCents, knownCopayCents } = facts
  const mayBeAnswered = findings.some((finding) => finding === 'UNAVAILABLE' || finding === 'PENDING')
  if (mayBeAnswered && hoursToVisit > URGENT_HOURS) return undefined
  const reason = reasonOf(facts)
  return {
    ...(reason === undefined
      ? { status: 'READY', ready_source: 'MACHINE' }
      : { status: 'NOT_READY', not_ready_reason: reason, work_queue: queueOf(facts) }),
    automated_eligibility_check_complete: findings.every(isFinal),
    ...(isPrimaryPayer(facts) &&
      copayCents !== undefined &&
      knownCopayCents === undefined && { estimated_copay_cents: copayCents }),
  }
}

/** False when the primary payer's copay is not the visit's: its coverage is not active, or another payer pays instead of it. */
function isPrimaryPayer({ findings, conversion }: Facts): boolean {
  return findings[0] === 'ACTIVE' && conversion === undefined
}

/** The first reason that applies; undefined when there is none. */
function reasonOf({ findings, conversion }: Facts): Static<typeof NotReadyReason> | undefined {
  if (findings.length === 0) return 'NO_COVERAGE'
  if (conversion) return CONVERSIONS[conversion]
  for (const [finding, reasons] of REASONS) {
    const place = findings.indexOf(finding)
    if (place !== -1) return reasons[place]
  }
  return findings.every((finding) => finding === 'ACTIVE') ? undefined : 'ERROR'
}

function queueOf({ hoursToVisit, hasEarlierVisit }: Facts): Static<typeof AppointmentWorkQueue> {
  if (hoursToVisit <= URGENT_HOURS) return 'EMERGENT_ISSUE'
  return hasEarlierVisit ? 'RETURNING_PATIENT' : 'NEW_PATIENT'
}
