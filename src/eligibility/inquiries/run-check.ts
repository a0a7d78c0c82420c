// One check from request to result: sends the inquiry, reads the answer, finds the patient in it, and determines its meaning. Nothing is
// stored here. Source: rules.md 13; x12-271.md 3, 5 to 9.
import { answersInMemory } from '../../clearinghouses/answers-in-memory.ts'
import {
  type AskOptions,
  type Clearinghouse,
  type ClearinghouseAnswer,
  ClearinghouseError,
} from '../../clearinghouses/clearinghouse.ts'
import { noRoom, toError } from '../../clearinghouses/failures.ts'
import { takeTurn } from '../../platform/event-loop.ts'
import type { Inquiry } from '../../x12/model.ts'
import { type CheckError, type CheckOutcome, failedCheck, forgetResponse } from '../answers/outcome.ts'
import { isLarge, readAnswer, readForeign, withAlerts } from '../answers/read-answer.ts'
import { failureDetails } from '../answers/rejections/failure-details.ts'
import { wireErrorDetails } from '../answers/rejections/rejections.ts'
import { maskInTurns, maskTexts } from '../answers/social-security.ts'
import { type CheckRequest, type InquiryNames, toInquiry } from './check-inquiry.ts'
import { adviseOnNotices, describeNotice, fitInquiry, type InquiryFault, type NameNotice } from './fit-inquiry.ts'

interface CheckOptions extends AskOptions {
  organizationId: string
  checkId: string
  /** For a check without a waiting caller: the rows of its answer are not kept in memory until it is stored. */
  withoutResponse?: boolean
  /** Called once the payer has answered, before the answer is read, unless it is large. */
  whenAnswered?(): void
}

/**
 * Sends the inquiry and reads the answer. An inquiry that a 270 cannot carry is rejected before it is sent. Never throws for faults of the
 * clearinghouse or payer: an outage, a timeout, an invalid answer or an answer about another person is returned as an error and never as
 * ACTIVE.
 */
export async function runCheck(
  clearinghouse: Clearinghouse,
  request: CheckRequest,
  options: CheckOptions & { names?: InquiryNames },
): Promise<CheckOutcome> {
  const { inquiry, faults, notices } = fitInquiry(toInquiry(request, options.checkId, options.names))
  if (faults.length > 0) return rejectedCheck(faults)
  return withNotices(await askAndRead(clearinghouse, request, { inquiry, options }), notices)
}

async function askAndRead(
  clearinghouse: Clearinghouse,
  request: CheckRequest,
  { inquiry, options }: { inquiry: Inquiry; options: CheckOptions },
): Promise<CheckOutcome> {
  try {
    const answer = await clearinghouse.checkEligibility(inquiry, options)
    // Many large answers at once would fill the memory while they wait to be read.
    if (!isLarge(answer)) options.whenAnswered?.()
    const { rawInquiry } = answer
    const { organizationId, checkId, at } = options
    const outcome = await inMemory(answer, organizationId, () =>
      readAnswer(answer, { request, inquiry, organizationId, checkId, at }),
    )
    Object.assign(outcome, storedAnswer(answer, outcome), rawInquiry !== undefined && { rawInquiry })
    if (options.withoutResponse) forgetResponse(outcome)
    return outcome
  } catch (error) {
    if (!(error instanceof ClearinghouseError)) throw error
    return {
      // Without a configured clearinghouse nothing was sent, so the error is our own.
      ...failedCheck(maskTexts(failureDetails(error), request), error.code === 'NotConfigured' ? 'CANDID' : 'STEDI'),
      ...(error.retryable && {
        outage: {
          isAnswered: false,
          ...(error.isOurs && { isOurs: true }),
          ...(error.retryAfterMs !== undefined && { afterMs: error.retryAfterMs }),
        },
      }),
      ...(error.rawInquiry !== undefined && { rawInquiry: error.rawInquiry }),
      ...(error.rawResponse !== undefined && {
        rawResponse: error.rawResponse,
        response: await maskInTurns(readForeign(error.rawResponse), request, () => takeTurn(options.organizationId)),
        answerForm: 'text',
      }),
    }
  }
}

/** Large answers are read one after the other, and wait for it in memory. @throws ClearinghouseError where there is no room. */
async function inMemory(
  { rawResponse: { length } }: ClearinghouseAnswer,
  organizationId: string,
  read: () => Promise<CheckOutcome>,
): Promise<CheckOutcome> {
  if (!answersInMemory.hasRoomFor(organizationId, length)) throw toError(noRoom)
  answersInMemory.add(organizationId, length)
  return read().finally(() => answersInMemory.add(organizationId, -length))
}

/** The stored part of an answer: the whole answer, once. `response` is not stored, because `renderResponse` computes it again. */
function storedAnswer(
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

/** A check whose inquiry the guide forbids: an error of our own, because nothing was sent. */
function rejectedCheck(faults: readonly InquiryFault[]): CheckOutcome {
  const errors = faults.map(({ field, problem }) => {
    const details = { code: 'INVALID_REQUEST', field, description: `${field} ${problem}` }
    return { source: 'CANDID', errorDetails: wireErrorDetails(details) } as const
  })
  return { status: 'FAILED', errors }
}

/** Names that were sent in a different form: noted in the answer, or as advice in the first error. */
function withNotices(outcome: CheckOutcome, notices: readonly NameNotice[]): CheckOutcome {
  if (notices.length === 0) return outcome
  const { parsedResponse, errors } = outcome
  const [first, ...others] = errors
  // A copy of the object would compute `response`, which may never be read.
  return Object.assign(outcome, {
    ...(parsedResponse && { parsedResponse: withAlerts(parsedResponse, notices.map(describeNotice)) }),
    errors: first ? [withAdvice(first, adviseOnNotices(notices)), ...others] : [],
  })
}

function withAdvice({ source, errorDetails }: CheckError, advice: string): CheckError {
  const resolutions = [errorDetails.possibleResolutions, advice].filter((part) => part).join(' ')
  return {
    source,
    errorDetails: { ...errorDetails, possibleResolutions: resolutions, 'possibleResolutions?': resolutions },
  }
}
