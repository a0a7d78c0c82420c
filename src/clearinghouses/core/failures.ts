import type { ClearinghouseFailure } from '../clearinghouse.ts'
import type { CoreFields, CoreReading } from './fields.ts'
import { BrokenCompression, DeadlinePassed, type HttpAnswer, ResponseTooLarge } from './http-exchange.ts'
import { QueueFull } from './turnstile.ts'

/** Why the exchange itself broke: time, size, network, the caller's own abort. */
export function failureOfExchange(
  error: unknown,
  limits: { timeoutMs: number; maxResponseBytes: number; signal?: AbortSignal },
): ClearinghouseFailure {
  if (error instanceof DeadlinePassed) {
    const seconds = limits.timeoutMs / 1000
    return { code: 'Timeout', retryable: true, message: `The clearinghouse did not answer within ${seconds} s` }
  }
  if (limits.signal?.aborted) {
    return { code: 'Aborted', retryable: true, message: 'The check was abandoned before the clearinghouse answered' }
  }
  if (error instanceof QueueFull) {
    return { code: 'QueueFull', retryable: true, message: 'Too many checks are waiting for the clearinghouse' }
  }
  if (error instanceof ResponseTooLarge) {
    const megabytes = (limits.maxResponseBytes / 1_000_000).toFixed(1)
    const message = `The clearinghouse answered with more than the allowed ${megabytes} MB`
    return { code: 'ResponseTooLarge', retryable: false, message }
  }
  if (error instanceof BrokenCompression) {
    return {
      code: 'TruncatedResponse',
      retryable: true,
      message: 'The compressed answer of the clearinghouse is broken',
    }
  }
  return failureOfNetwork(networkCode(error))
}

/** Why an answer that arrived is not an X12 answer; undefined when it is one. Source: clearinghouse.md B2 to B4. */
export function failureOfAnswer(answer: HttpAnswer, reading: CoreReading, at: Date): ClearinghouseFailure | undefined {
  const retryAfterMs = readRetryAfter(answer.retryAfter, at)
  const wait = retryAfterMs === undefined ? {} : { retryAfterMs }
  if (reading.kind === 'fault') return { ...failureOfFault(reading, answer.status), ...wait }
  const fields = reading.kind === 'envelope' ? reading.fields : {}
  const errorCode = fields.ErrorCode || undefined
  if (errorCode && errorCode.toLowerCase() !== 'success') {
    return { ...failureOfErrorCode(errorCode, fields, answer.status), ...wait }
  }
  if (answer.status !== 200) return { ...failureOfStatus(answer), ...wait }
  if (reading.kind === 'unreadable') return unreadable[reading.because]
  return failureOfPayload(fields.Payload ?? '')
}

const unreadable: Readonly<Record<Extract<CoreReading, { kind: 'unreadable' }>['because'], ClearinghouseFailure>> = {
  empty: { code: 'EmptyResponse', retryable: true, message: 'The clearinghouse sent an empty answer' },
  html: {
    code: 'HtmlResponse',
    retryable: true,
    message: 'The clearinghouse sent a web page instead of an answer; if it stays so, check the configured URL',
  },
  truncated: { code: 'TruncatedResponse', retryable: true, message: 'The answer of the clearinghouse breaks off' },
  unknown: {
    code: 'UnknownResponse',
    retryable: false,
    message: 'The clearinghouse sent something that is not a CORE envelope; check the configured URL and form',
  },
}

const configurationWords =
  'The clearinghouse does not accept our credentials; check the configured username and password'

function failureOfFault(fault: Extract<CoreReading, { kind: 'fault' }>, status: number): ClearinghouseFailure {
  const words = [fault.code, fault.subcode ?? '']
  const detail = shorten(fault.reason)
  const base = { code: asCode(fault.code, 'Fault'), ...(detail && { detail }) }
  // WS-Security 1.1 section 12 names the credential faults.
  const refusal = words.find((word) => /^(FailedAuthentication|InvalidSecurity|FailedCheck|UnAuthorized)/i.test(word))
  if (refusal) return { ...base, code: refusal, retryable: false, message: configurationWords }
  const message = `The clearinghouse could not process the request (SOAP fault ${base.code})`
  if (/^(Sender|Client|VersionMismatch|MustUnderstand|DataEncodingUnknown)\b/.test(fault.code)) {
    return { ...base, retryable: false, message }
  }
  // Our choice: a private fault code says nothing of whose fault it is, so the HTTP status decides.
  return { ...base, retryable: /^(Receiver|Server)\b/.test(fault.code) || status >= 500, message }
}

