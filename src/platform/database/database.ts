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

/** A statement with a name is prepared once a connection; its text never changes. */
export interface Statement {
  name?: string
  text: string
  /** For one that may take longer than a request's statement. */
  timeoutMs?: number
  /** Rows behind so many bytes are left out, as the rows of a list may be of any size; the first row always comes. */
  maxBytes?: number
}

/**
 * The database as the rest of the service sees it: the rows of one organization, which $1 of a statement names; a statement that names
 * none finds none (row-level-security.ts). Timestamps, JSON and numbers arrive as the text that PostgreSQL wrote:
 * stored JSON goes out unparsed, and each caller knows its own columns.
 */
export interface Database {
  /** Rows as arrays of text columns, in the order of the select list. */
  rows(statement: Statement | string, values?: unknown[]): Promise<TextRows>
  /** The first row, if there is one. */
  row(statement: Statement | string, values?: unknown[]): Promise<TextRow | undefined>
  /** The first row of a statement that reads by key and never waits: it shares its connection with others. */
  rowByKey(statement: Statement, values: unknown[]): Promise<TextRow | undefined>
  /** Runs `work` in one transaction on one connection; rolls back when it throws. */
  transaction<T>(work: (database: Database) => Promise<T>): Promise<T>
}

/** The database without row-level security: for work that belongs to none, or to all (test/laws/across-organizations.test.ts). */
export interface SystemDatabase extends Database {
  readonly reach: 'every organization'
}

export interface DatabasePool extends Database {
  systemDatabase: SystemDatabase
  /** For what every call needs before it is let in: connections that no call's own work takes. */
  authenticationDatabase: SystemDatabase
  /** For the check whether the database answers: one connection that nothing else takes, and no long wait. */
  probeDatabase: SystemDatabase
  /** How each pool is used at present. */
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

/** A column is text or null; callers index rows whose select list they wrote themselves, so the type says text. */
export type TextRow = string[]

/** `isCut` when rows were left out for `maxBytes`. */
export type TextRows = TextRow[] & { isCut?: boolean }

/** For the calls of one service, however many processes it is. */
const MAX_CONNECTIONS = 20
/** Of one process: a transaction and what is read beside it. */
const MIN_CONNECTIONS = 4
/** For work across organizations: the queue, retention, commands. */
const MAX_CONNECTIONS_ACROSS = 3
/** Its statements read or write one row by its key. */
const MAX_CONNECTIONS_OF_AUTHENTICATION = 4
/** Whoever waits to be let in longer than this is better served by a 503; a database that stands still answers nothing itself. */
const AUTHENTICATION_TIMEOUT_MS = 5_000
const PROBE_TIMEOUT_MS = 1_500
/** No statement of a request takes long; bulk work raises this for its own transaction. */
const STATEMENT_TIMEOUT_MS = 30_000
/** The database keeps the limit of a statement itself, unless it stands still: after this long without a word of it the caller gets its 503. */
export const ANSWER_MARGIN_MS = 5_000
/** From which share of common trigrams on `%` holds, whatever the server is set to. More than 0.3, its default: fewer are read in vain. */
export const SIMILARITY = 0.34

const asText = { getTypeParser: () => (value: string) => value }

/**
 * Opens a pool whose connections are under row-level security, and beside it small ones whose connections are not, each for a purpose of its own.
 * Nothing connects until the first statement.
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
  // Theirs first: of two the later counts, and ours switch on row-level security.
  const settings = `${theirs} -c timezone=UTC -c statement_timeout=${statementTimeoutMs} -c pg_trgm.similarity_threshold=${SIMILARITY}`
  const config = {
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    keepAlive: true,
    max: Math.max(MIN_CONNECTIONS, Math.floor(MAX_CONNECTIONS / processes)),
    ...address,
    Client: primary.connection.Client,
    types: asText as never,
    application_name: 'anteroom',
    // A statement and the one that enters its organization leave in one packet.
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
 * A connection without the server options that it names, and those. The driver lets a `connectionString` overrule what stands beside it, and
 * so would take row-level security off our connections.
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

/** A connection that is there when it is needed, and a limit that holds also when the server says nothing: it is ours, not the server's. */
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
      // The pool drops a connection once it has closed, which may come after what PostgreSQL said last on it, or never.
      if (isConnectionFailure(error)) broken = error as Error
      throw error
    } finally {
      release(broken)
    }
  }
  const own = statementsOver((statement, values) => againAfterDeadlock(() => askOnce(statement, values)))
  return { ...own, rowByKey: own.row, transaction: (work) => inTransaction(connect, security, work) }
}

const DEADLOCK_ATTEMPTS = 3

/** A statement that gave way in a deadlock is undone as a whole: whoever it gave way to goes on, and then it is its turn. */
async function againAfterDeadlock<T>(send: () => Promise<T>): Promise<T> {
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

/** It connects with its first statement, which says for whom: a transaction counts against its organization's share. */
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
      throw new Error('a transaction holds no transaction')
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
