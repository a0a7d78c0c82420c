import { once } from 'node:events'
import { type AddressInfo, connect, createServer } from 'node:net'
import { join } from 'node:path'
import { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { cloneDatabase } from '../../../test/support/database.ts'
import { connectFairly, connectTo, openPool } from './connections.ts'
import { openDatabase } from './database.ts'
import { isConnectionFailure } from './errors.ts'

let clone: Awaited<ReturnType<typeof cloneDatabase>>
beforeAll(async () => {
  clone = await cloneDatabase()
})
afterAll(() => clone.drop())

/** The result of `work` while the database accepts at most `limit` connections in total. */
async function withLimit<T>(limit: number, work: () => Promise<T>): Promise<T> {
  const setLimit = (connections: number) =>
    clone.database.systemDatabase.rows(
      `do $$ begin execute format('alter database %I connection limit ${connections}', current_database()); end $$`,
    )
  await setLimit(limit)
  return work().finally(() => setLimit(-1))
}

describe('a database without a free connection', () => {
  const organization = '0198a1f2-0000-7000-8000-000000000001'
  const statement = { text: 'select $1::uuid, pg_sleep(0.05)' }

  it('delays calls, and every call is answered over the existing connections', async () => {
    await withLimit(4, async () => {
      const database = openDatabase({ connectionString: clone.url }, { onError: () => {} })
      const calls = Array.from({ length: 12 }, () => database.rows(statement, [organization]))
      const answers = await Promise.allSettled(calls)
      await database.close()
      expect(answers.map(({ status }) => status)).toEqual(Array(12).fill('fulfilled'))
    })
  })

  it('delays reads on shared connections', async () => {
    const other = new Client({ connectionString: clone.url })
    await other.connect()
    // One connection is the test's own, which holds back another for a moment.
    await withLimit(3, async () => {
      const database = openDatabase({ connectionString: clone.url }, { onError: () => {} })
      const calls = Array.from({ length: 12 }, () => database.rowByKey(statement, [organization]))
      setTimeout(() => other.end(), 200)
      const answers = await Promise.allSettled(calls)
      await database.close()
      expect(answers.map(({ status }) => status)).toEqual(Array(12).fill('fulfilled'))
    })
  })

  it('fails a call after the limit, as one that did not reach the database', async () => {
    const pool = openPool({ connectionString: clone.url, connectionTimeoutMillis: 300 }, () => {})
    const failure = await withLimit(0, () => connectTo(pool)('').catch((error: unknown) => error))
    await pool.end()
    expect(isConnectionFailure(failure)).toBe(true)
  })
})

describe('a process that was suspended', () => {
  const TIMEOUT_MS = 200
  /** Like a machine that is suspended, or that gives this process no processor time. */
  const standStill = () => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, TIMEOUT_MS + 1000)

  it.each([
    ['of every organization', connectTo],
    ['of an organization', connectFairly],
  ])('for longer than the connection limit %s uses the connection that was ready in time', async (_, connectOver) => {
    const pool = openPool({ connectionString: clone.url, connectionTimeoutMillis: TIMEOUT_MS }, () => {})
    const connecting = connectOver(pool)('')
    standStill()
    const { client, release } = await connecting
    expect((await client.query('select 1 as one')).rows).toEqual([{ one: 1 }])
    release()
    await pool.end()
  })
})

it('a connection that PostgreSQL has ended is not used again, even while its socket is still open', async () => {
  const { host, port, ...login } = inject('postgres')
  // A proxy in between: it forwards PostgreSQL's last message, but not the closing of the connection.
  const between = createServer({ allowHalfOpen: true }, (client) => {
    const server = connect({ path: join(host, `.s.PGSQL.${port}`), allowHalfOpen: true })
    server.on('data', (bytes) => client.write(bytes))
    client.pipe(server)
    for (const socket of [server, client]) socket.on('error', () => {})
  }).listen(0, '127.0.0.1')
  await once(between, 'listening')
  const { port: open } = between.address() as AddressInfo
  const address = { ...login, host: '127.0.0.1', port: open, database: /@\/(\w+)\?/.exec(clone.url)?.[1] ?? '' }
  const database = openDatabase(address, { onError: () => {}, statementTimeoutMs: 5_000 })
  const ended = database.rows('select pg_sleep(60)').catch((error: unknown) => error)
  const terminate = `select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid() and query = 'select pg_sleep(60)'`
  await expect.poll(() => clone.database.systemDatabase.rows(terminate)).toHaveLength(1)
  expect(isConnectionFailure(await ended)).toBe(true)
  expect(await database.rows('select 1')).toEqual([['1']])
  void database.close()
  between.close()
})
