import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { coverageBody, nameBody, patientBody } from '../../../test/support/bodies.ts'
import { firstVersionOf } from '../../../test/support/first-version.ts'
import { expectEnvelope } from '../../../test/support/operations.ts'
import { type Caller, testService } from '../../../test/support/service.ts'

const service = testService()

async function newPatient({ call }: Caller) {
  return (await call('POST', '/patients/v1', patientBody({ name: nameBody(randomUUID()) }))).body.id as string
}

async function create(caller: Caller, overrides: Record<string, unknown> = {}, patientId?: string) {
  const body = coverageBody(patientId ?? (await newPatient(caller)), overrides)
  const reply = await caller.call('POST', '/coverages/v1', body)
  expect(reply.status, reply.text).toBe(200)
  return reply.body
}

const check = {
  check_id: randomUUID(),
  service_code: '30',
  status: 'COMPLETED',
  initiated_by: 'somebody',
  initiated_at: '2026-01-15T09:30:00.000Z',
}
const latestCheck = { check_id: check.check_id, status: 'ACTIVE', initiated_at: check.initiated_at }

/** Stores fields that only eligibility checks write, directly in the database. */
async function storeChecks(id: string): Promise<void> {
  await service.database.rows(`update coverage set body = body || $2::jsonb where id = $1`, [
    id,
    JSON.stringify({ eligibility_checks: [check], latest_eligibility_check: latestCheck }),
  ])
}

describe('POST /coverages/v1', () => {
  it('returns 200 with version 1 and the defaults filled in', async () => {
    const caller = await service.newCaller()
    const patient = await newPatient(caller)
    const { body } = await caller.call('POST', '/coverages/v1', coverageBody(patient, { orcon: null }))
    expect(body).toEqual({
      ...coverageBody(patient),
      ...firstVersionOf(caller),
      orcon: false,
      auto_update_enabled: true,
    })
  })

  it('keeps a sent value instead of the default', async () => {
    const body = await create(await service.newCaller(), { orcon: true, auto_update_enabled: false })
    expect(body).toMatchObject({ orcon: true, auto_update_enabled: false })
  })

  it('accepts any text as payer id, and the benefits and copays of a real plan', async () => {
    const insurance_plan = { member_id: '', payer_id: 'Cash Pay', payer_name: 'Cash', plan_type: 'HM', type: 'C1' }
    const benefits = {
      plan_coverage: { in_network: { deductible: { individual: 1500.5 } } },
      autoUpdatedEligibilityCheckId: 'x',
    }
    const previous_appointment_copays = { MD_Visit: 2500 }
    const sent = { insurance_plan, benefits, previous_appointment_copays }
    expect(await create(await service.newCaller(), sent)).toMatchObject(sent)
  })

  it('ignores eligibility checks that a client sends, because only the server writes them', async () => {
    const body = await create(await service.newCaller(), {
      eligibility_checks: [check],
      latest_eligibility_check: latestCheck,
    })
    expect(body).not.toHaveProperty('eligibility_checks')
    expect(body).not.toHaveProperty('latest_eligibility_check')
  })

  it('returns 404 for a patient that does not exist or belongs to another organization', async () => {
    const [caller, stranger] = [await service.newCaller(), await service.newCaller()]
    const foreign = await newPatient(stranger)
    for (const patient of [randomUUID(), 'nobody', '', foreign]) {
      const reply = await caller.call('POST', '/coverages/v1', coverageBody(patient))
      expectEnvelope(reply, 404)
      expect(reply.body).toEqual({ errorName: 'NotFoundError', content: { message: 'Patient not found' } })
    }
    expect((await caller.call('GET', '/coverages/v1')).body).toEqual([])
  })

  it('stores the patient id in lower case, so that lists find it', async () => {
    const caller = await service.newCaller()
    const patient = await newPatient(caller)
    const body = await create(caller, {}, patient.toUpperCase())
    expect(body.patient).toBe(patient)
  })
})

