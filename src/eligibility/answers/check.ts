// One check from request to result: ask the clearinghouse, read the answer, find our patient in it, say what it means.
// Nothing is stored here. Source: rules.md 13; x12-271.md 3, 5 to 9.
import { readCoverage } from '../../clearinghouses/availity/read-coverage.ts'
import {
  type AskOptions,
  type Clearinghouse,
  type ClearinghouseAnswer,
  ClearinghouseError,
} from '../../clearinghouses/clearinghouse.ts'
import { readJsonObject } from '../../clearinghouses/json-values.ts'
import { readKeptPlans } from '../../clearinghouses/stedi/take-answer.ts'
import { ownTurn } from '../../platform/event-loop.ts'
import { readEnvelope } from '../../x12/envelope.ts'
import type { Inquiry, PatientResponse, Rejection, Response } from '../../x12/model.ts'
import { readResponse } from '../../x12/response-reader.ts'
import { toCaution } from './benefit-notes.ts'
import { findCorrections } from './corrections.ts'
import { describeJudgement, findRefusal } from './decode.ts'
import { failureDetails } from './failure-details.ts'
import { adviseOnNotices, describeNotice, fitInquiry, type InquiryFault, type NameNotice } from './fit-inquiry.ts'
import { findPatient, type Match } from './match.ts'
import { findObstacles, type Obstacle } from './obstacles.ts'
import type { Finding } from './other-coverage.ts'
import { classifyRejection, errorDetails, wireErrorDetails } from './rejections.ts'
import { maskTexts, withoutSocialSecurityNumbers } from './social-security.ts'
import { judgeEligibility } from './status.ts'
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

const LARGE_ANSWER_CHARACTERS = 50_000

/** What is shown of an answer that is no X12. */
const KEPT_ANSWER_CHARACTERS = 10_000

/** What the payer and the asking clinic are called, where it is known: an inquiry names both. */
export interface InquiryNames {
  payer?: string
  /** Of the organization that asks, for a provider whose name is not given. */
  receiver?: string
}

/**
 * Asks the payer and reads its answer. An inquiry that no 270 can carry is refused before anybody is asked. Never throws for what the other side does: a clearinghouse that is down, slow or
 * answers nonsense, and an answer about somebody else, come back as errors and are never ACTIVE.
 */
export async function runCheck(
  clearinghouse: Clearinghouse,
  request: CheckRequest,
  options: AskOptions & { checkId: string; names?: InquiryNames },
): Promise<CheckOutcome> {
  const { inquiry, faults, notices } = fitInquiry(toInquiry(request, options.checkId, options.names))
  if (faults.length > 0) return refusedCheck(faults)
  return withNotices(await askAndRead(clearinghouse, request, { inquiry, options }), notices)
}

async function askAndRead(
  clearinghouse: Clearinghouse,
  request: CheckRequest,
  { inquiry, options }: { inquiry: Inquiry; options: AskOptions & { checkId: string } },
): Promise<CheckOutcome> {
  try {
    const answer = await clearinghouse.checkEligibility(inquiry, options)
    const { rawInquiry } = answer
    // Large answers take long to check, to mask, to read and to judge: others have their turn in between.
    const turn = answer.rawResponse.length > LARGE_ANSWER_CHARACTERS ? ownTurn : async () => {}
    await turn()
    const masked = withoutSocialSecurityNumbers(answer, request)
    await turn()
    const outcome = await readInTurns(masked, { request, inquiry, checkId: options.checkId }, turn)
    // A copy would make `response`, which nobody may ever look at.
    return Object.assign(outcome, keptAnswer(answer, outcome), rawInquiry !== undefined && { rawInquiry })
  } catch (error) {
    if (!(error instanceof ClearinghouseError)) throw error
    return {
      // Where nothing is configured nobody was asked: that is our own word.
      ...failedCheck(maskTexts(failureDetails(error), request), error.code === 'NotConfigured' ? 'CANDID' : 'STEDI'),
      ...(error.retryable && {
        outage: { isAnswered: false, ...(error.retryAfterMs !== undefined && { afterMs: error.retryAfterMs }) },
      }),
      ...(error.rawInquiry !== undefined && { rawInquiry: error.rawInquiry }),
      ...(error.rawResponse !== undefined && {
        rawResponse: error.rawResponse,
        response: maskTexts(readForeign(error.rawResponse), request),
        answerForm: 'text',
      }),
    }
  }
}

