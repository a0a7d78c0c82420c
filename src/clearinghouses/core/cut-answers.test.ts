// An answer on a connection without a stated length may end at any byte. What is missing is asked for again: it is never an answer, and never a
// failure that lasts.
import { expect, test } from 'vitest'
import { answerText, REQUEST } from '../../../test/support/answers.ts'
import { runCheck } from '../../eligibility/inquiries/run-check.ts'
import { toError } from '../failures.ts'
import { readCoreMessage, writeEnvelope } from './envelope.ts'
import { failureOfAnswer } from './failures.ts'

const PAYLOAD = answerText('EB*1**30**GOLD~EB*1**98~MSG*COVERAGE TERMINATED~')
const FIELDS = { PayloadType: 'X12_271_Response_005010X279A1', PayloadID: 'id', ErrorCode: 'Success', Payload: PAYLOAD }
const MESSAGES = {
  soap12: writeEnvelope('soap12', 'Response', FIELDS),
  soap11: writeEnvelope('soap11', 'Response', FIELDS),
  mime: writeEnvelope('mime', 'Response', FIELDS),
  'mime with the code last': {
    headers: { 'content-type': 'multipart/form-data; boundary=b' },
    body: Buffer.from(
      `--b\r\nContent-Disposition: form-data; name="Payload"\r\n\r\n${PAYLOAD}\r\n--b\r\nContent-Disposition: form-data; name="ErrorCode"\r\n\r\nSuccess\r\n--b--\r\n`,
    ),
  },
  'a bare interchange': { headers: { 'content-type': 'text/plain' }, body: Buffer.from(PAYLOAD) },
}
const OPTIONS = { organizationId: 'o1', checkId: 'TRACE-1', controlNumber: 1, at: new Date(0) }

function outcomeOf(contentType: string, body: Buffer) {
  const checkEligibility = async () => {
    const reading = readCoreMessage(contentType, body)
    const answer = { status: 200, contentType, retryAfter: undefined, location: undefined, body }
    const failure = failureOfAnswer(answer, reading, new Date(0))
    if (failure) throw toError(failure)
    return { rawResponse: reading.kind === 'envelope' ? (reading.fields.Payload ?? '') : '' }
  }
  return runCheck({ name: 'core', checkEligibility }, REQUEST, OPTIONS)
}

test.each(Object.entries(MESSAGES))(
  '%s is asked for again wherever it was cut, until the last row has arrived',
  async (_, { headers, body }) => {
    const contentType = headers['content-type'] ?? ''
    const whole = await outcomeOf(contentType, body)
    expect(whole.status).toBe('COMPLETED')
    const rowsEnd = body.indexOf('~SE*') + '~SE'.length
    const kept: [number, unknown][] = []
    for (let length = 0; length < body.length; length++) {
      const { status, errors, outage } = await outcomeOf(contentType, body.subarray(0, length))
      const isAnswered = status === 'COMPLETED' && length >= rowsEnd
      if (!isAnswered && outage === undefined) kept.push([length, errors])
    }
    expect(kept).toEqual([])
  },
)
