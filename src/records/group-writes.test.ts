// decisions/0037-group-commit.md
import { setImmediate } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { appointmentBody, coverageBody, nameBody, patientBody } from '../../test/support/bodies.ts'
import { holdLocks } from '../../test/support/gate.ts'
import { kindsWith } from '../../test/support/operations.ts'
import { sentBy } from '../../test/support/sent-statements.ts'
import { type Caller, type Reply, send, testService } from '../../test/support/service.ts'
import { buildApp } from '../main/app.ts'
import { records } from '../main/resources.ts'
import { readTrail } from '../platform/audit/read-trail.ts'
import { verifyCredentials } from '../platform/auth/clients.ts'
import { openDatabase } from '../platform/database/database-pool.ts'
import { createMetrics } from '../platform/metrics/metrics.ts'
import { writeInGroup } from './group-writes.ts'
import { createRecord, updateRecord } from './store.ts'

const service = testService()
const TOGETHER = 16

interface Stored {
  id: string
  version: number
}

const each = <T>(count: number, make: (index: number) => Promise<T>) =>
  Promise.all(Array.from({ length: count }, (_, index) => make(index)))

const placer = (index: number) => ({ placer_appointment_id: `P${index}` })

/** An organization with a patient and `count` appointments. */
async function withAppointments(count = TOGETHER) {
  const caller = await service.newCaller()
  const { body: patient } = await caller.call('POST', '/patients/v1', patientBody())
  const records: Stored[] = []
  for (let index = 0; index < count; index++) {
    const { body } = await caller.call('POST', '/appointments/v1', appointmentBody(patient.id, placer(index)))
    records.push(body)
  }
  const put = (record: Stored, more: Record<string, unknown>, by: Caller['call'] = caller.call) =>
    by('PUT', `/appointments/v1/${record.id}/${record.version + 1}`, appointmentBody(patient.id, more))
  return { caller, patient: patient as Stored, records, put }
}

/** Locks the clock of records of a type until `release` is called, so that writes gather behind it. */
async function holdClock(organizationId: string, type = 'appointment'): Promise<() => Promise<void>> {
  const hold = `select at from change_clock where organization_id = $1 and record_type = $2 for update`
  return holdLocks(service.database, hold, [organizationId, type])
}

