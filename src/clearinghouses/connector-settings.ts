// The settings, and the types of settings, that all kinds of connectors share.
import { Type } from 'typebox'

export const DEFAULT_LIMITS = { timeoutMs: 55_000, maxConcurrency: 20, retryHours: 8 }

/** The limits of every kind of connector, in the environment and in the settings of a stored connector. */
export const limits = {
  /** For one whole check. The published client times out after 60 s: a caller should receive our answer, not a broken connection. */
  timeoutMs: Type.Integer({ minimum: 100, maximum: 600_000, default: DEFAULT_LIMITS.timeoutMs }),
  /** Maximum number of concurrent checks; the others wait. */
  maxConcurrency: Type.Integer({ minimum: 1, maximum: 1000, default: DEFAULT_LIMITS.maxConcurrency }),
  /** How long checks in the background are retried. A payer's outage lasts hours; Stedi's own batches retry for 8 (clearinghouse.md A3). */
  retryHours: Type.Number({ minimum: 0, maximum: 72, default: DEFAULT_LIMITS.retryHours }),
}

export const text = (maxLength: number) => Type.String({ minLength: 1, maxLength })

/** A text that is never shown again. */
export const secret = (maxLength: number) => Type.String({ minLength: 1, maxLength, 'x-secret': true })

/** Without credentials, which would end up in error messages and process lists. */
export const httpUrl = Type.String({ pattern: '^https?://[^/@\\s]+(/\\S*)?$', maxLength: 2000, 'x-address': true })

/** The settings that every kind of connector accepts. */
export const commonSettings = {
  timeoutMs: Type.Optional(limits.timeoutMs),
  maxConcurrency: Type.Optional(limits.maxConcurrency),
  retryHours: Type.Optional(limits.retryHours),
}
