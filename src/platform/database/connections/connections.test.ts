import { once, setMaxListeners } from 'node:events'
import { readFileSync } from 'node:fs'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import { Writable } from 'node:stream'
import { setImmediate as turnEnds } from 'node:timers/promises'
import { TLSSocket } from 'node:tls'
import { Client, type PoolConfig } from 'pg'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { cloneDatabase } from '../../../../test/support/database.ts'
import { toWireError } from '../../http/error-handler.ts'
import { statedReasonOf } from '../../stated-reason.ts'
import { openDatabase } from '../database-pool.ts'
import { isConnectionFailure } from '../errors.ts'
import { withoutRowLevelSecurity } from '../row-level-security.ts'
import { connectFairly, connectTo, openPool } from './connections.ts'
import { databaseOver } from './database-over.ts'
import { explainNoConnection } from './no-connection.ts'
import { openSharedConnections } from './shared-connections.ts'
import { type Waiter, whileWaitedFor } from './while-waited-for.ts'

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

describe('a server to which no connection can be opened', () => {
  const organization = '0198a1f2-0000-7000-8000-000000000001'
  const tlsFile = (name: string) => readFileSync(new URL(`../../../../test/support/tls/${name}`, import.meta.url))
  const fatal = (code: string) => {
    const fields = Buffer.from(`SFATAL\0C${code}\0Mthe reason\0\0`)
    const head = Buffer.from('E\0\0\0\0')
    head.writeInt32BE(fields.length + 4, 1)
    return Buffer.concat([head, fields])
  }

  it.each<[string, (socket: Socket) => void, string]>([
    [
      'whose certificate has another authority',
      (socket) => {
        socket.write('S')
        const [key, cert] = [tlsFile('server-key.pem'), tlsFile('server.pem')]
        new TLSSocket(socket, { isServer: true, key, cert }).on('error', () => {})
      },
      'unable to verify',
    ],
    ['that has no TLS', (socket) => socket.write('N'), 'does not support SSL'],
    ['that is something else', (socket) => socket.write('HTTP/1.1 400 Bad Request'), 'error establishing an SSL'],
    ['that answers without TLS', (socket) => socket.write(`S${'HTTP/1.1 400'.repeat(9)}`), 'SSL'],
    ['that ends the handshake', (socket) => socket.end('S'), 'disconnected'],
  ])('%s is a database that is unavailable, and the reason is stated', async (_, answer, reason) => {
    const server = createServer((socket) => {
      socket.on('error', () => {}).once('data', () => answer(socket))
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    const connection = { host: '127.0.0.1', port, user: 'a', password: 'secret words', database: 'a', ssl: true }
    const database = openDatabase(connection, { onError: () => {} })
    const asked = [
      database.rows('select $1::uuid', [organization]),
      database.rowByKey({ text: 'select $1::uuid' }, [organization]),
      database.systemDatabase.rows('select 1'),
    ]
    for (const failure of await Promise.all(asked.map((each) => each.catch((error: unknown) => error)))) {
      expect(toWireError(failure as Error)).toMatchObject({ status: 503, headers: { 'retry-after': '1' } })
      expect(statedReasonOf(failure).reason).toContain(reason)
      expect(statedReasonOf(failure).reason).not.toContain('secret')
      expect(explainNoConnection(failure, connection)).toMatchObject({
        name: 'StartupError',
        message: expect.stringContaining(reason),
      })
    }
    await database.close()
    server.close()
  })

  it.each(['28P01', '28000', '3D000', '42501'])(
    'is unavailable when PostgreSQL refuses the connection with %s',
    async (code) => {
      const server = createServer((socket) => {
        socket.on('error', () => {}).once('data', () => socket.end(fatal(code)))
      }).listen(0, '127.0.0.1')
      await once(server, 'listening')
      const { port } = server.address() as AddressInfo
      const database = openDatabase({ host: '127.0.0.1', port, user: 'a', database: 'a' }, { onError: () => {} })
      const failure = await database.rows('select $1::uuid', [organization]).catch((error: unknown) => error)
      expect(toWireError(failure as Error).status).toBe(503)
      expect(failure).toMatchObject({ code, message: 'the reason' })
      await database.close()
      server.close()
    },
  )
})

it('a call that waits in vain for other calls of its organization is told so, and when to try again, while another organization gets a connection', async () => {
  const pool = openPool({ connectionString: clone.url, max: 4 }, () => {})
  const connect = connectFairly(pool)
  const held = await Promise.all([1, 2, 3].map(() => connect('busy')))
  const waiters = new AbortController()
  setMaxListeners(0, waiters.signal)
  const waiting = Array.from({ length: 1000 }, () => connect('busy', waiters.signal).catch((error: unknown) => error))
  const refused = toWireError((await Promise.race(waiting)) as Error)
  expect(refused).toMatchObject({
    status: 503,
    errorName: 'InternalError',
    content: { message: 'too many calls are waiting for the database: send fewer at a time, and try again' },
    headers: { 'retry-after': '5' },
  })
  const other = await connect('other')
  expect((await other.client.query('select 1 as one')).rows).toEqual([{ one: 1 }])
  waiters.abort(new Error('left'))
  await Promise.all(waiting)
  for (const lease of [...held, other]) lease.release()
  await pool.end()
})

it('counts statements that wait for a connection, also those that wait for the turn of their organization', async () => {
  const database = openDatabase({ connectionString: clone.url }, { onError: () => {} })
  const organization = '0198a1f2-0000-7000-8000-000000000003'
  const waiting = () => database.usage().find(({ pool }) => pool === 'application')?.waiting ?? 0
  let end = () => {}
  const held = new Promise<void>((resolve) => (end = resolve))
  const calls = Array.from({ length: 60 }, () =>
    database.transaction(async (transaction) => {
      await transaction.rows('select $1::uuid', [organization])
      await held
    }),
  )
  await turnEnds()
  // At least as many as all connections together leave over.
  expect(waiting()).toBeGreaterThanOrEqual(40)
  end()
  await Promise.allSettled(calls)
  expect(waiting()).toBe(0)
  await database.close()
})

describe('a process that was suspended', () => {
  /** Enough for a busy machine to connect when the attempt is repeated. */
  const TIMEOUT_MS = 2_000
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

/** The address of the database over a proxy, which hands over each connection: the caller's socket, and PostgreSQL's. */
async function openProxy(forward: (client: Socket, server: Socket) => void) {
  const { host, port, ...login } = inject('postgres')
  const proxy = createServer({ allowHalfOpen: true }, (client) => {
    const server = connect({ path: join(host, `.s.PGSQL.${port}`), allowHalfOpen: true })
    for (const socket of [server, client]) socket.on('error', () => {})
    forward(client, server)
  }).listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  const { port: open } = proxy.address() as AddressInfo
  const address = { ...login, host: '127.0.0.1', port: open, database: /@\/(\w+)\?/.exec(clone.url)?.[1] ?? '' }
  return { address, close: () => proxy.close() }
}

it('a connection that PostgreSQL has ended is not used again, even while its socket is still open', async () => {
  // PostgreSQL's last message arrives, but not the closing of the connection.
  const proxy = await openProxy((client, server) => {
    server.on('data', (bytes) => client.write(bytes))
    client.pipe(server)
  })
  const database = openDatabase(proxy.address, { onError: () => {}, statementTimeoutMs: 5_000 })
  const ended = database.rows('select pg_sleep(60)').catch((error: unknown) => error)
  const terminate = `select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid() and query = 'select pg_sleep(60)'`
  await expect.poll(() => clone.database.systemDatabase.rows(terminate)).toHaveLength(1)
  expect(isConnectionFailure(await ended)).toBe(true)
  expect(await database.rows('select 1')).toEqual([['1']])
  void database.close()
  proxy.close()
})

it('a closed database reports no lost connection if PostgreSQL stops before it reads the termination message', async () => {
  const TERMINATE = 0x58
  const fields = 'SFATAL\0C57P01\0Mterminating connection due to administrator command\0\0'
  const length = Buffer.alloc(4)
  length.writeInt32BE(4 + fields.length)
  const stopping = Buffer.concat([Buffer.from('E'), length, Buffer.from(fields)])
  let told = 0
  const proxy = await openProxy((client, server) => {
    server.pipe(client)
    client.on('data', (bytes: Buffer) => {
      if (bytes[0] !== TERMINATE) return server.write(bytes)
      client.end(stopping, () => told++)
      return server.end(bytes)
    })
  })
  const reported: Error[] = []
  const database = openDatabase(proxy.address, { onError: (error) => reported.push(error) })
  const organization = '0198a1f2-0000-7000-8000-000000000001'
  await database.rows('select $1::uuid', [organization])
  await database.rowByKey({ text: 'select $1::uuid' }, [organization])
  await database.close()
  await expect.poll(() => told).toBe(2)
  // The messages have arrived once another connection has gone the same way.
  const last = new Client(proxy.address)
  const lost = once(last, 'error')
  await last.connect()
  await Promise.all([lost, last.end()])
  expect(reported).toEqual([])
  proxy.close()
})

describe('a statement whose caller leaves', () => {
  const waiterOf = ({ signal }: AbortController): Waiter => ({
    gone: signal,
    get isGone() {
      return signal.aborted
    },
  })
  const organization = '0198a1f2-0000-7000-8000-000000000002'

  /** A pool of one connection, so that the next statement is sent on the connection of the cancelled one. */
  const openOne = () => {
    const pool = openPool({ connectionString: clone.url, max: 1, pipeline: true } as PoolConfig, () => {})
    return { pool, database: databaseOver(connectFairly(pool), withoutRowLevelSecurity) }
  }

  it('is cancelled, and the next statement on its connection is not', async () => {
    const { pool, database } = openOne()
    const [pid] = (await database.row('select pg_backend_pid()')) ?? []
    const leaving = new AbortController()
    const sleeping = whileWaitedFor(database, waiterOf(leaving)).rows('select $1::uuid, pg_sleep(600)', [organization])
    const next = database.row('select pg_backend_pid()')
    leaving.abort(new Error('gone'))
    await expect(sleeping).rejects.toMatchObject({ code: '57014' })
    expect(await next).toEqual([pid])
    await pool.end()
  })

  it('is not sent when it still waits for a connection, and another caller gets its turn', async () => {
    const { pool, database } = openOne()
    let finish: (() => void) | undefined
    const held = database.transaction(async (transaction) => {
      await transaction.rows('select $1::uuid', [organization])
      await new Promise<void>((resolve) => (finish = resolve))
    })
    await expect.poll(() => finish).toBeDefined()
    const leaving = new AbortController()
    const waiting = whileWaitedFor(database, waiterOf(leaving)).transaction((transaction) =>
      transaction.rows('select $1::uuid, pg_sleep(600)', [organization]),
    )
    const next = database.row('select $1::uuid, 2', [organization])
    leaving.abort(new Error('gone'))
    await expect(waiting).rejects.toThrow('gone')
    finish?.()
    expect(await next).toEqual([organization, '2'])
    await held
    await pool.end()
  })
})

it('a transaction that catches the error of a statement fails instead of being reported as stored', async () => {
  const organization = '0198a1f2-0000-7000-8000-000000000002'
  const { database } = clone
  const transaction = database.transaction(async (within) => {
    await within.rows('select $1::uuid', [organization])
    await within.rows('select 1 / 0, $1::uuid', [organization]).catch(() => {})
  })
  await expect(transaction).rejects.toThrow('rolled back')
  const entered = `select current_setting('anteroom.organization'), $1::uuid`
  expect(await database.row(entered, [organization])).toEqual([organization, organization])
})

describe('a connection of no further use', () => {
  it('because its session became read-only is replaced: the next write succeeds', async () => {
    const database = openDatabase({ connectionString: clone.url, max: 1 }, { onError: () => {} })
    const { systemDatabase } = database
    const becomeReadOnly = () => systemDatabase.rows('set default_transaction_read_only = on')
    const write = 'create table written (id integer)'
    await becomeReadOnly()
    await expect(systemDatabase.rows(write)).rejects.toMatchObject({ code: '25006' })
    await systemDatabase.rows(write)
    await becomeReadOnly()
    const drop = () => systemDatabase.transaction((transaction) => transaction.rows('drop table written'))
    await expect(drop()).rejects.toMatchObject({ code: '25006' })
    await drop()
    await database.close()
  })

  it('because its answer cannot be read fails its statements as one that was lost, and does not end the process', async () => {
    const message = (type: string, ...bytes: number[]) =>
      Buffer.concat([Buffer.from([type.charCodeAt(0), 0, 0, 0, bytes.length + 4]), Buffer.from(bytes)])
    const server = createServer((socket) => {
      socket.once('data', () => {
        socket.write(Buffer.concat([message('R', 0, 0, 0, 0), message('Z', 'I'.charCodeAt(0))]))
        // A row that announces one column and ends.
        socket.once('data', () => socket.write(message('D', 0, 1)))
      })
      socket.on('error', () => {})
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    const database = openDatabase({ host: '127.0.0.1', port, user: 'a', database: 'a' }, { onError: () => {} })
    const failure = await database.systemDatabase.rows('select 1').catch((error: unknown) => error)
    expect(isConnectionFailure(failure)).toBe(true)
    await database.close()
    server.close()
  })
})

it('sends the statements of a shared connection that come in one turn of the event loop with one system call', async () => {
  const writes: number[] = []
  class Recorded {
    connection = {
      stream: new Writable({
        writev(chunks, done) {
          writes.push(chunks.length)
          done()
        },
      }),
    }
    async connect() {}
    async end() {}
    on() {}
    once() {}
  }
  const shared = openSharedConnections({ Client: Recorded as never }, () => {})
  const write = async () => {
    const client = (await shared.client()) as unknown as Recorded
    client.connection.stream.write('a statement')
  }
  await Promise.all([write(), write(), write(), write()])
  expect(writes).toEqual([])
  await turnEnds()
  expect(writes).toEqual([2, 2])
  await Promise.all([write(), write()])
  await turnEnds()
  expect(writes).toEqual([2, 2, 1, 1])
  await shared.close()
})
