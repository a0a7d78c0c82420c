// When a check that nobody could answer is asked again. Source: clearinghouse.md A3; x12-271.md 8; users.md 14.

const FIRST_DELAY_MS = 1_000
const LONGEST_DELAY_MS = 15 * 60_000

/** What the other side said about asking again. */
export interface RetryAdvice {
  /** Retry-After, in milliseconds. */
  afterMs?: number
}

/**
 * How long to wait before the next attempt, in milliseconds: doubling from one second to a quarter of an hour, less up to half by
 * chance so that what failed together does not come back together, and never less than the other side asks for.
 */
export function retryDelayMs(attempt: number, advice: RetryAdvice, random: () => number = Math.random): number {
  const full = Math.min(LONGEST_DELAY_MS, FIRST_DELAY_MS * 2 ** (attempt - 1))
  return Math.max(advice.afterMs ?? 0, Math.round(full * (1 - random() / 2)))
}
