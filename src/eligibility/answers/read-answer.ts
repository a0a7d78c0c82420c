// Reads what an answer states about our patient: its responses, the matching patient, and the result. Source: rules.md 13; x12-271.md 3, 5
// to 9.
import type { ClearinghouseAnswer } from '../../clearinghouses/clearinghouse.ts'
import { readJson } from '../../clearinghouses/json-values.ts'
import { ALERTS, toAlert } from '../../contract/answer-notes.ts'
import { ownTurn, takeTurn } from '../../platform/event-loop.ts'
import { readEnvelope } from '../../x12/envelope.ts'
import type { Inquiry, PatientResponse, Rejection, Response } from '../../x12/model.ts'
import { readResponse } from '../../x12/response-reader.ts'
import type { CheckMember, CheckRequest } from '../inquiries/check-inquiry.ts'
import { findCorrections } from './corrections/corrections.ts'
import { deriveRecommendations } from './corrections/recommendations.ts'
import { withEchoes } from './coverage/doubtful-dates.ts'
import { findManagedCarePlan } from './coverage/medicaid-managed-care.ts'
import { type Answer, recognizePayer } from './coverage/other-coverage.ts'
import { otherInsuranceOf, payerNotesOf, withStatusNotes } from './coverage/payer-notes.ts'
import { findReadinessIssues, requestedServices } from './coverage/readiness-issues.ts'
import { judgeEligibility } from './coverage/status.ts'
import { describeJudgment, findRefusal } from './decode.ts'
import { type CheckError, type CheckOutcome, failedCheck, withResponse } from './outcome.ts'
import { findPatient, type Match, withoutOtherInquiries } from './people/match.ts'
import { classifyRejection, errorDetails, wireErrorDetails } from './rejections/rejections.ts'
import { withoutSocialSecurityNumbers } from './social-security.ts'
import { stediResponse } from './stedi-form/stedi-response.ts'
import type { ErrorDetails, ParsedResponse } from './wire.ts'

/** The shown part of an answer that is not X12. */
const SHOWN_CHARACTERS = 10_000

/** Longer ones are read in pieces that each get a turn of their own. */
const LARGE_ANSWER_CHARACTERS = 50_000
const SHORT_ANSWER_CHARACTERS = 10_000

/**
 * The result of an answer, with social security numbers removed. An unreadable answer counts as an answer, because a retry would return the
 * same and cost the clinic. It takes long to mask, read and evaluate a large one, or many small ones, so other work gets a turn in between.
 */
export async function readAnswer(
  answer: ClearinghouseAnswer,
  sent: SentInquiry,
  describe: Describe = describeAnswer,
): Promise<CheckOutcome> {
  const turn = turnsFor(answer, sent.organizationId)
  const part = answer.rawResponse.length / SHORT_ANSWER_CHARACTERS
  await (turn === NO_TURN ? takeTurn.share(sent.organizationId, part) : turn())
  const masked = await withoutSocialSecurityNumbers(answer, sent.request, turn)
  try {
    const read = readResponses(masked)
    await turn()
    return await judge(read, { answer: masked, sent, describe, turn })
  } catch {
    return failedCheck(UNREADABLE)
  } finally {
    await turn()
  }
}

export const isLarge = ({ rawResponse }: Pick<ClearinghouseAnswer, 'rawResponse'>): boolean =>
  rawResponse.length > LARGE_ANSWER_CHARACTERS

type Turn = () => Promise<void> | undefined

/**
 * How an answer is evaluated alongside others. A short one is a single piece, or with few others: many answers that arrive together would otherwise all be half
 * evaluated, with everything that was read from them in memory.
 */
export function turnsFor(answer: Pick<ClearinghouseAnswer, 'rawResponse'>, organizationId: string): Turn {
  if (isLarge(answer)) return () => ownTurn(organizationId)
  return answer.rawResponse.length > SHORT_ANSWER_CHARACTERS ? () => takeTurn(organizationId) : NO_TURN
}

const NO_TURN: Turn = () => undefined

const UNREADABLE: ErrorDetails = { code: 'UNREADABLE_ANSWER', description: "the payer's answer could not be read" }

interface SentInquiry {
  organizationId: string
  request: CheckRequest
  inquiry: Inquiry
  checkId: string
  /** When the inquiry was sent; absent for an answer that is only shown again. */
  at?: Date
  /** The answer was accepted before. It may be that of an earlier equal check, with that check's trace (rules.md 13.5). */
  isStored?: boolean
}

