import { readRetryAfter } from '../../platform/outbound/retry-after.ts'
import { BENEFITS_MAX, isBeyondAnswer } from '../../x12/bounds.ts'
import { INVALID_PARTICIPANT } from '../../x12/codes/rejections.ts'
import { readEnvelope } from '../../x12/envelope.ts'
import type { Rejection, Response } from '../../x12/model.ts'
import { readResponse } from '../../x12/response-reader.ts'
import { beginsX12 } from '../../x12/tokenizer.ts'
import type { ClearinghouseAnswer, ClearinghouseFailure } from '../clearinghouse.ts'
import { decodeText } from '../decode-text.ts'
import { asCode, excerpt, failureOfStatus, shorten, toError, unusableAnswers } from '../failures.ts'
import type { Fitted } from '../fit-shape.ts'
import type { HttpAnswer } from '../http-exchange.ts'
import { type JsonObject, objectsOf, readJsonObject, textOf } from '../json-values.ts'
import { plainName } from '../shape.ts'
import { BENEFITS_ROWS } from './benefits-shape.ts'
import { furtherRejections } from './both-forms.ts'
import { PLANS_ROWS } from './plans-shape.ts'
import { fitEligibility, isEligibility, readFittedEligibility, readRejections } from './read-eligibility.ts'
import { isBeyondPlans } from './read-plan-benefits.ts'
import { fitPlans, isPlans, readFittedPlans, readPlanRejections } from './read-plans.ts'

/** The two forms of an answer: benefits as X12 has them (version 3), and grouped by plan (2026-06-01). */
const forms = {
  benefits: {
    fit: fitEligibility,
    isAnswer: isEligibility,
    read: readFittedEligibility,
    readRejections,
    isBeyond: (json: JsonObject) => objectsOf(json.benefitsInformation).length > BENEFITS_MAX,
  },
  plans: {
    fit: fitPlans,
    isAnswer: isPlans,
    read: readFittedPlans,
    readRejections: readPlanRejections,
    isBeyond: isBeyondPlans,
  },
} as const
type StediForm = keyof typeof forms

/** The content of an answer determines its form; without such content it is the requested form. */
function formOf(json: JsonObject, request: StediForm): StediForm {
  const has = (names: readonly string[]) =>
    Object.entries(json).some(([key, value]) => names.includes(plainName(key)) && value !== null)
  if (has(BENEFITS)) return 'benefits'
  return has(PLANS) ? 'plans' : request
}

const [BENEFITS, PLANS] = [BENEFITS_ROWS.map(plainName), PLANS_ROWS.map(plainName)]

/**
 * Reads an answer to an eligibility check: its X12 if it contains one, so that one reader reads every connector's answers, else its JSON.
 * `traceNumber` is the inquiry's. A payer's AAA is an answer regardless of the HTTP status, unless it states that Stedi does not recognize
 * the payer.
 * @throws ClearinghouseError for every other result. Source: clearinghouse.md A2, A3.
 */
export function takeEligibility(
  answer: HttpAnswer,
  request: { rawInquiry: string; traceNumber: string; at: Date; form: StediForm },
): ClearinghouseAnswer {
  const text = decodeText(answer.contentType, answer.body)
  const json = answer.status === 200 || answer.status === 400 ? readJsonObject(text) : undefined
  const isJson = typeof json === 'object'
  const form = isJson ? formOf(json, request.form) : request.form
  // Also as it came: to bring thousands of rows into shape takes longer than to count them.
  const tooLarge = isJson ? failureOfSize(json, form) : undefined
  const fitted = isJson && !tooLarge ? forms[form].fit(json) : undefined
  const failure = fitted
    ? (failureOfSize(fitted.json, form) ?? failureOfEligibility(fitted.json, form, answer))
    : (tooLarge ?? failureOfAnswer(answer, text, request.at))
  if (failure) throw toError(failure, { rawInquiry: request.rawInquiry, rawResponse: excerpt(text) })
  return {
    rawInquiry: request.rawInquiry,
    ...readAnswer(fitted as Fitted, { text, shown: json, form, traceNumber: request.traceNumber }),
  }
}

