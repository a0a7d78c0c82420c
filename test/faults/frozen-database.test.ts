// A database that hangs, because its machine or disk does: the kernel still accepts connections for it, but nothing answers.
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ANSWER_MARGIN_MS } from '../../src/platform/database/connections/pool-settings.ts'
import { openDatabase } from '../../src/platform/database/database-pool.ts'
import { isConnectionFailure } from '../../src/platform/database/errors.ts'
import { newClient } from '../support/new-client.ts'
import { type StartedServer, startServer } from '../support/started-server.ts'
import { type Client, newOwnCluster, type OwnCluster } from './own-cluster.ts'
import { signalCluster } from './standby.ts'

let cluster: OwnCluster
let server: StartedServer
let client: Client
beforeAll(async () => {
  cluster = await newOwnCluster()
  server = await startServer({ ...cluster.settings, LOG_LEVEL: 'silent' })
  client = await newClient(cluster.connection)
})
afterAll(async () => {
  await signal('SIGCONT')
  await server?.stop()
  await cluster?.remove()
})

const signal = (name: 'SIGSTOP' | 'SIGCONT') => signalCluster(cluster, name)

async function untilReady(status: number): Promise<void> {
  while ((await fetch(`${server.url}/readyz`)).status !== status) await delay(50)
}

const askToken = () =>
  fetch(`${server.url}/api/auth/v2/token`, {
    method: 'POST',
    body: new URLSearchParams({ client_id: client.client_id, client_secret: client.client_secret }),
  })

test('while the database is suspended the process is alive but not ready, publishes its keys, and refuses token requests; everything works again afterwards', async () => {
  await untilReady(200)
  expect((await askToken()).status).toBe(200)
  await signal('SIGSTOP')
  await untilReady(503)
  expect((await fetch(`${server.url}/healthz`)).status).toBe(200)
  expect((await fetch(`${server.url}/.well-known/jwks.json`)).status).toBe(200)
  const refused = await askToken()
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '1'])
  await signal('SIGCONT')
  await untilReady(200)
  expect((await askToken()).status).toBe(200)
})

test("statements that wait for a suspended database fail within the client's limit, and the same pool then works again", async () => {
  const database = openDatabase(cluster.connection, { onError() {}, statementTimeoutMs: 1000 })
  const organization = '00000000-0000-4000-8000-000000000000'
  const ask = () => database.rows('select $1::uuid', [organization])
  const readByKey = () => database.rowByKey({ name: 'one', text: 'select $1::uuid' }, [organization])
  try {
    await Promise.all([ask(), readByKey()])
    let isFrozen = () => {}
    const frozen = new Promise<void>((resolve) => (isFrozen = resolve))
    let begun = 0
    const transact = () =>
      database.transaction(async (transaction) => {
        await transaction.rows('select $1::uuid', [organization])
        begun++
        await frozen
        await transaction.rows('select $1::uuid', [organization])
      })
    const transactions = [transact(), transact()].map((each) => each.catch((error: unknown) => error))
    while (begun < 2) await delay(10)
    await signal('SIGSTOP')
    isFrozen()
    const failures = [...transactions, ...[ask(), readByKey()].map((each) => each.catch((error: unknown) => error))]
    for (const failure of await Promise.all(failures)) expect(isConnectionFailure(failure)).toBe(true)
    await signal('SIGCONT')
    await Promise.all([ask(), readByKey(), transact()])
  } finally {
    await signal('SIGCONT')
    await database.close()
  }
})

test('a statement with a longer limit is awaited', async () => {
  const database = openDatabase(cluster.connection, { onError() {}, statementTimeoutMs: 100 })
  const organization = '00000000-0000-4000-8000-000000000000'
  const sleep = { text: 'select $1::uuid, pg_sleep($2)', timeoutMs: 60_000 }
  try {
    const slept = await database.transaction(async (transaction) => {
      await transaction.rows(`select set_config('statement_timeout', '60s', true), $1::uuid`, [organization])
      return transaction.rows(sleep, [organization, (100 + ANSWER_MARGIN_MS + 500) / 1000])
    })
    expect(slept).toHaveLength(1)
  } finally {
    await database.close()
  }
})
