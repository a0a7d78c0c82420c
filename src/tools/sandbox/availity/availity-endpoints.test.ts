import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createAvailityClearinghouse } from '../../../clearinghouses/availity/availity-clearinghouse.ts'
import { ClearinghouseError } from '../../../clearinghouses/clearinghouse.ts'
import type { Inquiry } from '../../../x12/model.ts'
import { type Sandbox, startSandbox } from '../sandbox.ts'
import { availityPath } from './availity-endpoints.ts'

let now = new Date('2026-01-31T12:00:00.000Z')
let sandbox: Sandbox
let url: string
beforeAll(async () => {
  const credentials = { username: 'id', password: 'pass' }
  sandbox = await startSandbox({ port: 0, clock: () => now, credentials, pause: async () => {} })
  url = new URL(availityPath, sandbox.url).href
})
afterAll(() => sandbox.close())

const FORM = { 'content-type': 'application/x-www-form-urlencoded' }
const jane = {
  payerId: '60054',
  providerNpi: '1999999984',
  memberId: 'AETNA12345',
  patientFirstName: 'Jane',
  patientLastName: 'Doe',
  patientBirthDate: '2004-04-04',
}

async function call(method: string, path: string, form?: Record<string, string>, token?: string) {
  const headers = { ...FORM, ...(token && { authorization: `Bearer ${token}` }) }
  const reply = await fetch(`${url}${path}`, { method, headers, ...(form && { body: new URLSearchParams(form) }) })
  const text = await reply.text()
  return { status: reply.status, location: reply.headers.get('location'), body: text && JSON.parse(text) }
}

async function newToken(): Promise<string> {
  const grant = { grant_type: 'client_credentials', client_id: 'id', client_secret: 'pass', scope: 'any' }
  return (await call('POST', '/token', grant)).body.access_token
}

test('issues a token to the known client only, and accepts it for five minutes', async () => {
  const wrong = { grant_type: 'client_credentials', client_id: 'id', client_secret: 'wrong' }
  expect((await call('POST', '/token', wrong)).status).toBe(401)
  const token = await newToken()
  expect((await call('POST', '/coverages', jane)).status).toBe(401)
  expect((await call('POST', '/coverages', jane, token)).status).toBe(202)
  now = new Date(now.getTime() + 301_000)
  expect((await call('POST', '/coverages', jane, token)).status).toBe(401)
})

test('accepts an inquiry and answers it when it is polled, until it is deleted', async () => {
  const token = await newToken()
  const accepted = await call('POST', '/coverages', jane, token)
  const { id } = accepted.body
  expect([accepted.status, accepted.location, accepted.body.statusCode]).toEqual([202, `${url}/coverages/${id}`, '0'])
  const looked = await call('GET', `/coverages/${id}`, undefined, token)
  expect([looked.status, looked.body.id, looked.body.statusCode]).toEqual([200, id, '4'])
  expect(looked.body.plans[0].benefits.length).toBeGreaterThan(5)
  expect((await call('DELETE', `/coverages/${id}`, undefined, token)).status).toBe(204)
  expect((await call('GET', `/coverages/${id}`, undefined, token)).status).toBe(404)
})

test.each([
  [{ payerId: '' }, 'payerId'],
  [{ payerId: 'NOBODY' }, 'payerId'],
  [{ patientLastName: '' }, 'patientLastName'],
])('rejects %j and names the field', async (wrong, field) => {
  const { status, body } = await call('POST', '/coverages', { ...jane, ...wrong }, await newToken())
  expect([status, body.errors[0].field]).toEqual([400, field])
})

test('answers no other address and accepts no JSON', async () => {
  const token = await newToken()
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  expect((await fetch(`${url}/coverages`, { method: 'POST', headers, body: '{}' })).status).toBe(415)
  expect((await call('GET', '/claims', undefined, token)).status).toBe(404)
  expect((await call('PUT', '/coverages/x', jane, token)).status).toBe(405)
})

describe('a member of the roster with a faulty answer gets it through the connector:', () => {
  test.each([
    ['HTML', 'HTML', 'HtmlResponse', true],
    ['EMPTY', 'EMPTY', 'EmptyResponse', true],
    ['HALF', 'HALF', 'TruncatedResponse', true],
    ['ACK999', 'ACK', 'Status13', true],
    ['FAULT', 'FAULT', 'Status7', true],
    ['HTTP503', 'HTTP', 'HTTP 503', true],
    ['NEVER', 'NEVER', 'Timeout', true],
  ])('%s', async (memberId, lastName, code, retryable) => {
    const clearinghouse = createAvailityClearinghouse({
      url,
      clientId: 'id',
      clientSecret: 'pass',
      pollMs: 2,
      timeoutMs: memberId === 'NEVER' ? 300 : 5_000,
    })
    const inquiry: Inquiry = {
      reference: 'R',
      traceNumber: 'T',
      payer: { id: 'SBTEST' },
      provider: { npi: '1999999984' },
      subscriber: { memberId, firstName: 'Test', lastName, dateOfBirth: '1980-01-01' },
      dateOfService: '2026-01-31',
      serviceTypeCodes: ['30'],
    }
    const failure = await clearinghouse.checkEligibility(inquiry, { controlNumber: 1, at: now }).catch((error) => error)
    expect(failure).toBeInstanceOf(ClearinghouseError)
    expect([failure.code, failure.retryable]).toEqual([code, retryable])
  })
})
