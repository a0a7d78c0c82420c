// What PostgreSQL and its driver say when something fails. Source: PostgreSQL manual, appendix A (error codes).

const UNIQUE_VIOLATION = '23505'

/** The name of the unique constraint or index that a write broke; undefined for every other error. */
export function violatedConstraint(error: unknown): string | undefined {
  const { code, constraint } = (error ?? {}) as { code?: string; constraint?: string }
  return code === UNIQUE_VIOLATION ? constraint : undefined
}

/** Refused before anything was sent: too many wait for a connection already. */
export class DatabaseBusy extends Error {
  override readonly name = 'DatabaseBusy'
}

const SYSTEM_CODES = new Set(['ECONNREFUSED', 'ECONNRESET', 'ENOENT', 'EPIPE', 'ETIMEDOUT', 'EAI_AGAIN', 'ENOTFOUND'])
const DRIVER_MESSAGES =
  /Connection terminated|Query read timeout|timeout expired|timeout exceeded when trying to connect|Client has encountered a connection error/

const TOO_MANY_CONNECTIONS = '53300'

/** True when PostgreSQL took no more connections: one may be free in a moment. */
export function isOutOfConnections(error: unknown): boolean {
  return (error as { code?: unknown } | undefined)?.code === TOO_MANY_CONNECTIONS
}

/**
 * True when the database was not there: refused, cut off, restarting (class 57P) or out of connections (53300).
 * A statement that was cut off may or may not have been committed.
 */
export function isConnectionFailure(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const code = (error as { code?: string }).code ?? ''
  return (
    SYSTEM_CODES.has(code) ||
    code.startsWith('08') ||
    code.startsWith('57P') ||
    isOutOfConnections(error) ||
    error instanceof DatabaseBusy ||
    DRIVER_MESSAGES.test(error.message)
  )
}

const DEADLOCK = '40P01'

/** True when two transactions waited for each other and this one had to give way: done again it may go through. */
export function isDeadlock(error: unknown): boolean {
  return (error as { code?: unknown } | undefined)?.code === DEADLOCK
}

/**
 * True when PostgreSQL refused what a statement says, and so undid it: a value, a constraint, a limit of the program, or a deadlock. What several
 * callers sent together may still be right for each of the others. Cut off or out of time is not of this kind: that may have been committed,
 * or would be no different another time.
 */
export function isOfTheStatement(error: unknown): boolean {
  const { code = '' } = (error ?? {}) as { code?: unknown }
  return typeof code === 'string' && (/^(2[23]|54)/.test(code) || isDeadlock(error))
}

const UNABLE_CODES = new Set(['57014', '25006', DEADLOCK])

/**
 * True when the database was there but could not do what it can do at other times: out of disk or memory (class 53), unable to
 * read and write its files (class 58), past the time that a statement may take (57014), read-only for a while (25006), giving way to another
 * transaction (40P01).
 */
export function isTransientDatabaseError(error: unknown): boolean {
  const { code = '' } = error as { code?: unknown }
  return typeof code === 'string' && (/^5[38]/.test(code) || UNABLE_CODES.has(code))
}
