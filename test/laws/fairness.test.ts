// Regardless of what one organization or an unauthenticated caller does, another organization's calls are answered
// meanwhile, and none is refused.
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { type AddressInfo, connect } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { pino } from 'pino'
import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import { type Clearinghouse, ClearinghouseError } from '../../src/clearinghouses/clearinghouse.ts'
import { openClearinghouses } from '../../src/clearinghouses/registry.ts'
import { startCheckWorker } from '../../src/eligibility/checks/check-worker.ts'
import { buildApp } from '../../src/main/app.ts'
import { CONNECT_TIMEOUT_MS } from '../../src/platform/database/connections/connections.ts'
import type { Database } from '../../src/platform/database/database.ts'
import { answerText } from '../support/answers.ts'
import { coverageBody, eligibilityRequestBody, patientBody, planGroupBody } from '../support/bodies.ts'
import { type Caller, type Reply, testService } from '../support/service.ts'

/** Reports everyone as ACTIVE, but never answers for members of the silent payer. */
const SILENT_PAYER = '99999'
const PLACES = 20
const asked = { silent: 0, giveUp: [] as (() => void)[] }
const payers: Clearinghouse = {
  name: 'test',
  async checkEligibility({ payer, traceNumber, subscriber }) {
    if (payer.id !== SILENT_PAYER) {
      const { firstName, lastName, memberId } = subscriber
      const member = `HL*3*2*22*0~TRN*2*${traceNumber}*9ANTEROOM1~NM1*IL*1*${lastName}*${firstName}****MI*${memberId}~`
      return { rawInquiry: 'asked', rawResponse: answerText('EB*1**30**TEST PLAN~', member) }
    }
    asked.silent++
    return new Promise((_resolve, reject) => {
      asked.giveUp.push(() => reject(new ClearinghouseError('gone', { code: 'GONE', retryable: false })))
    })
  },
}

const service = testService(({ config, database, vault }) => ({
  config: { ...config, CLEARINGHOUSE_TIMEOUT_MS: 600_000 },
  clearinghouses: openClearinghouses(
    { database, vault },
    { name: 'test', clearinghouse: payers, retryForMs: 0, breakAfter: Number.POSITIVE_INFINITY },
    PLACES,
  ),
}))

let url: string
let port: number
beforeAll(async () => {
  const app = buildApp(service.deps, { pressure: { isHigh: () => false, isLate: () => false, stop: () => {} } })
  url = await app.listen({ host: '127.0.0.1', port: 0, listenTextResolver: () => '' })
  port = (app.server.address() as AddressInfo).port
  return async () => {
    app.server.closeAllConnections()
    await app.close()
  }
})

const closers: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closers.splice(0)) await close()
})

const CLIENT = { 'content-type': 'application/json' }

