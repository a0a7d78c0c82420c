import type { ServerResponse } from 'node:http'
import { gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { answerText, interchangeOf, SUBSCRIBER } from '../../../test/support/answers.ts'
import { clearinghouseServers } from '../../../test/support/clearinghouse-servers.ts'
import { failureWithInquiryOf as failureOf, secretInquiry } from '../../../test/support/secret-inquiry.ts'
import type { Inquiry } from '../../x12/model.ts'
import type { ClearinghouseError } from '../clearinghouse.ts'
import { createStediClearinghouse } from './stedi-clearinghouse.ts'
import type { StediSettings } from './stedi-settings.ts'

const { serve, serveAlways, serveInTurn, closeAll } = clearinghouseServers()
const at = new Date('2026-01-31T18:00:00.000Z')
const inquiry: Inquiry = { ...secretInquiry, dateOfService: '2026-01-30', serviceTypeCodes: ['30', '98'] }
const x12 = answerText('EB*1**30**HARBOR GOLD~')
const aaa = (code: string, location: string) => ({ field: 'AAA', code, description: 'Why', location })

function connect(url: string, settings: Partial<StediSettings> = {}) {
  return createStediClearinghouse({
    url,
    apiKey: 'key-1',
    timeoutMs: 30_000,
    eligibilityVersion: '2024-04-01',
    ...settings,
  })
}

function check(url: string, settings: Partial<StediSettings> = {}, asked: Partial<Inquiry> = {}, more: object = {}) {
  return connect(url, settings).checkEligibility({ ...inquiry, ...asked }, { controlNumber: 7, at, ...more })
}

describe('the request', () => {
  test('contains the inquiry as JSON', async () => {
    const { url, asked } = await serveInTurn({ x12 })
    await check(url)
    expect(asked[0]).toMatchObject({
      method: 'POST',
      url: '/change/medicalnetwork/eligibility/v3',
      headers: { authorization: 'key-1', 'content-type': 'application/json' },
    })
    expect(asked[0]?.json).toEqual({
      tradingPartnerServiceId: '60054',
      controlNumber: '000000007',
      provider: { npi: '1999999984', organizationName: 'Clinic' },
      subscriber: { memberId: 'SECRETMEMBER', firstName: 'Jane', lastName: 'Secretname', dateOfBirth: '20040404' },
      encounter: { dateOfService: '20260130', serviceTypeCodes: ['30', '98'] },
    })
  })

  test('follows the settings: form of the key, payer ids, forwarded addresses', async () => {
    const { url, asked } = await serveInTurn({ x12 })
    await check(url, {
      authorization: 'Key',
      payerIds: { '60054': 'AETNA' },
      forwardedFor: '198.51.100.7, 203.0.113.9',
    })
    expect(asked[0]?.headers).toMatchObject({
      authorization: 'Key key-1',
      'x-forwarded-for': '198.51.100.7, 203.0.113.9',
    })
    expect(asked[0]?.json.tradingPartnerServiceId).toBe('AETNA')
  })

  test('names a dependent, and sends one with their own member id as the subscriber', async () => {
    const { url, asked } = await serveInTurn({ x12 })
    const dependent = {
      firstName: 'Leo',
      lastName: 'Secretname',
      dateOfBirth: '2014-06-01',
      relationshipCode: '19',
    } as const
    await check(url, {}, { dependent })
    await check(url, {}, { dependent: { ...dependent, memberId: 'OWN1' } })
    const person = { firstName: 'Leo', lastName: 'Secretname', dateOfBirth: '20140601' }
    expect(asked[0]?.json.dependents).toEqual([{ ...person, individualRelationshipCode: '19' }])
    expect(asked[0]?.json.subscriber.memberId).toBe('SECRETMEMBER')
    expect(asked[1]?.json).toMatchObject({ subscriber: { memberId: 'OWN1', ...person } })
    expect(asked[1]?.json).not.toHaveProperty('dependents')
  })

  test.each([
    ['while it is one day in all of the states', '2026-01-31T18:00:00Z', '2026-01-31', undefined],
    ['but not in the evening, when it is tomorrow in UTC already', '2026-02-01T02:00:00Z', '2026-02-01', '20260201'],
    ['but not for the day that Hawaii still has', '2026-02-01T08:00:00Z', '2026-02-01', '20260201'],
  ])('leaves out a date of service that is today %s', async (_, now, dateOfService, sent) => {
    const { url, asked } = await serveInTurn({ x12 })
    await check(url, {}, { dateOfService }, { at: new Date(now) })
    expect(asked[0]?.json.encounter.dateOfService).toBe(sent)
  })

  test("carries the portal's account, whose password is not stored", async () => {
    const { url, asked } = await serveInTurn({ x12 })
    const answer = await check(url, {}, {}, { portal: { username: 'desk', password: 'correct horse' } })
    expect(asked[0]?.json).toMatchObject({ portalUsername: 'desk', portalPassword: 'correct horse' })
    expect(answer.rawInquiry).toContain('desk')
    expect(answer.rawInquiry).not.toContain('correct horse')
  })

  test.each([
    [{ apiKey: '' }, /apiKey/],
    [{ apiKey: 'two\r\nlines' }, /apiKey/],
    [{ url: 'ftp://x' }, /url/],
    [{ payersUrl: 'https://me:secret@x/' }, /credentials/],
    [{ timeoutMs: 0 }, /timeoutMs/],
  ])('is never sent with settings %j, which are rejected immediately', (settings, message) => {
    expect(() => connect('http://127.0.0.1:1', settings)).toThrow(message)
  })
})

describe('the answer', () => {
  const ack = interchangeOf('AK1*HS*1~AK2*270*0001~IK5*R*5~AK9*R*1*1*0~', { setId: '999' })
  const member = { firstName: 'JANE', lastName: 'SECRETNAME', memberId: 'SECRETMEMBER' }
  const parties = { payer: { name: 'NORTHWIND' }, subscriber: member }

  test('that holds a 271 is read from it, under our trace number, with the JSON in addition', async () => {
    const body = { x12, benefitsInformation: [] }
    const answer = await check(await serveAlways(200, body))
    expect(answer).toMatchObject({ rawResponse: x12, json: body })
    const [patient] = answer.responses?.[0]?.patients ?? []
    expect(patient?.subscriber.traces.map(({ number }) => number)).toEqual(['TRACE-1', 'TRACE1'])
    expect(patient?.benefits).toMatchObject([{ code: '1', planDescription: 'HARBOR GOLD' }])
  })

  const twoPatients = answerText(`EB*1**30~${SUBSCRIBER}EB*1**30~`)
  test.each([
    ['a 271 about two patients', { x12: twoPatients }, twoPatients],
    ['a truncated 271', { x12: x12.slice(0, 300), ...parties }, x12.slice(0, 300)],
    ['a 999', { x12: ack, errors: [] }, ack],
  ])('that holds %s is passed on for the engine to evaluate', async (_, body, raw) => {
    const answer = await check(await serveAlways(200, body))
    expect(answer).toMatchObject({ rawResponse: raw, json: body })
    expect(answer.responses).toBeUndefined()
  })

  test.each([
    ['without X12', {}],
    ['with something else in its place', { x12: 'not available' }],
    ['with X12 that is not an answer', { x12: interchangeOf('HL*1**20*1~', { setId: '270' }) }],
  ])('%s is read from the JSON', async (_, more) => {
    const body = { ...parties, benefitsInformation: [{ code: '1', serviceTypeCodes: ['30'] }], ...more }
    const { responses, rawResponse } = await check(await serveAlways(200, body))
    expect(JSON.parse(rawResponse)).toEqual(body)
    expect(responses?.[0]?.patients).toMatchObject([
      { payer: { lastName: 'NORTHWIND' }, subscriber: { id: 'SECRETMEMBER' }, benefits: [{ code: '1' }] },
    ])
  })

  test.each([
    [200, '75', 'Loop 2100C'],
    [200, '79', 'Loop 2100A'],
    [400, '72', 'Loop 2100C'],
    [400, '42', 'Loop 2100A'],
  ])('with HTTP %i and AAA %s is a rejection by the payer', async (status, code, location) => {
    const { responses } = await check(await serveAlways(status, { errors: [aaa(code, location)], subscriber: member }))
    expect(responses?.[0]?.patients[0]?.rejections).toMatchObject([{ reasonCode: code, loop: location.slice(5) }])
  })

  test('is read compressed, too, and without characters that the database cannot store', async () => {
    const body = gzipSync(JSON.stringify({ ...parties, note: 'a\0b\ud800' }))
    const { json, rawResponse } = await check(await serveAlways(200, body, { 'content-encoding': 'gzip' }))
    expect(json).toMatchObject({ note: 'a b\ufffd' })
    expect(rawResponse).toContain('SECRETMEMBER')
  })

  const fields = { message: 'bad', fieldList: [{ path: '/subscriber/dateOfBirth', message: "'Secret' is no date" }] }
  test.each<[string, number, string | object, Partial<ClearinghouseError>]>([
    ['400 with AAA 79', 400, { errors: [aaa('79', 'Loop 2100A')] }, { code: '79', retryable: false, detail: 'Why' }],
    ['400 for a field', 400, fields, { code: 'HTTP 400', retryable: false, detail: "'Secret' is no date" }],
    ['400 for a path with a value in it', 400, { fieldList: [{ path: '/a/Secret name' }] }, { code: 'HTTP 400' }],
    ['400 for X12', 400, { status: 'ERROR', errors: [{ description: 'no ISA' }] }, { code: 'ERROR', retryable: false }],
    ['400 in prose', 400, 'no', { code: 'HTTP 400', retryable: false }],
    ['401', 401, { message: 'no key' }, { code: 'HTTP 401', retryable: false, detail: 'no key' }],
    ['403', 403, { code: 'AccessDeniedException' }, { code: 'AccessDeniedException', retryable: false }],
    ['404', 404, '', { code: 'HTTP 404', retryable: false }],
    ['429', 429, { message: 'slow down' }, { code: 'HTTP 429', retryable: true }],
    ['500', 500, '', { code: 'HTTP 500', retryable: true }],
    ['503', 503, { code: 'ServiceUnavailable' }, { code: 'ServiceUnavailable', retryable: true }],
    ['504', 504, '<html></html>', { code: 'HTTP 504', retryable: true }],
    ['202', 202, {}, { code: 'HTTP 202', retryable: false }],
    ['status ERROR', 200, { status: 'ERROR', errors: [{ description: 'down' }] }, { code: 'ERROR', retryable: true }],
    ['a page', 200, '<!DOCTYPE html><html>hi</html>', { code: 'HtmlResponse', retryable: true }],
    ['nothing', 200, '', { code: 'EmptyResponse', retryable: true }],
    ['half', 200, JSON.stringify({ x12 }).slice(0, 200), { code: 'TruncatedResponse', retryable: true }],
    ['prose', 200, 'hello', { code: 'UnknownResponse', retryable: false }],
    ['a list', 200, '[]', { code: 'UnknownResponse', retryable: false }],
    ['other JSON', 200, { hello: 'world' }, { code: 'UnknownResponse', retryable: false }],
    ['endless values', 200, `{"a":[${'[],'.repeat(300_000)}1]}`, { code: 'UnknownResponse', retryable: false }],
    [
      'endless X12',
      200,
      JSON.stringify({ x12: x12.replace('SE*', `${'EB~'.repeat(20_000)}SE*`) }),
      { code: 'AnswerTooLarge', retryable: false },
    ],
    ['endless nesting', 200, `{"a":${'['.repeat(1e6)}`, { code: 'UnknownResponse', retryable: false }],
  ])('%s becomes a failure with a code and a decision on retrying', async (_, status, body, expected) => {
    const failure = await failureOf(check(await serveAlways(status, body)))
    expect(failure).toMatchObject(expected)
  })

  test('that rejects fields names them, and not their values', async () => {
    const { message } = await failureOf(check(await serveAlways(400, fields)))
    expect(message).toBe('The clearinghouse rejected fields of the request: subscriber.dateOfBirth')
  })

  test('429 states how long to wait, if it does', async () => {
    const failure = await failureOf(check(await serveAlways(429, '', { 'retry-after': '7' })))
    expect(failure).toMatchObject({ retryable: true, retryAfterMs: 7000 })
    expect((await failureOf(check(await serveAlways(429, '')))).retryAfterMs).toBeUndefined()
  })

  test('of 20 MB is not read to the end', async () => {
    const failure = await failureOf(check(await serveAlways(200, Buffer.alloc(20_000_000, '{'))))
    expect(failure).toMatchObject({ code: 'ResponseTooLarge', retryable: false })
  })
})

describe('the exchange', () => {
  test('ends at the deadline when the answer trickles in', async () => {
    const url = await serve((_, response) => {
      const drip = setInterval(() => response.write(' '), 20)
      response.on('close', () => clearInterval(drip))
    })
    expect(await failureOf(check(url, { timeoutMs: 200 }))).toMatchObject({ code: 'Timeout', retryable: true })
  })

  test('to a closed port, or to one without TLS, is a failure that names the network error', async () => {
    const url = await serveAlways(200, '')
    const overTls = await failureOf(check(url.replace('http:', 'https:')))
    expect(overTls).toMatchObject({ code: 'ERR_SSL_WRONG_VERSION_NUMBER', retryable: false })
    await closeAll()
    expect(await failureOf(check(url))).toMatchObject({ code: 'ECONNREFUSED', retryable: true })
  })

  test('ends when the caller aborts', async () => {
    const url = await serve(() => {})
    const giveUp = new AbortController()
    const attempt = failureOf(check(url, {}, {}, { signal: giveUp.signal }))
    giveUp.abort()
    expect(await attempt).toMatchObject({ code: 'Aborted' })
  })

  test('never has more requests open than the account allows, and completes all', async () => {
    let most = 0
    const open: ServerResponse[] = []
    // Answers once five are open, a little later, in which a sixth would arrive.
    const url = await serve((request, response) => {
      request.resume()
      most = Math.max(most, open.push(response))
      if (open.length !== 5) return
      setTimeout(() => {
        for (const each of open.splice(0)) each.end(JSON.stringify({ x12 }))
      }, 10)
    })
    const stedi = connect(url)
    await Promise.all(Array.from({ length: 20 }, () => stedi.checkEligibility(inquiry, { controlNumber: 7, at })))
    expect(most).toBe(5)
  })
})
