import { QueueFull } from '../platform/fair-share.ts'
import { AddressRefused } from '../platform/outbound/public-address.ts'
import { NoRoom } from './answers-in-memory.ts'
import { ClearinghouseError, type ClearinghouseFailure } from './clearinghouse.ts'
import { BrokenCompression, ResponseTooLarge } from './decompressed.ts'
import {
  DeadlinePassed,
  type ExchangeLimits,
  type HttpAnswer,
  MAX_RESPONSE_BYTES,
  TooManyParts,
} from './http-exchange.ts'
import { NotSent } from './semaphore.ts'

/** A failure as the error of a connector, with the data sent and received if they are known. */
export function toError(
  failure: ClearinghouseFailure,
  context: { rawInquiry?: string | undefined; rawResponse?: string; cause?: unknown } = {},
): ClearinghouseError {
  const { rawInquiry, ...rest } = context
  return new ClearinghouseError(failure.message, {
    ...failure,
    ...rest,
    ...(rawInquiry !== undefined && { rawInquiry }),
  })
}

/** The failure of the exchange itself: time, size, network, or the caller's abort. */
export function failureOfExchange(error: unknown, limits: ExchangeLimits): ClearinghouseFailure {
  if (error instanceof NotSent) return { ...failureToSend(error.cause, limits), isOurs: true }
  if (error instanceof DeadlinePassed) return unansweredWithin(limits.timeoutMs)
  if (isTimeOver(limits.signal)) return unanswered
  if (limits.signal?.aborted) return abandoned
  if (error instanceof QueueFull) {
    return { code: 'QueueFull', retryable: true, message: 'Too many checks are waiting for the clearinghouse' }
  }
  if (error instanceof TooManyParts) {
    const message = 'The clearinghouse sends its answer in too many small parts'
    return { code: 'ResponseTooLarge', retryable: false, message }
  }
  if (error instanceof ResponseTooLarge) {
    const megabytes = (MAX_RESPONSE_BYTES / 1_000_000).toFixed(1)
    const message = `The clearinghouse answered with more than the allowed ${megabytes} MB`
    return { code: 'ResponseTooLarge', retryable: false, message }
  }
  if (error instanceof NoRoom) return noRoom
  if (error instanceof BrokenCompression) {
    return {
      code: 'TruncatedResponse',
      retryable: true,
      message: 'The compressed answer of the clearinghouse is corrupt',
    }
  }
  if (error instanceof AddressRefused) {
    return { code: 'AddressRefused', retryable: false, message: 'The address of the connector is not public' }
  }
  return failureOfNetwork(networkCode(error))
}

function failureToSend(cause: unknown, limits: ExchangeLimits): ClearinghouseFailure {
  return isTimeOver(limits.signal) ? unsent : failureOfExchange(cause, limits)
}

/** Whether the caller's time limit has passed, and not the caller left: `AbortSignal.timeout` gives this reason. */
const isTimeOver = (signal: AbortSignal | undefined) =>
  signal?.aborted === true && (signal.reason as Error | undefined)?.name === 'TimeoutError'

const unanswered: ClearinghouseFailure = {
  code: 'Timeout',
  retryable: true,
  message: 'The clearinghouse did not answer in time',
}

const unsent: ClearinghouseFailure = {
  code: 'Timeout',
  retryable: true,
  message: 'The inquiry was not sent in time, because others wait for the clearinghouse',
}

export const unansweredWithin = (timeoutMs: number): ClearinghouseFailure => ({
  code: 'Timeout',
  retryable: true,
  message: `The clearinghouse did not answer within ${timeoutMs / 1000} s`,
})

/** One attempt later others have been read. */
export const noRoom: ClearinghouseFailure = {
  code: 'TooManyAnswers',
  retryable: true,
  isOurs: true,
  message: 'Too many large answers of clearinghouses arrive at the same time',
}

/** The caller aborted. */
export const abandoned: ClearinghouseFailure = {
  code: 'Aborted',
  retryable: true,
  message: 'The check was cancelled before the clearinghouse answered',
}

/** Reasons why an answer of any connector is unusable: it is empty, a web page, or incomplete. */
export const unusableAnswers: Readonly<Record<'empty' | 'html' | 'truncated' | 'tooLarge', ClearinghouseFailure>> = {
  empty: { code: 'EmptyResponse', retryable: true, message: 'The clearinghouse sent an empty answer' },
  html: {
    code: 'HtmlResponse',
    retryable: true,
    message: 'The clearinghouse sent a web page instead of an answer; if this persists, check the configured URL',
  },
  truncated: { code: 'TruncatedResponse', retryable: true, message: 'The answer of the clearinghouse is truncated' },
  tooLarge: {
    code: 'AnswerTooLarge',
    retryable: false,
    message: 'The answer of the clearinghouse exceeds the size limit for one inquiry and was not parsed',
  },
}