async function send(caller: Caller, method: string, path: string, body?: unknown): Promise<Response> {
  return fetch(url + path, {
    method,
    headers: { ...CLIENT, authorization: `Bearer ${caller.token}` },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
}

/** Sends the head of a request that announces a body, and part of the body. */
async function halfSend(path: string, type: string, token?: string): Promise<void> {
  const socket = connect(port, '127.0.0.1')
  closers.push(() => socket.destroy())
  socket.on('error', () => {}).resume()
  await once(socket, 'connect')
  const own = token ? `authorization: Bearer ${token}\r\n` : ''
  socket.write(`POST ${path} HTTP/1.1\r\nhost: x\r\n${own}content-type: ${type}\r\ncontent-length: 9000\r\n\r\n{"`)
}

/** The usual work of a front desk: reads by id and in lists, writes, and a check. All of it must succeed. */
async function expectUsualWork(caller: Caller): Promise<void> {
  for (let round = 0; round < 3; round++) {
    const patient = await send(caller, 'POST', '/patients/v1?skip_duplicate_check=true', patientBody())
    expect(patient.status).toBe(200)
    const { id, version } = (await patient.json()) as { id: string; version: number }
    const coverage = await send(caller, 'POST', '/coverages/v1', coverageBody(id))
    const calls = [
      send(caller, 'GET', `/patients/v1/${id}`),
      send(caller, 'GET', `/coverages/v1?patient_id=${id}`),
      send(caller, 'GET', '/patients/v1/updates/scan?since=2000-01-01T00:00:00Z'),
      send(caller, 'POST', '/notes/v1', { value: 'x' }),
      send(caller, 'PUT', `/patients/v1/${id}/${version + 1}`, patientBody()),
      send(caller, 'POST', '/eligibility-checks/v1', eligibilityRequestBody()),
    ]
    const statuses = (await Promise.all(calls)).map(({ status }) => status)
    expect([coverage.status, ...statuses]).toEqual([200, 200, 200, 200, 200, 200, 200])
  }
}

const askToken = ({ credentials }: Caller) =>
  fetch(`${url}/api/auth/v2/token`, { method: 'POST', headers: CLIENT, body: JSON.stringify(credentials) })

describe('an organization can work normally while', () => {
  it('another organization has 1,000 half-sent requests open', async () => {
    const [hostile, other] = [await service.newCaller(), await service.newCaller()]
    for (let index = 0; index < 1000; index++) await halfSend('/notes/v1', 'application/json', hostile.token)
    await expectUsualWork(other)
    await expectUsualWork(hostile)
  })

  it('an unauthenticated caller has 260 idle sockets with half a token request: tokens and keys remain available', async () => {
    const other = await service.newCaller()
    for (const type of ['application/json', 'application/x-www-form-urlencoded']) {
      for (let index = 0; index < 260; index++) await halfSend('/api/auth/v2/token', type)
    }
    for (let round = 0; round < 5; round++) {
      expect((await askToken(other)).status).toBe(200)
      for (const path of ['/.well-known/jwks.json', '/pem', '/docs', '/healthz', '/readyz']) {
        expect([path, (await fetch(url + path)).status]).toEqual([path, 200])
      }
    }
    await expectUsualWork(other)
  })

  it('another organization has 20 concurrent bulk updates that do not end; they queue without a connection, and none is refused', async () => {
    const [hostile, other] = [await service.newCaller(), await service.newCaller()]
    const group = randomUUID()
    const plan = { member_id: 'W1', payer_id: '60054', payer_name: 'Aetna', payer_plan_group_id: group }
    const patient = await hostile.call('POST', '/patients/v1', patientBody())
    await hostile.call('POST', '/coverages/v1', coverageBody(patient.body.id, { insurance_plan: plan }))
    const update = () =>
      send(hostile, 'POST', `/coverages/v1/batch-update-ppg/${group}`, planGroupBody({ payer_plan_group_id: group }))
    let updates: Promise<Response>[] = []
    await service.database.transaction(async (holder) => {
      await holder.rows('select 1 from coverage where organization_id = $1 for update', [hostile.organizationId])
      updates = Array.from({ length: 20 }, update)
      await untilWaiting(1)
      await expectUsualWork(other)
      expect((await askToken(other)).status).toBe(200)
      expect((await fetch(`${url}/readyz`)).status).toBe(200)
      // Longer than a call may wait for a connection.
      await delay(CONNECT_TIMEOUT_MS + 500)
      expect(await countWaiting()).toBe(1)
      await expectUsualWork(hostile)
    })
    const statuses = (await Promise.all(updates)).map(({ status }) => status)
    expect(statuses).toEqual(Array.from({ length: 20 }, () => 200))
  })

  it('another organization sends one bulk update after the other: only its own updates pause', async () => {
    const [hostile, other] = [await service.newCaller(), await service.newCaller()]
    const turns = service.deps.bulkTurns
    const group = randomUUID()
    const plan = { member_id: 'W1', payer_id: '60054', payer_name: 'Aetna', payer_plan_group_id: group }
    const patient = await hostile.call('POST', '/patients/v1', patientBody())
    await hostile.call('POST', '/coverages/v1', coverageBody(patient.body.id, { insurance_plan: plan }))
    let updating: Promise<Reply> | undefined
    await service.database.transaction(async (holder) => {
      await holder.rows('select 1 from coverage where organization_id = $1 for update', [hostile.organizationId])
      const body = planGroupBody({ payer_plan_group_id: group })
      updating = hostile.call('POST', `/coverages/v1/batch-update-ppg/${group}`, body)
      await untilWaiting(1)
      // A longer update is followed by a longer pause.
      await delay(1000)
    })
    expect((await updating)?.status).toBe(200)
    expect(turns.hasRoomFor(hostile.organizationId)).toBe(false)
    expect(turns.hasRoomFor(other.organizationId)).toBe(true)
    while (!turns.hasRoomFor(hostile.organizationId)) await delay(50)
  })

  it('callers of another organization have gone: their lists are not begun, and those that run are cancelled', async () => {
    const [hostile, other] = [await service.newCaller(), await service.newCaller()]
    await service.database.transaction(async (holder) => {
      await holder.rows('lock table patient in access exclusive mode')
      const leaving = new AbortController()
      const lists = Array.from({ length: 40 }, () =>
        fetch(`${url}/patients/v1/updates/scan?since=2000-01-01T00:00:00Z`, {
          headers: { authorization: `Bearer ${hostile.token}` },
          signal: leaving.signal,
        }),
      )
      // How many have begun by then depends on the machine: long reads beside calls of others are begun one by one (decisions/0091-heavy-reads.md).
      await expect.poll(() => service.deps.metrics.inFlight.size).toBe(lists.length)
      await untilWaiting(1)
      leaving.abort()
      await Promise.allSettled(lists)
      await expect.poll(countWaiting).toBe(0)
      expect((await send(other, 'POST', '/notes/v1', { value: 'x' })).status).toBe(200)
      expect(await countWaiting()).toBe(0)
    })
    await expect.poll(() => service.deps.metrics.inFlight.size).toBe(0)
    const { items } = (await (await send(hostile, 'GET', '/anteroom/v1/audit?operation=patients.scan')).json()) as {
      items: { status: number; times?: number }[]
    }
    expect(items.map(({ status }) => status)).toEqual(Array(40).fill(499))
    await expectUsualWork(hostile)
  })

  it('another organization has 45 checks at a payer that never answers', async () => {
    const [hostile, other] = [await service.newCaller(), await service.newCaller()]
    asked.silent = 0
    const check = () =>
      send(hostile, 'POST', '/eligibility-checks/v1', eligibilityRequestBody({ payer_id: SILENT_PAYER }))
    const checks = Array.from({ length: 45 }, check)
    while (asked.silent < 15) await delay(10)
    await expectUsualWork(other)
    expect(asked.silent).toBe(15)
    await letPayersFail(Promise.all(checks))
  })

  it('the batches of another organization wait for a payer that never answers: its own are answered', async () => {
    const [hostile, other] = [await service.newCaller(), await service.newCaller()]
    asked.silent = 0
    const worker = startCheckWorker(service.deps, { concurrency: 16, log: pino({ level: 'silent' }) })
    await sendBatch(hostile, 60, SILENT_PAYER)
    while (asked.silent < 12) await delay(10)
    await untilAnswered(other, await sendBatch(other, 20))
    expect(asked.silent).toBe(12)
    await letPayersFail(worker.stop())
  })

  it("the answers to another organization's checks cannot be stored: its own batches are answered", async () => {
    const [hostile, other] = [await service.newCaller(), await service.newCaller()]
    const waiting: (() => void)[] = []
    const { database: whole } = service.deps
    const held = (database: Database): Pick<Database, 'rows'> => ({
      async rows(statement, values) {
        const isStored = typeof statement !== 'string' && statement.name === 'eligibility_check_answer'
        if (isStored && values?.[0] === hostile.organizationId)
          await new Promise<void>((resolve) => waiting.push(resolve))
        return database.rows(statement, values)
      },
    })
    const database: Database = {
      ...whole,
      ...held(whole),
      transaction: (work) => whole.transaction((transaction) => work({ ...transaction, ...held(transaction) })),
    }
    const concurrency = 4
    const log = pino({ level: 'silent' })
    const hostileBatch = await sendBatch(hostile, 8 * concurrency)
    const worker = startCheckWorker({ ...service.deps, database }, { concurrency, log })
    while (waiting.length === 0) await delay(10)
    await untilAnswered(other, await sendBatch(other, 10))
    const storing = setInterval(() => {
      for (const store of waiting.splice(0)) store()
    }, 10)
    await untilAnswered(hostile, hostileBatch).finally(() => clearInterval(storing))
    // The worker may also hold checks at the silent payer from the previous test.
    await letPayersFail(worker.stop())
  })

  it('every connection for calls is in use: callers are authenticated, tokens are issued, and the process is ready', async () => {
    const other = await service.newCaller()
    let release = () => {}
    const released = new Promise<void>((resolve) => (release = resolve))
    let begun = 0
    const holders = Array.from({ length: 40 }, () =>
      service.deps.database
        .transaction(async (transaction) => {
          await transaction.rows('select $1::uuid', [randomUUID()])
          begun++
          await released
        })
        .catch(() => {}),
    )
    while (begun < 20) await delay(10)
    expect((await askToken(other)).status).toBe(200)
    expect((await fetch(`${url}/readyz`)).status).toBe(200)
    expect((await send(other, 'GET', `/notes/v1/${randomUUID()}`)).status).toBe(404)
    release()
    await Promise.all(holders)
  })
})

/** Fails the inquiries without an answer, and those sent after them, until `work` is done. */
async function letPayersFail<T>(work: Promise<T>): Promise<T> {
  const failing = setInterval(() => {
    for (const giveUp of asked.giveUp.splice(0)) giveUp()
  }, 10)
  return work.finally(() => clearInterval(failing))
}

interface SentBatch {
  id: string
  size: number
}

async function sendBatch(caller: Caller, size: number, payer_id?: string): Promise<SentBatch> {
  const checks = Array.from({ length: size }, (_, index) =>
    eligibilityRequestBody({ submitter_transaction_identifier: `T${index}`, ...(payer_id && { payer_id }) }),
  )
  const reply = await send(caller, 'POST', '/eligibility-checks/v1/batch', checks)
  expect(reply.status).toBe(200)
  return { id: ((await reply.json()) as { batch_id: string }).batch_id, size }
}

/** Counted in the database meanwhile, because the caller's page shows every answer each time. */
async function untilAnswered(caller: Caller, { id, size }: SentBatch): Promise<void> {
  const counted = `select count(*) from eligibility_check where batch_id = $1 and status <> 'PENDING'`
  while (Number((await service.database.row(counted, [id]))?.[0]) < size) await delay(20)
  const page = await send(caller, 'GET', `/eligibility-checks/v1/batch/${id}`)
  expect(await page.json()).toMatchObject({ total: size })
}

/** Waits until `count` statements wait for a lock. */
async function untilWaiting(count: number): Promise<void> {
  while ((await countWaiting()) < count) await delay(20)
}

async function countWaiting(): Promise<number> {
  const sql = `select count(*) from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
  return Number((await service.database.row(sql))?.[0])
}

it('strangers have all of their places: a client is admitted also when what is known of it must be read again', async () => {
  const caller = await service.newCaller()
  const { config, tokens, authenticationDatabase } = service.deps
  const waiting: (() => void)[] = []
  const app = buildApp({
    ...service.deps,
    // Of which strangers may have two.
    config: { ...config, MAX_REQUESTS_IN_FLIGHT: 8 },
    tokens: { ...tokens, recall: () => undefined },
    authenticationDatabase: {
      ...authenticationDatabase,
      rowByKey: async () => new Promise<undefined>((resolve) => waiting.push(() => resolve(undefined))),
    },
  })
  closers.push(() => app.close())
  const ask = (remoteAddress: string, token: string) =>
    app.inject({ url: '/coverages/v1', remoteAddress, headers: { authorization: `Bearer ${token}` } })
  expect((await ask('192.0.2.1', caller.token)).statusCode).toBe(200)
  const strangers = ['192.0.2.2', '192.0.2.3'].map((remoteAddress) =>
    app.inject({
      method: 'POST',
      url: '/api/auth/v2/token',
      remoteAddress,
      headers: CLIENT,
      payload: caller.credentials,
    }),
  )
  await expect.poll(() => waiting.length).toBe(2)
  expect((await ask('192.0.2.4', 'a.new.token')).statusCode).toBe(503)
  expect((await ask('192.0.2.4', caller.token)).statusCode).toBe(200)
  for (const answer of waiting) answer()
  expect((await Promise.all(strangers)).map(({ statusCode }) => statusCode)).toEqual([401, 401])
})
