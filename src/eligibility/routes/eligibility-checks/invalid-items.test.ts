import { CandidApiClient } from 'candidhealth'
import { describe, expect, it } from 'vitest'
import { bodyOf } from '../../../../test/acceptance/requests.ts'
import { eligibilityRequestBody } from '../../../../test/support/bodies.ts'
import { endpoints, expectDeclaredAnswer } from '../../../../test/support/operations.ts'
import { testService } from '../../../../test/support/service.ts'

const service = testService()
const polled = endpoints.find(({ operation }) => operation === 'eligibilityChecks.pollBatch')!

const valid = eligibilityRequestBody({ submitter_transaction_identifier: 'mine' })
const { provider: _provider, ...withoutProvider } = valid
const { payer_id: _payer, ...withoutPayer } = valid
const empty = { payer_id: '', provider: { npi: '' }, subscriber: { first_name: '', last_name: '' } }
const kept = { submitter_transaction_identifier: 'mine' }

describe('an invalid item of a batch', () => {
  it.each<[what: string, item: unknown, request: object]>([
    ['without a provider', withoutProvider, { ...withoutProvider, provider: { npi: '' } }],
    ['without a payer', withoutPayer, { ...withoutPayer, payer_id: '' }],
    [
      'with a day that does not exist',
      { ...valid, encounter: { date_of_service: '2026-02-30', service_type_codes: ['30'] } },
      { ...kept, encounter: { service_type_codes: ['30'] } },
    ],
    [
      'with a birth date that does not exist',
      { ...valid, subscriber: { first_name: 'A', last_name: 'B', date_of_birth: '19990231' } },
      { ...kept, subscriber: { first_name: 'A', last_name: 'B' } },
    ],
    [
      'with fields of other types',
      { ...valid, payer_id: 60054, subscriber: 'x', dependent: [1], provider: { npi: {} } },
      { ...kept, payer_id: '60054', subscriber: empty.subscriber, provider: { npi: '' } },
    ],
    ['with an id that is too long', { ...valid, payer_id: 'P'.repeat(5000) }, { ...kept, payer_id: 'P'.repeat(80) }],
    [
      'with an id that is cut within a character of two code units',
      { ...valid, payer_id: `P${'\u{1f600}'.repeat(60)}` },
      { ...kept, payer_id: `P${'\u{1f600}'.repeat(39)}\ufffd` },
    ],
    [
      'with an invalid instant, and a password',
      { ...valid, get_existing_check_initiated_after: 'soon', portal_username: 'u', portal_password: 'p-secret' },
      { ...kept, portal_username: 'u' },
    ],
    [
      'with an invalid service type',
      { ...valid, encounter: { service_type_codes: ['no code'] } },
      { ...kept, encounter: { service_type_codes: ['no code'] } },
    ],
    ['that is empty', {}, empty],
    ['that is a text', 'item', empty],
    ['that is null', null, empty],
    ['that is a list', [valid], empty],
  ])(
    '%s is returned with its errors and its request, in a form that strict clients can read',
    async (_, item, request) => {
      const caller = await service.newCaller()
      const posted = await caller.call('POST', '/eligibility-checks/v1/batch', [item])
      expect(posted.status, posted.text).toBe(200)
      const reply = await caller.call('GET', `/eligibility-checks/v1/batch/${posted.body.batch_id}`)
      expectDeclaredAnswer(polled, reply)
      const [answered] = reply.body.items
      expect(answered.errors).toMatchObject([{ source: 'CANDID', errorDetails: { 'code?': 'INVALID_REQUEST' } }])
      expect(answered.request).toMatchObject(request)
      expect(reply.text).not.toContain('p-secret')
      const page = await strictPage(caller.token, posted.body.batch_id)
      expect(page.items[0]?.request).toBeDefined()
    },
  )
})

/** The page as the published client reads it: it throws for a field that is missing or of another type. */
async function strictPage(token: string, batchId: string) {
  const fetchIt = async (input: unknown) => {
    const url = new URL(String(input instanceof Request ? input.url : input))
    const reply = await service.app.inject({
      method: 'GET',
      url: `${url.pathname}${url.search}`,
      headers: { authorization: `Bearer ${token}` },
    })
    return new Response(reply.body, { status: reply.statusCode, headers: { 'content-type': 'application/json' } })
  }
  const client = new CandidApiClient({
    baseUrl: 'http://anteroom.test',
    clientId: '',
    clientSecret: '',
    fetch: fetchIt as typeof fetch,
    maxRetries: 0,
    token: () => token,
  } as never)
  const answer = await client.preEncounter.eligibilityChecks.v1.pollBatch(batchId as never)
  return bodyOf(answer as never) as { items: { request?: object }[] }
}
