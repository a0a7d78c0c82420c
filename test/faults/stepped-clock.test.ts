// The clock of the service and the clock of the database are set forward and back while records are written.
import { randomUUID } from 'node:crypto'
import { pino } from 'pino'
import { expect, test } from 'vitest'
import { beginCheck, lateChecks, prepareInquiry } from '../../src/eligibility/checks/answer-check.ts'
import { checkLeases } from '../../src/eligibility/checks/check-queue.ts'
import { visitLeases } from '../../src/eligibility/verification/claim-visits.ts'
import { systemActor } from '../../src/eligibility/verification/visit.ts'
import { openTokenIssuer } from '../../src/platform/auth/tokens.ts'
import type { SystemDatabase } from '../../src/platform/database/database.ts'
import { clockLook } from '../../src/platform/database/leases/set-back-clock.ts'
import { createMetrics } from '../../src/platform/metrics/metrics.ts'
import { lateDeliveries } from '../../src/webhooks/delivery-store.ts'
import { eligibilityRequestBody, patientBody } from '../support/bodies.ts'
import { refuseWrites } from '../support/refuse-writes.ts'
import { testService } from '../support/service.ts'

const HOUR_MS = 3_600_000
let offsetMs = 0
const now = () => new Date(Date.now() + offsetMs)
const service = testService(async ({ systemDatabase: database, vault }) => ({
  now,
  tokens: await openTokenIssuer({ database, vault, issuer: 'anteroom', lifetimeSeconds: 18_000, now }),
}))

test.each([
  ['an hour forward', HOUR_MS],
  ['an hour back', -HOUR_MS],
  ['a year forward', 365 * 24 * HOUR_MS],
  ['a year back', -365 * 24 * HOUR_MS],
])('after a step of the service’s clock by %s new tokens are good, and writes follow each other', async (_, stepMs) => {
  offsetMs = 0
  const { credentials, call } = await service.newCaller()
  const { body: before } = await call('POST', '/notes/v1', { value: 'before' })
  offsetMs = stepMs
  const { client_id, client_secret } = credentials
  const { body: token } = await call('POST', '/api/auth/v2/token', { client_id, client_secret })
  const headers = { authorization: `Bearer ${token.access_token}` }
  const written = await call('PUT', `/notes/v1/${before.id}/1`, { value: 'after' }, headers)
  expect(written.status, written.text).toBe(200)
  expect(written.body.version).toBe(2)
  expect(written.body.updated_at > before.updated_at).toBe(true)
  offsetMs = 0
  const back = await call('GET', `/notes/v1/${before.id}`)
  expect(back.body).toEqual(written.body)
})

test('an access token expires by the current clock, and the answer explains how to get another', async () => {
  offsetMs = 0
  const { call } = await service.newCaller()
  offsetMs = 6 * HOUR_MS
  const late = await call('GET', '/notes/v1/x')
  expect([late.status, late.headers['www-authenticate']]).toEqual([401, expect.stringContaining('Bearer')])
  offsetMs = 0
})

test('after the database’s clock has been a year ahead, versions and scans keep their order', async () => {
  offsetMs = 0
  const { organizationId, call } = await service.newCaller()
  const { body: first } = await call('POST', '/patients/v1', patientBody())
  await service.database.rows(`update change_clock set at = at + interval '1 year' where organization_id = $1`, [
    organizationId,
  ])
  const stamps = [first.updated_at]
  for (let version = 2; version <= 6; version++) {
    const { status, body } = await call(
      'PUT',
      `/patients/v1/${first.id}/${version}`,
      patientBody({ language: `${version}` }),
    )
    expect(status).toBe(200)
    stamps.push(body.updated_at)
  }
  expect(stamps).toEqual([...new Set(stamps)].sort())
  const { body: created } = await call('POST', '/patients/v1', patientBody({ birth_date: '1990-01-01' }))
  const { body: seen } = await call('GET', `/patients/v1/updates/scan?since=${encodeURIComponent(stamps[1])}`)
  expect(seen.map(({ id }: { id: string }) => id)).toEqual([first.id, created.id])
})