const blocked = () =>
  service.database.rows(
    `select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
  )

async function untilBlocked(count: number): Promise<string[]> {
  for (;;) {
    const found = (await blocked()).map(([pid = '']) => pid)
    if (found.length >= count) return found
    await setImmediate()
  }
}

/** Waits until no more statements than these are unanswered, and the service has nothing else to do: all calls have arrived where they wait. */
async function untilAllWait(pending: () => number, count: number): Promise<void> {
  for (let turns = 0; turns < 50; turns++) {
    await setImmediate()
    if (pending() !== count) turns = 0
  }
}

/**
 * The stored appointments, and whether history, the change feed, the clock's counts and the timeline agree with them.
 */
async function stored(organizationId: string) {
  const rows = await service.database.rows(
    `select h.id, h.version, h.updated_at = c.at and h.version = c.version,
      (select count(*) from appointment_history v where v.organization_id = h.organization_id and v.id = h.id),
      (select body = h.body from appointment_history v where v.organization_id = h.organization_id and v.id = h.id and v.version = h.version)
    from appointment h left join record_change c using (organization_id, id) where organization_id = $1 order by id`,
    [organizationId],
  )
  const [total] =
    (await service.database.row(
      `select total - (select count(*) from appointment where organization_id = $1) from change_clock
      where organization_id = $1 and record_type = 'appointment'`,
      [organizationId],
    )) ?? []
  expect(total).toBe('0')
  for (const [, version, isFed, versions, isKept] of rows)
    expect([isFed, versions, isKept]).toEqual(['t', version, 't'])
  return new Map(rows.map(([id, version]) => [id, Number(version)]))
}

describe.each(kindsWith('create').map((kind) => [kind.name, kind] as const))('records of type %s', (name, kind) => {
  it('are created and updated in a group exactly as they are one by one', async () => {
    const caller = await service.newCaller()
    const { client_id, client_secret } = caller.credentials
    const actor = await verifyCredentials(service.database, client_id, client_secret)
    const record = records.find((each) => each.name === name)
    if (!actor || !record) throw new Error('there is no actor or record to write')
    const bodies = await each(8, async (index) => {
      const body = await kind.make(caller)
      return name === 'patient' ? { ...body, mrn: `M${index}` } : body
    })
    const { result: made, names } = await sentBy(service.deps.database, async (_names, pending) => {
      // The organization may have no clock of this type yet.
      const release = await holdLocks(service.database, 'lock table change_clock in exclusive mode', [])
      const writes = bodies.map((body) => createRecord(service.deps, record, actor, body))
      await untilAllWait(pending, 2)
      await release()
      return Promise.all(writes)
    })
    expect(names).toContain(`${name}_create_group`)
    const created: Stored[] = made.map((text) => JSON.parse(text))
    expect(created.map(({ version }) => version)).toEqual(Array(8).fill(1))
    const changed = bodies.map((body, index) => kind.change(body, `changed ${index}`))
    const { result, names: updates } = await sentBy(service.deps.database, async (_names, pending) => {
      const release = await holdClock(caller.organizationId, name)
      const writes = created.map(({ id }, index) =>
        updateRecord(service.deps, record, actor, { id, expectedVersion: 1, body: changed[index] ?? {} }),
      )
      await untilAllWait(pending, 2)
      await release()
      return Promise.all(writes)
    })
    expect(updates).toContain(`${name}_update_group`)
    expect(result.map((text) => JSON.parse(text))).toMatchObject(created.map(({ id }) => ({ id, version: 2 })))
    const [agree] =
      (await service.database.row(
        `select bool_and(c.version = 2 and c.at = h.updated_at and v.body = h.body and v.updated_at = h.updated_at) from ${name} h
        join ${name}_history v using (organization_id, id, version)
        left join record_change c on c.organization_id = h.organization_id and c.record_type = $2 and c.id = h.id
        where h.organization_id = $1`,
        [caller.organizationId, name],
      )) ?? []
    expect(agree).toBe('t')
  })
})

/** A process under pressure refuses requests (503), and a caller sends them again. */
async function untilAdmitted(send: () => Promise<Reply>): Promise<Reply> {
  for (;;) {
    const reply = await send()
    if (reply.status !== 503) return reply
    await setImmediate()
  }
}

const statuses = (replies: Reply[]) => replies.map(({ status }) => status)

describe('concurrent writes', () => {
  it('are sent in few statements, and each caller gets its own record', async () => {
    const { caller, records, put } = await withAppointments()
    const release = await holdClock(caller.organizationId)
    const { result, names } = await sentBy(service.deps.database, async (sent, pending) => {
      const all = each(TOGETHER, (index) =>
        put(records[index] as Stored, { ...placer(index), estimated_copay_cents: index }),
      )
      while (sent.filter((name) => name === 'appointment_read').length < TOGETHER) await setImmediate()
      await untilAllWait(pending, 2)
      await release()
      return all
    })
    expect(statuses(result)).toEqual(Array(TOGETHER).fill(200))
    expect(result.map(({ body }) => [body.id, body.version, body.estimated_copay_cents])).toEqual(
      records.map(({ id }, index) => [id, 2, index]),
    )
    const writes = names.filter((name) => name.startsWith('appointment_update'))
    expect(writes).toContain('appointment_update_group')
    expect(writes.length).toBeLessThan(TOGETHER / 2)
    expect([...(await stored(caller.organizationId)).values()]).toEqual(Array(TOGETHER).fill(2))
  })

  it('store one event each in the audit trail and on the timeline, with the user and the record', async () => {
    const { caller, records, put, patient } = await withAppointments()
    const other = await service.newCaller({ beside: caller })
    await each(TOGETHER, (index) =>
      put(records[index] as Stored, { ...placer(index), status: 'READY' }, (index % 2 ? other : caller).call),
    )
    await service.deps.audit.flush(caller.organizationId)
    const events = await readTrail(service.database, caller.organizationId, { limit: 1000 })
    const updates = events.filter(({ operation }) => operation === 'appointments.update')
    const eventById = new Map(updates.map((event) => [event.record_ids?.[0], event]))
    expect(updates).toHaveLength(TOGETHER)
    expect(new Set(updates.map(({ request_id }) => request_id)).size).toBe(TOGETHER)
    records.forEach(({ id }, index) => {
      const { client_id } = (index % 2 ? other : caller).credentials
      expect(eventById.get(id)).toMatchObject({ client_id, version: 2, patient_ids: [patient.id], status: 200 })
    })
    const timeline = await service.database.rows(
      `select e.appointment_id, count(*), bool_and(e.at = h.updated_at and e.user_id = h.updating_user_id) from timeline_event e
      join appointment h on h.organization_id = e.organization_id and h.id = e.appointment_id
      where e.organization_id = $1 and e.at >= h.updated_at group by 1`,
      [caller.organizationId],
    )
    expect(timeline.map(([, count, isTrue]) => [count, isTrue])).toEqual(Array(TOGETHER).fill(['1', 't']))
  })

  it('fail alone: a version conflict, a missing record and a duplicate value are answered only to their own callers', async () => {
    const { caller, records, put } = await withAppointments()
    const stranger = await withAppointments(1)
    const [first, second, third] = records as [Stored, Stored, Stored]
    await put(second, placer(1))
    const release = await holdClock(caller.organizationId)
    const all = Promise.all([
      ...records.slice(3).map((record, index) => put(record, placer(index + 3))),
      put(first, placer(1)),
      put(second, placer(1)),
      put(third, placer(2)),
      put(third, { ...placer(2), estimated_copay_cents: 7 }),
      put(stranger.records[0] as Stored, placer(99)),
      put({ id: 'nobody', version: 1 }, placer(98)),
    ])
    await untilBlocked(1)
    await release()
    const [inUse, stale, one, another, foreign, nobody] = (await all).slice(-6) as Reply[]
    expect(statuses((await all).slice(0, -6))).toEqual(Array(TOGETHER - 3).fill(200))
    expect([inUse?.status, inUse?.body.errorName]).toEqual([409, 'VersionConflictError'])
    expect(inUse?.body.content).not.toHaveProperty('latest_version')
    expect([stale?.status, stale?.body.content.latest_version]).toEqual([409, 2])
    expect([one?.status, another?.status].sort()).toEqual([200, 409])
    expect([foreign?.status, nobody?.status]).toEqual([404, 404])
    const versions = await stored(caller.organizationId)
    expect([first, second, third].map(({ id }) => versions.get(id))).toEqual([1, 2, 2])
    expect([...(await stored(stranger.caller.organizationId)).values()]).toEqual([1])
  })

  it('are created together, and the second of two with the same unique value gets a conflict', async () => {
    const { caller, patient } = await withAppointments(1)
    const release = await holdClock(caller.organizationId)
    const { result: replies, names } = await sentBy(service.deps.database, async (sent, pending) => {
      const creates = each(TOGETHER, (index) =>
        caller.call('POST', '/appointments/v1', appointmentBody(patient.id, placer(100 + (index % 12)))),
      )
      while (sent.filter((name) => name.startsWith('appointment_create')).length < 2) await setImmediate()
      await untilAllWait(pending, 2)
      await release()
      return creates
    })
    expect(names).toContain('appointment_create_group')
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(12)
    expect(replies.filter(({ status }) => status === 409)).toHaveLength(TOGETHER - 12)
    const made = replies.filter(({ status }) => status === 200).map(({ body }) => body)
    expect(new Set(made.map(({ placer_appointment_id }) => placer_appointment_id)).size).toBe(12)
    expect((await stored(caller.organizationId)).size).toBe(13)
  })

  it('do not wait for a write whose record another transaction has locked', async () => {
    const { caller, records, put } = await withAppointments()
    const [held, ...others] = records as [Stored, ...Stored[]]
    const release = await holdLocks(
      service.database,
      'select 1 from appointment where organization_id = $1 and id = $2 for update',
      [caller.organizationId, held.id],
    )
    const hanging = put(held, placer(0))
    const replies = await Promise.all(others.map((record, index) => put(record, placer(index + 1))))
    expect(statuses(replies)).toEqual(Array(TOGETHER - 1).fill(200))
    await untilBlocked(1)
    expect((await stored(caller.organizationId)).get(held.id)).toBe(1)
    await release()
    expect((await hanging).status).toBe(200)
    expect([...(await stored(caller.organizationId)).values()]).toEqual(Array(TOGETHER).fill(2))
  })

  it('do not wait for writes to another record type or another organization', async () => {
    const { caller, records, put, patient } = await withAppointments()
    const neighbor = await withAppointments(1)
    const release = await holdClock(caller.organizationId)
    const waiting = Promise.all(records.map((record, index) => put(record, placer(index))))
    await untilBlocked(1)
    const [coverage, note, elsewhere] = await Promise.all([
      caller.call('POST', '/coverages/v1', coverageBody(patient.id)),
      caller.call('POST', '/notes/v1', { value: 'A note.' }),
      neighbor.put(neighbor.records[0] as Stored, placer(0)),
    ])
    expect(statuses([coverage, note, elsewhere])).toEqual([200, 200, 200])
    await release()
    expect(statuses(await waiting)).toEqual(Array(TOGETHER).fill(200))
  })

  it('get strictly rising stamps while they are few, and never fill a page of the change feed with one millisecond', async () => {
    const { caller, records, put } = await withAppointments(120)
    const release = await holdClock(caller.organizationId)
    const all = Promise.all(records.map((record, index) => untilAdmitted(() => put(record, placer(index)))))
    await untilBlocked(1)
    await release()
    expect(statuses(await all)).toEqual(Array(120).fill(200))
    const [most, spread] = (await service.database.row(
      `select max(count), count(*) from (select count(*) from appointment where organization_id = $1 group by updated_at) stamps`,
      [caller.organizationId],
    )) as [string, string]
    expect(Number(most)).toBeLessThanOrEqual(50)
    expect(Number(spread)).toBeGreaterThan(2)
    await stored(caller.organizationId)
  })

  it('keep each body intact, regardless of the letters and quotes in it', async () => {
    const { records, put } = await withAppointments()
    const notes = (index: number) => `Ünïcode "${index}" \\ ' {} [] , $1 :x \u2028 日本 ${'x'.repeat(index)}`
    const replies = await each(TOGETHER, (index) =>
      put(records[index] as Stored, { ...placer(index), appointment_details: notes(index) }),
    )
    expect(replies.map(({ body }) => body.appointment_details)).toEqual(
      Array.from({ length: TOGETHER }, (_, index) => notes(index)),
    )
  })
})

