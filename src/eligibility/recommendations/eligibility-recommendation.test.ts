import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { recommendationBody } from '../../../test/support/bodies.ts'
import { firstVersionOf } from '../../../test/support/first-version.ts'
import { endpoints, expectDeclaredAnswer, expectEnvelope } from '../../../test/support/operations.ts'
import { type Caller, testService } from '../../../test/support/service.ts'

const service = testService()
const BASE = '/eligibility-checks/v1/recommendation'
const listed = endpoints.find(({ operation }) => operation === 'eligibilityRecommendations.getLatest')!

const copay = (cents: number) => ({
  recommendation: { type: 'COPAY_ESTIMATION', payload: { structured_response: cents, exposition: 'As stated.' } },
})
const about = (patient: object) => ({ patient })

async function recommend(caller: Caller, overrides: object = {}, checkId?: string) {
  const body = recommendationBody(checkId ?? (await caller.newCheckId()), overrides as Record<string, unknown>)
  const reply = await caller.call('POST', BASE, body)
  expect(reply.status, reply.text).toBe(200)
  return reply.body
}

async function latest(caller: Caller, query: Record<string, string> = {}) {
  const reply = await caller.call('GET', `${BASE}?${new URLSearchParams(query)}`)
  expect(reply.status, reply.text).toBe(200)
  expectDeclaredAnswer(listed, reply)
  return reply.body
}

const idsOf = async (caller: Caller, filters: string) =>
  (await latest(caller, { filters })).map(({ id }: { id: string }) => id)

describe('POST /eligibility-checks/v1/recommendation', () => {
  it('answers 200 with the stored recommendation at version 1, a coverage id and votes left out', async () => {
    const caller = await service.newCaller()
    const body = recommendationBody(await caller.newCheckId())
    const reply = await caller.call('POST', BASE, { ...body, coverage_id: randomUUID(), votes: [{ user_id: 'a' }] })
    expect([reply.status, reply.body]).toEqual([
      200,
      {
        ...firstVersionOf(caller),
        ...body,
      },
    ])
  })

  it('creates a new record each time, even for the same check and type', async () => {
    const caller = await service.newCaller()
    const checkId = await caller.newCheckId()
    const [one, other] = [await recommend(caller, {}, checkId), await recommend(caller, {}, checkId)]
    expect(one.id).not.toBe(other.id)
  })

  it.each([
    { type: 'MEDICARE_ADVANTAGE', payload: { ma_benefit: { code: 'R', any: [1, null] }, member_id: 'H1' } },
    { type: 'MEDICAID_MANAGED_CARE', payload: {} },
    { type: 'COORDINATION_OF_BENEFITS', payload: { whatever: ['is', { said: true }] } },
    { type: 'COORDINATION_OF_BENEFITS', payload: 'a text' },
    { type: 'COORDINATION_OF_BENEFITS', payload: null },
    { type: 'COPAY_ESTIMATION', payload: { exposition: 'None is stated.' } },
    {
      type: 'USER_CONFIGURED_PROMPTS',
      payload: { results: [{ user_prompt_id: 'p', prompt_name: 'n', structured_response: 5, exposition: 'e' }] },
    },
  ])('stores %j as sent', async (recommendation) => {
    expect((await recommend(await service.newCaller(), { recommendation })).recommendation).toEqual(recommendation)
  })

  it('shows null for free-form data that was not sent, because clients of Python and C# require the keys', async () => {
    const caller = await service.newCaller()
    const result = { user_prompt_id: 'p', prompt_name: 'n', exposition: 'e' }
    const prompts = { type: 'USER_CONFIGURED_PROMPTS', payload: { results: [result] } }
    const cob = { type: 'COORDINATION_OF_BENEFITS' }
    expect((await recommend(caller, { recommendation: cob })).recommendation).toEqual({ ...cob, payload: null })
    await recommend(caller, { recommendation: prompts })
    expect((await latest(caller)).map(({ recommendation }: { recommendation: object }) => recommendation)).toEqual([
      { ...cob, payload: null },
      { ...prompts, payload: { results: [{ ...result, structured_response: null }] } },
    ])
  })

  it.each([
    [{ type: 'COPAY_ESTIMATION', payload: {} }, 'recommendation.payload.exposition is required'],
    [
      { type: 'COPAY_ESTIMATION', payload: { structured_response: 25.5, exposition: '' } },
      'structured_response must be',
    ],
    [{ type: 'MEDICARE_ADVANTAGE' }, 'recommendation.payload is required'],
    [{ type: 'GUESS', payload: {} }, 'recommendation.type must be one of MEDICARE_ADVANTAGE'],
  ])('answers 400 to %j and names the field', async (recommendation, message) => {
    const { call, newCheckId } = await service.newCaller()
    const reply = await call('POST', BASE, recommendationBody(await newCheckId(), { recommendation }))
    expectEnvelope(reply, 400)
    expect(reply.body.content.message).toContain(message)
  })

  it('returns 404 for a check that does not exist, is not an id, or belongs to another organization', async () => {
    const [own, other] = [await service.newCaller(), await service.newCaller()]
    for (const id of [randomUUID(), 'abc', '', await other.newCheckId()]) {
      const reply = await own.call('POST', BASE, recommendationBody(id))
      expectEnvelope(reply, 404)
      expect(reply.body).toEqual({ errorName: 'NotFoundError', content: { message: 'Eligibility check not found' } })
    }
    expect(await latest(own)).toEqual([])
  })
})

