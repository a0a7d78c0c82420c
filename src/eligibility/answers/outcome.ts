// What a check came to. Source: rules.md 13.
import type { Obstacle } from './obstacles.ts'
import type { Finding } from './other-coverage.ts'
import { wireErrorDetails } from './rejections.ts'
import type { ErrorDetails, ParsedResponse, RequestCorrection, WireErrorDetails } from './wire.ts'

export interface CheckError {
  source: 'CANDID' | 'STEDI'
  errorDetails: WireErrorDetails
}

/** What a check came to. It failed when there are errors and nothing was learned about the coverage. */
export interface CheckOutcome {
  status: 'COMPLETED' | 'FAILED'
  rawInquiry?: string
  rawResponse?: string
  /** As callers of the published client read it; made when it is looked at, as it is not stored. */
  response?: unknown
  /** How `rawResponse` is read to show it again; absent where nothing of it may be shown. */
  answerForm?: AnswerForm
  parsedResponse?: ParsedResponse
  requestCorrections?: RequestCorrection[]
  errors: CheckError[]
  /** What the payer said about our patient, for what follows from it. */
  finding?: Finding
  /** What keeps a visit from being READY although the coverage is active. */
  obstacles?: Obstacle[]
  /** There when the payer could not be asked or could not answer now, so that the same inquiry may be asked again. */
  outage?: Outage
}

interface Outage {
  /** How long the other side asks us to wait, in milliseconds. */
  afterMs?: number
  /** True when the payer's own answer says so (AAA 42, 80); false when no answer came. */
  isAnswered: boolean
}

/** How a kept answer is read: an interchange, JSON that is shown as it came, Stedi's plans, Availity's Coverage, or a text that is no answer. */
export type AnswerForm = 'x12' | 'json' | 'plans' | 'coverage' | 'text'

/** A check that failed for one reason. */
export function failedCheck(details: ErrorDetails, source: CheckError['source'] = 'STEDI'): CheckOutcome {
  return { status: 'FAILED', errors: [{ source, errorDetails: wireErrorDetails(details) }] }
}
