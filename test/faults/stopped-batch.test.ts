// SIGTERM while a batch of checks is processed: inquiries in flight are finished, other checks are released.
import { setTimeout as delay } from 'node:timers/promises'
import { CandidApi } from 'candidhealth'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openDatabase } from '../../src/platform/database/database-pool.ts'
import { bodyOf } from '../acceptance/requests.ts'
import { newClient } from '../support/new-client.ts'
import { publishedClient } from '../support/published-client.ts'
import {
  newClonePlace,
  type Settings,
  type StartedServer,
  startProgram,
  startServer,
} from '../support/started-server.ts'
import { type CountingPayer, startCountingPayer } from './counting-payer.ts'

const CHECKS = 120
const CONCURRENCY = 8
/** Slow enough that a busy machine delivers the signals before the batch is over. */
const PAYER_MS = 200

const closers: (() => unknown)[] = []
afterAll(async () => {
  for (const close of closers.toReversed()) await close()
})

let payer: CountingPayer
let place: Awaited<ReturnType<typeof newClonePlace>>
let settings: Settings
let database: ReturnType<typeof openDatabase>
/** The server that takes the batches and asks no payer. */
let front: StartedServer
beforeAll(async () => {
  ;[payer, place] = await Promise.all([startCountingPayer(PAYER_MS), newClonePlace()])
  closers.push(payer.close, place.remove)
  settings = {
    ...place.settings,
    CLEARINGHOUSE_URL: payer.url,
    CLEARINGHOUSE_MAX_CONCURRENCY: '1000',
    LOG_LEVEL: 'silent',
  }
  database = openDatabase({ connectionString: place.settings.DATABASE_URL, max: 1 }, { onError: () => {} })
  closers.push(database.close)
  front = await startServer({ ...settings, WORKER_CONCURRENCY: '0' })
  closers.push(front.kill)
})

const startWorker = (working: Settings, pattern = /^Anteroom works on (\d+)/m) =>
  startProgram(['worker'], working, pattern)

/** Sends a batch of a new organization; the function counts its answers. */
async function sendBatch(count: number): Promise<() => Promise<number>> {
  const client = await newClient({ connectionString: place.settings.DATABASE_URL })
  const checks = publishedClient(front, client).preEncounter.eligibilityChecks.v1
  const { batchId } = bodyOf(
    await checks.batch(
      Array.from({ length: count }, (_, index) => ({
        submitterTransactionIdentifier: `check ${index}`,
        payerId: CandidApi.preEncounter.PayerId('60054'),
        provider: { npi: '1999999984' },
        subscriber: { memberId: 'AETNA12345', firstName: 'Jane', lastName: 'Doe', dateOfBirth: '2004-04-04' },
      })),
    ),
  )
  return async () => bodyOf(await checks.pollBatch(batchId)).total
}

test('a server and a worker that are stopped midway in a batch send no check twice, and the batch is answered completely', async () => {
  const working = { ...settings, WORKER_CONCURRENCY: String(CONCURRENCY) }
  const [first, worker] = await Promise.all([startServer(working), startWorker(working)])
  closers.push(first.kill, worker.kill)
  const answered = await sendBatch(CHECKS)
  while (payer.asked.size < CHECKS / 4) await delay(5)
  await Promise.all([first.stop(), worker.stop()])
  const asked = payer.asked.size
  expect(asked, 'they were stopped in the middle').toBeLessThan(CHECKS)
  expect(await answered(), 'what was begun was finished').toBe(asked)

  const last = await startWorker(working)
  closers.push(last.kill)
  while ((await countAnswers()) < CHECKS) await delay(50)
  expect(await answered()).toBe(CHECKS)
  expect([...payer.asked.values()].filter((times) => times !== 1)).toEqual([])
  expect(payer.asked.size).toBe(CHECKS)
  await last.stop()
})

const IN_FLIGHT = 50
/** The places of which one organization gets three quarters, the number of checks in flight (src/platform/fair-share.ts). */
const PLACES = 67
/** Far longer than an idle process needs to stop. */
const HELD_MS = 3_000

interface StopCase {
  /** The number of stop signals. */
  times: number
}

test.each<[command: string, stopCase: StopCase]>([
  ['serve', { times: 1 }],
  ['worker', { times: 1 }],
  ['worker', { times: 3 }],
])(
  '%s with 50 checks at a slow payer and stop signals %o waits for all of them, starts no other, and exits with code 0',
  async (command, { times }) => {
    let answer = () => {}
    payer.restart(new Promise<void>((resolve) => (answer = resolve)))
    // What the case before has left would be asked as well.
    await database.systemDatabase.rows(`delete from eligibility_check where status = 'PENDING'`)
    const working = { ...settings, WORKER_CONCURRENCY: String(PLACES) }
    const stopped = await (command === 'serve' ? startServer(working) : startWorker(working))
    closers.push(stopped.kill)
    const answered = await sendBatch(2 * IN_FLIGHT)
    while (payer.asked.size < IN_FLIGHT) await delay(10)
    const ends = Array.from({ length: times }, async (_, index) => {
      await delay(index * 300)
      await stopped.stop()
    })
    const isOver = Promise.all(ends).then(() => true)
    expect(await Promise.race([isOver, delay(HELD_MS, false)]), 'it ended before the answers').toBe(false)
    answer()
    await isOver
    expect(payer.asked.size, 'nothing new was asked').toBe(IN_FLIGHT)
    expect(await answered(), 'what was at the payer is answered').toBe(IN_FLIGHT)
    expect([...payer.asked.values()].filter((asked) => asked !== 1)).toEqual([])
  },
)

const AFTER_MS = [0, 100, 400]
const WAITING = 20 * AFTER_MS.length

test(`workers that get SIGTERM ${AFTER_MS} ms after their start exit with code 0 and send no inquiry twice`, async () => {
  await database.systemDatabase.rows(`delete from eligibility_check where status = 'PENDING'`)
  payer.restart(PAYER_MS)
  await sendBatch(WAITING)
  const answered = await countAnswers()
  // The server would sometimes connect as well.
  await front.stop()
  const working = { ...settings, WORKER_CONCURRENCY: '4' }
  for (const afterMs of AFTER_MS) {
    const oneConnects = await watchConnections()
    const starting = await startWorker(working, /^/)
    closers.push(starting.kill)
    // The first statement of its start: before that, SIGTERM ends a program like any other.
    while (!(await oneConnects())) await delay(5)
    await delay(afterMs)
    await starting.stop()
  }
  const last = await startWorker(working)
  closers.push(last.kill)
  while ((await countAnswers()) < answered + WAITING) await delay(50)
  expect([...payer.asked.values()]).toEqual(Array.from({ length: WAITING }, () => 1))
  await last.stop()
})

const count = async (text: string) => Number((await database.systemDatabase.row(text))?.[0])

const countAnswers = () => count(`select count(*) from eligibility_check where status <> 'PENDING'`)

/** Whether a program has connected since now: PostgreSQL lists the connections of an ended process for a moment longer. */
async function watchConnections(): Promise<() => Promise<boolean>> {
  const since = (await database.systemDatabase.row('select clock_timestamp()::text'))?.[0]
  const connected = `select count(*) from pg_stat_activity where datname = current_database() and application_name = 'anteroom'
    and backend_start > '${since}' and pid <> pg_backend_pid()`
  return async () => (await count(connected)) > 0
}
