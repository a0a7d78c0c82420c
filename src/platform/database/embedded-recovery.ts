/** A start that failed may fail again for the same reason; the last delay is what an operator can wait for. */
export const RECOVERY_BACK_OFF = { firstMs: 500, longestMs: 60_000 }
/** A PostgreSQL that lived this long is no part of a series of crashes. */
export const STEADY_AFTER_MS = 60_000
