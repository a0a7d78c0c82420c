// Pieces of the settings that operators write for connectors, shared by the kinds.
import { Type } from 'typebox'

/** The published client gives up after 60 s: a caller should read our answer, not a broken connection. */
export const DEFAULT_TIMEOUT_MS = 55_000
export const DEFAULT_MAX_CONCURRENCY = 20
/** A payer's outage lasts hours; Stedi's own batches ask again for 8 (clearinghouse.md A3). */
export const DEFAULT_RETRY_HOURS = 8

export const text = (maxLength: number) => Type.String({ minLength: 1, maxLength })

/** A text that is never shown again. */
export const secret = (maxLength: number) => Type.String({ minLength: 1, maxLength, isSecret: true })

/** No credentials in it: they would end up in error messages and process lists. */
export const httpUrl = Type.String({ pattern: '^https?://[^/@\\s]+(/\\S*)?$', maxLength: 2000 })

/** What every kind of connector takes. */
export const commonSettings = {
  /** For one whole check. */
  timeoutMs: Type.Optional(Type.Integer({ minimum: 100, maximum: 600_000 })),
  /** Checks open at a time; the rest wait. */
  maxConcurrency: Type.Optional(Type.Integer({ minimum: 1, maximum: 1000 })),
  /** For how long checks in the background are asked again while the payer cannot be reached. */
  retryHours: Type.Optional(Type.Number({ minimum: 0, maximum: 72 })),
}
