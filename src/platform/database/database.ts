import type pg from 'pg'
import { CONNECT_TIMEOUT_MS, type Connect, connectFairly, connectTo, type Lease, openPool } from './connections.ts'
import { isConnectionFailure, isDeadlock } from './errors.ts'
import {
  APPLICATION_OPTIONS,
  applyRowLevelSecurity,
  organizationOf,
  type RowLevelSecurity,
  withoutRowLevelSecurity,
} from './row-level-security.ts'
import { followPrimary, type Server } from './servers.ts'
import { openSharedConnections } from './shared-connections.ts'

/** A statement with a name is prepared once per connection; its text never changes. */
export interface Statement {
  name?: string
  text: string
  /** For a statement that may take longer than those of a request. */
  timeoutMs?: number
  /**
   * Rows beyond this many bytes are left out, because rows of a list may be of any size; the first row is always
   * returned.
   */
  maxBytes?: number
}

/**
 * The database as the rest of the service sees it: the rows of one organization, which $1 of a statement names. A
 * statement that names no organization finds no rows (row-level-security.ts). Timestamps, JSON and numbers arrive as
 * the text that PostgreSQL wrote: stored JSON is passed on unparsed, and each caller knows its own columns.
 */
export interface Database {
  /** Rows as arrays of text columns, in the order of the select list. */
  rows(statement: Statement | string, values?: unknown[]): Promise<TextRows>
  /** The first row, if there is one. */
  row(statement: Statement | string, values?: unknown[]): Promise<TextRow | undefined>
  /**
   * The first row of a statement that reads by key and never waits for a lock: it shares its connection with others.
   */
  rowByKey(statement: Statement, values: unknown[]): Promise<TextRow | undefined>
  /** Runs `work` in one transaction on one connection; rolls back when it throws. */
  transaction<T>(work: (database: Database) => Promise<T>): Promise<T>
}

/**
 * The database without row-level security, for work that belongs to no organization or to all
 * (test/laws/across-organizations.test.ts).
 */
export interface SystemDatabase extends Database {
  readonly reach: 'every organization'
}

export interface DatabasePool extends Database {
  systemDatabase: SystemDatabase
  /** For what every call needs before it is admitted: connections that the work of calls cannot take. */
  authenticationDatabase: SystemDatabase
  /** For the readiness check: one dedicated connection with a short limit. */
  probeDatabase: SystemDatabase
  /** The current use of each pool. */
  usage(): PoolUsage[]
  close(): Promise<void>
}

export interface PoolUsage {
  pool: 'application' | 'system' | 'authentication' | 'probe'
  total: number
  idle: number
  waiting: number
  max: number
}

/**
 * A column is text or null. Callers wrote the select list themselves and know which columns are never null, so the type
 * says text.
 */
export type TextRow = string[]

/** `isCut` is set when rows were left out because of `maxBytes`. */
export type TextRows = TextRow[] & { isCut?: boolean }

/** For the calls of one service, shared by all of its processes. */
const MAX_CONNECTIONS = 20
/** The least for one process: a transaction, and the reads beside it. */
const MIN_CONNECTIONS = 4
/** For work across organizations: the queue, retention, commands. */
const MAX_CONNECTIONS_ACROSS = 3
/** Its statements read or write one row by key. */
const MAX_CONNECTIONS_OF_AUTHENTICATION = 4
/**
 * A caller that waits longer than this to be authenticated is better served by a 503; a suspended database does not
 * time out statements itself.
 */
const AUTHENTICATION_TIMEOUT_MS = 5_000
const PROBE_TIMEOUT_MS = 1_500
/** No statement of a request takes long; bulk work raises this for its own transaction. */
const STATEMENT_TIMEOUT_MS = 30_000
/**
 * The database enforces the statement timeout itself, unless it is suspended: this long after the timeout the caller
 * gets its 503.
 */
export const ANSWER_MARGIN_MS = 5_000
/**
 * The share of common trigrams from which `%` matches, independent of the server's setting. More than the default of
 * 0.3, so that fewer rows are read in vain.
 */
export const SIMILARITY = 0.34

const asText = { getTypeParser: () => (value: string) => value }

/**
 * Opens a pool whose connections are subject to row-level security, and small pools without it, each for its own
 * purpose. Nothing connects before the first statement.
 */