/** Our patient's answer, within everything that was received. */
interface FoundAnswer {
  answer: ClearinghouseAnswer
  responses: Response[]
  patient: PatientResponse
}

type Describe = (found: FoundAnswer, sent: SentInquiry, turn: Turn) => CheckOutcome | Promise<CheckOutcome>

/** The eligibility responses that an answer holds. */
interface ReadResponses {
  responses: Response[]
  /** Why the inquiry was rejected as a message (999, TA1). */
  refusal?: string | undefined
  isCutOff?: boolean
}

function readResponses({ responses, rawResponse }: ClearinghouseAnswer): ReadResponses {
  if (responses) return { responses }
  const envelope = readEnvelope(rawResponse)
  const answers = envelope.transactions.filter(({ setId }) => setId === '271')
  // An active row may precede the row that ends the coverage: half an answer is not an answer.
  if (answers.some(({ isCutOff }) => isCutOff)) return { responses: [], isCutOff: true }
  const refusal = findRefusal(envelope)?.description
  if (answers.length === 0 && refusal === undefined && isBeginning(rawResponse))
    return { responses: [], isCutOff: true }
  return { responses: answers.map(readResponse), refusal }
}

/** An interchange without its end. A connection without a stated length may end at any byte, also before the first transaction set. */
const isBeginning = (text: string) => text.trimStart().startsWith('ISA') && !text.includes('IEA')

function judge(
  { responses, refusal, isCutOff }: ReadResponses,
  { answer, sent, describe, turn }: { answer: ClearinghouseAnswer; sent: SentInquiry; describe: Describe; turn: Turn },
): CheckOutcome | Promise<CheckOutcome> {
  if (isCutOff) {
    const cutOff = failedCheck({ code: 'TRUNCATED_ANSWER', description: 'the answer is truncated' })
    return { ...cutOff, outage: { isAnswered: false }, response: readForeign(answer.rawResponse) }
  }
  const own = sent.isStored ? responses : withoutOtherInquiries(responses, sent.inquiry)
  if (countPatients(responses) > 0 && countPatients(own) === 0) {
    const description = 'the clearinghouse sent the answer to another inquiry, which was not used'
    return { ...failedCheck({ code: 'MISDIRECTED_ANSWER', description }), outage: { isAnswered: false } }
  }
  const match = findPatient(own, sent.inquiry)
  if (match.kind !== 'found') return unusable(answer, responses, match, refusal)
  return describe({ answer, responses, patient: match.patient }, sent, turn)
}

const countPatients = (responses: readonly Response[]) => responses.flatMap(({ patients }) => patients).length

async function describeAnswer(found: FoundAnswer, sent: SentInquiry, turn: Turn): Promise<CheckOutcome> {
  const { request, inquiry, at: askedAt } = sent
  const patient = withEchoes(found.patient, askedAt)
  const judgment = judgeEligibility(patient, request)
  await turn()
  const requestCorrections = findCorrections(wireMembers(request), patient)
  const parsed = describeJudgment(patient, judgment)
  await turn()
  const answer = recognizePayer({ patient, payer: inquiry.payer, dateOfService: request.dateOfService, parsed })
  const readinessIssues = await findReadinessIssues(answer, judgment, {
    corrections: requestCorrections,
    request,
    askedAt,
    turn,
  })
  await turn()
  const alerted = withAlerts(parsed, [...readinessIssues.map(({ note }) => note), ...managedCareAlert(answer)])
  const { dateOfService: day, serviceTypeCodes } = request
  const isActive = judgment.status === 'ACTIVE'
  const evaluated = { services: requestedServices(serviceTypeCodes), day, readinessIssues }
  const others = isActive ? otherInsuranceOf(answer, evaluated) : []
  const texts = isActive ? payerNotesOf(patient.benefits, evaluated) : []
  const parsedResponse = withStatusNotes(alerted, others, texts)
  await turn()
  const isUnknown = judgment.status === 'UNKNOWN'
  // A copy that is changed costs less than a literal with a property behind a spread.
  const recognized: Answer = { ...answer }
  recognized.parsed = parsedResponse
  const outcome: CheckOutcome = {
    status: patient.rejections.length > 0 && isUnknown ? 'FAILED' : 'COMPLETED',
    parsedResponse,
    requestCorrections,
    errors: patient.rejections.map(fromRejection),
    subscriber: patient.subscriber,
    recommendations: deriveRecommendations(recognized, serviceTypeCodes),
    // Last: a property behind them costs fifty times as much.
    ...(readinessIssues.length > 0 && { readinessIssues }),
    ...(isUnknown && outageOf(patient.rejections)),
  }
  return withResponse(outcome, () => showAnswer(found, sent))
}

