import { beforeEach, describe, expect, it } from 'vitest'
import { eligibilityRequestBody } from '../../../../test/support/bodies.ts'
import { endpoints, expectDeclaredAnswer, expectEnvelope } from '../../../../test/support/operations.ts'
import { type Caller, deadClearinghouses, testService } from '../../../../test/support/service.ts'

const NOON = Date.parse('2026-03-10T12:00:00.000Z')
let now = NOON
const service = testService(() => ({
  now: () => new Date(now),
  clearinghouses: deadClearinghouses,
}))
const listed = endpoints.find(({ operation }) => operation === 'eligibilityChecks.getMulti')!
beforeEach(() => {
  now = NOON
})

/** A check, and the clock one minute later. */
async function check({ call }: Caller, overrides: Record<string, unknown> = {}) {
  const reply = await call('POST', '/eligibility-checks/v1', eligibilityRequestBody(overrides))
  expect(reply.status, reply.text).toBe(200)
  now += 60_000
  return reply.body
}

const subscriber = (member_id: string) => ({ ...eligibilityRequestBody().subscriber, member_id })

async function checks({ call }: Caller, query: Record<string, string> = {}) {
  const reply = await call('GET', `/eligibility-checks/v1/get-multi/?${new URLSearchParams(query)}`)
  expect(reply.status, reply.text).toBe(200)
  expectDeclaredAnswer(listed, reply)
  return reply.body
}

async function membersOf(caller: Caller, query: Record<string, string> = {}): Promise<string[]> {
  const { items } = await checks(caller, query)
  return items.map((each: { request: { subscriber: { member_id: string } } }) => each.request.subscriber.member_id)
}

describe('GET /eligibility-checks/v1/get-multi/', () => {
  it('lists the check that was initiated last first, forward and backward', async () => {
    const caller = await service.newCaller()
    for (const id of ['W1', 'W2', 'W3', 'W4', 'W5']) await check(caller, { subscriber: subscriber(id) })
    const first = await checks(caller, { limit: '2' })
    expect([await membersOf(caller, { limit: '2' }), first.total]).toEqual([['W5', 'W4'], 5])
    const second = await checks(caller, { limit: '2', page_token: first.next_page_token })
    expect(await membersOf(caller, { limit: '2', page_token: second.next_page_token })).toEqual(['W1'])
    expect((await checks(caller, { limit: '2', page_token: second.prev_page_token })).items).toEqual(first.items)
  })

  it('shows why a check failed, and never the portal password', async () => {
    const caller = await service.newCaller()
    await check(caller, { portal_username: 'desk', portal_password: 'correct horse' })
    const { items } = await checks(caller)
    expect(items).toMatchObject([{ request: { portal_username: 'desk' }, response: null, errors: [{}] }])
    expect(JSON.stringify(items)).not.toMatch(/correct horse|portal_password/)
  })

  it('compares member, payer, provider and day exactly', async () => {
    const caller = await service.newCaller()
    await check(caller, { subscriber: subscriber('W1') })
    await check(caller, { subscriber: subscriber('W2'), payer_id: '87726' })
    await check(caller, { subscriber: subscriber('W3'), provider: { npi: '1999999984' } })
    await check(caller, { subscriber: subscriber('W4'), encounter: { date_of_service: '2026-04-01' } })
    expect(await membersOf(caller, { subscriber_member_id: 'W1' })).toEqual(['W1'])
    expect(await membersOf(caller, { subscriber_member_id: 'w1' })).toEqual([])
    expect(await membersOf(caller, { payer_id: '87726' })).toEqual(['W2'])
    expect(await membersOf(caller, { provider_npi: '1999999984' })).toEqual(['W3'])
    expect(await membersOf(caller, { date_of_service: '2026-04-01' })).toEqual(['W4'])
    expect(await membersOf(caller, { payer_id: '60054', provider_npi: '1999999984' })).toEqual(['W3'])
    expect(await membersOf(caller, { payer_id: "60054' or true --" })).toEqual([])
  })

  it('finds a check without a date of service on the organization’s day of the inquiry', async () => {
    const caller = await service.newCaller({ timeZone: 'Pacific/Kiritimati' })
    await check(caller)
    expect(await membersOf(caller, { date_of_service: '2026-03-11' })).toEqual(['W123456789'])
    expect(await membersOf(caller, { date_of_service: '2026-03-10' })).toEqual([])
  })

  it('includes both ends of a range of instants, regardless of their offset', async () => {
    const caller = await service.newCaller()
    for (const id of ['W1', 'W2', 'W3', 'W4']) await check(caller, { subscriber: subscriber(id) })
    const range = { initiated_at_min: '2026-03-10T12:01:00Z', initiated_at_max: '2026-03-10T07:02:00-05:00' }
    expect(await membersOf(caller, range)).toEqual(['W3', 'W2'])
    expect(await membersOf(caller, { initiated_at_min: '2026-03-10T12:03:00.001Z' })).toEqual([])
  })

  it("does not list another organization's checks", async () => {
    const [owner, stranger] = [await service.newCaller(), await service.newCaller()]
    await check(owner)
    expect(await checks(stranger)).toEqual({ items: [], total: 0 })
  })

  it('returns 400 for an invalid instant and for a token of other filters', async () => {
    const caller = await service.newCaller()
    await check(caller)
    await check(caller)
    const { next_page_token } = await checks(caller, { limit: '1' })
    for (const query of ['initiated_at_min=yesterday', `payer_id=60054&page_token=${next_page_token}`])
      expectEnvelope(await caller.call('GET', `/eligibility-checks/v1/get-multi/?${query}`), 400)
  })
})

describe('a date of birth in another format', () => {
  it.each(['20040404', '04/04/2004', '04/24/2004'])(
    '%s is stored and shown as it was understood',
    async (date_of_birth) => {
      const caller = await service.newCaller()
      const dependent = { first_name: 'Ana', last_name: 'Rivera', date_of_birth }
      const answered = await check(caller, { subscriber: { ...subscriber('W1'), date_of_birth }, dependent })
      const { items } = await checks(caller)
      expect(answered.request).toEqual(items[0].request)
      const shown = `2004-04-${date_of_birth.includes('24') ? '24' : '04'}`
      expect(items[0].request).toMatchObject({
        subscriber: { date_of_birth: shown },
        dependent: { date_of_birth: shown },
      })
      expect(JSON.stringify(await service.database.rows('select request::text from eligibility_check'))).not.toContain(
        date_of_birth,
      )
    },
  )

  it.each(['03/04/2004', '20040230', '24/04/2004', '4/4/2004', '2004-4-4', 'April 4'])(
    '%s is refused by its field',
    async (date_of_birth) => {
      const { call } = await service.newCaller()
      const body = eligibilityRequestBody({ subscriber: { ...subscriber('W1'), date_of_birth } })
      const reply = await call('POST', '/eligibility-checks/v1', body)
      expectEnvelope(reply, 400)
      expect(reply.body.content.message).toContain('subscriber.date_of_birth')
      expect(reply.text).not.toContain(date_of_birth)
    },
  )
})
