/** How long the parts of a process may take to stop, in milliseconds. */
interface StopLimits {
  /** For inquiries that were sent to a payer, or wait for their turn. */
  inquiriesMs: number
  /** For the whole process; it is then ended anyway, with exit code 1. */
  processMs: number
}

/** In addition to the time limit of an inquiry: reading its answer, and storing it. */
const STORING_MS = 10_000
const CLOSING_MS = 10_000

/**
 * A sent inquiry is awaited: whether the payer has answered it cannot be known otherwise, and sending it again costs
 * the clinic. So every limit is derived from CLEARINGHOUSE_TIMEOUT_MS, after which no inquiry is still open.
 */
export function stopLimits(config: { CLEARINGHOUSE_TIMEOUT_MS: number }): StopLimits {
  const inquiriesMs = config.CLEARINGHOUSE_TIMEOUT_MS + STORING_MS
  return { inquiriesMs, processMs: inquiriesMs + CLOSING_MS }
}