describe('GET /eligibility-checks/v1/recommendation', () => {
  it('lists the latest of each type, in the order of the types', async () => {
    const caller = await service.newCaller()
    await recommend(caller, copay(1000))
    await recommend(caller)
    const advantage = await recommend(caller)
    const estimate = await recommend(caller, copay(2500))
    expect(await latest(caller)).toEqual([advantage, estimate])
    expect(await latest(caller, { type: 'COPAY_ESTIMATION' })).toEqual([estimate])
    expect(await latest(caller, { filters: 'recommendation.type|eq|COPAY_ESTIMATION' })).toEqual([estimate])
    expect(await latest(caller, { type: 'USER_CONFIGURED_PROMPTS' })).toEqual([])
  })

  it('returns the one created last, not the one voted on last', async () => {
    const caller = await service.newCaller()
    const [former, newer] = [await recommend(caller), await recommend(caller)]
    await caller.call('PUT', `${BASE}/${former.id}/2/vote`, { user_id: 'a', value: 'UPVOTE' })
    expect(await latest(caller)).toEqual([newer])
  })

  it('finds them by every field of the patient and by their check', async () => {
    const caller = await service.newCaller()
    const patient = {
      id: 'p-1',
      mrn: 'M1',
      organization_id: 'o-1',
      last_name: 'Rivera',
      first_name: 'Ana',
      date_of_birth: '1984-02-29',
      member_id: 'W1',
    }
    const { id, eligibility_check_id: checkId } = await recommend(caller, about(patient))
    await recommend(caller, about({ id: 'p-2', last_name: 'Okafor', date_of_birth: '1990-01-01' }))
    for (const filter of [
      'patient.id|eq|p-1',
      'patient.mrn|eq|M1',
      'patient.organizationId|eq|o-1',
      'patient.lastName|eq|Rivera',
      'patient.lastName|ieq|RIVERA',
      'patient.lastName|contains|iver',
      'patient.firstName|eq|Ana',
      'patient.dateOfBirth|eq|1984-02-29',
      'patient.dateOfBirth|lt|1985-01-01',
      'patient.memberId|eq|W1',
      'patient.memberId|in|W0;W1',
      `eligibilityCheckId|eq|${checkId}`,
    ])
      expect(await idsOf(caller, filter), filter).toEqual([id])
  })

  it('applies all filters together, and never repeats their values in errors', async () => {
    const caller = await service.newCaller()
    const { id } = await recommend(caller, about({ id: 'p-1', member_id: 'W1' }))
    expect(await idsOf(caller, 'patient.id|eq|p-1,patient.memberId|eq|W1')).toEqual([id])
    expect(await idsOf(caller, 'patient.id|eq|p-1,patient.memberId|eq|W2')).toEqual([])
    expect(await idsOf(caller, "patient.id|eq|p-1' or true --")).toEqual([])
    // Published clients treat ids as strings: one that no record can have finds none.
    expect(await idsOf(caller, 'coverageId|eq|x')).toEqual([])
    const reply = await caller.call('GET', `${BASE}?filters=patient.dateOfBirth|eq|CANARY`)
    expectEnvelope(reply, 400)
    expect(reply.text).not.toContain('CANARY')
  })

  it('returns the latest among those that match the filters', async () => {
    const caller = await service.newCaller()
    const first = await recommend(caller, about({ id: 'p-1' }))
    await recommend(caller, about({ id: 'p-2' }))
    expect(await idsOf(caller, 'patient.id|eq|p-1')).toEqual([first.id])
  })

  it.each([
    ['patient.identifier|eq|x', 'unknown path patient.identifier; the nearest are'],
    ['patientId|eq|x', 'patient.id'],
    ['eligibilityCheck|eq|x', 'eligibilityCheckId'],
    ['patient.id|like|x', 'must have one of the operators eq, gt, lt, contains, ieq, in'],
    ['coverageId|gt|x', 'coverageId takes the operators eq, contains, ieq, in'],
    ['patient.id', 'must read path|operator|value'],
  ])('returns 400 for the filter %s and lists the valid ones', async (filters, message) => {
    const { call } = await service.newCaller()
    const reply = await call('GET', `${BASE}?filters=${encodeURIComponent(filters)}`)
    expectEnvelope(reply, 400)
    expect(reply.body.errorName).toBe('BadRequestError')
    expect(reply.body.content.message).toContain(message)
  })

  it('returns 400 for an unknown type, and names the known ones', async () => {
    const reply = await (await service.newCaller()).call('GET', `${BASE}?type=GUESS`)
    expectEnvelope(reply, 400)
    expect(reply.body.content.message).toContain('COORDINATION_OF_BENEFITS')
  })
})

