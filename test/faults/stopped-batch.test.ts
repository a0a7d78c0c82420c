// SIGTERM while a batch of checks is processed: inquiries in flight are finished, other checks are released.
import { setTimeout as delay } from 'node:timers/promises'
import { CandidApi } from 'candidhealth'
import { afterAll, expect, test } from 'vitest'
import { openDatabase } from '../../src/platform/database/database-pool.ts'
import { bodyOf } from '../acceptance/requests.ts'
import { newClient } from '../support/new-client.ts'
import { newClonePlace, publishedClient, startProgram, startServer } from '../support/started-server.ts'
import { startCountingPayer } from './counting-payer.ts'

const CHECKS = 200
const CONCURRENCY = 8
/** Slow enough that a busy machine delivers the signals before the batch is over. */
const PAYER_MS = 200

const closers: (() => unknown)[] = []
afterAll(async () => {
  for (const close of closers.toReversed()) await close()
})

test('a server and a worker that are stopped midway in a batch send no check twice, and the batch is answered completely', async () => {
  const [payer, place] = await Promise.all([startCountingPayer(PAYER_MS), newClonePlace()])
  closers.push(payer.close, place.remove)
  const settings = { ...place.settings, CLEARINGHOUSE_URL: payer.url, LOG_LEVEL: 'silent' }
  const working = { ...settings, WORKER_CONCURRENCY: String(CONCURRENCY) }
  const [first, other, worker] = await Promise.all([
    startServer(working),
    startServer({ ...settings, WORKER_CONCURRENCY: '0' }),
    startProgram(['worker'], working, /^Anteroom works on (\d+)/m),
  ])
  closers.push(first.kill, other.kill, worker.kill)
  const client = await newClient({ connectionString: place.settings.DATABASE_URL })
  const checks = publishedClient(other, client).preEncounter.eligibilityChecks.v1
  const names = Array.from({ length: CHECKS }, (_, index) => `check ${index}`)
  const { batchId } = bodyOf(
    await checks.batch(
      names.map((submitterTransactionIdentifier) => ({
        submitterTransactionIdentifier,
        payerId: CandidApi.preEncounter.PayerId('60054'),
        provider: { npi: '1999999984' },
        subscriber: { memberId: 'AETNA12345', firstName: 'Jane', lastName: 'Doe', dateOfBirth: '2004-04-04' },
      })),
    ),
  )
  while (payer.asked.size < CHECKS / 4) await delay(5)
  await Promise.all([first.stop(), worker.stop()])
  const asked = payer.asked.size
  expect(asked, 'they were stopped in the middle').toBeLessThan(CHECKS)
  const answered = async () => bodyOf(await checks.pollBatch(batchId)).total
  expect(await answered(), 'what was begun was finished').toBe(asked)

  const last = await startProgram(['worker'], working, /^Anteroom works on (\d+)/m)
  closers.push(last.kill)
  while ((await answered()) < CHECKS) await delay(50)
  expect([...payer.asked.values()].filter((times) => times !== 1)).toEqual([])
  expect(payer.asked.size).toBe(CHECKS)
  await Promise.all([last.stop(), other.stop()])
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
  {
    timeout: 180_000,
  },
  async (command, { times }) => {
    let answer = () => {}
    const answers = new Promise<void>((resolve) => (answer = resolve))
    const [payer, place] = await Promise.all([startCountingPayer(answers), newClonePlace()])
    closers.push(payer.close, place.remove)
    const settings = {
      ...place.settings,
      CLEARINGHOUSE_URL: payer.url,
      CLEARINGHOUSE_MAX_CONCURRENCY: '1000',
      LOG_LEVEL: 'silent',
    }
    const working = { ...settings, WORKER_CONCURRENCY: String(PLACES) }
    const other = await startServer({ ...settings, WORKER_CONCURRENCY: '0' })
    const stopped = await (command === 'serve'
      ? startServer(working)
      : startProgram(['worker'], working, /^Anteroom works on (\d+)/m))
    closers.push(other.kill, stopped.kill)
    const client = await newClient({ connectionString: place.settings.DATABASE_URL })
    const checks = publishedClient(other, client).preEncounter.eligibilityChecks.v1
    const { batchId } = bodyOf(
      await checks.batch(
        Array.from({ length: 2 * IN_FLIGHT }, () => ({
          payerId: CandidApi.preEncounter.PayerId('60054'),
          provider: { npi: '1999999984' },
          subscriber: { memberId: 'AETNA12345', firstName: 'Jane', lastName: 'Doe', dateOfBirth: '2004-04-04' },
        })),
      ),
    )
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
    expect(bodyOf(await checks.pollBatch(batchId)).total, 'what was at the payer is answered').toBe(IN_FLIGHT)
    expect([...payer.asked.values()].filter((asked) => asked !== 1)).toEqual([])
    await other.stop()
  },
)

test.each([0, 100, 400])(
  'a worker that gets SIGTERM %i ms after its start exits with code 0 and sends no inquiry twice',
  async (afterMs) => {
    const [payer, place] = await Promise.all([startCountingPayer(PAYER_MS), newClonePlace()])
    closers.push(payer.close, place.remove)
    const settings = { ...place.settings, CLEARINGHOUSE_URL: payer.url, LOG_LEVEL: 'silent' }
    const server = await startServer({ ...settings, WORKER_CONCURRENCY: '0' })
    closers.push(server.kill)
    const client = await newClient({ connectionString: place.settings.DATABASE_URL })
    const checks = publishedClient(server, client).preEncounter.eligibilityChecks.v1
    bodyOf(
      await checks.batch(
        Array.from({ length: 20 }, () => ({
          payerId: CandidApi.preEncounter.PayerId('60054'),
          provider: { npi: '1999999984' },
          subscriber: { memberId: 'AETNA12345', firstName: 'Jane', lastName: 'Doe', dateOfBirth: '2004-04-04' },
        })),
      ),
    )
    // The server would sometimes connect as well.
    await server.stop()
    const watched = await watchDatabase(place.settings.DATABASE_URL)
    closers.push(watched.close)
    const starting = await startProgram(['worker'], { ...settings, WORKER_CONCURRENCY: '4' }, /^/)
    closers.push(starting.kill)
    await watched.untilOneConnects()
    await delay(afterMs)
    await starting.stop()
    const last = await startProgram(['worker'], { ...settings, WORKER_CONCURRENCY: '4' }, /^Anteroom works on (\d+)/m)
    closers.push(last.kill)
    while ((await watched.answered()) < 20) await delay(50)
    expect([...payer.asked.values()]).toEqual(Array.from({ length: 20 }, () => 1))
    await last.stop()
  },
)

async function watchDatabase(connectionString: string | undefined) {
  const database = openDatabase({ connectionString, max: 1 }, { onError: () => {} })
  // PostgreSQL lists the connections of an ended process for a moment longer: only later ones belong to the next program.
  const since = (await database.systemDatabase.row('select clock_timestamp()::text'))?.[0]
  const connected = `select count(*) from pg_stat_activity where datname = current_database() and application_name = 'anteroom'
    and backend_start > '${since}'`
  const answered = `select count(*) from eligibility_check where status <> 'PENDING'`
  const count = async (text: string) => Number((await database.systemDatabase.row(text))?.[0])
  return {
    /** Waits for the first statement of its start: before that, SIGTERM ends a program like any other. */
    async untilOneConnects() {
      while ((await count(connected)) === 0) await delay(5)
    },
    answered: () => count(answered),
    close: database.close,
  }
}
