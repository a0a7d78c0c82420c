import type { Inquiry } from '../x12/model.ts'

/** What a connector brings back from the other side. Decoding it is the engine's business, not the connector's. */
export interface ClearinghouseAnswer {
  /** The interchange exactly as sent, for the record; undefined when the connector does not speak X12. */
  rawInquiry?: string
  /** The interchange exactly as received. */
  rawResponse: string
}

/** Why no usable answer came, in words for a person and in facts for the caller's retry decision. */
export interface ClearinghouseFailure {
  /** One sentence for a person. Names fields and numbers, never a patient's value: safe to log. */
  message: string
  /** The other side's own word where it has one (a CORE ErrorCode, a SOAP fault code, `HTTP 502`), else ours. */
  code: string
  /** Whether the same question may be asked again later; follows clearinghouse.md A3 and B4. */
  retryable: boolean
  /** How long the other side asks us to wait (Retry-After), in milliseconds. */
  retryAfterMs?: number
  /** The other side's explanation, shortened. Show it to the user; never log it, it may quote what was asked. */
  detail?: string
}

/** A failure on its way to the caller, with what was sent and what came back kept for the stored check. */
export class ClearinghouseError extends Error implements ClearinghouseFailure {
  readonly code: string
  readonly retryable: boolean
  readonly retryAfterMs: number | undefined
  readonly detail: string | undefined
  readonly rawInquiry: string | undefined
  readonly rawResponse: string | undefined

  constructor(
    message: string,
    options: Omit<ClearinghouseFailure, 'message'> & { rawInquiry?: string; rawResponse?: string; cause?: unknown },
  ) {
    super(message, { cause: options.cause })
    this.name = 'ClearinghouseError'
    this.code = options.code
    this.retryable = options.retryable
    this.retryAfterMs = options.retryAfterMs
    this.detail = options.detail
    this.rawInquiry = options.rawInquiry
    this.rawResponse = options.rawResponse
  }
}

/** The port that every connector implements. Connectors are stateless; storage, retries and audit belong to the caller. */
export interface Clearinghouse {
  readonly name: string
  /**
   * Asks one real-time eligibility question.
   * @throws ClearinghouseError for everything that is not an X12 answer: down, slow, HTML, a fault, an ErrorCode.
   */
  checkEligibility(
    inquiry: Inquiry,
    options: { controlNumber: number; at: Date; signal?: AbortSignal },
  ): Promise<ClearinghouseAnswer>
}