export function openDatabase(
  connection: pg.PoolConfig,
  options: {
    onError(error: Error): void
    onMove?(server: Server): void
    statementTimeoutMs?: number
    processes?: number
  },
): DatabasePool {
  const { onError, statementTimeoutMs = STATEMENT_TIMEOUT_MS, processes = 1 } = options
  const primary = followPrimary(connection, options)
  const { address, theirs } = withoutOptions(primary.connection)
  // The caller's options come first: the last one counts, and ours switch on row-level security.
  const settings = `${theirs} -c timezone=UTC -c statement_timeout=${statementTimeoutMs} -c pg_trgm.similarity_threshold=${SIMILARITY}`
  const config = {
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    keepAlive: true,
    max: Math.max(MIN_CONNECTIONS, Math.floor(MAX_CONNECTIONS / processes)),
    ...address,
    Client: primary.connection.Client,
    types: asText as never,
    application_name: 'anteroom',
    // A statement and the one that enters its organization are sent in one packet.
    pipeline: true,
  }
  const restricted = {
    ...config,
    options: `${settings} ${APPLICATION_OPTIONS}`,
    query_timeout: statementTimeoutMs + ANSWER_MARGIN_MS,
  }
  const security = applyRowLevelSecurity()
  const pool = openPool(restricted, onError)
  const shared = openSharedConnections(restricted, security, onError)
  const openWhole = (max: number, more: pg.PoolConfig = {}) =>
    openPool({ ...config, ...more, max: Math.min(config.max, max), options: settings }, onError)
  const across = openWhole(MAX_CONNECTIONS_ACROSS)
  const authentication = openWhole(MAX_CONNECTIONS_OF_AUTHENTICATION, keptOpen(AUTHENTICATION_TIMEOUT_MS))
  const probe = openWhole(1, keptOpen(PROBE_TIMEOUT_MS))
  return {
    ...databaseOver(connectFairly(pool), security),
    rowByKey: async (statement, values) => (await shared.rows(statement, values))[0],
    systemDatabase: wholeOver(across),
    authenticationDatabase: wholeOver(authentication),
    probeDatabase: wholeOver(probe),
    usage: () => [
      usageOf('application', pool),
      usageOf('system', across),
      usageOf('authentication', authentication),
      usageOf('probe', probe),
    ],
    close: async () => {
      await Promise.all([pool.end(), shared.close(), across.end(), authentication.end(), probe.end()])
      await primary.close()
    },
  }
}

const usageOf = (name: PoolUsage['pool'], pool: pg.Pool): PoolUsage => ({
  pool: name,
  total: pool.totalCount,
  idle: pool.idleCount,
  waiting: pool.waitingCount,
  max: pool.options.max,
})

/**
 * Separates a connection's server options from the rest. The driver lets a `connectionString` override other options,
 * and would thus remove row-level security from these connections.
 */
function withoutOptions({ options = '', ...rest }: pg.PoolConfig): { address: pg.PoolConfig; theirs: string } {
  const [place = '', query] = rest.connectionString?.split(/\?(.*)/s) ?? []
  if (query === undefined) return { address: rest, theirs: options }
  const parameters = new URLSearchParams(query)
  const named = parameters.getAll('options').join(' ')
  parameters.delete('options')
  return {
    address: { ...rest, connectionString: [place, `${parameters}`].filter(Boolean).join('?') },
    theirs: `${options} ${named}`.trim(),
  }
}

/**
 * Keeps a connection open until it is needed, with a client-side limit that also applies when the server does not
 * respond.
 */
const keptOpen = (timeoutMs: number): pg.PoolConfig => ({
  idleTimeoutMillis: 0,
  connectionTimeoutMillis: timeoutMs,
  query_timeout: timeoutMs,
})

const wholeOver = (pool: pg.Pool): SystemDatabase => ({
  ...databaseOver(connectTo(pool), withoutRowLevelSecurity),
  reach: 'every organization',
})

function databaseOver(connect: Connect, security: RowLevelSecurity): Database {
  const askOnce: Ask = async (statement, values) => {
    const { client, release } = await connect(organizationOf(values))
    let broken: Error | undefined
    try {
      return await security.ask(client, statement, values)
    } catch (error) {
      // The pool drops a connection once its socket has closed, which may happen long after PostgreSQL's last message,
      // or never.
      if (isConnectionFailure(error)) broken = error as Error
      throw error
    } finally {
      release(broken)
    }
  }
  const own = statementsOver((statement, values) => retryAfterDeadlock(() => askOnce(statement, values)))
  return { ...own, rowByKey: own.row, transaction: (work) => inTransaction(connect, security, work) }
}

const DEADLOCK_ATTEMPTS = 3

/**
 * A statement that was cancelled to resolve a deadlock is rolled back completely; the other transaction proceeds, and
 * this one is repeated.
 */
async function retryAfterDeadlock<T>(send: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await send()
    } catch (error) {
      if (!isDeadlock(error) || attempt === DEADLOCK_ATTEMPTS) throw error
    }
  }
}

type Ask = (statement: Statement | string, values: unknown[]) => Promise<TextRows>

function statementsOver(ask: Ask): Pick<Database, 'rows' | 'row'> {
  const rows = (statement: Statement | string, values: unknown[] = []) => ask(statement, values)
  return { rows, row: async (statement, values) => (await rows(statement, values))[0] }
}

/**
 * Connects with its first statement, which names the organization: the transaction counts towards that organization's
 * share.
 */
async function inTransaction<T>(
  connect: Connect,
  security: RowLevelSecurity,
  work: (database: Database) => Promise<T>,
): Promise<T> {
  let beginning: Promise<Lease> | undefined
  const own = statementsOver(async (statement, values) => {
    beginning ??= begin(connect, organizationOf(values))
    const { client } = await beginning
    return security.ask(client, statement, values)
  })
  const database: Database = {
    ...own,
    rowByKey: own.row,
    transaction: () => {
      throw new Error('transactions cannot be nested')
    },
  }
  const begun = () => beginning?.catch(() => undefined)
  let broken: Error | undefined
  try {
    const result = await work(database)
    await (await begun())?.client.query('commit')
    return result
  } catch (error) {
    const lease = await begun()
    await lease?.client.query('rollback').catch((rollbackError: Error) => {
      broken = rollbackError
    })
    if (lease) security.forget(lease.client)
    throw error
  } finally {
    ;(await begun())?.release(broken)
  }
}

async function begin(connect: Connect, organization: string): Promise<Lease> {
  const lease = await connect(organization)
  try {
    await lease.client.query('begin')
    return lease
  } catch (error) {
    lease.release(error as Error)
    throw error
  }
}