/** What keeps an inquiry from being asked; none when it can be. */
export function findInquiryFaults(request: CheckRequest): InquiryFault[] {
  return fitInquiry(toInquiry(request, '')).faults
}

/** The inquiry of a check; its trace number is the check's id, which the payer echoes. */
export function toInquiry(request: CheckRequest, checkId: string, names: InquiryNames = {}): Inquiry {
  const reference = checkId.replaceAll('-', '').toUpperCase()
  const { provider } = request
  const isNamed = [provider.organizationName, provider.lastName].some((name) => name?.trim())
  return {
    reference,
    traceNumber: reference,
    payer: { id: request.payerId, ...(names.payer && { name: names.payer }) },
    provider: isNamed ? provider : { npi: provider.npi, ...(names.receiver && { organizationName: names.receiver }) },
    subscriber: request.subscriber,
    ...(request.dependent && { dependent: request.dependent }),
    dateOfService: request.dateOfService,
    serviceTypeCodes: request.serviceTypeCodes,
  }
}

/** What an answer says. One that cannot be read is an answer all the same: asking again would bring the same, and cost the clinic. */
function readAnswer(answer: ClearinghouseAnswer, asked: Asked, describe: Describe): CheckOutcome {
  try {
    return judge(readResponses(answer), { answer, asked, describe })
  } catch {
    return failedCheck(UNREADABLE)
  }
}

/** The same with a turn of others between reading and judging. */
async function readInTurns(
  answer: ClearinghouseAnswer,
  asked: Asked,
  turn: () => Promise<unknown>,
): Promise<CheckOutcome> {
  try {
    const read = readResponses(answer)
    await turn()
    return judge(read, { answer, asked, describe: describeAnswer })
  } catch {
    return failedCheck(UNREADABLE)
  }
}

const UNREADABLE: ErrorDetails = { code: 'UNREADABLE_ANSWER', description: "the payer's answer could not be read" }

interface Asked {
  request: CheckRequest
  inquiry: Inquiry
  checkId: string
}

/** Our patient's answer, among whatever else the other side sent. */
interface FoundAnswer {
  answer: ClearinghouseAnswer
  responses: Response[]
  patient: PatientResponse
}

type Describe = (found: FoundAnswer, asked: Asked) => CheckOutcome

/** How a kept answer is read: an interchange, JSON that is shown as it came, Stedi's plans, Availity's Coverage, or a text that is no answer. */
export type AnswerForm = 'x12' | 'json' | 'plans' | 'coverage' | 'text'

/** What is kept of an answer: the whole of it, once. Nothing of `response` is kept beside it: `renderResponse` makes it again. */
function keptAnswer(
  answer: ClearinghouseAnswer,
  outcome: CheckOutcome,
): Pick<CheckOutcome, 'rawResponse' | 'answerForm'> {
  const { json, kept, responses, rawResponse } = answer
  const form = json !== undefined ? 'json' : (kept?.form ?? (responses ? 'coverage' : 'x12'))
  return {
    rawResponse: json === undefined ? (kept?.text ?? rawResponse) : JSON.stringify(json),
    ...('response' in outcome && { answerForm: form }),
  }
}

/** The `response` of a check whose answer is kept, as it was shown when it came. */
export function renderResponse(
  kept: { text: string; form: AnswerForm },
  request: CheckRequest,
  checkId: string,
): unknown {
  const { text, form } = kept
  if (form === 'text' || form === 'json') return maskTexts(readForeign(text), request)
  const inquiry = toInquiry(request, checkId)
  const answer = readKept(kept, inquiry)
  const masked = withoutSocialSecurityNumbers(answer, request)
  return readAnswer(masked, { request, inquiry, checkId }, showAlone).response
}

function readKept({ text, form }: { text: string; form: AnswerForm }, inquiry: Inquiry): ClearinghouseAnswer {
  const plans = form === 'plans' ? readKeptPlans(text, inquiry.traceNumber) : undefined
  if (plans) return plans
  const coverage = form === 'coverage' || text.trimStart().startsWith('{') ? readJsonObject(text) : undefined
  return {
    rawResponse: text,
    ...(typeof coverage === 'object' && { responses: [readCoverage(coverage, inquiry)] }),
  }
}