describe('PUT /coverages/v1/:id/:version', () => {
  it('replaces everything except the fields that eligibility checks write', async () => {
    const caller = await service.newCaller()
    const coverage = await create(caller, { orcon: true, benefits: { notes: 'old' } })
    await storeChecks(coverage.id)
    const sent = coverageBody(coverage.patient, { eligibility_checks: [], status: 'CANCELLED' })
    const { body } = await caller.call('PUT', `/coverages/v1/${coverage.id}/2`, sent)
    expect(body).toMatchObject({
      version: 2,
      status: 'CANCELLED',
      orcon: false,
      eligibility_checks: [check],
      latest_eligibility_check: latestCheck,
    })
    expect(body).not.toHaveProperty('benefits')
    expect((await caller.call('GET', `/coverages/v1/${coverage.id}`)).body).toEqual(body)
  })

  it('accepts a record exactly as it was read', async () => {
    const caller = await service.newCaller()
    const coverage = await create(caller)
    await storeChecks(coverage.id)
    const { body: read } = await caller.call('GET', `/coverages/v1/${coverage.id}`)
    const { body } = await caller.call('PUT', `/coverages/v1/${coverage.id}/2`, read)
    expect(body).toEqual({ ...read, version: 2, updated_at: body.updated_at })
  })

  it('returns 404 for a patient that does not exist, and writes nothing', async () => {
    const caller = await service.newCaller()
    const coverage = await create(caller)
    expectEnvelope(await caller.call('PUT', `/coverages/v1/${coverage.id}/2`, coverageBody(randomUUID())), 404)
    expect((await caller.call('GET', `/coverages/v1/${coverage.id}`)).body).toEqual(coverage)
  })
})

describe('GET /coverages/v1', () => {
  it("lists a patient's coverages, or all of the organization's, without deactivated ones", async () => {
    const caller = await service.newCaller()
    const patient = await newPatient(caller)
    const [first, second] = [await create(caller, {}, patient), await create(caller, {}, patient)]
    const other = await create(caller)
    const hidden = await create(caller, {}, patient)
    await service.database.rows('update coverage set deactivated = true where id = $1', [hidden.id])
    const list = async (query: string) => (await caller.call('GET', `/coverages/v1${query}`)).body
    expect(await list(`?patient_id=${patient}`)).toEqual([first, second])
    expect(await list('')).toEqual([first, second, other])
    for (const nobody of [randomUUID(), 'nobody', '']) expect(await list(`?patient_id=${nobody}`)).toEqual([])
    expect((await caller.call('GET', `/coverages/v1/${hidden.id}`)).body.deactivated).toBe(true)
  })

  it('finds them by the patient id in upper case too', async () => {
    const caller = await service.newCaller()
    const coverage = await create(caller)
    const { body } = await caller.call('GET', `/coverages/v1?patient_id=${coverage.patient.toUpperCase()}`)
    expect(body).toEqual([coverage])
  })
})

