// The promise of the change feed (design.md): a client that polls by the published rule and deduplicates on (id,
// version) sees the latest version of every changed record.

import { randomUUID } from 'node:crypto'
import { setTimeout as delay, setImmediate } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import type { Actor } from '../../src/contract/actor.ts'
import { buildApp } from '../../src/main/app.ts'
import { verifyCredentials } from '../../src/platform/auth/clients.ts'
import { openDatabase } from '../../src/platform/database/database-pool.ts'
import { createMetrics } from '../../src/platform/metrics/metrics.ts'
import { updateMany } from '../../src/records/bulk.ts'
import { coverage } from '../../src/resources/coverages/coverage.ts'
import { holdLocks } from '../support/gate.ts'
import { kindsWith, operate, pathVersion, type RecordKind } from '../support/operations.ts'
import { rounds } from '../support/rounds.ts'
import { type Caller, send, testService } from '../support/service.ts'

const service = testService()
const feeds = kindsWith('create', 'update', 'scan')
const coverages = feeds.find(({ name }) => name === 'coverage') as RecordKind

/** A client that follows the published rule: it polls from the last stamp seen and ignores known pairs. */
class Poller {
  readonly seen = new Set<string>()
  private since = '2000-01-01T00:00:00.000Z'
  private readonly caller: Caller
  private readonly kind: RecordKind

  constructor(caller: Caller, kind: RecordKind) {
    this.caller = caller
    this.kind = kind
  }

  /** Polls once and returns the number of new pairs. */
  async poll(): Promise<number> {
    const { body, status } = await this.caller.call('GET', `${this.scanUrl}?since=${encodeURIComponent(this.since)}`)
    expect(status).toBe(200)
    const before = this.seen.size
    for (const { id, version } of body) this.seen.add(`${id} ${version}`)
    this.since = body.at(-1)?.updated_at ?? this.since
    return this.seen.size - before
  }

  async untilNothingIsNew(): Promise<void> {
    while ((await this.poll()) > 0) await setImmediate()
  }

  /** Polls while `writers` run, then until only known pairs return. */
  async during(writers: Promise<unknown>): Promise<void> {
    let isWriting = true
    const ended = writers.finally(() => {
      isWriting = false
    })
    while (isWriting) {
      await this.poll()
      await setImmediate()
    }
    await ended
    await this.untilNothingIsNew()
  }

  private get scanUrl(): string {
    return this.kind.endpoint('scan')?.path ?? ''
  }
}

interface Stored {
  id: string
  version: number
}

async function makeRecords(caller: Caller, kind: RecordKind, count: number) {
  const body = await kind.make(caller)
  const records: Stored[] = []
  for (let made = 0; made < count; made++) {
    const unique = kind.name === 'patient' ? await kind.make(caller) : body
    records.push((await operate(caller, kind.endpoint('create'), { body: unique })).body)
  }
  return { body, records }
}

/** Creates records from time to time and updates the given ones; its own conflicts are ignored. */
async function write(
  caller: Caller,
  kind: RecordKind,
  body: Record<string, unknown>,
  records: Stored[],
  count = rounds(12),
) {
  for (let round = 0; round < count; round++) {
    for (const record of records) {
      const params = { id: record.id, version: pathVersion(kind, 'update', record.version) }
      const changed = kind.change(body, `round ${round} ${randomUUID()}`)
      const reply = await operate(caller, kind.endpoint('update'), { params, body: changed })
      expect([200, 409]).toContain(reply.status)
      record.version = reply.status === 200 ? reply.body.version : reply.body.content.latest_version
    }
  }
}

async function expectNothingLost(caller: Caller, kind: RecordKind, poller: Poller): Promise<void> {
  const heads = await service.database.rows(`select id, version from ${kind.name} where organization_id = $1`, [
    caller.organizationId,
  ])
  expect(heads.length).toBeGreaterThan(0)
  expect(heads.map(([id, version]) => `${id} ${version}`).filter((pair) => !poller.seen.has(pair))).toEqual([])
}

async function mostRecordsInOneMillisecond(caller: Caller, table: string): Promise<number> {
  const row = await service.database.row(
    `select max(count) from (select count(*) from ${table} where organization_id = $1 group by updated_at) stamps`,
    [caller.organizationId],
  )
  return Number(row?.[0])
}

async function actorOf(caller: Caller): Promise<Actor> {
  const { client_id, client_secret } = caller.credentials
  return (await verifyCredentials(service.database, client_id, client_secret)) as Actor
}

/** Adds `count` older copies of the given record. */
async function seedCopies(caller: Caller, count: number): Promise<void> {
  const body = await coverages.make(caller)
  const { body: first } = await operate(caller, coverages.endpoint('create'), { body })
  const columns = 'organization_id, id, version, deactivated, updated_at, updating_user_id, created_at, body'
  await service.database.rows(
    `with copies as (
      insert into coverage (${columns})
      select organization_id, gen_random_uuid(), 1, false, updated_at - n / 50 * interval '1 ms', updating_user_id, created_at, body
      from coverage, generate_series(50, 49 + $2::integer) n where organization_id = $1 and id = $3
      returning ${columns}),
    changed as (
      insert into record_change (organization_id, record_type, id, at, version)
      select organization_id, 'coverage', id, updated_at, version from copies)
    insert into coverage_history (${columns}) select ${columns} from copies`,
    [caller.organizationId, count, first.id],
  )
}

