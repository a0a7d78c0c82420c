// The result of a check. Source: rules.md 13.
import type { Party } from '../../x12/model.ts'
import type { DerivedRecommendation } from './corrections/recommendations.ts'
import type { ReadinessIssue } from './coverage/readiness-issues.ts'
import { wireErrorDetails } from './rejections/rejections.ts'
import type { ErrorDetails, ParsedResponse, RequestCorrection, WireErrorDetails } from './wire.ts'

export interface CheckError {
  source: 'CANDID' | 'STEDI'
  errorDetails: WireErrorDetails
}

/** The result of a check. It is FAILED when there are errors and nothing was learned about the coverage. */
export interface CheckOutcome {
  status: 'COMPLETED' | 'FAILED'
  rawInquiry?: string
  rawResponse?: string
  /** As callers of the published client read it; computed on access, because it is not stored. Keeps the whole answer in memory. */
  response?: unknown
  /** How `rawResponse` is rendered again; absent when none of it may be shown. */
  answerForm?: AnswerForm
  parsedResponse?: ParsedResponse
  requestCorrections?: RequestCorrection[]
  errors: CheckError[]
  /** Present when the answer is about our patient: the subscriber as the payer names it. */
  subscriber?: Party
  /** Conclusions from the answer, without the payer ids that only the directory has (`withPayerIds`). */
  recommendations?: DerivedRecommendation[]
  /** Reasons why a visit is not READY although the coverage is active. */
  readinessIssues?: ReadinessIssue[]
  /** Present when the payer was unavailable, so that the same inquiry may be retried. */
  outage?: Outage
}

interface Outage {
  /** The delay that the clearinghouse requests, in milliseconds. */
  afterMs?: number
  /** True when the payer's own answer states the outage (AAA 42, 80); false when no answer arrived. */
  isAnswered: boolean
  /** True for what says nothing about the payer: no place to send came free, or there was no room for the answer. */
  isOurs?: boolean
}

/**
 * How a stored answer is read: an interchange, JSON that is shown unchanged, Stedi's plans, Availity's Coverage, or text that is not an
 * answer.
 */
export type AnswerForm = 'x12' | 'json' | 'plans' | 'coverage' | 'text'

/**
 * An outcome whose `response` is rendered when it is read, or copied. All of them have one getter: V8 keeps the getter with the hidden class, which
 * stays in memory until all of it is collected, so one made for each answer would keep the answer. decisions/0237-what-keeps-an-answer-in-memory.md
 */
class RenderedWhenRead {
  #render: (() => unknown) | undefined

  static readonly #response = {
    enumerable: true,
    configurable: true,
    get(this: RenderedWhenRead) {
      return this.#render?.()
    },
  }

  constructor(outcome: CheckOutcome, render: () => unknown) {
    this.#render = render
    Object.assign(this, outcome)
    Object.defineProperty(this, 'response', RenderedWhenRead.#response)
  }

  forget(): void {
    this.#render = undefined
  }
}

export const withResponse = (outcome: CheckOutcome, render: () => unknown): CheckOutcome =>
  new RenderedWhenRead(outcome, render) as unknown as CheckOutcome

/** Nobody reads the response: the rows of the answer are not kept in memory for it. */
export function forgetResponse(outcome: CheckOutcome): void {
  if (outcome instanceof RenderedWhenRead) outcome.forget()
  else delete outcome.response
}

/** A check that failed for one reason. */
export function failedCheck(details: ErrorDetails, source: CheckError['source'] = 'STEDI'): CheckOutcome {
  return { status: 'FAILED', errors: [{ source, errorDetails: wireErrorDetails(details) }] }
}
