// A payer plan group, of 10,000 coverages too: the update is all or nothing, and other callers wait only while the rows are
// written.
import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { beforeEach, describe, expect, it } from 'vitest'
import { coverageBody, patientBody, planGroupBody } from '../../../test/support/bodies.ts'
import { type Caller, testService } from '../../../test/support/service.ts'
import { createMany } from '../../records/bulk.ts'
import { coverage } from './coverage.ts'

const service = testService()
const COVERAGES = 10_000
/** Where it does not matter how long the one statement takes. */
const FEW_COVERAGES = 500

let caller: Caller
let ids: string[]
let group: string
let patient: string

beforeEach(async () => {
  caller = await service.newCaller()
})

/** A plan group of this many coverages. */
async function fill(size: number): Promise<void> {
  group = randomUUID()
  patient = (await caller.call('POST', '/patients/v1', patientBody())).body.id
  const [row] = await service.database.rows('select user_id from client where organization_id = $1', [
    caller.organizationId,
  ])
  const actor = { organizationId: caller.organizationId, userId: row?.[0] ?? '' }
  const plan = { member_id: 'W1', payer_id: '60054', payer_name: 'Aetna', payer_plan_group_id: group }
  const body = coverageBody(patient, { insurance_plan: plan })
  ids = Array.from({ length: size }, () => service.deps.newId())
  await createMany(
    service.deps,
    coverage,
    actor,
    ids.map((id) => ({ id, body, events: [] })),
  )
}

const update = () =>
  caller.call('POST', `/coverages/v1/batch-update-ppg/${group}`, planGroupBody({ payer_plan_group_id: group }))

const count = async (sql: string) => Number((await service.database.row(sql, [caller.organizationId]))?.[0])

const written = async () => ({
  heads: await count('select count(*) from coverage where organization_id = $1 and version = 2'),
  versions: await count('select count(*) from coverage_history where organization_id = $1 and version = 2'),
  events: await count(
    `select count(*) from timeline_event where organization_id = $1 and event_type = 'COVERAGE_UPDATED'`,
  ),
})

/** Locks one coverage of the group, as a concurrent transaction would, while `work` runs. */
async function whileHeld(work: () => Promise<void>): Promise<void> {
  await service.database.transaction(async (holder) => {
    await holder.rows('select 1 from coverage where organization_id = $1 and id = $2 for update', [
      caller.organizationId,
      ids[ids.length / 2],
    ])
    await work()
  })
}

/** Resolves once the batch waits for the locked record, with the process id of its database backend. */
async function waitingBackend(): Promise<string> {
  for (;;) {
    const sql = `select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' limit 1`
    const row = await service.database.row(sql)
    if (row?.[0]) return row[0]
    await delay(20)
  }
}

describe('a batch update of a plan group', () => {
  it('of 10,000 coverages writes every version, history row and timeline event, and a poller sees every coverage', async () => {
    await fill(COVERAGES)
    expect((await update()).status).toBe(200)
    expect(await written()).toEqual({ heads: COVERAGES, versions: COVERAGES, events: COVERAGES })
    const seen = new Map<string, number>()
    let since = '2000-01-01T00:00:00.000Z'
    for (let isNew = true; isNew; ) {
      const { body } = await caller.call('GET', `/coverages/v1/updates/scan?since=${since}`)
      isNew = body.some(({ id, version }: { id: string; version: number }) => seen.get(id) !== version)
      for (const { id, version } of body) seen.set(id, version)
      since = body.at(-1).updated_at
    }
    expect(seen.size).toBe(COVERAGES)
    expect(new Set(seen.values())).toEqual(new Set([2]))
  })

  it('does not block other writers while it waits for a locked record', async () => {
    await fill(FEW_COVERAGES)
    let batch: ReturnType<typeof update> | undefined
    await whileHeld(async () => {
      batch = update()
      await waitingBackend()
      const { status } = await caller.call('POST', '/coverages/v1', coverageBody(patient))
      expect(status).toBe(200)
      expect(await written()).toEqual({ heads: 0, versions: 0, events: 0 })
    })
    expect((await batch)?.status).toBe(200)
    expect((await written()).heads).toBe(FEW_COVERAGES)
  })

  it('changes nothing when its connection is killed midway', async () => {
    await fill(FEW_COVERAGES)
    await whileHeld(async () => {
      const batch = update()
      await service.database.row('select pg_terminate_backend($1)', [await waitingBackend()])
      expect((await batch).status).toBe(503)
    })
    expect(await written()).toEqual({ heads: 0, versions: 0, events: 0 })
  })
})