describe('writes of one group', () => {
  it('all fail when the connection is lost, store nothing, and succeed when they are retried', async () => {
    const { caller, records, put } = await withAppointments()
    const release = await holdClock(caller.organizationId)
    const all = Promise.all(records.map((record, index) => put(record, placer(index))))
    let isOver = false
    const over = all.finally(() => {
      isOver = true
    })
    while (!isOver) {
      await service.database.rows(
        `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
      )
      await setImmediate()
    }
    expect(statuses(await over)).toEqual(Array(TOGETHER).fill(503))
    await release()
    expect([...(await stored(caller.organizationId)).values()]).toEqual(Array(TOGETHER).fill(1))
    const again = await Promise.all(records.map((record, index) => put(record, placer(index))))
    expect(statuses(again)).toEqual(Array(TOGETHER).fill(200))
    expect([...(await stored(caller.organizationId)).values()]).toEqual(Array(TOGETHER).fill(2))
  })

  it('all fail when the statement times out, and store nothing', async () => {
    const { caller, records, put } = await withAppointments()
    const pool = openDatabase(
      { connectionString: service.databaseUrl },
      { onError: () => {}, statementTimeoutMs: 1_000 },
    )
    const impatient = buildApp({ ...service.deps, database: pool, metrics: createMetrics() })
    const call: Caller['call'] = (method, url, payload) =>
      send(impatient, {
        method,
        url,
        headers: { authorization: `Bearer ${caller.token}` },
        payload: payload as object,
      })
    try {
      const release = await holdClock(caller.organizationId)
      const replies = await Promise.all(records.map((record, index) => put(record, placer(index), call)))
      expect(statuses(replies)).toEqual(Array(TOGETHER).fill(503))
      await release()
      expect([...(await stored(caller.organizationId)).values()]).toEqual(Array(TOGETHER).fill(1))
      expect((await put(records[0] as Stored, placer(0), call)).status).toBe(200)
    } finally {
      await impatient.close()
      await pool.close()
    }
  })

  it('lose nothing when two processes write to the same records', async () => {
    const { caller, records, put } = await withAppointments(6)
    const pool = openDatabase({ connectionString: service.databaseUrl }, { onError: () => {} })
    const second = buildApp({ ...service.deps, database: pool, metrics: createMetrics() })
    const elsewhere: Caller['call'] = (method, url, payload) =>
      send(second, { method, url, headers: { authorization: `Bearer ${caller.token}` }, payload: payload as object })
    let written = 0
    const write = async (by: Caller['call']) => {
      const own = records.map((record) => ({ ...record }))
      for (let round = 0; round < 8; round++) {
        await Promise.all(
          own.map(async (record, index) => {
            const { status, body } = await put(record, { ...placer(index), estimated_copay_cents: round }, by)
            expect([200, 409]).toContain(status)
            if (status === 200) written++
            record.version = status === 200 ? body.version : body.content.latest_version
          }),
        )
      }
    }
    try {
      await Promise.all([write(caller.call), write(elsewhere), write(caller.call), write(elsewhere)])
      const versions = [...(await stored(caller.organizationId)).values()]
      expect(versions.reduce((sum, version) => sum + version - 1, 0)).toBe(written)
    } finally {
      await second.close()
      await pool.close()
    }
  })

  it('keep fields that only the server writes, and reactivate records whose update reactivates them', async () => {
    const { caller, records, put } = await withAppointments()
    for (const { id, version } of records.slice(0, 8)) {
      expect((await caller.call('DELETE', `/appointments/v1/${id}/${version}`)).status).toBe(200)
    }
    const again = records.map((record, index) => put({ ...record, version: index < 8 ? 2 : 1 }, placer(index)))
    expect((await Promise.all(again)).map(({ body }) => body.deactivated)).toEqual(Array(TOGETHER).fill(false))
    const counts = await service.database.row(
      `select total, live from change_clock where organization_id = $1 and record_type = 'appointment'`,
      [caller.organizationId],
    )
    expect(counts).toEqual([String(TOGETHER), String(TOGETHER)])

    const patients = await each(TOGETHER, async (index) => {
      const { body } = await caller.call(
        'POST',
        '/patients/v1?skip_duplicate_check=true',
        patientBody({ name: nameBody(`Kept${index}`) }),
      )
      return body as Stored & { mrn: string }
    })
    expect(new Set(patients.map(({ mrn }) => mrn)).size).toBe(TOGETHER)
    const renamed = await Promise.all(
      patients.map(({ id }, index) =>
        caller.call('PUT', `/patients/v1/${id}/2`, patientBody({ name: nameBody(`New${index}`) })),
      ),
    )
    expect(renamed.map(({ body }) => [body.id, body.mrn, body.name.family])).toEqual(
      patients.map(({ id, mrn }, index) => [id, mrn, `New${index}`]),
    )
  })
})

it('refuses a write at once when a thousand of its kind wait for a database that does not answer', async () => {
  const database = { row: () => new Promise(() => {}), rows: () => new Promise(() => {}) } as never
  const [record] = records
  const write = (index: number, kind: 'create' | 'update') =>
    writeInGroup(database, record as never, 'ORGANIZATION', kind, {
      id: `${index}`,
      userId: 'user',
      body: '{}',
      auditContext: '{}',
    }).then(
      () => 'written',
      (error) => `${kind} ${index}: ${error.constructor.name}`,
    )
  // Two statements are under way, the others wait; after a time limit they are refused, too.
  const waiting = Array.from({ length: 1002 }, (_, index) => write(index, 'create'))
  expect(await Promise.race([...waiting, write(1002, 'create')])).toBe('create 1002: DatabaseBusy')
  expect(await Promise.race([write(0, 'update'), setImmediate('waits')])).toBe('waits')
})