/** Resolves once a statement waits for a lock in the database. */
async function untilBlocked(): Promise<void> {
  const statement = `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
  while (!(await service.database.row(statement))) await delay(5)
}

describe.each(feeds)('the change feed of $group', (kind) => {
  it('loses nothing with eight concurrent writers, including creates and conflicting updates', async () => {
    const caller = await service.newCaller()
    const { body, records } = await makeRecords(caller, kind, 4)
    const poller = new Poller(caller, kind)
    const writers = Array.from({ length: 8 }, async () => {
      const own = await makeRecords(caller, kind, 2)
      await write(caller, kind, body, [...own.records, ...records.map((record) => ({ ...record }))])
    })
    await poller.during(Promise.all(writers))
    await expectNothingLost(caller, kind, poller)
    expect(await mostRecordsInOneMillisecond(caller, `${kind.name}_history`)).toBeLessThanOrEqual(50)
  })

  it('continues while one writer waits for a locked record, and shows its write afterwards', async () => {
    const caller = await service.newCaller()
    const { body, records } = await makeRecords(caller, kind, 3)
    const [held, ...others] = records as [Stored, ...Stored[]]
    const release = await holdLocks(service.database, `select 1 from ${kind.name} where id = $1 for update`, [held.id])
    const params = { id: held.id, version: pathVersion(kind, 'update', 1) }
    const hanging = operate(caller, kind.endpoint('update'), { params, body: kind.change(body, 'late') })
    await untilBlocked()

    const poller = new Poller(caller, kind)
    await poller.during(write(caller, kind, body, others))
    await expectNothingLost(caller, kind, poller)
    expect(poller.seen.has(`${held.id} 2`)).toBe(false)

    await release()
    expect((await hanging).body.version).toBe(2)
    await poller.untilNothingIsNew()
    await expectNothingLost(caller, kind, poller)
  })

  it('never shows a later change before an earlier one has been committed', async () => {
    const caller = await service.newCaller()
    const { body, records } = await makeRecords(caller, kind, 2)
    // A write that has its stamp but is not committed: a slow network, a suspended process.
    const release = await holdLocks(
      service.database,
      `update change_clock set at = clock_timestamp() where organization_id = $1 and record_type = '${kind.name}'`,
      [caller.organizationId],
    )
    const poller = new Poller(caller, kind)
    await poller.untilNothingIsNew()
    const writers = write(caller, kind, body, records, 1)
    await untilBlocked()
    expect(await poller.poll()).toBe(0)
    await release()
    await poller.during(writers)
    await expectNothingLost(caller, kind, poller)
  })

  it('keeps its order when the machine clock has been set back, and gives every write its own millisecond', async () => {
    const caller = await service.newCaller()
    const { body, records } = await makeRecords(caller, kind, 2)
    await service.database.rows(`update change_clock set at = '2099-01-01T00:00:00Z' where organization_id = $1`, [
      caller.organizationId,
    ])
    const poller = new Poller(caller, kind)
    const apart = records.map((record) => write(caller, kind, body, [record], 70))
    await poller.during(Promise.all(apart))
    await expectNothingLost(caller, kind, poller)
    const history = await service.database.rows(
      `select to_char(updated_at, 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') from ${kind.name}_history where id = $1 order by version`,
      [records[0]?.id],
    )
    const stamps = history.map(([stamp]) => stamp)
    expect(stamps).toEqual([...stamps].sort())
    const [latest] =
      (await service.database.row(
        `select max(to_char(updated_at, 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')) from ${kind.name}`,
      )) ?? []
    // 140 writes after a clock in the future: each is exactly one millisecond later.
    expect(latest).toBe('2099-01-01T00:00:00.140Z')
    expect(await mostRecordsInOneMillisecond(caller, `${kind.name}_history`)).toBe(1)
  })

  it('loses nothing when several processes write to one database', async () => {
    const caller = await service.newCaller()
    const { body, records } = await makeRecords(caller, kind, 4)
    const pool = openDatabase({ connectionString: service.databaseUrl }, { onError: () => {} })
    const second = buildApp({ ...service.deps, database: pool, metrics: createMetrics() })
    try {
      const call: Caller['call'] = (method, url, payload) =>
        send(second, {
          method,
          url,
          headers: { authorization: `Bearer ${caller.token}` },
          ...(payload !== undefined && { payload: payload as object }),
        })
      const elsewhere = { ...caller, call }
      const poller = new Poller(elsewhere, kind)
      const writers = [caller, elsewhere, caller, elsewhere].map((each) =>
        write(
          each,
          kind,
          body,
          records.map((record) => ({ ...record })),
        ),
      )
      await poller.during(Promise.all(writers))
      await expectNothingLost(caller, kind, poller)
    } finally {
      await second.close()
      await pool.close()
    }
  })
})

