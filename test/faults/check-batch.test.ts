// A batch of checks while its workers are killed: every check is answered once.
import { setTimeout as delay } from 'node:timers/promises'
import { CandidApi } from 'candidhealth'
import { afterAll, expect, test } from 'vitest'
import { HELD_MAX } from '../../src/eligibility/checks/worker-places.ts'
import { openDatabase } from '../../src/platform/database/database-pool.ts'
import { bodyOf } from '../acceptance/requests.ts'
import { publishedClient } from '../support/published-client.ts'
import { newClonePlace, type Settings, startProgram, startServer } from '../support/started-server.ts'
import { startCountingPayer } from './counting-payer.ts'

/** Several pages of answers, and far more than two killed workers have at hand. */
const CHECKS = 400
const CONCURRENCY = 10
/** Slow enough that a busy machine kills the workers before the batch is over. */
const PAYER_MS = 75
const PAYER_ID = CandidApi.preEncounter.PayerId('60054')

const closers: (() => unknown)[] = []
afterAll(async () => {
  for (const close of closers.toReversed()) await close()
})

test(`a batch of ${CHECKS} survives kill -9 of its workers midway: each check is answered once`, async () => {
  const payer = await startCountingPayer(PAYER_MS)
  closers.push(payer.close)
  const place = await newClonePlace()
  closers.push(place.remove)
  const database = openDatabase({ connectionString: place.settings.DATABASE_URL, max: 1 }, { onError: () => {} })
  closers.push(database.close)
  const settings: Settings = { ...place.settings, CLEARINGHOUSE_URL: payer.url, LOG_LEVEL: 'warn' }
  const server = await startServer({ ...settings, WORKER_CONCURRENCY: '0' })
  closers.push(server.kill)
  const startWorker = async () => {
    const started = await startProgram(
      ['worker'],
      { ...settings, WORKER_CONCURRENCY: String(CONCURRENCY) },
      /^Anteroom works on (\d+)/m,
    )
    closers.push(started.kill)
    return started
  }
  const client = publishedClient(server, await server.newCredentials()).preEncounter.eligibilityChecks.v1
  const members = Array.from({ length: CHECKS }, (_, index) => `check ${index}`)
  const { batchId } = bodyOf(
    await client.batch(
      members.map((submitterTransactionIdentifier) => ({
        submitterTransactionIdentifier,
        payerId: PAYER_ID,
        provider: { npi: '1999999984' },
        subscriber: { memberId: 'AETNA12345', firstName: 'Jane', lastName: 'Doe', dateOfBirth: '2004-04-04' },
      })),
    ),
  )
  // Not by pollBatch, which shows a hundred answers each time.
  const answered = async () => {
    const counted = `select count(*) from eligibility_check where status <> 'PENDING'`
    return Number((await database.systemDatabase.row(counted))?.[0])
  }
  const until = async (count: number, everyMs = 50) => {
    while ((await answered()) < count) await delay(everyMs)
  }

  const [first, second] = await Promise.all([startWorker(), startWorker()])
  await until(CHECKS / 5)
  await first.kill()
  await until(CHECKS / 2)
  await second.kill()
  const left = CHECKS - (await answered())
  expect(left, 'the workers were killed in the middle').toBeGreaterThan(0)
  const third = await startWorker()
  // What the killed ones had is taken again when their leases end.
  await until(CHECKS, 500)

  const items = []
  let pageToken: string | undefined
  do {
    const page = bodyOf(
      await client.pollBatch(batchId, pageToken === undefined ? {} : { pageToken: pageToken as never }),
    )
    items.push(...page.items)
    pageToken = page.nextPageToken
  } while (pageToken !== undefined)
  expect(items.map(({ request }) => request?.submitterTransactionIdentifier)).toEqual(members)
  expect(new Set(items.map(({ parsedResponse }) => parsedResponse?.eligibilityStatus))).toEqual(new Set(['ACTIVE']))
  // Only inquiries of a killed worker are sent again: in flight, or answered and not yet stored.
  const inquiries = [...payer.asked.values()]
  expect(inquiries).toHaveLength(CHECKS)
  const again = inquiries.filter((count) => count > 1)
  expect(Math.max(...inquiries)).toBeLessThanOrEqual(3)
  expect(again.length).toBeLessThanOrEqual(2 * CONCURRENCY * HELD_MAX)
  await third.stop()
  await server.stop()
})
