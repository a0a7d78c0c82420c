// What an answer says about our patient: the responses in it, whose they are, what they come to. Source: rules.md 13; x12-271.md 3, 5 to 9.
import type { ClearinghouseAnswer } from '../../clearinghouses/clearinghouse.ts'
import { ownTurn } from '../../platform/event-loop.ts'
import { readEnvelope } from '../../x12/envelope.ts'
import type { Inquiry, PatientResponse, Rejection, Response } from '../../x12/model.ts'
import { readResponse } from '../../x12/response-reader.ts'
import { toCaution } from './benefit-notes.ts'
import type { CheckMember, CheckRequest } from './check-inquiry.ts'
import { findCorrections } from './corrections.ts'
import { describeJudgement, findRefusal } from './decode.ts'
import { findPatient, type Match } from './match.ts'
import { findObstacles } from './obstacles.ts'
import { type CheckError, type CheckOutcome, failedCheck } from './outcome.ts'
import { classifyRejection, errorDetails, wireErrorDetails } from './rejections.ts'
import { withoutSocialSecurityNumbers } from './social-security.ts'
import { judgeEligibility } from './status.ts'
import { stediResponse } from './stedi-response.ts'
import type { ErrorDetails, ParsedResponse } from './wire.ts'

/** What is shown of an answer that is no X12. */
const KEPT_ANSWER_CHARACTERS = 10_000

const LARGE_ANSWER_CHARACTERS = 50_000

/**
 * What an answer says, without the social security numbers in it. One that cannot be read is an answer all the same: asking again would bring
 * the same, and cost the clinic. A large one takes long to mask, to read and to judge: others have their turn in between.
 */
export async function readAnswer(
  answer: ClearinghouseAnswer,
  asked: Asked,
  describe: Describe = describeAnswer,
): Promise<CheckOutcome> {
  const turn = answer.rawResponse.length > LARGE_ANSWER_CHARACTERS ? ownTurn : async () => {}
  await turn()
  const masked = withoutSocialSecurityNumbers(answer, asked.request)
  await turn()
  try {
    const read = readResponses(masked)
    await turn()
    return judge(read, { answer: masked, asked, describe })
  } catch {
    return failedCheck(UNREADABLE)
  } finally {
    await turn()
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
export function showAlone(found: FoundAnswer, asked: Asked): CheckOutcome {
  return { status: 'COMPLETED', errors: [], response: showAnswer(found, asked) }
}

function showAnswer({ answer, responses, patient }: FoundAnswer, { checkId }: Asked): unknown {
  const { json, rawResponse: raw } = answer
  const response = responses.find(({ patients }) => patients.includes(patient))!
  return json ?? shownAnswer(stediResponse(response, patient, { raw, id: checkId }), responses)
}

/** What a reader must not miss, such as what keeps the visit from being READY, stands first among the notes. */
export function withCautions(parsed: ParsedResponse, cautions: readonly string[]): ParsedResponse {
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

const fromRejection = (rejection: Rejection): CheckError => ({
  source: 'STEDI',
  errorDetails: wireErrorDetails(errorDetails(rejection)),
})

/** An answer that is not X12, as JSON where it is that, else as text. */
export function readForeign(raw: string): unknown {
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
