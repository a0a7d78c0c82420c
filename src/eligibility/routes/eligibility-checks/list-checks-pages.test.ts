// get-multi over two thousand checks, compared with an evaluation in memory.
import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { eligibilityRequestBody } from '../../../../test/support/bodies.ts'
import { type Caller, testService } from '../../../../test/support/service.ts'
import { expectSame, walkPages } from '../../../../test/support/walk-pages.ts'

const service = testService()
const CHECKS = 2000
const SEED = 20_260_311

const pools = {
  subscriber_member_id: ['W1', 'w1', "O'1", '李 1', ''],
  payer_id: ['60054', '87726', 'Cash Pay'],
  provider_npi: ['1234567893', '1043251978'],
  date_of_service: ['2026-03-09', '2026-03-10', '2026-03-11'],
  initiated_at: [
    '2026-03-09T23:59:59.999Z',
    '2026-03-10T00:00:00.000Z',
    '2026-03-10T00:00:00.001Z',
    '2026-03-11T12:00:00.000Z',
  ],
}
type Known = { [key in keyof typeof pools]: string } & { id: string }

const from = (key: keyof typeof pools) => fc.constantFrom(...pools[key])
const maybe = (key: keyof typeof pools) => fc.option(from(key), { nil: undefined })

let caller: Caller
let known: Known[]

beforeAll(async () => {
  caller = await service.newCaller()
  const drawn = fc.record({
    subscriber_member_id: from('subscriber_member_id'),
    payer_id: from('payer_id'),
    provider_npi: from('provider_npi'),
    date_of_service: from('date_of_service'),
    initiated_at: from('initiated_at'),
  })
  known = fc.sample(drawn, { seed: SEED, numRuns: CHECKS }).map((each) => ({ ...each, id: randomUUID() }))
  const rows = known.map((each) => ({ ...each, request: requestOf(each), user_id: randomUUID() }))
  await service.database.rows(
    `insert into eligibility_check (organization_id, id, initiated_at, user_id, status, request, request_key, date_of_service)
    select $1, id, initiated_at, user_id, 'FAILED', request, '', date_of_service
    from jsonb_to_recordset($2) as each (id uuid, initiated_at timestamptz, user_id uuid, request jsonb, date_of_service text)`,
    [caller.organizationId, JSON.stringify(rows)],
  )
})

/** The name carries the check's id, because the answer shows the request and no id. */
function requestOf({ id, subscriber_member_id: member_id, payer_id, provider_npi }: Known) {
  const body = eligibilityRequestBody()
  return {
    ...body,
    payer_id,
    provider: { ...body.provider, npi: provider_npi },
    subscriber: { ...body.subscriber, member_id, last_name: id },
  }
}

function matches(
  check: Known,
  { initiated_at_min: min, initiated_at_max: max, ...equal }: Record<string, string | undefined>,
) {
  const isSame = Object.entries(equal).every(
    ([key, value]) => value === undefined || check[key as keyof Known] === value,
  )
  return isSame && (min === undefined || check.initiated_at >= min) && (max === undefined || check.initiated_at <= max)
}

/** The one initiated last first; of those initiated at the same instant, the one with the greater id. */
const latestFirst = (a: Known, b: Known) => (a.initiated_at + a.id < b.initiated_at + b.id ? 1 : -1)

describe('the pages of eligibility checks', () => {
  it('equal a naive evaluation, forward and backward', async () => {
    const asked = fc.record({
      subscriber_member_id: maybe('subscriber_member_id'),
      payer_id: maybe('payer_id'),
      provider_npi: maybe('provider_npi'),
      date_of_service: maybe('date_of_service'),
      initiated_at_min: maybe('initiated_at'),
      initiated_at_max: maybe('initiated_at'),
    })
    const requests = fc.record({ asked, limit: fc.integer({ min: 1, max: 1000 }) })
    await fc.assert(
      fc.asyncProperty(requests, async ({ asked, limit }) => {
        const expected = known.filter((each) => matches(each, asked)).sort(latestFirst)
        const given = Object.entries(asked).filter((entry): entry is [string, string] => entry[1] !== undefined)
        const pages = await walkPages(async (token) => {
          const query = new URLSearchParams(given)
          query.set('limit', String(Math.max(limit, Math.ceil(expected.length / 6))))
          if (token !== undefined) query.set('page_token', token)
          const reply = await caller.call('GET', `/eligibility-checks/v1/get-multi/?${query}`)
          expect(reply.status, reply.text).toBe(200)
          return reply.body
        })
        const found = pages.flatMap(({ items }) => items as { request: { subscriber: { last_name: string } } }[])
        expectSame(
          found.map(({ request }) => request.subscriber.last_name),
          expected.map(({ id }) => id),
        )
        expect(pages.every(({ total }) => total === expected.length)).toBe(true)
      }),
      { seed: SEED, numRuns: 60 },
    )
  })
})
