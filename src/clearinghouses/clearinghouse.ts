import type { Inquiry, Response } from '../x12/model.ts'

/** The result of a connector. The eligibility engine decodes it, not the connector. */
export interface ClearinghouseAnswer {
  /** Exactly what was sent, for the record: an interchange, or the JSON or form of a connector without X12. */
  rawInquiry?: string
  /** Exactly the part of the response that holds the payer's answer: an interchange if there is one. */
  rawResponse: string
  /** The answer in 271 terms, from connectors that receive no X12; without it, `rawResponse` is an interchange and is decoded. */
  responses?: Response[]
  /** The clearinghouse's JSON in Stedi's form, shown unchanged instead of our rendering of the 271. */
  json?: unknown
  /** The full answer when it contains more than `rawResponse`, and the form in which it can be read again. */
  kept?: { text: string; form: 'plans' }
}

/** The reason for a missing answer: text for the user, and facts for the caller's decision to retry. */
export interface ClearinghouseFailure {
  /** One sentence for the user. Names fields and numbers, never a patient's value: safe to log. */
  message: string
  /** The clearinghouse's own code if it has one (a CORE ErrorCode, a SOAP fault code, `HTTP 502`), else ours. */
  code: string
  /** Whether the same inquiry may be sent again later; follows clearinghouse.md A3 and B4. */
  retryable: boolean
  /** The delay that the clearinghouse requests (Retry-After), in milliseconds. */
  retryAfterMs?: number | undefined
  /** True for what says nothing about the payer: no place to send came free, or there was no room for the answer. */
  isOurs?: boolean | undefined
  /** The clearinghouse's explanation, shortened. Show it to the user; never log it, because it may quote the inquiry. */
  detail?: string | undefined
}

interface FailureDetails extends Omit<ClearinghouseFailure, 'message'> {
  rawInquiry?: string | undefined
  rawResponse?: string | undefined
  cause?: unknown
}

/** A failure as an error, with the data sent and received for the stored check. */
export class ClearinghouseError extends Error implements ClearinghouseFailure {
  readonly code: string
  readonly retryable: boolean
  readonly retryAfterMs: number | undefined
  readonly isOurs: boolean | undefined
  readonly detail: string | undefined
  readonly rawInquiry: string | undefined
  readonly rawResponse: string | undefined

  constructor(message: string, options: FailureDetails) {
    super(message, { cause: options.cause })
    this.name = 'ClearinghouseError'
    this.code = options.code
    this.retryable = options.retryable
    this.retryAfterMs = options.retryAfterMs
    this.isOurs = options.isOurs
    this.detail = options.detail
    this.rawInquiry = options.rawInquiry
    this.rawResponse = options.rawResponse
  }

  /** The same failure with some of its fields replaced. */
  with({ message = this.message, ...changes }: Partial<FailureDetails> & { message?: string }): ClearinghouseError {
    const { code, retryable, retryAfterMs, isOurs, detail, rawInquiry, rawResponse, cause } = this
    const fields = { code, retryable, retryAfterMs, isOurs, detail, rawInquiry, rawResponse, cause }
    return new ClearinghouseError(message, { ...fields, ...changes })
  }
}

export interface AskOptions {
  /** 1 to 999999999, the control number of the interchange. */
  controlNumber: number
  at: Date
  signal?: AbortSignal
  /** The caller's account at the payer's portal, for payers that require one. */
  portal?: { username: string; password: string }
}

/**
 * The port that every connector implements. Connectors are stateless: storage, retries and audit belong to the caller. A connector leaves
 * out the operations that its clearinghouse does not offer.
 */
export interface Clearinghouse {
  readonly name: string
  /**
   * Sends one real-time eligibility inquiry.
   * @throws ClearinghouseError for every result that is not an answer: outage, timeout, HTML, a fault, an ErrorCode.
   */
  checkEligibility(inquiry: Inquiry, options: AskOptions): Promise<ClearinghouseAnswer>
  /** Searches for coverages of a person whose payer is unknown. Source: clearinghouse.md A7. @throws ClearinghouseError */
  discoverInsurance?(inquiry: DiscoveryInquiry, options?: { signal?: AbortSignal }): Promise<StediJson>
  /** Finds the Medicare number of a person by name, birth date and social security number. @throws ClearinghouseError */
  findMedicareNumber?(inquiry: Inquiry, options: AskOptions): Promise<ClearinghouseAnswer>
  /** Determines from a registry which payer pays first. Source: clearinghouse.md A8. @throws ClearinghouseError */
  coordinateBenefits?(inquiry: CobInquiry, options?: { signal?: AbortSignal }): Promise<StediJson>
  /** Every payer that the clearinghouse reaches. Source: clearinghouse.md A6. @throws ClearinghouseError */
  listPayers?(options?: { signal?: AbortSignal }): AsyncIterable<StediJson>
  /** A coverage in Availity's own form, requested under Availity's own names. Source: clearinghouse.md C. @throws ClearinghouseError */
  fetchCoverage?(parameters: Record<string, string | string[]>, options?: { signal?: AbortSignal }): Promise<unknown>
}

/** JSON with Stedi's names, unchanged. */
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
