import { setImmediate } from 'node:timers/promises'
import { expect, it, vi } from 'vitest'
import { nameBody, patientBody } from '../../../test/support/bodies.ts'
import { sentBy } from '../../../test/support/sent-statements.ts'
import { type Caller, send, testService } from '../../../test/support/service.ts'
import type { WireError } from '../../contract/errors.ts'
import { buildApp } from '../../main/app.ts'
import { verifyCredentials } from '../../platform/auth/clients.ts'
import { openDatabase } from '../../platform/database/database-pool.ts'
import { createMetrics } from '../../platform/metrics/metrics.ts'
import { createPatient } from './create-patient.ts'
import { oncePerPerson } from './once-per-person.ts'
import type { MutablePatient } from './patient.schema.ts'

const service = testService()
const person = (family: string, more: object = {}) => patientBody({ name: nameBody(family), ...more })
const TOGETHER = 12

/** Holds back all creates of patients of an organization until `work` has run. */
async function behindTheClock<T>({ organizationId }: Caller, work: () => Promise<T>): Promise<T> {
  return service.database.transaction(async (transaction) => {
    const hold = `select at from change_clock where organization_id = $1 and record_type = 'patient' for update`
    await transaction.rows(hold, [organizationId])
    return work()
  })
}

/** Sessions of the service, without the one that holds the clock. */
async function count(condition: string): Promise<number> {
  const text = `select count(*) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()
    and query not like '%for update' and (${condition})`
  return Number((await service.database.rows(text))[0]?.[0])
}

async function untilWaiting(creates: number): Promise<void> {
  while ((await count(`state = 'active' and wait_event_type = 'Lock'`)) < creates) await setImmediate()
}

it('creates that wait for another write of their organization take two connections, and do not delay another one', async () => {
  const [caller, other] = [await service.newCaller(), await service.newCaller()]
  const create = ({ call }: Caller, family: string) => call('POST', '/patients/v1', person(family))
  expect((await create(caller, 'First')).status).toBe(200)
  const waiting = await behindTheClock(caller, async () => {
    const creates = Array.from({ length: TOGETHER }, (_, index) => create(caller, `Person ${index}`))
    await untilWaiting(2)
    for (let index = 0; index < 3; index++) expect((await create(other, `Other ${index}`)).status).toBe(200)
    // Background work may be within a transaction of its own for a moment.
    await expect.poll(() => count(`wait_event_type = 'Lock' or state like 'idle in transaction%'`)).toBe(2)
    return { creates }
  })
  const statuses = (await Promise.all(waiting.creates)).map(({ status }) => status)
  expect(statuses).toEqual(Array(TOGETHER).fill(200))
})

type Sent = MutablePatient & { mrn?: string }

/** Creates that arrive while two others hold the connections of their organization, and the number of their checks. */
async function together(caller: Caller, bodies: object[]) {
  const { client_id, client_secret } = caller.credentials
  const actor = await verifyCredentials(service.database, client_id, client_secret)
  if (!actor) throw new Error('the caller is not known')
  const create = async (body: object) => {
    try {
      const text = await createPatient(service.deps, actor, body as Sent, { skipDuplicateCheck: false })
      return { status: 200, body: JSON.parse(text) }
    } catch (error) {
      const { status, content } = error as WireError
      return { status, body: { content } as Record<string, unknown> }
    }
  }
  const { result } = await sentBy(service.deps.database, async (_names, pending) => {
    const { checks, creates } = await behindTheClock(caller, async () => {
      const ahead = [create(person('Ahead 1')), create(person('Ahead 2'))]
      await untilWaiting(2)
      const checks = vi.spyOn(oncePerPerson, 'refusals')
      const creates = bodies.map(create)
      for (let turns = 0; turns < 50; turns++) {
        await setImmediate()
        if (pending() > 0) turns = 0
      }
      return { checks, creates: [...ahead, ...creates] }
    })
    const replies = (await Promise.all(creates)).slice(2)
    const count = checks.mock.calls.length
    checks.mockRestore()
    return { replies, count }
  })
  return result
}

