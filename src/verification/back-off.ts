// When a visit that is not settled is taken up again. Source: rules.md 17.
import { isFinal, URGENT_HOURS } from './decide.ts'
import type { Claim } from './verification-store.ts'

const FIRST_DELAY_MS = 60_000
const LONGEST_DELAY_MS = 3_600_000
const HOUR_MS = 3_600_000

/**
 * How long until the visit is taken up again, in milliseconds; undefined when every coverage has its final answer. Doubling from a
 * minute to an hour, less up to half by chance so that what failed together does not come back together; never less than the other
 * side asks for, and never past the moment when what is unanswered must be told.
 */
export function nextAttemptInMs(
  { answers, retries }: Pick<Claim, 'answers' | 'retries'>,
  hoursToVisit: number,
  random: () => number = Math.random,
): number | undefined {
  if (answers.every(({ finding }) => isFinal(finding))) return undefined
  const full = Math.min(LONGEST_DELAY_MS, FIRST_DELAY_MS * 2 ** retries)
  const asked = Math.max(0, ...answers.map(({ afterMs = 0 }) => afterMs))
  const delayMs = Math.max(asked, Math.round(full * (1 - random() / 2)))
  const untilUrgentMs = (hoursToVisit - URGENT_HOURS) * HOUR_MS
  return untilUrgentMs > 0 ? Math.min(delayMs, untilUrgentMs) : delayMs
}
