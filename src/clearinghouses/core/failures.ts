import { readRetryAfter } from '../../platform/outbound/retry-after.ts'
import { isBeyondAnswer } from '../../x12/bounds.ts'
import { beginsX12 } from '../../x12/tokenizer.ts'
import type { ClearinghouseFailure } from '../clearinghouse.ts'
import { asCode, failureOfStatus, refusedCredentials, shorten, unusableAnswers } from '../failures.ts'
import type { HttpAnswer } from '../http-exchange.ts'
import type { CoreFields, CoreReading } from './fields.ts'

/** The reason why a received answer is not an X12 answer; undefined when it is one. Source: clearinghouse.md B2 to B4. */
export function failureOfAnswer(answer: HttpAnswer, reading: CoreReading, at: Date): ClearinghouseFailure | undefined {
  const retryAfterMs = readRetryAfter(answer.retryAfter, at)
  const wait = retryAfterMs === undefined ? {} : { retryAfterMs }
  if (reading.kind === 'fault') return { ...failureOfFault(reading, answer.status), ...wait }
  const fields = reading.kind === 'envelope' ? reading.fields : {}
  // Some servers write the code of a SOAP fault, with its prefix.
  const errorCode = fields.ErrorCode?.replace(/^[\w-]{1,40}:(?=\w)/, '') || undefined
  if (errorCode && errorCode.toLowerCase() !== 'success') {
    return { ...failureOfErrorCode(errorCode, fields, answer.status), ...wait }
  }
  if (answer.status !== 200) return { ...failureOfStatus(answer), ...wait }
  if (reading.kind === 'unreadable') return unreadable[reading.because]
  return failureOfPayload(fields.Payload ?? '')
}

const unreadable: Readonly<Record<Extract<CoreReading, { kind: 'unreadable' }>['because'], ClearinghouseFailure>> = {
  ...unusableAnswers,
  unknown: {
    code: 'UnknownResponse',
    retryable: false,
    message: 'The clearinghouse sent something that is not a CORE envelope; check the configured URL and form',
  },
}

function failureOfFault(fault: Extract<CoreReading, { kind: 'fault' }>, status: number): ClearinghouseFailure {
  const words = [fault.code, fault.subcode ?? '']
  const detail = shorten(fault.reason)
  const base = { code: asCode(fault.code, 'Fault'), ...(detail && { detail }) }
  // WS-Security 1.1 section 12 names the credential faults.
  const refusal = words.find((word) => /^(FailedAuthentication|InvalidSecurity|FailedCheck|UnAuthorized)/i.test(word))
  if (refusal) return { ...base, code: refusal, retryable: false, message: refusedCredentials }
  const message = `The clearinghouse could not process the request (SOAP fault ${base.code})`
  if (/^(Sender|Client|VersionMismatch|MustUnderstand|DataEncodingUnknown)\b/.test(fault.code)) {
    return { ...base, retryable: false, message }
  }
  // Our choice: a private fault code does not identify the party at fault, so the HTTP status decides.
  return { ...base, retryable: /^(Receiver|Server)\b/.test(fault.code) || status >= 500, message }
}

function failureOfErrorCode(code: string, fields: CoreFields, status: number): ClearinghouseFailure {
  const detail = shorten(fields.ErrorMessage ?? '')
  const base = { code: asCode(code, 'UnknownErrorCode'), ...(detail && { detail }) }
  if (/^UnAuthori[sz]ed$/i.test(code)) return { ...base, retryable: false, message: refusedCredentials }
  const isReceiver = /^Receiver$/i.test(code)
  const message = isReceiver
    ? 'The clearinghouse has a temporary problem'
    : `The clearinghouse rejected the request envelope (${base.code})`
  return { ...base, retryable: isReceiver || status >= 500, message }
}

function failureOfPayload(payload: string): ClearinghouseFailure | undefined {
  if (payload.trim() === '') {
    return { code: 'EmptyPayload', retryable: true, message: 'The clearinghouse sent an envelope without a payload' }
  }
  // TA1 and 999 come in an ISA, too; the engine reads them.
  if (beginsX12(payload)) return isBeyondAnswer(payload) ? unusableAnswers.tooLarge : undefined
  return { code: 'NotX12', retryable: false, message: 'The payload that the clearinghouse sent is not X12' }
}
