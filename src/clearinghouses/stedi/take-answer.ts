import { isBeyondAnswer } from '../../x12/bounds.ts'
import { readEnvelope } from '../../x12/envelope.ts'
import type { Response } from '../../x12/model.ts'
import { readResponse } from '../../x12/response-reader.ts'
import type { ClearinghouseAnswer, ClearinghouseFailure } from '../clearinghouse.ts'
import { asCode, failureOfStatus, readRetryAfter, shorten, toError, unusableAnswers } from '../failures.ts'
import type { HttpAnswer } from '../http-exchange.ts'
import { type JsonObject, objectsOf, readJsonObject, textOf } from '../json-values.ts'
import { isEligibility, readEligibility, readRejections } from './read-eligibility.ts'

/** What is kept of an answer that is of no use. */
const maxKeptCharacters = 100_000

/**
 * What an answer to an eligibility check says: its X12 where it holds one, so that one reader reads every connector's
 * answers, else its JSON. `traceNumber` is the question's. A payer's AAA is an answer whatever the HTTP status, except that Stedi does not know the payer.
 * @throws ClearinghouseError for everything else. Source: clearinghouse.md A2, A3.
 */
export function takeEligibility(
  answer: HttpAnswer,
  asked: { rawInquiry: string; traceNumber: string; at: Date },
): ClearinghouseAnswer {
  const text = answer.body.toString('utf8')
  const json = answer.status === 200 || answer.status === 400 ? readJsonObject(text) : undefined
  const isJson = typeof json === 'object'
  const failure = isJson
    ? (failureOfSize(json) ?? failureOfEligibility(json, answer))
    : failureOfAnswer(answer, text, asked.at)
  if (failure) throw toError(failure, { rawInquiry: asked.rawInquiry, rawResponse: text.slice(0, maxKeptCharacters) })
  return { rawInquiry: asked.rawInquiry, ...readAnswer(json as JsonObject, text, asked.traceNumber) }
}

/** The JSON of an answer to anything else. @throws ClearinghouseError unless it is an object that came with 200 and is no `ERROR`. */
export function takeJson(answer: HttpAnswer, at: Date): JsonObject {
  const text = answer.body.toString('utf8')
  const json = answer.status === 200 ? readJsonObject(text) : undefined
  const isJson = typeof json === 'object'
  if (isJson && json.status !== 'ERROR') return json
  const failure = isJson ? failureOfStedi(json, 'ERROR', answer.status) : failureOfAnswer(answer, text, at)
  throw toError(failure, { rawResponse: text.slice(0, maxKeptCharacters) })
}

function readAnswer(json: JsonObject, text: string, traceNumber: string): ClearinghouseAnswer {
  const x12 = findX12(json)
  if (x12 === undefined) return { rawResponse: text, responses: [vouchFor(readEligibility(json), traceNumber)], json }
  const transactions = readEnvelope(x12).transactions.filter(({ setId }) => setId === '271')
  const [only, ...others] = transactions.map(readResponse)
  // What breaks off, refuses, or answers several at once is the engine's to judge, as it came.
  const isPlain = only && others.length === 0 && only.patients.length === 1 && !transactions[0]?.isCutOff
  return { rawResponse: x12, ...(isPlain && { responses: [vouchFor(only, traceNumber)] }), json }
}

/**
 * The answer with our trace number on it. Stedi asks the payer under a number of its own and matches the answer by that, so
 * ours comes back nowhere: that it came in reply to our question is what the number would say.
 */
function vouchFor(response: Response, traceNumber: string): Response {
  for (const { subscriber, dependent } of response.patients) {
    const patient = dependent ?? subscriber
    patient.traces = [...patient.traces, { type: '2', number: traceNumber }]
  }
  return response
}

/** A 271, or the 999 by which the payer refused our syntax. One that breaks off is no reason to believe the rest. */
function findX12(json: JsonObject): string | undefined {
  const x12 = textOf(json.x12)
  if (x12 === undefined || !/^\uFEFF?\s*(?:ISA|TA1)/i.test(x12)) return undefined
  const { transactions, acknowledgements } = readEnvelope(x12)
  return transactions.some(({ setId }) => setId === '271') || acknowledgements.length > 0 ? x12 : undefined
}

function failureOfSize({ x12 }: JsonObject): ClearinghouseFailure | undefined {
  return typeof x12 === 'string' && isBeyondAnswer(x12) ? unusableAnswers.tooLarge : undefined
}

function failureOfEligibility(json: JsonObject, answer: HttpAnswer): ClearinghouseFailure | undefined {
  if (answer.status === 400) {
    const rejections = readRejections(json)
    if (rejections.some(({ reasonCode }) => reasonCode === '79')) return unknownPayer(json)
    if (rejections.length === 0 && findX12(json) === undefined) return failureOfInput(json, answer)
  }
  return failureOfObject(json, answer.status)
}

/** AAA 79 with HTTP 400 comes from Stedi, with 200 from the payer. */
function unknownPayer(json: JsonObject): ClearinghouseFailure {
  const said = objectsOf(json.errors).map(({ description, possibleResolutions }) => {
    return textOf(possibleResolutions) ?? textOf(description)
  })
  return {
    code: '79',
    retryable: false,
    message:
      'The clearinghouse does not know this payer id, or reaches no payer under it: check it against the payer list',
    ...(said[0] !== undefined && { detail: shorten(said[0]) }),
  }
}

function failureOfObject(json: JsonObject, status: number): ClearinghouseFailure | undefined {
  if (findX12(json) !== undefined || readRejections(json).length > 0) return undefined
  // Only there when Stedi itself could not ask.
  const trouble = textOf(json.status)
  if (trouble !== undefined) return failureOfStedi(json, asCode(trouble, 'ERROR'), status)
  if (isEligibility(json)) return undefined
  const message = 'The clearinghouse sent JSON that is no eligibility answer; check the configured URL'
  return { code: 'UnknownResponse', retryable: false, message }
}

function failureOfStedi(json: JsonObject, code: string, status: number): ClearinghouseFailure {
  const [error = {}] = objectsOf(json.errors)
  const detail = textOf(error.description) ?? textOf(error.message) ?? textOf(json.message)
  return {
    code: asCode(textOf(error.code) ?? '', code),
    // A 400 finds fault with what was sent: the same again would not do better.
    retryable: status !== 400,
    message: 'The clearinghouse could not put the question to the payer',
    ...(detail !== undefined && { detail: shorten(detail) }),
  }
}

/** `{message, fieldList: [{path, message}]}`: the paths name fields, the messages may quote what was sent. */
function failureOfInput(json: JsonObject, answer: HttpAnswer): ClearinghouseFailure {
  const list = objectsOf(json.fieldList)
  if (list.length === 0) return textOf(json.status) ? failureOfStedi(json, 'ERROR', 400) : failureOfStatus(answer)
  const paths = list.map(({ path }) => textOf(path) ?? '').filter((path) => /^(?:\/[A-Za-z0-9]{1,60}){1,9}$/.test(path))
  const fields = [...new Set(paths)].slice(0, 5).map((path) => path.slice(1).replaceAll('/', '.'))
  const detail = list.map(({ message }) => textOf(message) ?? '').join('; ')
  return {
    code: asCode(textOf(json.code) ?? '', 'HTTP 400'),
    retryable: false,
    message: `The clearinghouse finds fault with what was sent${fields.length > 0 ? `: ${fields.join(', ')}` : ''}`,
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