/** The eligibility responses that an answer holds. */
interface ReadResponses {
  responses: Response[]
  /** Why the other side refused the inquiry as it was written (999, TA1). */
  refusal?: string | undefined
  isCutOff?: boolean
}

function readResponses({ responses, rawResponse }: ClearinghouseAnswer): ReadResponses {
  if (responses) return { responses }
  const envelope = readEnvelope(rawResponse)
  const answers = envelope.transactions.filter(({ setId }) => setId === '271')
  // An active row may stand before the row that ends the coverage: half an answer says nothing.
  if (answers.some(({ isCutOff }) => isCutOff)) return { responses: [], isCutOff: true }
  return { responses: answers.map(readResponse), refusal: findRefusal(envelope)?.description }
}

function judge(
  { responses, refusal, isCutOff }: ReadResponses,
  { answer, asked, describe }: { answer: ClearinghouseAnswer; asked: Asked; describe: Describe },
): CheckOutcome {
  if (isCutOff) {
    const cutOff = failedCheck({ code: 'TRUNCATED_ANSWER', description: 'the answer breaks off' })
    return { ...cutOff, outage: { isAnswered: false }, response: readForeign(answer.rawResponse) }
  }
  const match = findPatient(responses, asked.inquiry)
  if (match.kind !== 'found') return unusable(answer, responses, match, refusal)
  return describe({ answer, responses, patient: match.patient }, asked)
}

function describeAnswer(found: FoundAnswer, asked: Asked): CheckOutcome {
  const { patient } = found
  const { request, inquiry } = asked
  const judgement = judgeEligibility(patient, request)
  const requestCorrections = findCorrections(wireMembers(request), patient)
  const parsed = describeJudgement(patient, judgement)
  const finding = { patient, payer: inquiry.payer, dateOfService: request.dateOfService, parsed }
  const { serviceTypeCodes } = request
  const obstacles = findObstacles(finding, judgement, { corrections: requestCorrections, serviceTypeCodes })
  const parsedResponse = withCautions(
    parsed,
    obstacles.map(({ note }) => note),
  )
  const isUnknown = judgement.status === 'UNKNOWN'
  return {
    status: patient.rejections.length > 0 && isUnknown ? 'FAILED' : 'COMPLETED',
    parsedResponse,
    requestCorrections,
    errors: patient.rejections.map(fromRejection),
    finding: { ...finding, parsed: parsedResponse },
    ...(obstacles.length > 0 && { obstacles }),
    ...(isUnknown && outageOf(patient.rejections)),
    get response() {
      return showAnswer(found, asked)
    },
  }
}

/** What is shown of an answer that was read before. */
function showAlone(found: FoundAnswer, asked: Asked): CheckOutcome {
  return { status: 'COMPLETED', errors: [], response: showAnswer(found, asked) }
}

function showAnswer({ answer, responses, patient }: FoundAnswer, { checkId }: Asked): unknown {
  const { json, rawResponse: raw } = answer
  const response = responses.find(({ patients }) => patients.includes(patient))!
  return json ?? shownAnswer(stediResponse(response, patient, { raw, id: checkId }), responses)
}

/** What a reader must not miss, such as what keeps the visit from being READY, stands first among the notes. */
function withCautions(parsed: ParsedResponse, cautions: readonly string[]): ParsedResponse {
  if (cautions.length === 0) return parsed
  const { notes } = parsed.benefits ?? {}
  const all = [...cautions.map(toCaution), ...(notes === undefined ? [] : notes.split('\n'))]
  return { ...parsed, benefits: { ...parsed.benefits, notes: [...new Set(all)].join('\n') } }
}

/** An interchange that holds others' answers beside our patient's is kept, but not shown. */
function shownAnswer(told: object, responses: Response[]): object {
  const isOursAlone = responses.flatMap(({ patients }) => patients).length === 1
  return isOursAlone ? told : { ...told, x12: undefined }
}