/** Work that waits: a batch's checks, one of them held by a process, a visit's verification, a webhook and its delivery. */
async function newWaitingWork() {
  const { organizationId, call } = await service.newCaller()
  const { status, text } = await call(
    'POST',
    '/eligibility-checks/v1/batch',
    [1, 2].map(() => eligibilityRequestBody()),
  )
  expect(status, text).toBe(200)
  const hook = await call('POST', '/anteroom/v1/webhooks', { url: 'https://receiver.example/', event_types: ['*'] })
  expect(hook.status, hook.text).toBe(200)
  const run = (sql: string, ...values: unknown[]) => service.database.rows(sql, [organizationId, ...values])
  await run(
    `update eligibility_check set held = true, attempt = 1 where organization_id = $1
      and id = (select min(id::text)::uuid from eligibility_check where organization_id = $1)`,
  )
  await run(
    `insert into appointment_verification (organization_id, appointment_id, date_of_service, begun_at, attempt, held, due_at)
      values ($1, $2, '2026-01-01', now(), 1, false, now())`,
    randomUUID(),
  )
  await run(
    'insert into webhook_delivery (organization_id, webhook_id, number, record_id) values ($1, $2, 1, $3)',
    hook.body.webhook?.id ?? hook.body.id,
    randomUUID(),
  )
  return {
    organizationId,
    /** What the rows look like after the database's clock was set back by this much. */
    async delay(by: string) {
      await run(`update eligibility_check set due_at = now() + $2::interval where organization_id = $1`, by)
      await run(`update appointment_verification set due_at = now() + $2::interval where organization_id = $1`, by)
      await run(
        `update webhook set leased_until = now() + $2::interval, retry_at = now() + $2::interval where organization_id = $1`,
        by,
      )
      await run(`update webhook_delivery set due_at = now() + $2::interval where organization_id = $1`, by)
    },
    /** The longest wait in seconds: of what nobody holds, and of what is held under a lease. */
    async waits() {
      const [row] = await run(`select
          (select max(extract(epoch from due_at - now())) from (
            select due_at from eligibility_check where organization_id = $1 and not held
            union all select due_at from appointment_verification where organization_id = $1
            union all select retry_at from webhook where organization_id = $1
            union all select due_at from webhook_delivery where organization_id = $1
          ) free),
          (select max(extract(epoch from due_at - now())) from (
            select due_at from eligibility_check where organization_id = $1 and held
            union all select leased_until from webhook where organization_id = $1
          ) leased)`)
      return (row ?? []).map(Number)
    },
  }
}

/** What is due now; the clocks of two processors differ by some microseconds. */
const DUE_SECONDS = 1

const allWaits = [checkLeases.late(), visitLeases.late(), ...lateDeliveries]
const needs = (systemDatabase = service.database) => ({
  systemDatabase,
  metrics: createMetrics(),
  log: pino({ level: 'silent' }),
})

test('after the database’s clock was set back by an hour, checks, visits and webhooks do not wait for an hour', async () => {
  const work = await newWaitingWork()
  let monotonicMs = 0
  const look = clockLook(needs(), allWaits, () => monotonicMs)
  expect(await look()).toBe(false)
  await work.delay('1 hour')
  // A minute later the clock is right: a Retry-After of an hour stays.
  expect(await look()).toBe(false)
  expect((await work.waits())[0]).toBeGreaterThan(3000)
  monotonicMs = HOUR_MS
  expect(await look()).toBe(true)
  const [free, leased] = await work.waits()
  expect(free).toBeLessThan(DUE_SECONDS)
  expect(leased).toBeGreaterThan(0)
  expect(leased).toBeLessThanOrEqual(60)
  expect(await look()).toBe(false)
})

test('a database that takes half a minute to answer is not one whose clock was set back', async () => {
  const work = await newWaitingWork()
  const times = [0, 30_000, 30_000, 30_000]
  const look = clockLook(needs(), allWaits, () => times.shift() ?? 0)
  await look()
  await work.delay('1 hour')
  expect(await look()).toBe(false)
  expect((await work.waits())[0]).toBeGreaterThan(3000)
})

test('what was stored while the clock was a month ahead is due when a process starts', async () => {
  const work = await newWaitingWork()
  await work.delay('30 days')
  expect(await clockLook(needs(), allWaits)()).toBe(false)
  const [free, leased] = await work.waits()
  expect(free).toBeLessThan(DUE_SECONDS)
  expect(leased).toBeLessThanOrEqual(60)
})

test('a clock that was ahead for a moment, which nobody saw, leaves no lease of an hour and no wait of a month', async () => {
  const [work, { database }] = [await newWaitingWork(), service]
  let clockMs = 0
  const seen: typeof database = { ...database, row: async () => [String(clockMs)], rows: database.rows }
  const look = clockLook(needs(seen), allWaits, () => clockMs)
  await work.delay('1 hour')
  expect(await look()).toBe(false)
  const [free, leased] = await work.waits()
  expect(free).toBeGreaterThan(3000)
  expect(leased).toBeLessThanOrEqual(60)
  await work.delay('30 days')
  clockMs = 60_000
  expect(await look()).toBe(false)
  expect((await work.waits())[0]).toBeLessThan(DUE_SECONDS)
})