export const refusedCredentials = 'The clearinghouse does not accept our credentials; check the configured ones'

/** The failure for an HTTP status, with the code and text of its JSON body. Source: clearinghouse.md A3, B4. */
export function failureOfStatus(answer: HttpAnswer): ClearinghouseFailure {
  const { status } = answer
  const stated = readErrorBody(answer)
  const base = { code: stated.code ?? `HTTP ${status}`, ...(stated.detail && { detail: stated.detail }) }
  if (status === 401 || status === 403) return { ...base, retryable: false, message: refusedCredentials }
  if (status === 429)
    return { ...base, retryable: true, message: 'The clearinghouse is limiting the rate of our requests' }
  if (status >= 200 && status < 300) {
    // Nothing, or a part: the inquiry itself was not rejected. One that was accepted (202) may be under way to the payer.
    return {
      ...base,
      retryable: status !== 202,
      message: `The clearinghouse sent no answer to the inquiry (HTTP ${status})`,
    }
  }
  if (status >= 300 && status < 400) {
    const message = `The clearinghouse redirects to another address (HTTP ${status}); check the configured URL`
    return { ...base, retryable: false, message }
  }
  if (status >= 500 || status === 408) {
    return { ...base, retryable: true, message: `The clearinghouse reported a server error (HTTP ${status})` }
  }
  if (status === 404 || status === 405) {
    const message = `The clearinghouse takes no inquiries at this address (HTTP ${status}); check the configured URL`
    return { ...base, retryable: false, message }
  }
  return { ...base, retryable: false, message: `The clearinghouse rejected the request (HTTP ${status})` }
}

/** Misconfiguration, as opposed to an outage: a retry fails until an operator corrects it. */
const certificateErrors = /^(ERR_TLS|ERR_SSL|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_)/
/** TLS errors that may pass: faults of the server, and damaged or lost bytes. Source: RFC 8446 6.2. */
const passingTlsErrors = /INTERNAL_ERROR|UNEXPECTED_EOF|BAD_RECORD|RECORD_OVERFLOW|HANDSHAKE_TIMEOUT/

function failureOfNetwork(code: string): ClearinghouseFailure {
  if (certificateErrors.test(code) && !passingTlsErrors.test(code)) {
    return { code, retryable: false, message: `The certificate of the clearinghouse is not trusted (${code})` }
  }
  if (code === 'ENOTFOUND') {
    return {
      code,
      retryable: true,
      message: 'The host name of the clearinghouse cannot be resolved (ENOTFOUND); check the configured URL',
    }
  }
  return { code, retryable: true, message: `The clearinghouse cannot be reached (${code})` }
}

/** The first error code along the causes and inside an AggregateError. */
function networkCode(error: unknown): string {
  let current = error as { code?: unknown; cause?: unknown; errors?: unknown[] } | undefined
  for (let depth = 0; current && depth < 5; depth++) {
    if (typeof current.code === 'string') return current.code
    current = (current.cause ?? current.errors?.[0]) as typeof current
  }
  return 'NetworkError'
}

/** Error responses often carry JSON, `{errors: [{code, description}]}` or `{code, message}` (clearinghouse.md A3). */
function readErrorBody(answer: HttpAnswer): { code?: string; detail?: string } {
  const text = answer.body.toString('utf8', 0, 20_000).trimStart()
  if (!text.startsWith('{')) return {}
  try {
    const body = JSON.parse(text) as Record<string, unknown>
    const first = (Array.isArray(body.errors) ? body.errors[0] : undefined) as Record<string, unknown> | undefined
    const code = first?.code ?? body.code
    const detail = first?.description ?? first?.message ?? body.message
    return {
      ...(typeof code === 'string' && code !== '' && { code: asCode(code, `HTTP ${answer.status}`) }),
      ...(typeof detail === 'string' && { detail: shorten(detail) }),
    }
  } catch {
    return {}
  }
}

/** How much of an unusable answer is stored with the failure: characters, or bytes where it was not decoded. */
export const EXCERPT_LENGTH = 100_000
export const excerpt = (text: string): string => text.slice(0, EXCERPT_LENGTH)

/** The clearinghouse's code when it is a single word; prose may quote the inquiry, and codes are logged. */
export function asCode(text: string, otherwise: string): string {
  return /^[\w.-]{1,60}$/.test(text) ? text : otherwise
}

/** The clearinghouse's text as one line of at most `length` characters. */
export function shorten(text: string, length = 300): string {
  const line = text
    .slice(0, length * 4)
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim()
  return line.length > length ? `${line.slice(0, length - 1)}…` : line
}
