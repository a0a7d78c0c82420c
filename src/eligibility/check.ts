// One check from request to result: ask the clearinghouse, read the answer, find our patient in it, say what it means.
// Nothing is stored here. Source: rules.md 13; x12-271.md 3, 5 to 9.
import { type Clearinghouse, ClearinghouseError } from '../clearinghouses/clearinghouse.ts'
import { readEnvelope } from '../x12/envelope.ts'
import type { Inquiry, Response } from '../x12/model.ts'
import { readResponse } from '../x12/response-reader.ts'
import { findCorrections } from './corrections.ts'
import { decodePatient, findRefusal } from './decode.ts'
import { matchPatient } from './match.ts'
import { errorDetails, wireErrorDetails } from './rejections.ts'
import { stediResponse } from './stedi-response.ts'
import type { ErrorDetails, ParsedResponse, RequestCorrection, WireErrorDetails } from './wire.ts'

/** A check with its defaults filled in: what two checks must share to be the same one (rules.md 13.5). */
export interface CheckRequest {
  payerId: string
  provider: Inquiry['provider']
  subscriber: CheckMember
  dependent?: CheckMember
  /** YYYY-MM-DD. */
  dateOfService: string
  /** X12 1365 codes, at least one. */
  serviceTypeCodes: string[]
}

export interface CheckMember {
  memberId?: string
  firstName: string
  lastName: string
  /** YYYY-MM-DD. */
  dateOfBirth?: string
}

export interface CheckError {
  source: 'CANDID' | 'STEDI'
  errorDetails: WireErrorDetails
}

/** What a check came to. It failed when there are errors and nothing was learned about the cover. */
export interface CheckOutcome {
  status: 'COMPLETED' | 'FAILED'
  rawInquiry?: string
  rawResponse?: string
  response?: unknown
  parsedResponse?: ParsedResponse
  requestCorrections?: RequestCorrection[]
  errors: CheckError[]
}

/** What is shown of an answer that is no X12. */
const KEPT_ANSWER_CHARACTERS = 10_000

/**
 * Asks the payer and reads its answer. Never throws for what the other side does: a clearinghouse that is down, slow or
 * answers nonsense, and an answer about somebody else, come back as errors and are never ACTIVE.
 */
export async function runCheck(
  clearinghouse: Clearinghouse,
  request: CheckRequest,
  options: { checkId: string; controlNumber: number; at: Date; signal?: AbortSignal },
): Promise<CheckOutcome> {
  const inquiry = toInquiry(request, options.checkId)
  try {
    const { rawInquiry, rawResponse } = await clearinghouse.checkEligibility(inquiry, options)
    const outcome = readAnswer(rawResponse, request, inquiry)
    return { ...outcome, ...(rawInquiry !== undefined && { rawInquiry }), rawResponse }
  } catch (error) {
    if (!(error instanceof ClearinghouseError)) throw error
    return {
      ...failed({
        code: error.code,
        description: error.message,
        ...(error.detail && { possibleResolutions: error.detail }),
      }),
      ...(error.rawInquiry !== undefined && { rawInquiry: error.rawInquiry }),
      ...(error.rawResponse !== undefined && {
        rawResponse: error.rawResponse,
        response: readForeign(error.rawResponse),
      }),
    }
  }
}

/** The inquiry of a check; its trace number is the check's id, which the payer echoes. */
export function toInquiry(request: CheckRequest, checkId: string): Inquiry {
  const reference = checkId.replaceAll('-', '').toUpperCase()
  return {
    reference,
    traceNumber: reference,
    payer: { id: request.payerId },
    provider: request.provider,
    subscriber: request.subscriber,
    ...(request.dependent && { dependent: request.dependent }),
    dateOfService: request.dateOfService,
    serviceTypeCodes: request.serviceTypeCodes,
  }
}

function readAnswer(raw: string, request: CheckRequest, inquiry: Inquiry): CheckOutcome {
  const envelope = readEnvelope(raw)
  const answers = envelope.transactions.filter(({ setId }) => setId === '271')
  if (answers.some(({ isCutOff }) => isCutOff)) {
    // An active row may stand before the row that ends the cover: half an answer says nothing.
    return { ...failed({ code: 'TRUNCATED_ANSWER', description: 'the answer breaks off' }), response: readForeign(raw) }
  }
  const responses = answers.map(readResponse)
  const patient = matchPatient(responses, inquiry)
  const response = responses.find(({ patients }) => patient && patients.includes(patient))
  if (!patient || !response) return unusable(raw, responses, findRefusal(envelope)?.description)

  const parsedResponse = decodePatient(patient, request)
  const errors = patient.rejections.map((rejection) => fromPayer(errorDetails(rejection)))
  return {
    status: errors.length > 0 && parsedResponse.eligibility_status === 'UNKNOWN' ? 'FAILED' : 'COMPLETED',
    response: stediResponse(response, patient, { raw }),
    parsedResponse,
    requestCorrections: findCorrections(wireMembers(request), patient),
    errors,
  }
}

/** An answer without our patient in it: a refusal, somebody else's, or no eligibility response at all. */
function unusable(raw: string, responses: Response[], refusal: string | undefined): CheckOutcome {
  const rejections = responses.flatMap((response) => response.rejections)
  if (refusal !== undefined) {
    return {
      ...failed({ code: 'REFUSED', description: `the other side refused the inquiry: ${refusal}` }),
      response: readForeign(raw),
    }
  }
  if (responses.length === 0) {
    const description = 'the answer holds no eligibility response (X12 271)'
    return { ...failed({ code: 'UNREADABLE_ANSWER', description }), response: readForeign(raw) }
  }
  const isEmpty = responses.every(({ patients }) => patients.length === 0)
  if (isEmpty && rejections.length > 0) {
    return {
      status: 'FAILED',
      errors: rejections.map((rejection) => fromPayer(errorDetails(rejection))),
      response: { x12: raw },
    }
  }
  // Somebody else's answer is not shown: it may be another patient's.
  return failed({
    code: 'PATIENT_MISMATCH',
    description: 'the answer is about somebody else than was asked, and was not used',
  })
}

function failed(details: ErrorDetails): CheckOutcome {
  return { status: 'FAILED', errors: [fromPayer(details)] }
}

const fromPayer = (details: ErrorDetails): CheckError => ({ source: 'STEDI', errorDetails: wireErrorDetails(details) })

/** An answer that is not X12, as JSON where it is that, else as text. */
function readForeign(raw: string): unknown {
  try {
    return JSON.parse(raw)
  } catch {
    return raw.slice(0, KEPT_ANSWER_CHARACTERS)
  }
}

function wireMembers(request: CheckRequest) {
  const wire = (member: CheckMember) => ({
    member_id: member.memberId,
    first_name: member.firstName,
    last_name: member.lastName,
    date_of_birth: member.dateOfBirth,
  })
  return { subscriber: wire(request.subscriber), ...(request.dependent && { dependent: wire(request.dependent) }) }
}