const rename = (name: string) => ({
  where: `body ->> 'status' = $3`,
  change: `jsonb_set(body, '{insurance_plan,payer_name}', to_jsonb($4::text))`,
  event: { type: 'COVERAGE_UPDATED', patient: `after ->> 'patient'`, payload: `'{}'::jsonb` },
  values: ['ACTIVE', name],
})

describe('a bulk update', () => {
  it('of 5,000 records is seen completely by a poller, with eight concurrent writers', async () => {
    const caller = await service.newCaller()
    await seedCopies(caller, 4_999)
    const { body, records } = await makeRecords(caller, coverages, 8)
    const actor = await actorOf(caller)
    const poller = new Poller(caller, coverages)
    const writers = records.map((record) => write(caller, coverages, body, [record], 20))
    const bulk = updateMany(service.deps, coverage, actor, rename('Moved'))
    await poller.during(Promise.all([...writers, bulk]))
    expect(await bulk).toBe(5_008)
    await expectNothingLost(caller, coverages, poller)
    expect(await mostRecordsInOneMillisecond(caller, 'coverage')).toBeLessThanOrEqual(50)
    expect(await mostRecordsInOneMillisecond(caller, 'coverage_history')).toBeLessThanOrEqual(50)
    const [versions] = (await service.database.row(
      `select (select sum(version) from coverage where organization_id = $1)
        - (select count(*) from coverage_history where organization_id = $1)`,
      [caller.organizationId],
    )) as [string]
    expect(versions).toBe('0')
  })

  it('skips records that it would not change, and other organizations', async () => {
    const [caller, stranger] = [await service.newCaller(), await service.newCaller()]
    const { records } = await makeRecords(caller, coverages, 2)
    await makeRecords(stranger, coverages, 1)
    const actor = await actorOf(caller)
    expect(await updateMany(service.deps, coverage, actor, rename('Once'))).toBe(2)
    expect(await updateMany(service.deps, coverage, actor, rename('Once'))).toBe(0)
    const { body } = await operate(caller, coverages.endpoint('get'), { params: { id: records[0]?.id } })
    expect(body).toMatchObject({ version: 2, insurance_plan: { payer_name: 'Once' }, updating_user_id: actor.userId })
    const { body: untouched } = await operate(stranger, coverages.endpoint('scan'))
    expect(untouched).toMatchObject([{ version: 1, insurance_plan: { payer_name: 'Aetna' } }])
  })

  it("delays no other writer while it waits for a record, and then updates that record's new version", async () => {
    const caller = await service.newCaller()
    const { body, records } = await makeRecords(caller, coverages, 3)
    const [held, ...others] = records as [Stored, ...Stored[]]
    const columns = 'organization_id, id, version, deactivated, updated_at, updating_user_id, created_at, body'
    // Another writer's uncommitted version 2.
    const release = await holdLocks(
      service.database,
      `with head as (update coverage set version = 2, body = body || '{"verified": true}' where id = $1 returning *)
      insert into coverage_history (${columns}) select ${columns} from head`,
      [held.id],
    )
    const bulk = updateMany(service.deps, coverage, await actorOf(caller), rename('Patient'))
    await untilBlocked()
    const { body: made } = await operate(caller, coverages.endpoint('create'), { body })
    expect(made.version).toBe(1)
    await release()
    expect(await bulk).toBe(3)
    const { body: after } = await operate(caller, coverages.endpoint('get'), { params: { id: held.id } })
    expect(after).toMatchObject({ version: 3, verified: true, insurance_plan: { payer_name: 'Patient' } })
    for (const { id } of others) {
      const { body: other } = await operate(caller, coverages.endpoint('get'), { params: { id } })
      expect(other.version).toBe(2)
    }
  })

  it('and another one over the same records run one after the other', async () => {
    const caller = await service.newCaller()
    const { records } = await makeRecords(caller, coverages, 60)
    const actor = await actorOf(caller)
    const both = ['One', 'Two'].map((name) => updateMany(service.deps, coverage, actor, rename(name)))
    expect(await Promise.all(both)).toEqual([records.length, records.length])
    const { body } = await operate(caller, coverages.endpoint('scan'))
    expect(new Set(body.map(({ version }: Stored) => version))).toEqual(new Set([3]))
    expect(new Set(body.map((each: { insurance_plan: object }) => JSON.stringify(each.insurance_plan))).size).toBe(1)
  })

  it('writes all or nothing', async () => {
    const caller = await service.newCaller()
    const { records } = await makeRecords(caller, coverages, 3)
    const failing = { ...rename('x'), change: `body || jsonb_build_object('verified', 1 / ($4::integer - 5))` }
    const actor = await actorOf(caller)
    await expect(updateMany(service.deps, coverage, actor, { ...failing, values: ['ACTIVE', 5] })).rejects.toThrow()
    const { body } = await operate(caller, coverages.endpoint('scan'))
    expect(body.map(({ version }: Stored) => version)).toEqual(records.map(() => 1))
  })
})
