/**
 * An error whose message is in our own words, and may be logged and shown to an operator: it names hosts, folders and codes at most. Messages of
 * other errors may quote values.
 */
export class StatedReason extends Error {
  override readonly name: string = 'StatedReason'
}

/** The message of an error that states its reason, for a log. */
export const statedReasonOf = (error: unknown): { reason?: string } =>
  error instanceof StatedReason ? { reason: error.message } : {}