describe('GET /coverages/v1/:id/history', () => {
  /** A coverage with one version a day, 1 to 5 March 2026 at 03:30 UTC; an eligibility check wrote the fourth. */
  async function withHistory(timeZone?: string) {
    const caller = await service.newCaller(timeZone === undefined ? {} : { timeZone })
    const coverage = await create(caller)
    for (let version = 2; version <= 5; version++) {
      await caller.call('PUT', `/coverages/v1/${coverage.id}/${version}`, coverageBody(coverage.patient))
    }
    await service.database.rows(
      `update coverage_history set updated_at = ('2026-03-01 03:30'::timestamp + (version - 1) * interval '1 day') at time zone 'UTC',
        auto_updated = version = 4 where id = $1`,
      [coverage.id],
    )
    const ask = (query = '') => caller.call('GET', `/coverages/v1/${coverage.id}/history${query}`)
    const versions = async (query = '') =>
      (await ask(query)).body.map(({ version }: { version: number }) => version) as number[]
    return { caller, coverage, ask, versions }
  }

  it('shows every version, oldest first, and newest first when asked', async () => {
    const { versions } = await withHistory()
    expect(await versions()).toEqual([1, 2, 3, 4, 5])
    expect(await versions('?sort_direction=asc')).toEqual([1, 2, 3, 4, 5])
    expect(await versions('?sort_direction=desc')).toEqual([5, 4, 3, 2, 1])
  })

  it('treats start and end as days, both inclusive', async () => {
    const { versions } = await withHistory()
    expect(await versions('?start=2026-03-03')).toEqual([3, 4, 5])
    expect(await versions('?end=2026-03-03')).toEqual([1, 2, 3])
    expect(await versions('?start=2026-03-02&end=2026-03-02')).toEqual([2])
    expect(await versions('?start=2026-04-01')).toEqual([])
    expect(await versions('?start=0001-01-01&end=9999-12-31')).toEqual([1, 2, 3, 4, 5])
  })

  it("uses days of the organization's calendar", async () => {
    const { versions } = await withHistory('America/New_York')
    // 03:30 UTC on the 3rd is the evening of the 2nd in New York.
    expect(await versions('?start=2026-03-02&end=2026-03-02')).toEqual([3])
  })

  it('excludes versions written by eligibility checks on request', async () => {
    const { versions } = await withHistory()
    expect(await versions('?non_auto_updated_coverages_only=true')).toEqual([1, 2, 3, 5])
    expect(await versions('?non_auto_updated_coverages_only=false')).toEqual([1, 2, 3, 4, 5])
  })

  it('applies the limit after filtering and sorting, and returns an empty list for limit 0', async () => {
    const { versions } = await withHistory()
    expect(await versions('?limit=2')).toEqual([1, 2])
    expect(await versions('?limit=2&sort_direction=desc')).toEqual([5, 4])
    expect(await versions('?limit=2&sort_direction=desc&end=2026-03-04&non_auto_updated_coverages_only=true')).toEqual([
      3, 2,
    ])
    expect(await versions('?limit=0')).toEqual([])
    expect(await versions('?limit=1000')).toEqual([1, 2, 3, 4, 5])
  })

  it.each([
    'start=2026-03-02&end=2026-03-01',
    'start=2025-02-30',
    'end=yesterday',
    'start=2026-03-01T00:00:00Z',
    'limit=-1',
    'limit=1001',
    'limit=1.5',
    'limit=x',
    'limit=',
    'sort_direction=up',
    'sort_direction=ASC',
    'non_auto_updated_coverages_only=maybe',
  ])('answers 400 to %s', async (query) => {
    const { ask } = await withHistory()
    const reply = await ask(`?${query}`)
    expectEnvelope(reply, 400)
    expect(reply.body.errorName).toBe('BadRequestError')
  })

  it('returns 404 for a coverage that does not exist, also with a limit of 0', async () => {
    const { call } = await service.newCaller()
    for (const id of [randomUUID(), 'nobody']) {
      expectEnvelope(await call('GET', `/coverages/v1/${id}/history`), 404)
      expectEnvelope(await call('GET', `/coverages/v1/${id}/history?limit=0`), 404)
    }
  })
})

it('GET /coverages/v1/updates/scan returns at most 100, oldest change first, and continues', async () => {
  const caller = await service.newCaller()
  const patient = await newPatient(caller)
  const made: { id: string; updated_at: string }[] = []
  for (let count = 0; count < 103; count++) made.push(await create(caller, {}, patient))
  const scan = async (since: string) =>
    (await caller.call('GET', `/coverages/v1/updates/scan?since=${since}&maxResults=500`)).body
  const page = await scan('2020-01-01T00:00:00Z')
  expect(page).toEqual(made.slice(0, 100))
  const rest = await scan(page[99].updated_at)
  expect(rest.slice(-3)).toEqual(made.slice(-3))
})
