// The errors of PostgreSQL and its driver. Source: PostgreSQL manual, appendix A (error codes).
import { codeOf } from '../error-code.ts'
import { StatedReason } from '../stated-reason.ts'

const UNIQUE_VIOLATION = '23505'

/** The name of the unique constraint or index that a write broke; undefined for every other error. */
export function violatedConstraint(error: unknown): string | undefined {
  return codeOf(error) === UNIQUE_VIOLATION ? constraintOf(error) : undefined
}

/** The number that Citus adds to the names of a table's parts, with which it names their constraints, too. */
const PART_NUMBER = /_\d{6,}$/
const NAMED = /constraint "([^"]+)"/

/** The name of the constraint that a write broke, as the migrations have it. Citus passes on the name in the message alone. */
export function constraintOf(error: unknown): string | undefined {
  const { constraint, message = '' } = (error ?? {}) as { constraint?: string; message?: string }
  return (constraint ?? NAMED.exec(message)?.[1])?.replace(PART_NUMBER, '')
}

/** Refused before anything was sent: too many calls are waiting for a connection, or the call's turn did not come. The database works. */
export class DatabaseBusy extends Error {
  override readonly name = 'DatabaseBusy'
}

/**
 * No connection could be opened, for whatever reason: the network, a certificate, a password, a server that is something else. Nothing was
 * sent. The message is that of the cause, which names hosts, users and certificates at most.
 */
export class NotConnected extends StatedReason {
  override readonly name = 'NotConnected'
  /** Of the system, of TLS or of PostgreSQL. */
  readonly code: string | undefined

  constructor(cause: Error & { code?: string }) {
    super(cause.message || cause.code || 'no connection', { cause })
    this.code = cause.code
  }
}

const SYSTEM_CODES = new Set([
  ...['ECONNREFUSED', 'ECONNRESET', 'ECONNABORTED', 'ENOENT', 'EPIPE', 'ETIMEDOUT', 'EAI_AGAIN', 'ENOTFOUND'],
  ...['EHOSTUNREACH', 'EHOSTDOWN', 'ENETUNREACH', 'ENETDOWN', 'ENETRESET', 'ENOTCONN', 'EPROTO'],
])
const DRIVER_MESSAGES =
  /Connection terminated|Query read timeout|timeout expired|timeout exceeded when trying to connect|Client has encountered a connection error/

const TOO_MANY_CONNECTIONS = '53300'

/** True when PostgreSQL had no free connection; one may be free in a moment. */
export function isOutOfConnections(error: unknown): boolean {
  return codeOf(error) === TOO_MANY_CONNECTIONS
}

/**
 * True when the database was unavailable: not connected, disconnected, restarting (class 57P) or out of connections (53300).
 * A statement whose connection was lost may or may not have been committed.
 */
export function isConnectionFailure(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const code = codeOf(error) ?? ''
  return (
    error instanceof NotConnected ||
    SYSTEM_CODES.has(code) ||
    code.startsWith('ERR_SSL_') ||
    code.startsWith('08') ||
    code.startsWith('57P') ||
    isOutOfConnections(error) ||
    error instanceof DatabaseBusy ||
    DRIVER_MESSAGES.test(error.message)
  )
}

export const READ_ONLY = '25006'

/**
 * True when the connection is of no further use: it was lost, or its session does not write. A session keeps the default of the time at
 * which it began, and a server keeps its sessions when it becomes a standby.
 */
export function breaksConnection(error: unknown): boolean {
  return isConnectionFailure(error) || codeOf(error) === READ_ONLY
}

const LOCK_NOT_AVAILABLE = '55P03'

/** True when a lock was not available within `lock_timeout`. */
export function isLockTimeout(error: unknown): boolean {
  return codeOf(error) === LOCK_NOT_AVAILABLE
}

/**
 * True when a migration changed the columns of a named statement since it was prepared: sent again, it is prepared again. Source:
 * RevalidateCachedQuery() in plancache.c.
 */
export function isStalePlan(error: unknown): boolean {
  const { code, routine } = (error ?? {}) as { code?: unknown; routine?: unknown }
  return code === '0A000' && routine === 'RevalidateCachedQuery'
}

const DEADLOCK = '40P01'

/** True when the transaction was cancelled to resolve a deadlock: a retry may succeed. */
export function isDeadlock(error: unknown): boolean {
  return codeOf(error) === DEADLOCK
}

/**
 * True when PostgreSQL refused a statement because of its content, and rolled it back: a value, a constraint, a limit
 * of the program, or a deadlock. In a statement for several callers, the other callers' parts may still be valid. A
 * lost connection or a timeout is not of this kind: the statement may have been committed, or would fail again.
 */
export function isOfTheStatement(error: unknown): boolean {
  return /^(2[23]|54)/.test(codeOf(error) ?? '') || isDeadlock(error)
}

const SERIALIZATION_FAILURE = '40001'
const CANCELLED = '57014'

/** True when the statement was cancelled: for its time limit, or by request. */
export function isCancelled(error: unknown): boolean {
  return codeOf(error) === CANCELLED
}

const IDLE_TOO_LONG = ['25P03', '25P04']
const UNABLE_CODES = new Set([
  CANCELLED,
  READ_ONLY,
  DEADLOCK,
  SERIALIZATION_FAILURE,
  LOCK_NOT_AVAILABLE,
  ...IDLE_TOO_LONG,
])

/**
 * True when the database was reachable but temporarily unable: out of disk or memory (class 53), unable to read or
 * write its files (class 58, or refused by its disk), beyond a time limit (57014, 55P03, 25P03, 25P04), read-only for a
 * while (25006), cancelled for other transactions (40P01, 40001), or prepared before a migration.
 */
export function isTransientDatabaseError(error: unknown): boolean {
  const code = codeOf(error) ?? ''
  return /^5[38]/.test(code) || UNABLE_CODES.has(code) || isRefusedByDisk(error) || isStalePlan(error)
}

/** True when the same holds for every statement that writes: out of disk or memory, read-only, or a disk that refuses. */
export function isDatabaseUnable(error: unknown): boolean {
  return /^5[38]/.test(codeOf(error) ?? '') || codeOf(error) === READ_ONLY || isRefusedByDisk(error)
}

export const INSUFFICIENT_PRIVILEGE = '42501'
/** The parts of PostgreSQL that read and write its files. Missing rights of a user are found by others (aclchk.c, execMain.c). */
const STORAGE = /^(?:md|fd|slru|xlog\w*|buffile|copydir|relmapper|dsm_impl|filemap)\.c$/

/** PostgreSQL reports a disk that is mounted read-only with the code of a missing right. Source: errcode_for_file_access() in elog.c. */
function isRefusedByDisk(error: unknown): boolean {
  const { code, file } = (error ?? {}) as { code?: unknown; file?: unknown }
  return code === INSUFFICIENT_PRIVILEGE && typeof file === 'string' && STORAGE.test(file)
}
