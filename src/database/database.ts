import pg from 'pg'
import { openSharedConnections } from './shared-connections.ts'

/** A statement with a name is prepared once a connection; its text never changes. */
export interface Statement {
  name: string
  text: string
}

/**
 * The database as the rest of the service sees it. Timestamps, JSON and numbers arrive as the text that PostgreSQL wrote:
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

export interface DatabasePool extends Database {
  close(): Promise<void>
}

/** A column is text or null; callers index rows whose select list they wrote themselves, so the type says text. */
export type TextRow = string[]

const MAX_CONNECTIONS = 20
const CONNECT_TIMEOUT_MS = 5_000
/** No statement of a request takes long; bulk work raises this for its own transaction. */
const STATEMENT_TIMEOUT_MS = 30_000
/** From which share of common trigrams on `%` holds, whatever the server is set to. More than 0.3, its default: fewer are read in vain. */
const SIMILARITY = 0.33

const asText = { getTypeParser: () => (value: string) => value }

/** Opens a pool. Nothing connects until the first statement. */
export function openDatabase(connection: pg.PoolConfig, options: { onError(error: Error): void }): DatabasePool {
  const config = {
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    keepAlive: true,
    ...connection,
    types: asText as never,
    options: `-c timezone=UTC -c statement_timeout=${STATEMENT_TIMEOUT_MS} -c pg_trgm.similarity_threshold=${SIMILARITY}`,
    application_name: 'anteroom',
  }
  const pool = new pg.Pool({ max: MAX_CONNECTIONS, ...config })
  // An idle connection that the server closed must not end the process; the pool makes a new one.
  pool.on('error', options.onError)
  // Neither must one that dies in the middle of a transaction: its statement fails, and that is told.
  pool.on('connect', (client) => client.on('error', options.onError))
  const shared = openSharedConnections(config, options.onError)
  return {
    ...databaseOver(pool),
    rowByKey: async (statement, values) => (await shared.rows(statement, values))[0],
    transaction: (work) => inTransaction(pool, work),
    close: async () => {
      await Promise.all([pool.end(), shared.close()])
    },
  }
}

function databaseOver(target: pg.Pool | pg.PoolClient): Pick<Database, 'rows' | 'row'> {
  const rows = async (statement: Statement | string, values: unknown[] = []) => {
    const query = typeof statement === 'string' ? { text: statement } : statement
    const result = await target.query<TextRow>({ ...query, values, rowMode: 'array' })
    return result.rows
  }
  return { rows, row: async (statement, values) => (await rows(statement, values))[0] }
}

async function inTransaction<T>(pool: pg.Pool, work: (database: Database) => Promise<T>): Promise<T> {
  const client = await pool.connect()
  const own = databaseOver(client)
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
    throw error
  } finally {
    client.release(broken)
  }
}