/** Reads a stored answer that is grouped by plan again; undefined for any other text. */
export function readKeptPlans(text: string, traceNumber: string): ClearinghouseAnswer | undefined {
  const json = readJsonObject(text)
  return typeof json === 'object' ? readAnswer(fitPlans(json), { text, form: 'plans', traceNumber }) : undefined
}

/** The JSON of any other answer. @throws ClearinghouseError unless it is an object with HTTP status 200 whose `status` is not `ERROR`. */
export function takeJson(answer: HttpAnswer, at: Date): JsonObject {
  const text = decodeText(answer.contentType, answer.body)
  const json = answer.status === 200 ? readJsonObject(text) : undefined
  const isJson = typeof json === 'object'
  if (isJson && json.status !== 'ERROR') return json
  const failure = isJson ? failureOfStedi(json, 'ERROR', answer.status) : failureOfAnswer(answer, text, at)
  throw toError(failure, { rawResponse: excerpt(text) })
}

function readAnswer(
  fitted: Fitted,
  { text, shown: json, form, traceNumber }: { text: string; shown?: unknown; form: StediForm; traceNumber: string },
): ClearinghouseAnswer {
  // Callers read benefits in the form of X12: an answer in that form is shown unchanged, the other one as we render its 271.
  const shown = form === 'benefits' ? { json } : { kept: { text, form } }
  const x12 = findX12(fitted.json)
  if (x12 === undefined)
    return { rawResponse: text, responses: [withTraceNumber(forms[form].read(fitted), traceNumber)], ...shown }
  const transactions = readEnvelope(x12).transactions.filter(({ setId }) => setId === '271')
  const [only, ...others] = transactions.map(readResponse)
  // A truncated X12, a rejection, or an answer about several patients is passed on unchanged for the engine to evaluate.
  const isPlain = only && others.length === 0 && only.patients.length === 1 && !transactions[0]?.isCutOff
  if (!isPlain) return { rawResponse: x12, ...shown }
  const answered = withRejections(only, forms[form].readRejections(fitted.json))
  return { rawResponse: x12, responses: [withTraceNumber(answered, traceNumber)], ...shown }
}

/** A rejection that only the JSON contains counts as well: coverage that either of the two denies is not coverage. */
function withRejections(response: Response, stated: Rejection[]): Response {
  const more = furtherRejections(response.rejections, stated)
  if (more.length === 0) return response
  const patients = response.patients.map((patient) => ({ ...patient, rejections: [...patient.rejections, ...more] }))
  return { ...response, rejections: [...response.rejections, ...more], patients }
}

/**
 * The answer with our trace number. Stedi sends its own trace number to the payer and matches the answer by it, so ours is not echoed. The
 * number states that the answer came in reply to our inquiry.
 */
function withTraceNumber(response: Response, traceNumber: string): Response {
  for (const { subscriber, dependent } of response.patients) {
    const patient = dependent ?? subscriber
    patient.traces = [...patient.traces, { type: '2', number: traceNumber }]
  }
  return response
}

/** A 271, or the 999 by which the payer rejected our syntax. Undefined for any other content of `x12`. */
function findX12(json: JsonObject): string | undefined {
  const x12 = textOf(json.x12)
  if (x12 === undefined || !beginsX12(x12)) return undefined
  const { transactions, acknowledgements } = readEnvelope(x12)
  return transactions.some(({ setId }) => setId === '271') || acknowledgements.length > 0 ? x12 : undefined
}

function failureOfSize(json: JsonObject, form: StediForm): ClearinghouseFailure | undefined {
  const x12 = textOf(json.x12)
  if (x12 !== undefined && isBeyondAnswer(x12)) return unusableAnswers.tooLarge
  const isTooMuch = forms[form].isBeyond(json) && findX12(json) === undefined
  return isTooMuch ? unusableAnswers.tooLarge : undefined
}

function failureOfEligibility(json: JsonObject, form: StediForm, answer: HttpAnswer): ClearinghouseFailure | undefined {
  if (answer.status === 400) {
    const rejections = forms[form].readRejections(json).filter(({ reasonCode }) => reasonCode !== undefined)
    if (rejections.some(({ reasonCode }) => reasonCode === INVALID_PARTICIPANT)) return unknownPayer(json)
    if (rejections.length === 0 && findX12(json) === undefined) return failureOfInput(json, answer)
  }
  return failureOfObject(json, form, answer.status)
}