const linked = (external_id: string) => ({ external_provenance: { system_name: 'EHR', external_id } })

it('creates that arrive together share one duplicate check, and each gets its own answer', async () => {
  const caller = await service.newCaller()
  const { body: stored } = await caller.call('POST', '/patients/v1', person('Stored', linked('1')))
  const others = Array.from({ length: TOGETHER }, (_, index) => `Person ${index}`)
  const { replies, count } = await together(caller, [
    person('Twin'),
    person(' TWIN '),
    person('stored'),
    person('Linked', linked('1')),
    person('Taken MRN', { mrn: stored.mrn }),
    ...others.map((family) => person(family)),
  ])
  expect(count).toBe(1)
  const [twin, second, known, sameLink, takenMrn, ...rest] = replies
  expect(twin?.status).toBe(200)
  const refusal = (of: { id: string; mrn: string }) => [{ existing_patient_id: of.id, existing_patient_mrn: of.mrn }]
  expect([second?.status, second?.body.content.data]).toEqual([409, refusal(twin?.body)])
  expect([known?.status, known?.body.content.data]).toEqual([409, refusal(stored)])
  expect([sameLink?.status, sameLink?.body.content.message]).toEqual([409, expect.stringContaining('external_id')])
  expect([takenMrn?.status, takenMrn?.body.content.message]).toEqual([409, 'this MRN is in use'])
  expect(rest.map(({ status, body }) => [status, body.name.family])).toEqual(others.map((family) => [200, family]))
})

it('of creates that arrive together with the same external id or MRN one is stored, and all others are not affected', async () => {
  const caller = await service.newCaller()
  await caller.call('POST', '/patients/v1', person('First'))
  const { replies } = await together(caller, [
    ...[1, 2, 3].map((index) => person(`Linked ${index}`, linked('7'))),
    ...Array.from({ length: TOGETHER }, (_, index) => person(`Person ${index}`)),
    ...[1, 2, 3].map((index) => person(`Numbered ${index}`, { mrn: 'SAME' })),
  ])
  const statuses = replies.map(({ status }) => status)
  expect(statuses.slice(0, 3).sort()).toEqual([200, 409, 409])
  expect(statuses.slice(3, -3)).toEqual(Array(TOGETHER).fill(200))
  expect(statuses.slice(-3).sort()).toEqual([200, 409, 409])
})

it('one of 20 simultaneous creates of a person in two processes is stored', async () => {
  const caller = await service.newCaller()
  const pool = openDatabase({ connectionString: service.databaseUrl }, { onError: () => {} })
  const second = buildApp({ ...service.deps, database: pool, metrics: createMetrics() })
  const headers = { authorization: `Bearer ${caller.token}` }
  try {
    for (let round = 0; round < 5; round++) {
      const payload = person(`Person ${round}`)
      const replies = await Promise.all(
        Array.from({ length: 20 }, (_, index) =>
          index % 2
            ? caller.call('POST', '/patients/v1', payload)
            : send(second, { method: 'POST', url: '/patients/v1', headers, payload }),
        ),
      )
      const [made, ...others] = replies.sort((one, other) => one.status - other.status)
      expect(replies.map(({ status }) => status)).toEqual([200, ...Array(19).fill(409)])
      for (const { body } of others) expect(body.content.data[0].existing_patient_id).toBe(made?.body.id)
    }
  } finally {
    await second.close()
    await pool.close()
  }
})

it('the MRN of a create that was refused goes to the next patient', async () => {
  const { call } = await service.newCaller()
  const { body: first } = await call('POST', '/patients/v1', person('First'))
  expect((await call('POST', '/patients/v1', person('First'))).status).toBe(409)
  const { body: next } = await call('POST', '/patients/v1', person('Next'))
  expect(Number(next.mrn)).toBe(Number(first.mrn) + 1)
})
