/** A failed start may fail again for the same reason; the last delay is one that an operator can wait for. */
export const RECOVERY_BACK_OFF = { firstMs: 500, longestMs: 60_000 }
/** A PostgreSQL that ran for this long is not part of a series of crashes. */
export const STEADY_AFTER_MS = 60_000
