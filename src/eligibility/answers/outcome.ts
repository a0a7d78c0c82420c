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
 * The accessor belongs to the class. One in the literal of an outcome belongs to the hidden class that V8 makes for that object, which stays in memory
 * until all of it is collected, with the answer that the accessor reads. decisions/0237-what-keeps-an-answer-in-memory.md
 */
class RenderedWhenRead {
  #render: (() => unknown) | undefined

  constructor(render: () => unknown) {
    this.#render = render
  }

  get response(): unknown {
    return this.#render?.()
  }

  forget(): void {
    this.#render = undefined
  }
}

/** The outcome with a response that is rendered when it is read. Copies of it have none. */
export const withResponse = (outcome: CheckOutcome, render: () => unknown): CheckOutcome =>
  Object.assign(new RenderedWhenRead(render), outcome)

/** Nobody reads the response: the rows of the answer are not kept in memory for it. */
export function forgetResponse(outcome: CheckOutcome): void {
  if (outcome instanceof RenderedWhenRead) outcome.forget()
  else delete outcome.response
}

/** A check that failed for one reason. */
export function failedCheck(details: ErrorDetails, source: CheckError['source'] = 'STEDI'): CheckOutcome {
  return { status: 'FAILED', errors: [{ source, errorDetails: wireErrorDetails(details) }] }
}
