import { Client, DatabaseError } from 'pg'
import { codeOf } from '../../error-code.ts'
import { StartupError } from '../../startup-error.ts'
import { whyUnwritable } from '../../why-unwritable.ts'
import { APPLICATION_ROLE } from '../application-role.ts'
import { withAdvice } from '../start-failure.ts'
import type { SocketAddress } from './postmaster.ts'

/** The options of a `pg` Pool or Client. */
export interface EmbeddedConnection extends SocketAddress {
  user: string
  password: string
  database: string
  ssl: false
}

const applicationRole = 'anteroom'
const connectTimeoutMs = 5_000

/** Advisory locks of the session that each process keeps on the maintenance database; they end with the process. */
const lockClass = 0x616e7465
/** Held shared by every process that uses the database, and exclusively by the one that stops it. */
const presenceLock = 1
/** Held by the server: a data folder has one. */
const serverLock = 2
/** Held while the role and the database are created. */
const setupLock = 3

/** The errors of connecting to a Unix socket before PostgreSQL listens on it and after it has stopped. */
const unservedCodes = new Set(['ENOENT', 'ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'EAGAIN'])

const applicationName = (role: string) => `anteroom ${role} ${process.pid}`

/** The connection the application uses: a role that owns its database and may make others, but is not a superuser. */
export function applicationConnection(address: SocketAddress, password: string): EmbeddedConnection {
  return { ...address, user: applicationRole, password, database: applicationRole, ssl: false }
}

/**
 * Opens this process's session and announces its presence; undefined when PostgreSQL does not serve yet or is about to
 * stop, which a later attempt will distinguish.
 * @throws StartupError when the password file does not match the cluster.
 */
export async function openSession(connection: EmbeddedConnection, role: string): Promise<Client | undefined> {
  const session = new Client({
    ...connection,
    user: 'postgres',
    database: 'postgres',
    application_name: applicationName(role),
    connectionTimeoutMillis: connectTimeoutMs,
  })
  // A lost session is noticed by its 'end'; without this listener its 'error' would end the process.
  session.on('error', () => {})
  try {
    await session.connect()
    if (await tryLock(session, 'pg_try_advisory_lock_shared', presenceLock)) return session
  } catch (error) {
    if (!isPassing(error)) throw asStartupError(error)
  }
  await session.end().catch(() => {})
  return undefined
}

/** Creates the application's login, its role and its database when they are missing. */
export async function ensureDatabase(session: Client, connection: EmbeddedConnection): Promise<void> {
  const { user, database, password } = connection
  if ((await hasDatabase(session, database)) && (await hasRole(session, APPLICATION_ROLE))) return
  await session.query('select pg_advisory_lock($1, $2)', [lockClass, setupLock])
  if (!(await hasRole(session, user))) {
    const quotedPassword = session.escapeLiteral(password)
    await session.query(`create role ${session.escapeIdentifier(user)} login createdb password ${quotedPassword}`)
  }
  if (!(await hasRole(session, APPLICATION_ROLE))) {
    await session.query(
      `create role ${APPLICATION_ROLE} nologin; grant ${APPLICATION_ROLE} to ${session.escapeIdentifier(user)}`,
    )
  }
  if (!(await hasDatabase(session, database))) {
    const owner = session.escapeIdentifier(user)
    // The template is logged page by page, and compressing seven megabytes once takes longer than writing them.
    await session.query('set wal_compression = off')
    await session.query(`create database ${session.escapeIdentifier(database)} owner ${owner}`)
    await session.query('reset wal_compression')
  }
  await session.query('select pg_advisory_unlock($1, $2)', [lockClass, setupLock])
}

/** Claims the data folder for this server; false when another server has it. */
export function claimServer(session: Client): Promise<boolean> {
  return tryLock(session, 'pg_try_advisory_lock', serverLock)
}

/** The process id of the server that has the data folder. */
export async function findServer(session: Client): Promise<string | undefined> {
  const { rows } = await session.query<{ application_name: string }>(
    `select application_name from pg_locks join pg_stat_activity using (pid)
      where locktype = 'advisory' and classid = $1 and objid = $2 and granted`,
    [lockClass, serverLock],
  )
  return rows[0]?.application_name.split(' ').at(-1)
}

/** Withdraws this process's presence; true when it was the last process, and no other can join any more. */
export async function leave(session: Client): Promise<boolean> {
  await session.query('select pg_advisory_unlock_shared($1, $2)', [lockClass, presenceLock])
  return tryLock(session, 'pg_try_advisory_lock', presenceLock)
}

/** The errors of a write that are about the disk and not about the file. */
const DISK = new Set(['EROFS', 'ENOSPC', 'EDQUOT'])

/** Describes in one line why a start failed. */
export function asStartupError(error: unknown): StartupError {
  if (error instanceof StartupError) return error
  const { code = '', path, message } = error as NodeJS.ErrnoException
  const reason =
    path !== undefined && DISK.has(code)
      ? `${path} cannot be written: ${whyUnwritable(path, error)}`
      : withAdvice(message)
  return new StartupError(`The embedded PostgreSQL cannot be used: ${reason}`, { cause: error })
}

async function tryLock(
  session: Client,
  lock: 'pg_try_advisory_lock' | 'pg_try_advisory_lock_shared',
  key: number,
): Promise<boolean> {
  const { rows } = await session.query<{ locked: boolean }>(`select ${lock}($1, $2) as locked`, [lockClass, key])
  return rows[0]?.locked === true
}

async function hasRole(session: Client, name: string): Promise<boolean> {
  return (await session.query('select from pg_roles where rolname = $1', [name])).rowCount === 1
}

async function hasDatabase(session: Client, name: string): Promise<boolean> {
  return (await session.query('select from pg_database where datname = $1', [name])).rowCount === 1
}

/**
 * Whether a failed connection only means that PostgreSQL is starting or stopping: the socket is not served, or the code
 * is 57P0x.
 */
function isPassing(error: unknown): boolean {
  const code = codeOf(error)
  if (error instanceof DatabaseError) return code?.startsWith('57P0') === true
  if (code !== undefined) return unservedCodes.has(code)
  return error instanceof Error && /^Connection terminated|^timeout expired/.test(error.message)
}
