// When a failed check is retried, and when no longer. Source: clearinghouse.md A3; x12-271.md 8; users.md 14.

import { WireError } from '../../contract/errors.ts'
import { type BackOff, backOffMs } from '../../platform/back-off.ts'
import { type CheckOutcome, failedCheck } from '../answers/outcome.ts'

const BACK_OFF: BackOff = { firstMs: 1_000, longestMs: 15 * 60_000 }

/** The clearinghouse's advice on retrying. */
interface RetryAdvice {
  /** Retry-After, in milliseconds. */
  afterMs?: number
}

/** How long to wait after attempt number `attempt`, in milliseconds: from a second to a quarter of an hour. */
export function retryDelayMs(attempt: number, { afterMs }: RetryAdvice): number {
  return backOffMs(BACK_OFF, attempt, { askedMs: afterMs })
}

/** The delay before the next attempt, in milliseconds; undefined when the outcome is final. */
export function nextAttemptInMs(
  { attempt, initiatedAt }: { attempt: number; initiatedAt: Date },
  { outage }: CheckOutcome,
  { retryForMs, now }: { retryForMs: number; now: Date },
): number | undefined {
  if (!outage) return undefined
  const delayMs = retryDelayMs(attempt, outage)
  const ageMs = now.getTime() - initiatedAt.getTime()
  return ageMs + delayMs <= retryForMs ? delayMs : undefined
}

/**
 * Consecutive attempts that may fail on our side of the payer. Our choice: enough to survive killed processes, few enough to avoid the cost
 * of repeated inquiries.
 */
export const FAULTS_MAX = 5
const FAULT_BACK_OFF: BackOff = { firstMs: 2_000, longestMs: 60_000 }

/** How long to wait after that many attempts in a row failed on our side, in milliseconds. */
export function faultDelayMs(faults: number): number {
  return backOffMs(FAULT_BACK_OFF, Math.max(1, faults))
}

/** The error that ends a check after too many failures on our side. Only our own errors are quoted: others may contain stored data. */
export function givenUp(error?: unknown): CheckOutcome {
  const why = error instanceof WireError ? `: ${error.message}` : ''
  return failedCheck(
    {
      code: 'NOT_PROCESSED',
      description: `the check could not be completed${why}`,
      possibleResolutions: 'Start a new check. If it fails again, contact the operator of this service.',
    },
    'CANDID',
  )
}

/** The payer's answer arrived but could not be stored in its usual form; it must not be requested again at the clinic's cost. */
export function notStored({ rawInquiry, rawResponse }: CheckOutcome): CheckOutcome {
  return {
    ...failedCheck(
      {
        code: 'NOT_STORED',
        description: 'the payer has answered, but the answer could not be stored with its results',
        possibleResolutions:
          "Read the payer's answer in the messages of this check, or start a new check. Contact the operator of this service.",
      },
      'CANDID',
    ),
    ...(rawInquiry !== undefined && { rawInquiry }),
    ...(rawResponse !== undefined && { rawResponse }),
  }
}