/** AAA 79 with HTTP 400 comes from Stedi, with 200 from the payer. */
function unknownPayer(json: JsonObject): ClearinghouseFailure {
  const texts = objectsOf(json.errors).map(({ description, possibleResolutions, message }) => {
    return textOf(possibleResolutions) ?? textOf(description) ?? textOf(message)
  })
  return {
    code: INVALID_PARTICIPANT,
    retryable: false,
    message: 'The clearinghouse does not recognize this payer id; check it against the payer list',
    ...(texts[0] !== undefined && { detail: shorten(texts[0]) }),
  }
}

/** What programs between Stedi and us say of their own call. */
const FINE = /^(?:2\d\d|ok|success|complete[d]?)$/i

function failureOfObject(json: JsonObject, form: StediForm, status: number): ClearinghouseFailure | undefined {
  if (findX12(json) !== undefined || forms[form].readRejections(json).length > 0) return undefined
  // Present only when Stedi itself could not send the inquiry.
  const trouble = textOf(json.status)
  if (trouble !== undefined && !FINE.test(trouble)) return failureOfStedi(json, asCode(trouble, 'ERROR'), status)
  if (forms[form].isAnswer(json)) return undefined
  const message = 'The clearinghouse sent JSON that is not an eligibility answer; check the configured URL'
  return { code: 'UnknownResponse', retryable: false, message }
}

function failureOfStedi(json: JsonObject, code: string, status: number): ClearinghouseFailure {
  const [error = {}] = objectsOf(json.errors)
  const detail = textOf(error.description) ?? textOf(error.message) ?? textOf(json.message)
  return {
    code: asCode(textOf(error.code) ?? '', code),
    // A 400 rejects the request itself: a retry would fail, too.
    retryable: status !== 400,
    message: 'The clearinghouse could not send the inquiry to the payer',
    ...(detail !== undefined && { detail: shorten(detail) }),
  }
}

/** The path of the payer's id in a request of the newer operation. */
const PAYER_PATH = '/payerId'

/**
 * `{message, fieldList: [{path, message}]}`, since 2026-06-01 `{message, errors: [{path, message}]}`. The paths name fields; the messages
 * may quote the request.
 */
function failureOfInput(json: JsonObject, answer: HttpAnswer): ClearinghouseFailure {
  const errors = objectsOf(json.errors).filter(({ path }) => textOf(path) !== undefined)
  if (errors.some(({ path }) => path === PAYER_PATH)) return unknownPayer(json)
  const list = errors.length > 0 ? errors : objectsOf(json.fieldList)
  if (list.length === 0) return textOf(json.status) ? failureOfStedi(json, 'ERROR', 400) : failureOfStatus(answer)
  const paths = list.map(({ path }) => textOf(path) ?? '').filter((path) => /^(?:\/[A-Za-z0-9]{1,60}){1,9}$/.test(path))
  const fields = [...new Set(paths)].slice(0, 5).map((path) => path.slice(1).replaceAll('/', '.'))
  const detail = list.map(({ message }) => textOf(message) ?? '').join('; ')
  return {
    code: asCode(textOf(json.code) ?? '', 'HTTP 400'),
    retryable: false,
    message: `The clearinghouse rejected fields of the request${fields.length > 0 ? `: ${fields.join(', ')}` : ''}`,
    ...(detail && { detail: shorten(detail) }),
  }
}

function failureOfAnswer(answer: HttpAnswer, text: string, at: Date): ClearinghouseFailure {
  const { status } = answer
  const retryAfterMs = readRetryAfter(answer.retryAfter, at)
  const json = status === 400 ? readJsonObject(text) : undefined
  if (typeof json === 'object') return failureOfInput(json, answer)
  if (status !== 200) return { ...failureOfStatus(answer), ...(retryAfterMs !== undefined && { retryAfterMs }) }
  if (text.trim() === '') return unusableAnswers.empty
  if (text.trimStart().startsWith('<')) return unusableAnswers.html
  if (readJsonObject(text) === 'cut') return unusableAnswers.truncated
  const message = 'The clearinghouse sent something that is not its JSON; check the configured URL'
  return { code: 'UnknownResponse', retryable: false, message }
}
