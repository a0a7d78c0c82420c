// Pieces of the settings that operators write for connectors, shared by the kinds.
import { Type } from 'typebox'

export const DEFAULT_LIMITS = { timeoutMs: 55_000, maxConcurrency: 20, retryHours: 8 }

/** What every kind of connector is limited by, in the environment as in the settings of a stored connector. */
export const limits = {
  /** For one whole check. The published client gives up after 60 s: a caller should read our answer, not a broken connection. */
  timeoutMs: Type.Integer({ minimum: 100, maximum: 600_000, default: DEFAULT_LIMITS.timeoutMs }),
  /** Checks open at a time; the others wait. */
  maxConcurrency: Type.Integer({ minimum: 1, maximum: 1000, default: DEFAULT_LIMITS.maxConcurrency }),
  /** How long checks in the background are retried. A payer's outage lasts hours; Stedi's own batches retry for 8 (clearinghouse.md A3). */
  retryHours: Type.Number({ minimum: 0, maximum: 72, default: DEFAULT_LIMITS.retryHours }),
}

export const text = (maxLength: number) => Type.String({ minLength: 1, maxLength })

/** A text that is never shown again. */
export const secret = (maxLength: number) => Type.String({ minLength: 1, maxLength, 'x-secret': true })

/** No credentials in it: they would end up in error messages and process lists. */
export const httpUrl = Type.String({ pattern: '^https?://[^/@\\s]+(/\\S*)?$', maxLength: 2000, 'x-address': true })

/** What every kind of connector takes. */
export const commonSettings = {
  timeoutMs: Type.Optional(limits.timeoutMs),
  maxConcurrency: Type.Optional(limits.maxConcurrency),
  retryHours: Type.Optional(limits.retryHours),
}
