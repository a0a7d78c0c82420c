import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { type Caller, testService } from '../../../test/support/service.ts'
import { systemUser } from '../../platform/auth/system-user.ts'
import type { DerivedRecommendation } from '../answers/corrections/recommendations.ts'
import { type RecommendationSubject, storeRecommendations } from './store-recommendations.ts'

const service = testService()
const BASE = '/eligibility-checks/v1/recommendation'

const copay: DerivedRecommendation = {
  type: 'COPAY_ESTIMATION',
  payload: { structured_response: 2500, exposition: 'As stated.' },
}
const advantage: DerivedRecommendation = {
  type: 'MEDICARE_ADVANTAGE',
  payload: { ma_benefit: { code: 'R' }, payer_name: 'HUMANA' },
}

const lockCheck = 'select from eligibility_check where organization_id = $1 and id = $2 for update'

/** Stores them in the transaction that writes the check's answer and so holds the check. */
function store(
  { organizationId }: Caller,
  about: RecommendationSubject,
  derived: DerivedRecommendation[],
): Promise<void> {
  return service.database.transaction(async (database) => {
    await database.rows(lockCheck, [organizationId, about.checkId])
    await storeRecommendations({ ...service.deps, database }, organizationId, [{ about, derived }])
  })
}

const latest = async ({ call }: Caller, filters = '') =>
  (await call('GET', `${BASE}?filters=${encodeURIComponent(filters)}`)).body

async function subject(caller: Caller): Promise<RecommendationSubject> {
  return { checkId: await caller.newCheckId(), coverageId: randomUUID(), patient: { id: 'p-1', member_id: 'W1' } }
}

describe('a recommendation from a check', () => {
  it('is stored by the system user, with the coverage and the patient, and found by them', async () => {
    const caller = await service.newCaller()
    const about = await subject(caller)
    await store(caller, about, [copay, advantage])
    const found = await latest(caller, `coverageId|eq|${about.coverageId}`)
    expect(found.map(({ recommendation }: { recommendation: unknown }) => recommendation)).toEqual([advantage, copay])
    expect(found[0]).toMatchObject({
      version: 1,
      updating_user_id: systemUser.id,
      eligibility_check_id: about.checkId,
      coverage_id: about.coverageId,
      patient: { id: 'p-1', member_id: 'W1', organization_id: caller.organizationId },
    })
    for (const filter of ['patient.id|eq|p-1', 'patient.memberId|eq|W1', `eligibilityCheckId|eq|${about.checkId}`])
      expect(await latest(caller, filter), filter).toEqual(found)
  })

  it('is stored once regardless of how often the check is finished, and keeps its votes', async () => {
    const caller = await service.newCaller()
    const about = await subject(caller)
    await store(caller, about, [copay])
    const [{ id }] = await latest(caller)
    await caller.call('PUT', `${BASE}/${id}/2/vote`, { user_id: 'a', value: 'UPVOTE' })
    await store(caller, about, [advantage, copay])
    const [, again] = await latest(caller)
    expect(again).toMatchObject({ id, version: 2, votes: [{ user_id: 'a', value: 'UPVOTE' }] })
    expect(await stored(caller)).toEqual({ heads: 2, versions: 3, counted: 2 })
  })

  it('is stored once when 20 workers finish the same check concurrently', async () => {
    const caller = await service.newCaller()
    const about = await subject(caller)
    // Opens every connection first, so that all of them are concurrent.
    await Promise.all(Array.from({ length: 20 }, () => latest(caller)))
    await Promise.all(Array.from({ length: 20 }, () => store(caller, about, [copay, advantage])))
    expect(await stored(caller)).toEqual({ heads: 2, versions: 2, counted: 2 })
  })

  it('is part of the transaction of its check and rolled back with it', async () => {
    const caller = await service.newCaller()
    const about = await subject(caller)
    const end = service.database.transaction(async (database) => {
      await storeRecommendations({ ...service.deps, database }, caller.organizationId, [{ about, derived: [copay] }])
      throw new Error('the rest failed')
    })
    await expect(end).rejects.toThrow('the rest failed')
    expect(await latest(caller)).toEqual([])
  })

  it('is not stored when nothing was derived', async () => {
    const caller = await service.newCaller()
    await store(caller, await subject(caller), [])
    expect(await stored(caller)).toEqual({ heads: 0, versions: 0, counted: 0 })
  })

  it('is stored for any characters a payer sends, without values too long to search by', async () => {
    const caller = await service.newCaller()
    const about = await subject(caller)
    const patient = { ...about.patient, last_name: 'x'.repeat(3000), first_name: 'A\0na' }
    const odd = { ...advantage, payload: { ma_benefit: { planCoverage: 'G\0OLD\ud800' }, payer_name: 'HUM\0ANA' } }
    await store(caller, { ...about, patient }, [odd as DerivedRecommendation])
    const [found] = await latest(caller)
    expect(found.patient).toEqual({ ...about.patient, first_name: 'Ana', organization_id: caller.organizationId })
    expect(found.recommendation.payload).toEqual({ ma_benefit: { planCoverage: 'GOLD\ufffd' }, payer_name: 'HUMANA' })
  })

  it('is later than all stored before, so that the last is the latest', async () => {
    const caller = await service.newCaller()
    const subjects = await Promise.all(Array.from({ length: 60 }, () => subject(caller)))
    for (const about of subjects) await store(caller, about, [copay])
    const rows = await service.database.rows(
      'select created_at from eligibility_recommendation where organization_id = $1 order by created_at',
      [caller.organizationId],
    )
    expect(new Set(rows.flat()).size).toBe(60)
    expect((await latest(caller))[0].eligibility_check_id).toBe(subjects.at(-1)?.checkId)
  })
})

/** The number of records, of versions, and the organization's stored count. */
async function stored({ organizationId }: Caller) {
  const row = await service.database.row(
    `select (select count(*) from eligibility_recommendation where organization_id = $1),
      (select count(*) from eligibility_recommendation_history where organization_id = $1),
      (select coalesce(sum(total), 0) from change_clock where organization_id = $1 and record_type = 'eligibility_recommendation')`,
    [organizationId],
  )
  const [heads, versions, counted] = (row ?? []).map(Number)
  return { heads, versions, counted }
}