function failureOfErrorCode(code: string, fields: CoreFields, status: number): ClearinghouseFailure {
  const detail = shorten(fields.ErrorMessage ?? '')
  const base = { code: asCode(code, 'UnknownErrorCode'), ...(detail && { detail }) }
  if (/^UnAuthori[sz]ed$/i.test(code)) return { ...base, retryable: false, message: configurationWords }
  const isReceiver = /^Receiver$/i.test(code)
  const message = isReceiver
    ? 'The clearinghouse has a problem of its own at the moment'
    : `The clearinghouse refused the request envelope (${base.code})`
  return { ...base, retryable: isReceiver || status >= 500, message }
}

function failureOfStatus(answer: HttpAnswer): ClearinghouseFailure {
  const { status } = answer
  const said = readErrorBody(answer)
  const base = { code: said.code ?? `HTTP ${status}`, ...(said.detail && { detail: said.detail }) }
  if (status === 401 || status === 403) return { ...base, retryable: false, message: configurationWords }
  if (status === 429) return { ...base, retryable: true, message: 'The clearinghouse is busy with our other checks' }
  if (status >= 300 && status < 400) {
    const message = `The clearinghouse redirects elsewhere (HTTP ${status}); check the configured URL`
    return { ...base, retryable: false, message }
  }
  if (status >= 500 || status === 408) {
    return { ...base, retryable: true, message: `The clearinghouse is in trouble (HTTP ${status})` }
  }
  return { ...base, retryable: false, message: `The clearinghouse refused the request (HTTP ${status})` }
}

function failureOfPayload(payload: string): ClearinghouseFailure | undefined {
  if (payload.trim() === '') {
    return { code: 'EmptyPayload', retryable: true, message: 'The clearinghouse sent an envelope without a payload' }
  }
  // The byte order mark is legal at the start of a payload; TA1 and 999 come in an ISA too and are the engine's to read.
  if (/^\uFEFF?\s*(?:ISA|TA1)/i.test(payload)) return undefined
  return { code: 'NotX12', retryable: false, message: 'The payload that the clearinghouse sent is not X12' }
}

/** Misconfiguration, as opposed to an outage: asking again changes nothing until somebody acts. */
const certificateTrouble = /^(ERR_TLS|ERR_SSL|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_)/

function failureOfNetwork(code: string): ClearinghouseFailure {
  if (certificateTrouble.test(code)) {
    return { code, retryable: false, message: `The certificate of the clearinghouse is not trusted (${code})` }
  }
  if (code === 'ENOTFOUND') {
    return { code, retryable: true, message: 'The host name of the clearinghouse is not known (ENOTFOUND)' }
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

/** Refusals often come as JSON, `{errors: [{code, description}]}` or `{code, message}` (clearinghouse.md A3). */
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

/** Retry-After is seconds or a date (RFC 9110 10.2.3); `at` stands for now. */
function readRetryAfter(header: string | undefined, at: Date): number | undefined {
  if (header === undefined) return undefined
  if (/^\d{1,9}$/.test(header.trim())) return Number(header) * 1000
  const moment = Date.parse(header)
  return Number.isNaN(moment) ? undefined : Math.max(0, moment - at.getTime())
}

/** The other side's code when it is one word; prose in its place may quote the question, and codes are logged. */
function asCode(text: string, otherwise: string): string {
  return /^[\w.-]{1,60}$/.test(text) ? text : otherwise
}

function shorten(text: string, length = 300): string {
  const line = text
    .slice(0, length * 4)
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim()
  return line.length > length ? `${line.slice(0, length - 1)}…` : line
}