/** A state program that names the patient's plan reports ACTIVE, and the plan is the one that pays. Source: x12-271.md 10. */
function managedCareAlert(answer: Answer): string[] {
  if (answer.parsed.eligibility_status !== 'ACTIVE') return []
  const plan = findManagedCarePlan(answer)
  return plan ? [[ALERTS.managedCare, plan.payerName].filter(Boolean).join(': ')] : []
}

/** The rendering of an answer that was evaluated before. */
export function renderOnly(found: FoundAnswer, sent: SentInquiry): CheckOutcome {
  return { status: 'COMPLETED', errors: [], response: showAnswer(found, sent) }
}

function showAnswer({ answer, responses, patient }: FoundAnswer, { checkId }: SentInquiry): unknown {
  const { json, rawResponse: raw } = answer
  const response = responses.find(({ patients }) => patients.includes(patient))!
  return json ?? shownAnswer(stediResponse(response, patient, { raw, id: checkId }), responses)
}

/** Facts that a reader must not miss, such as the reasons why a visit is not READY, come first in the notes. */
export function withAlerts(parsed: ParsedResponse, alerts: readonly string[]): ParsedResponse {
  if (alerts.length === 0) return parsed
  const { notes } = parsed.benefits ?? {}
  const all = [...alerts.map(toAlert), ...(notes === undefined ? [] : notes.split('\n'))]
  return { ...parsed, benefits: { ...parsed.benefits, notes: [...new Set(all)].join('\n') } }
}

/** An interchange that also contains other patients' answers is stored, but not shown. */
function shownAnswer(rendered: object, responses: Response[]): object {
  const isOursAlone = countPatients(responses) === 1
  return isOursAlone ? rendered : { ...rendered, x12: undefined }
}

/** A payer that states that it cannot answer now. Source: x12-271.md 8; clearinghouse.md A3. */
function outageOf(rejections: Rejection[]): Pick<CheckOutcome, 'outage'> {
  const isOutage = rejections.length > 0 && rejections.every((each) => classifyRejection(each) === 'retry')
  // "Wait 10 days" and "wait 30 days" are for a user to schedule.
  const isSoon = rejections.every(({ followUpCode }) => followUpCode !== 'W' && followUpCode !== 'X')
  return isOutage && isSoon ? { outage: { isAnswered: true } } : {}
}

/** An answer without our patient: a rejection, an answer about another person, or no eligibility response at all. */
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
      ...failedCheck({ code: 'REFUSED', description: `the payer or clearinghouse rejected the inquiry: ${refusal}` }),
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
  // The rest of the answer is not shown: it may be another patient's.
  if (match.kind === 'refused') {
    return { status: 'FAILED', errors: match.rejections.map(fromRejection), ...outageOf(match.rejections) }
  }
  return failedCheck(UNMATCHED[match.kind])
}

const UNMATCHED = {
  other: {
    code: 'PATIENT_MISMATCH',
    description: 'the answer is about a different person and was not used',
    possibleResolutions:
      'Compare first name, date of birth and member ID with the insurance card; the payer has a different person under the values that were sent.',
  },
  several: {
    code: 'CONFLICTING_ANSWERS',
    description: 'the payer returned several answers about the patient without stating which one is valid',
  },
  unidentified: {
    code: 'PATIENT_NOT_NAMED',
    description: 'the answer does not identify the patient and was not used',
  },
} as const satisfies Record<string, ErrorDetails>

const fromRejection = (rejection: Rejection): CheckError => ({
  source: 'STEDI',
  errorDetails: wireErrorDetails(errorDetails(rejection)),
})

/** An answer that is not X12: as JSON if it is JSON within the bounds of an answer, else as text. */
export function readForeign(raw: string): unknown {
  return readJson(raw) ?? raw.slice(0, SHOWN_CHARACTERS)
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