/** A payer that says that it cannot answer now. Source: x12-271.md 8; clearinghouse.md A3. */
function outageOf(rejections: Rejection[]): Pick<CheckOutcome, 'outage'> {
  const isOutage = rejections.length > 0 && rejections.every((each) => classifyRejection(each) === 'retry')
  // "Wait 10 days" and "wait 30 days" are for a person to plan.
  const isSoon = rejections.every(({ followUpCode }) => followUpCode !== 'W' && followUpCode !== 'X')
  return isOutage && isSoon ? { outage: { isAnswered: true } } : {}
}

/** An answer without our patient in it: a refusal, somebody else's, or no eligibility response at all. */
function unusable(
  answer: ClearinghouseAnswer,
  responses: Response[],
  match: Exclude<Match, { kind: 'found' }>,
  refusal: string | undefined,
): CheckOutcome {
  const { rawResponse: raw, json } = answer
  const rejections = responses.flatMap((response) => response.rejections)
  if (refusal !== undefined) {
    return {
      ...failedCheck({ code: 'REFUSED', description: `the other side refused the inquiry: ${refusal}` }),
      response: readForeign(raw),
    }
  }
  if (responses.length === 0) {
    const description = 'the answer holds no eligibility response (X12 271)'
    return { ...failedCheck({ code: 'UNREADABLE_ANSWER', description }), response: readForeign(raw) }
  }
  const isEmpty = responses.every(({ patients }) => patients.length === 0)
  if (isEmpty && rejections.length > 0) {
    return {
      status: 'FAILED',
      errors: rejections.map(fromRejection),
      response: json ?? { x12: raw },
      ...outageOf(rejections),
    }
  }
  // Whatever else it holds is not shown: it may be another patient's.
  if (match.kind === 'refused') {
    return { status: 'FAILED', errors: match.rejections.map(fromRejection), ...outageOf(match.rejections) }
  }
  return failedCheck(UNMATCHED[match.kind])
}

const UNMATCHED = {
  other: {
    code: 'PATIENT_MISMATCH',
    description: 'the answer is about somebody else than was asked, and was not used',
    possibleResolutions:
      'Compare first name, date of birth and member ID with the insurance card; the payer has another person under what was sent.',
  },
  several: {
    code: 'CONFLICTING_ANSWERS',
    description: 'the payer answered more than once about the patient, and it does not say which answer counts',
  },
  untold: {
    code: 'PATIENT_NOT_NAMED',
    description: 'the answer does not say whom it is about, and was not used',
  },
} as const satisfies Record<string, ErrorDetails>

/** A check that failed for one reason. */
export function failedCheck(details: ErrorDetails, source: CheckError['source'] = 'STEDI'): CheckOutcome {
  return { status: 'FAILED', errors: [{ source, errorDetails: wireErrorDetails(details) }] }
}

/** A check whose inquiry the guide forbids: our own word, for nobody was asked. */
function refusedCheck(faults: readonly InquiryFault[]): CheckOutcome {
  const errors = faults.map(({ field, problem }) => {
    const details = { code: 'INVALID_REQUEST', field, description: `${field} ${problem}` }
    return { source: 'CANDID', errorDetails: wireErrorDetails(details) } as const
  })
  return { status: 'FAILED', errors }
}

/** Names that were sent otherwise than they are written: among the notes of an answer, and as advice beside the first error. */
function withNotices(outcome: CheckOutcome, notices: readonly NameNotice[]): CheckOutcome {
  if (notices.length === 0) return outcome
  const { parsedResponse, finding, errors } = outcome
  const parsed = parsedResponse && withCautions(parsedResponse, notices.map(describeNotice))
  const [first, ...others] = errors
  return {
    ...outcome,
    ...(parsed && { parsedResponse: parsed }),
    ...(parsed && finding && { finding: { ...finding, parsed } }),
    errors: first ? [withAdvice(first, adviseOnNotices(notices)), ...others] : [],
  }
}

function withAdvice({ source, errorDetails }: CheckError, advice: string): CheckError {
  const resolutions = [errorDetails.possibleResolutions, advice].filter((part) => part).join(' ')
  return {
    source,
    errorDetails: { ...errorDetails, possibleResolutions: resolutions, 'possibleResolutions?': resolutions },
  }
}

const fromRejection = (rejection: Rejection): CheckError => ({
  source: 'STEDI',
  errorDetails: wireErrorDetails(errorDetails(rejection)),
})

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