test('an organization whose work is locked, or cannot be written, keeps the work of no other one waiting', async () => {
  const [locked, damaged, other] = [await newWaitingWork(), await newWaitingWork(), await newWaitingWork()]
  let monotonicMs = 0
  const look = clockLook(needs(), allWaits, () => monotonicMs)
  await look()
  for (const work of [locked, damaged, other]) await work.delay('1 hour')
  const undo = await refuseWrites(
    service.database,
    'before update on eligibility_check',
    `old.organization_id = '${damaged.organizationId}'`,
  )
  monotonicMs = HOUR_MS
  await service.database.transaction(async (transaction) => {
    const rows = 'select from eligibility_check where organization_id = $1 for update'
    await transaction.rows(rows, [locked.organizationId])
    expect(await look()).toBe(true)
    expect((await other.waits())[0]).toBeLessThan(DUE_SECONDS)
    expect((await locked.waits())[0]).toBeGreaterThan(3000)
  })
  await undo()
  expect(await look()).toBe(false)
  for (const work of [locked, damaged, other]) expect((await work.waits())[0]).toBeLessThan(DUE_SECONDS)
})

/** 20,000 finished rows of the organization `$1`. */
const finishedRows: Record<string, string> = {
  eligibility_check: `insert into eligibility_check (organization_id, id, initiated_at, completed_at, user_id, status, request)
    select $1, gen_random_uuid(), now(), now(), $1, 'COMPLETED', '{}' from generate_series(1, 20000)`,
  appointment_verification: `insert into appointment_verification (organization_id, appointment_id, date_of_service, begun_at, attempt, due_at, finished_at)
    select $1, gen_random_uuid(), '2026-03-09', now(), 1, now(), now() from generate_series(1, 20000)`,
}

test.each([
  ['checks that were ever answered', 'eligibility_check', checkLeases.late()],
  ['visits that were ever verified', 'appointment_verification', visitLeases.late()],
])('a look reads what waits, not all %s', async (_, table, late) => {
  const { organizationId, delay } = await newWaitingWork()
  await service.database.rows(finishedRows[table] ?? '', [organizationId])
  await service.database.rows(`analyze ${table}`)
  await delay('30 days')
  const read: number[] = []
  const explained = async (database: Pick<SystemDatabase, 'rows'>, statement: unknown, values: unknown[] = []) => {
    const { name = '', text = '' } = statement as { name?: string; text?: string }
    if (!name.startsWith(`${table}_late`) && !name.startsWith(`${table}_bring`)) return
    const [[plan = ''] = []] = await database.rows(`explain (analyze, buffers, format json) ${text}`, values)
    const { 'Shared Hit Blocks': hit, 'Shared Read Blocks': missed } = JSON.parse(plan ?? '')[0].Plan
    read.push(hit + missed)
  }
  const seen: typeof service.database = {
    ...service.database,
    rows: async (statement, values) => {
      await explained(service.database, statement, values)
      return service.database.rows(statement, values)
    },
  }
  await clockLook(needs(seen), [late])()
  expect(read.length).toBeGreaterThan(0)
  expect(Math.max(...read)).toBeLessThan(100)
})

test('more than a statement makes due are all due after a look', async () => {
  const work = await newWaitingWork()
  await service.database.rows(
    `insert into appointment_verification (organization_id, appointment_id, date_of_service, begun_at, attempt, held, due_at)
      select $1, gen_random_uuid(), '2026-01-01', now(), 1, false, now() + interval '30 days' from generate_series(1, 2500)`,
    [work.organizationId],
  )
  await clockLook(needs(), allWaits)()
  expect((await work.waits())[0]).toBeLessThan(DUE_SECONDS)
})

test('a check whose caller waits for a slow payer stays the caller’s, however often a process looks at the clock', async () => {
  offsetMs = 0
  const { organizationId } = await service.newCaller()
  const actor = systemActor(organizationId)
  const inquiry = await prepareInquiry(service.deps, actor, eligibilityRequestBody())
  const { id } = await beginCheck(service.deps, actor, inquiry)
  const heldUntil = async () => {
    const [row] = await service.database.rows('select due_at from eligibility_check where id = $1', [id])
    return row?.[0]
  }
  const before = await heldUntil()
  expect(await clockLook(needs(), [lateChecks(service.deps.config)])()).toBe(false)
  expect(await heldUntil()).toBe(before)
  await service.database.rows(`update eligibility_check set due_at = due_at + interval '1 hour' where id = $1`, [id])
  await clockLook(needs(), [lateChecks(service.deps.config)])()
  const [row] = await service.database.rows(
    'select extract(epoch from due_at - now()) * 1000 from eligibility_check where id = $1',
    [id],
  )
  expect(Number(row?.[0])).toBeLessThanOrEqual(service.deps.config.CLEARINGHOUSE_TIMEOUT_MS + 30_000)
})
