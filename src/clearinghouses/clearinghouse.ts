import type { Inquiry, Response } from '../x12/model.ts'

/** What a connector brings back from the other side. Decoding it is the engine's business, not the connector's. */
export interface ClearinghouseAnswer {
  /** Exactly what was sent, for the record: an interchange, or the JSON or form of a connector that does not speak X12. */
  rawInquiry?: string
  /** Exactly what was received that says what the payer answered: an interchange where there is one. */
  rawResponse: string
  /** In 271 terms, from connectors whose other side sent no X12; without it `rawResponse` is an interchange and is decoded. */
  responses?: Response[]
  /** The other side's own JSON in Stedi's shape, shown as it came instead of our rendering of the 271. */
  json?: unknown
  /** What is kept of an answer that says more than `rawResponse` does, and how it is read again. */
  kept?: { text: string; form: 'plans' }
}

/** Why no usable answer came, in words for a person and in facts for the caller's retry decision. */
export interface ClearinghouseFailure {
  /** One sentence for a person. Names fields and numbers, never a patient's value: safe to log. */
  message: string
  /** The other side's own word where it has one (a CORE ErrorCode, a SOAP fault code, `HTTP 502`), else ours. */
  code: string
  /** Whether the same inquiry may be asked again later; follows clearinghouse.md A3 and B4. */
  retryable: boolean
  /** How long the other side asks us to wait (Retry-After), in milliseconds. */
  retryAfterMs?: number | undefined
  /** The other side's explanation, shortened. Show it to the user; never log it, it may quote what was asked. */
  detail?: string | undefined
}

interface FailureDetails extends Omit<ClearinghouseFailure, 'message'> {
  rawInquiry?: string | undefined
  rawResponse?: string | undefined
  cause?: unknown
}

/** A failure on its way to the caller, with what was sent and what came back kept for the stored check. */
export class ClearinghouseError extends Error implements ClearinghouseFailure {
  readonly code: string
  readonly retryable: boolean
  readonly retryAfterMs: number | undefined
  readonly detail: string | undefined
  readonly rawInquiry: string | undefined
  readonly rawResponse: string | undefined

  constructor(message: string, options: FailureDetails) {
    super(message, { cause: options.cause })
    this.name = 'ClearinghouseError'
    this.code = options.code
    this.retryable = options.retryable
    this.retryAfterMs = options.retryAfterMs
    this.detail = options.detail
    this.rawInquiry = options.rawInquiry
    this.rawResponse = options.rawResponse
  }

  /** The same failure with something of it told otherwise. */
  with({ message = this.message, ...changes }: Partial<FailureDetails> & { message?: string }): ClearinghouseError {
    const { code, retryable, retryAfterMs, detail, rawInquiry, rawResponse, cause } = this
    const own = { code, retryable, retryAfterMs, detail, rawInquiry, rawResponse, cause }
    return new ClearinghouseError(message, { ...own, ...changes })
  }
}

export interface AskOptions {
  /** 1 to 999999999, the interchange's. */
  controlNumber: number
  at: Date
  signal?: AbortSignal
  /** The caller's own account at the payer's portal, where the payer asks for one. */
  portal?: { username: string; password: string }
}

/**
 * The port that every connector implements. Connectors keep nothing: storage, retries and audit belong to the caller. What a
 * connector's other side does not offer it leaves out.
 */
export interface Clearinghouse {
  readonly name: string
  /**
   * Asks one real-time eligibility inquiry.
   * @throws ClearinghouseError for everything that is not an answer: down, slow, HTML, a fault, an ErrorCode.
   */
  checkEligibility(inquiry: Inquiry, options: AskOptions): Promise<ClearinghouseAnswer>
  /** Looks for coverages of a person whose payer is not known. Source: clearinghouse.md A7. @throws ClearinghouseError */
  discoverInsurance?(inquiry: DiscoveryInquiry, options?: { signal?: AbortSignal }): Promise<StediJson>
  /** Finds the Medicare number of a person by name, birth date and social security number. @throws ClearinghouseError */
  findMedicareNumber?(inquiry: Inquiry, options: AskOptions): Promise<ClearinghouseAnswer>
  /** Asks a registry which payer pays first. Source: clearinghouse.md A8. @throws ClearinghouseError */
  coordinateBenefits?(inquiry: CobInquiry, options?: { signal?: AbortSignal }): Promise<StediJson>
  /** Every payer that it reaches. Source: clearinghouse.md A6. @throws ClearinghouseError */
  listPayers?(options?: { signal?: AbortSignal }): AsyncIterable<StediJson>
  /** A coverage in Availity's own form, asked with Availity's own names. Source: clearinghouse.md C. @throws ClearinghouseError */
  fetchCoverage?(parameters: Record<string, string | string[]>, options?: { signal?: AbortSignal }): Promise<unknown>
}

/** JSON with Stedi's names, as it came. */
export type StediJson = Record<string, unknown>

export interface DiscoveryPerson {
  firstName: string
  lastName: string
  middleName?: string
  /** YYYYMMDD. */
  dateOfBirth?: string
  /** Nine digits, or the last four. */
  ssn?: string
  gender?: 'M' | 'F'
  address?: {
    address1?: string
    address2?: string
    city?: string
    state?: string
    postalCode?: string
    countryCode?: string
  }
}

/** Dates YYYYMMDD: one, or a beginning and an end. */
export interface DiscoveryInquiry {
  provider: { npi: string }
  subscriber: DiscoveryPerson
  dependent?: DiscoveryPerson
  encounter?: { dateOfService?: string; beginningDateOfService?: string; endDateOfService?: string }
}

/** Dates YYYY-MM-DD. */
export interface CobInquiry {
  tradingPartnerServiceId: string
  provider: { npi: string; organizationName?: string; firstName?: string; lastName?: string }
  subscriber: { firstName: string; lastName: string; dateOfBirth: string; memberId?: string; ssn?: string }
  dependent?: { firstName: string; lastName: string; dateOfBirth: string; ssn?: string }
  encounter: { dateOfService?: string; beginningDateOfService?: string; endDateOfService?: string }
}
