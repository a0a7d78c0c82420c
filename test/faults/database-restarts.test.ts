// An external PostgreSQL that is restarted, killed and unavailable during writes.
import { setTimeout as delay } from 'node:timers/promises'
import { CandidApiClient } from 'candidhealth'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openDatabase } from '../../src/platform/database/database-pool.ts'
import { newClient } from '../support/new-client.ts'
import { type StartedServer, startServer } from '../support/started-server.ts'
import { expectNothingLost } from './expect-nothing-lost.ts'
import { type Client, newOwnCluster, type OwnCluster } from './own-cluster.ts'
import { startWriters } from './writers.ts'

let cluster: OwnCluster
let server: StartedServer
let client: Client
beforeAll(async () => {
  cluster = await newOwnCluster()
  server = await startServer({ ...cluster.settings, LOG_LEVEL: 'silent' })
  client = await newClient(cluster.connection)
})
afterAll(async () => {
  await server?.stop()
  await cluster?.remove()
})

async function untilStatus(path: string, status: number): Promise<Response> {
  for (;;) {
    const answer = await fetch(server.url + path)
    if (answer.status === status) return answer
    await answer.text()
    await delay(20)
  }
}

test('a database that is restarted or killed loses nothing, and the service continues automatically', async () => {
  const writers = startWriters(server.url, client)
  await writers.untilWriting()
  for (const end of [cluster.stop, cluster.kill]) {
    await writers.untilInFlight()
    await end()
    await cluster.start()
    await writers.untilWriting()
  }
  await writers.stop()
  const database = openDatabase(cluster.connection, { onError: () => {} })
  try {
    await expectNothingLost(database.systemDatabase, writers, 'PostgreSQL restarted and killed')
  } finally {
    await database.close()
  }
})

test('while the database is unavailable the service returns 503 with Retry-After, is alive and not ready, and answers retries afterwards', async () => {
  const { client_id: clientId, client_secret: clientSecret } = client
  const { notes } = new CandidApiClient({ baseUrl: server.url, clientId, clientSecret, maxRetries: 10 }).preEncounter
  expect(await notes.v1.create({ value: 'before' })).toMatchObject({ ok: true })
  await cluster.kill()
  const refused = await untilStatus('/readyz', 503)
  expect(await refused.json()).toMatchObject({ status: 'not ready', database: 'failing' })
  expect((await fetch(`${server.url}/healthz`)).status).toBe(200)
  const token = fetch(`${server.url}/api/auth/v2/token`, {
    method: 'POST',
    body: new URLSearchParams({ client_id: clientId, client_secret: clientSecret }),
  })
  const answer = await token
  expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '1'])
  expect(await answer.json()).toMatchObject({ errorName: 'InternalError' })

  const asking = notes.v1.create({ value: 'meanwhile' })
  await cluster.start()
  expect(await asking).toMatchObject({ ok: true })
  await untilStatus('/readyz', 200)
})

test('with every connection held by others the service answers or returns 503, stays healthy, and recovers', async () => {
  const writers = startWriters(server.url, client)
  await writers.untilWriting()
  await writers.untilInFlight()
  const held = await holdConnections()
  expect(held.count).toBeGreaterThan(20)
  const health = await Promise.all(Array.from({ length: 20 }, () => fetch(`${server.url}/healthz`)))
  expect(health.every(({ status }) => status === 200)).toBe(true)
  const before = writers.acknowledged.length + writers.unanswered()
  while (writers.acknowledged.length + writers.unanswered() < before + 100) await delay(20)
  await held.release()
  await writers.untilWriting()
  await writers.stop()
  const database = openDatabase(cluster.connection, { onError: () => {} })
  try {
    await expectNothingLost(database.systemDatabase, writers, `${held.count} connections held by others`)
  } finally {
    await database.close()
  }
})

/** Takes all free connections of the PostgreSQL server, and closes those of the service. */
async function holdConnections(): Promise<{ count: number; release(): Promise<void> }> {
  const pool = openDatabase({ ...cluster.connection, max: 200 }, { onError: () => {} })
  const cut = `select pg_terminate_backend(pid) from pg_stat_activity
    where application_name = 'anteroom' and datname = current_database() and pid <> pg_backend_pid() and state = 'idle'
      and backend_start < now() - interval '100 ms'`
  let release = () => {}
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  const holders: Promise<unknown>[] = []
  let isFull = false
  let count = 0
  while (!isFull) {
    const began = new Promise<void>((resolve) => {
      const holder = pool.transaction(async (transaction) => {
        // The first one closes the service's connections, so that it needs new ones.
        await transaction.rows(holders.length === 1 ? cut : 'select 1')
        count++
        resolve()
        await released
      })
      holders.push(
        holder.catch(() => {
          isFull = true
          resolve()
        }),
      )
    })
    await began
  }
  return {
    count,
    async release() {
      release()
      await Promise.all(holders)
      await pool.close()
    },
  }
}
