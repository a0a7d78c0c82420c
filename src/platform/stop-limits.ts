/** How long the parts of a process may take to end, in milliseconds. */
export interface StopLimits {
  /** What is at a payer, or waits for its turn there. */
  inquiriesMs: number
  /** The whole process; then it ends anyway, with exit code 1. */
  processMs: number
}

/** Beyond the time that an inquiry may take: reading its answer, and storing it. */
const STORING_MS = 10_000
const CLOSING_MS = 10_000

/**
 * An inquiry that was sent is waited for: nobody can know whether the payer has answered it, and asking again costs the clinic. So
 * every limit fits CLEARINGHOUSE_TIMEOUT_MS, after which no inquiry is open any more.
 */
export function stopLimits(config: { CLEARINGHOUSE_TIMEOUT_MS: number }): StopLimits {
  const inquiriesMs = config.CLEARINGHOUSE_TIMEOUT_MS + STORING_MS
  return { inquiriesMs, processMs: inquiriesMs + CLOSING_MS }
}
