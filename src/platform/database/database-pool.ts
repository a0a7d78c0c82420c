import type pg from 'pg'
import { openAuthentication } from './connections/authentication.ts'
import { connectFairly, connectTo, openPool } from './connections/connections.ts'
import { databaseOver, wholeOver } from './connections/database-over.ts'
import { createHeavyReads } from './connections/heavy-reads.ts'
import { keptOpen, poolSettings } from './connections/pool-settings.ts'
import { createReadsByKey } from './connections/reads-by-key.ts'
import { followPrimary, type Server } from './connections/servers.ts'
import { openSharedConnections } from './connections/shared-connections.ts'
import { createUnanswered } from './connections/unanswered.ts'
import { usageOf } from './connections/usage.ts'
import type { Database, PoolUsage, Statement, SystemDatabase, TextRow, TextRows } from './database.ts'
import { openReads, type Reads, type ReplicaOptions } from './replica/reads.ts'
import { applyRowLevelSecurity, organizationOf } from './row-level-security.ts'

export interface DatabasePool extends Database {
  systemDatabase: SystemDatabase
  /** For what every call needs before it is admitted: connections that the work of calls cannot take. This one is for clients and their tokens. */
  authenticationDatabase: SystemDatabase
  /** The same for users and their sessions. */
  sessionDatabase: SystemDatabase
  /** The same for the counts of calls. */
  limitDatabase: SystemDatabase
  /** For the readiness check: one dedicated connection with a short limit. */
  probeDatabase: SystemDatabase
  /** Reads that a standby may answer; only where one is configured. */
  reads?: Reads
  /** The current use of each pool. */
  usage(): PoolUsage[]
  close(): Promise<void>
}

/** For work across organizations: the queue, retention, commands. */
const MAX_CONNECTIONS_ACROSS = 3
const PROBE_TIMEOUT_MS = 1_500
/** Of a database server elsewhere, which does not tell how many it has. */
const ASSUMED_PROCESSORS = 5
/** No statement of a request takes long; bulk work raises this for its own transaction. */
const STATEMENT_TIMEOUT_MS = 30_000
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
    /** Of the database server, where they are known. */
    processors?: number
    replica?: ReplicaOptions
  },
): DatabasePool {
  const { statementTimeoutMs = STATEMENT_TIMEOUT_MS, processes } = options
  let isClosing = false
  // A pool closes before its connections have: PostgreSQL may stop in between, and nothing is lost by it.
  const onError = (error: Error) => {
    if (!isClosing) options.onError(error)
  }
  const primary = followPrimary(connection, options)
  const { whole, restricted } = poolSettings(primary.connection, { statementTimeoutMs, processes })
  const security = applyRowLevelSecurity()
  const pool = openPool(restricted, onError)
  const connect = connectFairly(pool)
  const shared = openSharedConnections(restricted, onError)
  const openWhole = (max: number, more: pg.PoolConfig = {}) =>
    openPool({ ...whole, ...more, max: Math.min(whole.max, max) }, onError)
  const across = openWhole(MAX_CONNECTIONS_ACROSS)
  const authentication = openAuthentication(whole, onError)
  const probe = openWhole(1, keptOpen(PROBE_TIMEOUT_MS))
  const longReadsAtOnce = Math.ceil((options.processors ?? ASSUMED_PROCESSORS) / (processes ?? 1))
  const heavy = createHeavyReads(longReadsAtOnce)
  const unanswered = createUnanswered()
  const pooled = databaseOver(connect, security, heavy)
  const byKey = createReadsByKey<undefined>(shared, {
    ask: security.ask,
    elsewhere: pooled.rows,
    sharerOf: organizationOf,
  })
  const ask = <Answer extends TextRow | TextRows | undefined>(
    answerOf: (rows: TextRows) => Answer,
    statement: Statement,
    values: unknown[],
  ): Promise<Answer> => {
    const organization = organizationOf(values)
    heavy.note(organization)
    const read = () => byKey.read(answerOf, statement, values, undefined)
    return byKey.isAside(statement) ? read() : unanswered.pass(organization, read)
  }
  const database: Database = {
    ...pooled,
    rowByKey: (statement, values) => ask((rows) => rows[0], statement, values),
    rowsByKey: (statement, values) => ask((rows) => rows, statement, values),
  }
  const reads =
    options.replica &&
    openReads({ primary: database, settings: whole, processes, longReadsAtOnce, onError }, options.replica)
  return {
    ...database,
    systemDatabase: wholeOver(connectTo(across)),
    authenticationDatabase: authentication.clients,
    sessionDatabase: authentication.sessions,
    limitDatabase: authentication.limits,
    probeDatabase: wholeOver(connectTo(probe)),
    ...(reads && { reads }),
    usage: () => [
      usageOf('application', pool, connect),
      usageOf('system', across),
      authentication.usage(),
      usageOf('probe', probe),
      ...(reads?.usage() ?? []),
    ],
    close: async () => {
      isClosing = true
      await reads?.close()
      const pools = [pool, across, probe].map((each) => each.end())
      await Promise.all([...pools, shared.close(), authentication.close()])
      await primary.close()
    },
  }
}
