// Opens the database for every command, and nothing more: a command that reads a table does not load the server.
import { availableParallelism } from 'node:os'
import type { FastifyBaseLogger } from 'fastify'
import type pg from 'pg'
import type { Config } from '../config.ts'
import { createVault, type Place, type Vault } from '../platform/crypto/encryption.ts'
import { openKeyRing } from '../platform/crypto/key-ring.ts'
import { requireRowLevelSecurity } from '../platform/database/application-role.ts'
import { explainEnded } from '../platform/database/connections/no-connection.ts'
import type { SystemDatabase } from '../platform/database/database.ts'
import { type DatabasePool, openDatabase } from '../platform/database/database-pool.ts'
import { distributeAgain } from '../platform/database/distribute.ts'
import { openEmbedded } from '../platform/database/embedded/embedded.ts'
import type { Log } from '../platform/database/embedded/home.ts'
import { readLog } from '../platform/database/embedded/postmaster.ts'
import { NotConnected } from '../platform/database/errors.ts'
import { migrate } from '../platform/database/migrate.ts'
import type { ReplicaOptions } from '../platform/database/replica/reads.ts'
import { createFailureLog, onceAMinute } from '../platform/failure-log.ts'
import { registeredKeys, registerKeys } from '../platform/key-rotation/register-keys.ts'
import { refuseEmptyDatabase, refuseEmptyFolder, refuseLostDatabase } from './existing-data.ts'

/**
 * Resources that were opened, and are closed in reverse order; a failure to close one does not keep the others open.
 */
export interface Opened<T> {
  value: T
  close(): Promise<void>
}

/** How a process uses the database. */
export interface DatabaseUse {
  /**
   * The role of the process for an embedded database: a data folder has one server, and commands run beside it or
   * alone.
   */
  role: 'server' | 'command'
  data: 'existing' | 'existing or new'
  /** The number of processes of one service that share its connections; 1 by default. */
  processes?: number
  /** Whether it answers calls, whose reads go to the standby of the settings. */
  answersCalls?: boolean
  meanwhile?: Meanwhile
}

/**
 * What this process does while an embedded PostgreSQL is created or started by programs of its own, or before it connects to another; called once or
 * more. What it loads or computes is awaited where it is needed.
 */
export type Meanwhile = (doing: 'creating' | 'starting') => Promise<unknown>

/** The connection to the database of these settings: `DATABASE_URL`, or the embedded PostgreSQL of `DATA_DIR`. */
export async function openConnection(
  config: Config,
  log: FastifyBaseLogger,
  role: 'server' | 'command',
  meanwhile: Meanwhile = async () => {},
): Promise<Opened<pg.PoolConfig>> {
  // A failure surfaces again where the result is needed.
  const doMeanwhile = (doing: 'creating' | 'starting') => void meanwhile(doing).catch(() => {})
  if (config.DATABASE_URL) {
    // The build, too, compiles what is loaded here for later starts (scripts/build.js): it has no database.
    doMeanwhile('starting')
    return { value: { connectionString: config.DATABASE_URL }, close: async () => {} }
  }
  const embedded = await openEmbedded({ dataDir: config.DATA_DIR, log: logTo(log), role, meanwhile: doMeanwhile })
  return { value: embedded.connection, close: embedded.stop }
}

/**
 * The database of these settings, migrated. Only some commands may create a new one: a user who looks for data in the
 * wrong folder must not be shown an empty database.
 * @throws StartupError
 */
export async function openMigratedDatabase(
  config: Config,
  log: FastifyBaseLogger,
  { role, data, processes = 1, answersCalls = false, meanwhile }: DatabaseUse,
): Promise<Opened<DatabasePool>> {
  if (data === 'existing') refuseEmptyFolder(config)
  else refuseLostDatabase(config)
  const logFailure = createFailureLog(log)
  const connection = await openConnection(config, log, role, meanwhile)
  const replica = answersCalls && replicaOf(config, log)
  const database = openDatabase(connection.value, {
    processes,
    ...processorsOf(config),
    ...(replica && { replica }),
    onError: (error) => logFailure('a database connection was lost', error),
    onMove: ({ host, port }) => log.warn({ host, port }, 'another database server accepts writes now'),
  })
  const close = async () => {
    await database.close()
    await connection.close()
  }
  try {
    const prepare = async () => {
      if (data === 'existing') await refuseEmptyDatabase(config, database.systemDatabase)
      return migrate(database, (seconds, reason) => log.warn({ seconds }, `waiting for ${reason}`))
    }
    const applied = await (config.DATABASE_URL ? prepare() : untilInTime(prepare))
    if (applied.length > 0) await distributeAgain(database.systemDatabase)
    await requireRowLevelSecurity(database)
    await database.reads?.start()
    if (applied.length > 0)
      log.info({ migrations: applied.length, newest: applied.at(-1) }, 'the database was migrated')
    return { value: database, close }
  } catch (error) {
    // Before it is stopped, which is the end of connections as well.
    const log = config.DATABASE_URL ? '' : await readLog(config.DATA_DIR)
    await close()
    throw explainEnded(error, connection.value, log)
  }
}

const START_PATIENCE_MS = 120_000
const LATE = /timeout/i

/**
 * Repeats the first work on the embedded PostgreSQL while connections to it are not opened in time: it runs on this machine, which is busy, and no
 * start fails because it is slow.
 */
export async function untilInTime<T>(work: () => Promise<T>, patienceMs = START_PATIENCE_MS): Promise<T> {
  const until = performance.now() + patienceMs
  for (;;) {
    try {
      return await work()
    } catch (error) {
      if (!(error instanceof NotConnected && LATE.test(error.message)) || performance.now() > until) throw error
    }
  }
}

/** The processors of the database server, where they are known. The embedded PostgreSQL runs on this computer. */
export function processorsOf({ DATABASE_URL, DATABASE_PROCESSORS }: Config): { processors?: number } {
  if (DATABASE_URL === undefined) return { processors: availableParallelism() }
  return DATABASE_PROCESSORS === undefined ? {} : { processors: DATABASE_PROCESSORS }
}

/** The standby that answers reads, when the settings name one. */
export function replicaOf({ DATABASE_READ_URL }: Config, log?: FastifyBaseLogger): ReplicaOptions | undefined {
  if (DATABASE_READ_URL === undefined) return undefined
  const say = onceAMinute((message, fields) => log?.warn(fields, message))
  return {
    connection: { connectionString: DATABASE_READ_URL },
    onChange: (standing) => say('the standby of DATABASE_READ_URL changed its standing', { standing }),
  }
}

/**
 * Encrypts and decrypts with the keys of these settings. @throws StartupError when the database was written with
 * another key.
 */
export async function openVault(
  config: Config,
  database: SystemDatabase,
  onUnreadable?: (place: Place) => void,
): Promise<Vault> {
  const isNew = async () => (await registeredKeys(database)).length === 0
  const vault = createVault(await openKeyRing(config, isNew), onUnreadable)
  await registerKeys(database, vault)
  return vault
}

function logTo(log: FastifyBaseLogger): Log {
  return (message, fields = {}, level = 'info') => log[level](fields, message)
}
