// When a check that nobody could answer is asked again. Source: clearinghouse.md A3; x12-271.md 8; users.md 14.
import { type BackOff, backOffMs } from '../back-off.ts'

const BACK_OFF: BackOff = { firstMs: 1_000, longestMs: 15 * 60_000 }

/** What the other side said about asking again. */
export interface RetryAdvice {
  /** Retry-After, in milliseconds. */
  afterMs?: number
}

/** How long to wait after attempt number `attempt`, in milliseconds: from a second to a quarter of an hour. */
export function retryDelayMs(attempt: number, { afterMs }: RetryAdvice, random?: () => number): number {
  return backOffMs(BACK_OFF, attempt, { askedMs: afterMs, random })
}