describe('PUT /eligibility-checks/v1/recommendation/:recommendation_id/:version/vote', () => {
  it('accepts the next version and adds the vote of the user in the body; the rest is unchanged', async () => {
    const caller = await service.newCaller()
    const made = await recommend(caller)
    expectEnvelope(await caller.call('PUT', `${BASE}/${made.id}/1/vote`, { user_id: 'a', value: 'UPVOTE' }), 409)
    const reply = await caller.call('PUT', `${BASE}/${made.id}/2/vote`, { user_id: 'a', value: 'UPVOTE' })
    expect([reply.status, reply.body]).toEqual([
      200,
      { ...made, version: 2, updated_at: expect.any(String), votes: [{ user_id: 'a', value: 'UPVOTE' }] },
    ])
    expect(await latest(caller)).toEqual([reply.body])
  })

  it('replaces the first vote of a user by the second', async () => {
    const caller = await service.newCaller()
    const { id } = await recommend(caller)
    const vote = async (version: number, user_id: string, value: string) =>
      (await caller.call('PUT', `${BASE}/${id}/${version}/vote`, { user_id, value })).body.votes
    await vote(2, 'a', 'UPVOTE')
    await vote(3, 'b', 'UPVOTE')
    expect(await vote(4, 'a', 'DOWNVOTE')).toEqual([
      { user_id: 'a', value: 'DOWNVOTE' },
      { user_id: 'b', value: 'UPVOTE' },
    ])
  })

  it('accepts one of 20 votes on the same version and returns 409 with the latest version to the others', async () => {
    const caller = await service.newCaller()
    const { id } = await recommend(caller)
    // Opens every connection first, so that all votes are concurrent.
    await Promise.all(Array.from({ length: 20 }, () => latest(caller)))
    const replies = await Promise.all(
      Array.from({ length: 20 }, (_, n) =>
        caller.call('PUT', `${BASE}/${id}/2/vote`, { user_id: `user ${n}`, value: 'UPVOTE' }),
      ),
    )
    const lost = replies.filter(({ status }) => status === 409)
    expect(lost).toHaveLength(19)
    expect(new Set(lost.map(({ body }) => body.content.latest_version))).toEqual(new Set([2]))
    expect((await latest(caller))[0].votes).toHaveLength(1)
  })

  it('loses no vote of users who retry with the latest version', async () => {
    const caller = await service.newCaller()
    const { id } = await recommend(caller)
    const vote = async (user_id: string) => {
      let version = 2
      for (;;) {
        const { status, body } = await caller.call('PUT', `${BASE}/${id}/${version}/vote`, { user_id, value: 'UPVOTE' })
        if (status === 200) return
        expect(status).toBe(409)
        version = body.content.latest_version + 1
      }
    }
    await Promise.all(Array.from({ length: 8 }, (_, n) => vote(`user ${n}`)))
    const [{ votes, version }] = await latest(caller)
    expect([votes.length, version]).toEqual([8, 9])
  })

  it('returns 400 for a long user id and for the vote of one user more than 1,000, and lets the others change theirs', async () => {
    const caller = await service.newCaller()
    const { id } = await recommend(caller)
    const vote = (user_id: string, value = 'UPVOTE') => caller.call('PUT', `${BASE}/${id}/2/vote`, { user_id, value })
    expectEnvelope(await vote('x'.repeat(201)), 400)
    await service.database.rows(
      `update eligibility_recommendation set body = jsonb_set(body, '{votes}',
        (select jsonb_agg(jsonb_build_object('user_id', 'user ' || n, 'value', 'UPVOTE')) from generate_series(1, 1000) n)) where id = $1`,
      [id],
    )
    expectEnvelope(await vote('one more'), 400)
    expect((await vote('user 7', 'DOWNVOTE')).status).toBe(200)
  })

  it('returns 400 for a value that is not a vote', async () => {
    const caller = await service.newCaller()
    const { id } = await recommend(caller)
    expectEnvelope(await caller.call('PUT', `${BASE}/${id}/2/vote`, { user_id: 'a', value: 'MAYBE' }), 400)
    expectEnvelope(await caller.call('PUT', `${BASE}/${id}/2/vote`, { value: 'UPVOTE' }), 400)
  })
})
