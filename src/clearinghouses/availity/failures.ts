import { readRetryAfter } from '../../platform/outbound/retry-after.ts'
import type { ClearinghouseFailure } from '../clearinghouse.ts'
import { asCode, failureOfStatus, shorten, unusableAnswers } from '../failures.ts'
import type { HttpAnswer } from '../http-exchange.ts'
import { type JsonObject, objectsOf, readJsonObject, textOf } from '../json-values.ts'

/** A message of Availity or the payer about one field, unchanged. */
interface FieldMessage {
  field: string | undefined
  code: string | undefined
  message: string | undefined
}

/** `errors` of an error response and `validationMessages` of a coverage are lists of the same objects. */
export function readFieldMessages(list: unknown): FieldMessage[] {
  return objectsOf(list).map(({ field, code, errorMessage }) => ({
    field: textOf(field),
    code: textOf(code),
    message: textOf(errorMessage),
  }))
}

/** The first field that Availity rejected in an error response; undefined when it names none. */
export function findRefusedField(body: string): FieldMessage | undefined {
  const json = readJsonObject(body)
  return typeof json === 'object' ? readFieldMessages(json.errors).find(({ field }) => field !== undefined) : undefined
}

/** The failure that an answer represents; undefined when it is a JSON object with status 200, 201 or 202. Source: clearinghouse.md C. */
export function failureOfAnswer(answer: HttpAnswer, json: JsonObject | 'cut' | 'other', at: Date) {
  const retryAfterMs = readRetryAfter(answer.retryAfter, at)
  const wait = retryAfterMs === undefined ? {} : { retryAfterMs }
  if (![200, 201, 202].includes(answer.status)) return { ...explain(failureOfStatus(answer), answer, json), ...wait }
  return typeof json === 'object' ? undefined : unreadable(answer, json)
}

function explain(
  failure: ClearinghouseFailure,
  answer: HttpAnswer,
  json: JsonObject | 'cut' | 'other',
): ClearinghouseFailure {
  const code = `HTTP ${answer.status}`
  const message = ownMessages[answer.status]
  const detail = typeof json === 'object' ? describeRefusal(json) : undefined
  return { ...failure, code, ...(message && { message }), ...(detail && { detail }) }
}

export const refusedClient = 'The clearinghouse does not accept our client id and secret, or not for this scope'

const ownMessages: Readonly<Record<number, string>> = {
  401: refusedClient,
  403: refusedClient,
  // From Availity, 503 usually means that the payer is unavailable.
  503: 'The payer cannot be reached through the clearinghouse (HTTP 503)',
}

function describeRefusal(json: JsonObject): string | undefined {
  const fields = readFieldMessages(json.errors)
  const text = fields.length > 0 ? describeMessages(fields) : (textOf(json.userMessage) ?? textOf(json.message))
  return text && shorten(text)
}

/** `patientLastName: Invalid name; …` */
function describeMessages(messages: readonly FieldMessage[]): string {
  const lines = messages.map(({ field, code, message }) => [field, message ?? code].filter(Boolean).join(': '))
  return lines.filter((line) => line !== '').join('; ')
}

function unreadable(answer: HttpAnswer, json: 'cut' | 'other'): ClearinghouseFailure {
  const text = answer.body.toString('utf8', 0, 200).trimStart()
  if (text === '') return unusableAnswers.empty
  if (text.startsWith('<')) return unusableAnswers.html
  if (json === 'cut') return unusableAnswers.truncated
  return {
    code: 'UnknownResponse',
    retryable: false,
    message: 'The clearinghouse sent something that is not a coverage; check the configured URL',
  }
}

/** The payer rejected the inquiry without an X12 reason code: its text is shown to the user. */
export function failureOfMessages(messages: readonly FieldMessage[], statusCode: string | undefined) {
  const text = describeMessages(messages)
  return {
    code: asCode(messages.find(({ code }) => code !== undefined)?.code ?? `Status${statusCode ?? ''}`, 'Rejected'),
    retryable: false,
    message: 'The payer did not accept the inquiry',
    ...(text && { detail: shorten(text, 1000) }),
  }
}

/** The payer did not answer Availity. Source: clearinghouse.md C, statusCode 7, 13, 14 and 15. */
export function failureOfPayer(statusCode: string): ClearinghouseFailure {
  const code = `Status${asCode(statusCode, '')}`
  return {
    code,
    retryable: true,
    message: `The payer did not answer the clearinghouse (status ${asCode(statusCode, '?')})`,
  }
}
