import type pg from 'pg'
import { StartupError } from '../startup-error.ts'
import { statedReasonOf } from '../stated-reason.ts'
import { isConnectionFailure, isTransientDatabaseError } from './errors.ts'

/** The database of a connection, for an operator: only `DATABASE_URL` has a connection string. */
const nameOf = ({ connectionString }: pg.PoolConfig) =>
  connectionString === undefined ? 'the embedded PostgreSQL' : 'the database of DATABASE_URL'

/** The error code of a server or a pooler that does not accept how a connection starts (protocol_violation). */
const PROTOCOL_VIOLATION = '08P01'

/** The one-line error for a database that could not be reached, or cannot do what a start needs; every other error unchanged. */
export function explainNoConnection(error: unknown, connection: pg.PoolConfig): unknown {
  if (!isConnectionFailure(error)) return explainTransient(error)
  const { code = '' } = error as { code?: string }
  if (code === PROTOCOL_VIOLATION)
    return new StartupError(
      'the server of DATABASE_URL refuses the options that connections start with (role, search_path), as PgBouncer does: connect to PostgreSQL itself',
      { cause: error },
    )
  return withoutDatabase(connection, error)
}

/** The one-line error for a database that cannot be reached. */
export function withoutDatabase(connection: pg.PoolConfig, cause: unknown): StartupError {
  const { reason } = statedReasonOf(cause)
  return new StartupError(`${nameOf(connection)} cannot be reached${reason ? `: ${reason}` : ''}`, { cause })
}

/** The one-line error of a command whose connection was lost while it worked, or whose database cannot go on; every other error unchanged. */
export function explainLoss(error: unknown): unknown {
  // It may quote the driver.
  if (error instanceof StartupError) return error
  if (!isConnectionFailure(error)) return explainTransient(error)
  // Files have the same codes.
  if ('path' in (error as Error)) return error
  return new StartupError(`a connection was lost: ${(error as Error).message}`, { cause: error })
}

function explainTransient(error: unknown): unknown {
  const { code = '', message } = (error ?? {}) as { code?: string; message?: string }
  if (!isTransientDatabaseError(error)) return error
  return new StartupError(`the database cannot be used at the moment: ${message} (${code})`, { cause: error })
}
