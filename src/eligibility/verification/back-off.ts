// When a visit without a final result is taken up again. Source: rules.md 17.
import { type BackOff, backOffMs } from '../../platform/back-off.ts'
import type { Claim } from './claim-visits.ts'
import { isFinal, URGENT_HOURS } from './decide.ts'

const HOUR_MS = 3_600_000
const BACK_OFF: BackOff = { firstMs: 60_000, longestMs: HOUR_MS }

/**
 * How long until the visit is taken up again, in milliseconds; undefined when every coverage has its final answer. From a minute to an
 * hour, and never past the moment when unanswered coverages must be reported.
 */
export function nextAttemptInMs(
  { answers, retries }: Pick<Claim, 'answers' | 'retries'>,
  hoursToVisit: number,
  random?: () => number,
): number | undefined {
  if (answers.every(({ finding }) => isFinal(finding))) return undefined
  const askedMs = Math.max(0, ...answers.map(({ afterMs = 0 }) => afterMs))
  const delayMs = backOffMs(BACK_OFF, retries + 1, { askedMs, random })
  const untilUrgentMs = (hoursToVisit - URGENT_HOURS) * HOUR_MS
  return untilUrgentMs > 0 ? Math.min(delayMs, untilUrgentMs) : delayMs
}

/** How long a visit is postponed after that many consecutive failures on our side, in milliseconds. */
export function faultDelayMs(faults: number): number {
  return backOffMs(BACK_OFF, Math.max(1, faults))
}
