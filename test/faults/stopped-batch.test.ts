// SIGTERM while a batch of checks is being answered: what was begun is finished, what was not is given back.
import { setTimeout as delay } from 'node:timers/promises'
import { CandidApi } from 'candidhealth'
import { afterAll, expect, test } from 'vitest'
import { bodyOf } from '../acceptance/requests.ts'
import { newClonePlace, publishedClient, startProgram, startServer } from '../support/started-server.ts'
import { startCountingPayer } from './counting-payer.ts'
import { newClient } from './own-cluster.ts'

const CHECKS = 200
const CONCURRENCY = 8
const PAYER_MS = 50

const closers: (() => unknown)[] = []
afterAll(async () => {
  for (const close of closers.toReversed()) await close()
})

test('a server and a worker that are told to stop in the middle of a batch ask about no check twice, and it is answered whole', {
  timeout: 120_000,
}, async () => {
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
  const checks = publishedClient(other, { ...client, organization_id: '' }).preEncounter.eligibilityChecks.v1
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
