// kill -9 of the server, the worker, PostgreSQL and one of its sessions, in every combination, while six front desks write and checks are being answered.
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, expect, test, vi } from 'vitest'
import { openDatabase } from '../../src/platform/database/database-pool.ts'
import { openEmbedded } from '../../src/platform/database/embedded/embedded.ts'
import { eligibilityRequestBody } from '../support/bodies.ts'
import { freePort } from '../support/free-port.ts'
import { publishedClient } from '../support/published-client.ts'
import {
  newMigratedFolder,
  type StartedProgram,
  type StartedServer,
  startProgram,
  startServer,
} from '../support/started-server.ts'
import { startCountingPayer } from './counting-payer.ts'
import { killPostgres, killSession } from './embedded-harness.ts'
import { expectNothingLost } from './expect-nothing-lost.ts'
import { type Client, firstClient } from './own-cluster.ts'
import { newToken, RECOVERY_LIMIT_MS, startWriters } from './writers.ts'

type Victim = 'server' | 'worker' | 'PostgreSQL' | 'session of PostgreSQL'

const COMBINATIONS: Victim[][] = [
  ['server'],
  ['worker'],
  ['PostgreSQL'],
  ['server', 'worker'],
  ['server', 'PostgreSQL'],
  ['worker', 'PostgreSQL'],
  ['server', 'worker', 'PostgreSQL'],
  ['session of PostgreSQL'],
  ['session of PostgreSQL'],
  ['server', 'session of PostgreSQL'],
  ['worker', 'session of PostgreSQL'],
]
const CHECKS_A_BATCH = 8
const PAYER_MS = 300
const STARTS_MAX = 5

const closers: (() => unknown)[] = []
afterAll(async () => {
  for (const close of closers.toReversed()) await close()
})

/** A server and a worker on one data folder, with a supervisor that restarts every killed process. */
async function startPlace() {
  const [payer, folder, port] = await Promise.all([startCountingPayer(PAYER_MS), newMigratedFolder(), freePort()])
  closers.push(payer.close, folder.remove)
  const settings = { DATA_DIR: folder.path, PORT: String(port), CLEARINGHOUSE_URL: payer.url, LOG_LEVEL: 'silent' }
  const start = {
    server: () => startServer({ ...settings, WORKER_CONCURRENCY: '2' }),
    worker: () => startProgram(['worker'], { ...settings, WORKER_CONCURRENCY: '2' }, /^Anteroom works on (\d+)/m),
  }
  const running: { server: StartedServer; worker: StartedProgram } = {
    server: await start.server(),
    worker: await start.worker(),
  }
  closers.push(
    () => running.server.kill(),
    () => running.worker.kill(),
  )
  const kill = (victim: Victim) => {
    if (victim === 'PostgreSQL') return killPostgres(folder.path)
    return victim === 'session of PostgreSQL' ? killSession(folder.path) : running[victim].kill()
  }
  const restart = async (victims: Victim[]) => {
    // PostgreSQL is restarted with the server.
    const restartServer = async () => {
      if (victims.includes('server')) running.server = await untilStarted(start.server)
    }
    const restartWorker = async () => {
      if (victims.includes('worker')) running.worker = await untilStarted(start.worker)
    }
    await Promise.all([restartServer(), restartWorker()])
  }
  return { running, kill, restart, payer, dataDir: folder.path }
}

test('no combination of kill -9 loses or corrupts an acknowledged write, and every check is answered once', async () => {
  const { running, kill, restart, payer, dataDir } = await startPlace()
  const client = firstClient(running.server.output())
  const credentials = { ...client, organization_id: '' }
  const checks = publishedClient(running.server, credentials).preEncounter.eligibilityChecks.v1
  const writers = startWriters(running.server.url, client)
  await writers.untilWriting()
  const batches: string[] = []
  for (const victims of COMBINATIONS) {
    const batch = Array.from({ length: CHECKS_A_BATCH }, (_, index) => ({
      ...eligibilityRequestBody({ submitter_transaction_identifier: `check ${index}` }),
    }))
    batches.push(await postBatch(running.server.url, client, batch))
    await delay(PAYER_MS / 2)
    await writers.untilInFlight()
    await Promise.all(victims.map(kill))
    await restart(victims)
    await writers.untilWriting()
  }
  await writers.stop()

  for (const batch of batches) {
    const poll = async () => {
      const answer = await checks.pollBatch(batch as never)
      return answer.ok ? answer.body.items : []
    }
    let items = await poll()
    while (items.length < CHECKS_A_BATCH) {
      await delay(100)
      items = await poll()
    }
    const named = items.map(({ request }) => request?.submitterTransactionIdentifier)
    expect(new Set(named).size).toBe(CHECKS_A_BATCH)
    expect(items).toHaveLength(CHECKS_A_BATCH)
  }
  expect(payer.asked.size).toBe(COMBINATIONS.length * CHECKS_A_BATCH)
  await running.worker.stop()
  await running.server.stop()

  const embedded = await openEmbedded({ dataDir, log: () => {}, role: 'command' })
  const database = openDatabase(embedded.connection, { onError: () => {} })
  try {
    await expectNothingLost(database.systemDatabase, writers, 'kill -9 in all combinations')
  } finally {
    await database.close()
    await embedded.stop()
  }
})

/** Repeats a start like a supervisor, because a start beside a stopping PostgreSQL may fail. */
async function untilStarted<T>(start: () => Promise<T>): Promise<T> {
  for (let attempt = 1; attempt < STARTS_MAX; attempt++) {
    try {
      return await start()
    } catch {
      await delay(PAYER_MS)
    }
  }
  return start()
}

async function postBatch(url: string, client: Client, batch: object[]): Promise<string> {
  // Retries like every client while the service cannot issue a token.
  const token = await vi.waitFor(() => newToken(url, client), { timeout: RECOVERY_LIMIT_MS, interval: 50 })
  const answer = await fetch(`${url}/eligibility-checks/v1/batch`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify(batch),
  })
  return ((await answer.json()) as { batch_id: string }).batch_id
}
