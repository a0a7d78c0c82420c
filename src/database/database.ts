import pg from 'pg'
import { DatabaseBusy } from './errors.ts'
import { openSharedConnections } from './shared-connections.ts'
import { raiseTenantWall, type TenantWall, WALLED_OPTIONS, withoutWall } from './tenant-wall.ts'

/** A statement with a name is prepared once a connection; its text never changes. */
export interface Statement {
  name: string
  text: string
}

/**
 * The database as the rest of the service sees it: the rows of one organization, which $1 of a statement names; a statement that names
 * none finds none (tenant-wall.ts). Timestamps, JSON and numbers arrive as the text that PostgreSQL wrote:
 * stored JSON goes out unparsed, and each caller knows its own columns.
 */
export interface Database {
  /** Rows as arrays of text columns, in the order of the select list. */
  rows(statement: Statement | string, values?: unknown[]): Promise<TextRow[]>
  /** The first row, if there is one. */
  row(statement: Statement | string, values?: unknown[]): Promise<TextRow | undefined>
  /** The first row of a statement that reads by key and never waits: it shares its connection with others. */
  rowByKey(statement: Statement, values: unknown[]): Promise<TextRow | undefined>
  /** Runs `work` in one transaction on one connection; rolls back when it throws. */
  transaction<T>(work: (database: Database) => Promise<T>): Promise<T>
}

/** The database without the wall between organizations: for work that belongs to none, or to all (test/laws/across-organizations.test.ts). */
export interface WholeDatabase extends Database {
  readonly reach: 'every organization'
}

export interface DatabasePool extends Database {
  acrossOrganizations: WholeDatabase
  close(): Promise<void>
}

/** A column is text or null; callers index rows whose select list they wrote themselves, so the type says text. */
export type TextRow = string[]

const MAX_CONNECTIONS = 20
/** For work across organizations: the queue, retention, commands. */
const MAX_CONNECTIONS_ACROSS = 3
const CONNECT_TIMEOUT_MS = 5_000
/** What waits for a connection beyond this many is refused at once: it would give up before its turn. */
const MAX_WAITING = 1000
/** No statement of a request takes long; bulk work raises this for its own transaction. */
const STATEMENT_TIMEOUT_MS = 30_000
/** From which share of common trigrams on `%` holds, whatever the server is set to. More than 0.3, its default: fewer are read in vain. */
export const SIMILARITY = 0.34

const asText = { getTypeParser: () => (value: string) => value }

/**
 * Opens a pool whose connections stand behind the wall, and beside it a small one whose connections do not. Nothing connects until
 * the first statement.
 */
export function openDatabase(connection: pg.PoolConfig, options: { onError(error: Error): void }): DatabasePool {
  const settings = `-c timezone=UTC -c statement_timeout=${STATEMENT_TIMEOUT_MS} -c pg_trgm.similarity_threshold=${SIMILARITY}`
  const config = {
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    keepAlive: true,
    max: MAX_CONNECTIONS,
    ...connection,
    types: asText as never,
    application_name: 'anteroom',
    // A statement and the one that enters its organization leave in one packet.
    pipeline: true,
  }
  const walled = { ...config, options: `${settings} ${WALLED_OPTIONS}` }
  const wall = raiseTenantWall()
  const pool = openPool(walled, options)
  const shared = openSharedConnections(walled, wall, options.onError)
  const across = openPool({ ...config, max: Math.min(config.max, MAX_CONNECTIONS_ACROSS), options: settings }, options)
  return {
    ...databaseOver(pool, wall),
    rowByKey: async (statement, values) => (await shared.rows(statement, values))[0],
    acrossOrganizations: { ...databaseOver(across, withoutWall), reach: 'every organization' },
    close: async () => {
      await Promise.all([pool.end(), shared.close(), across.end()])
    },
  }
}

/** A connection of the pool. @throws DatabaseBusy where so many wait that this one would give up before its turn. */
async function connectTo(pool: pg.Pool): Promise<pg.PoolClient> {
  if (pool.waitingCount >= MAX_WAITING) throw new DatabaseBusy()
  return pool.connect()
}

function openPool(config: pg.PoolConfig, { onError }: { onError(error: Error): void }): pg.Pool {
  const pool = new pg.Pool(config)
  // An idle connection that the server closed must not end the process; the pool makes a new one.
  pool.on('error', onError)
  // Neither must one that dies in the middle of a transaction: its statement fails, and that is told.
  pool.on('connect', (client) => client.on('error', onError))
  return pool
}

function databaseOver(pool: pg.Pool, wall: TenantWall): Database {
  const own = statementsOver(async (statement, values) => {
    const client = await connectTo(pool)
    try {
      return await wall.ask(client, statement, values)
    } finally {
      // The pool itself drops a connection that is no more.
      client.release()
    }
  })
  return { ...own, rowByKey: own.row, transaction: (work) => inTransaction(pool, wall, work) }
}

type Ask = (statement: Statement | string, values: unknown[]) => Promise<TextRow[]>

function statementsOver(ask: Ask): Pick<Database, 'rows' | 'row'> {
  const rows = (statement: Statement | string, values: unknown[] = []) => ask(statement, values)
  return { rows, row: async (statement, values) => (await rows(statement, values))[0] }
}

async function inTransaction<T>(pool: pg.Pool, wall: TenantWall, work: (database: Database) => Promise<T>): Promise<T> {
  const client = await connectTo(pool)
  const own = statementsOver((statement, values) => wall.ask(client, statement, values))
  const database: Database = {
    ...own,
    rowByKey: own.row,
    transaction: () => {
      throw new Error('a transaction holds no transaction')
    },
  }
  let broken: Error | undefined
  try {
    await client.query('begin')
    const result = await work(database)
    await client.query('commit')
    return result
  } catch (error) {
    await client.query('rollback').catch((rollbackError: Error) => {
      broken = rollbackError
    })
    wall.forget(client)
    throw error
  } finally {
    client.release(broken)
  }
}
