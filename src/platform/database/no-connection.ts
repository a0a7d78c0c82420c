import { StartupError } from '../startup-error.ts'
import { isConnectionFailure, isTransientDatabaseError, reasonOf } from './errors.ts'

export const NO_DATABASE = 'the database of DATABASE_URL cannot be reached'

/** The error code of a server or a pooler that does not accept how a connection starts (protocol_violation). */
const PROTOCOL_VIOLATION = '08P01'

/** The one-line error for a database that could not be reached, or cannot do what a start needs; every other error unchanged. */
export function explainNoConnection(error: unknown): unknown {
  const { code = '' } = (error ?? {}) as { code?: string }
  if (!isConnectionFailure(error)) {
    if (!isTransientDatabaseError(error)) return error
    return new StartupError(`the database cannot be used at the moment: ${(error as Error).message} (${code})`, {
      cause: error,
    })
  }
  const { reason } = reasonOf(error)
  if (code !== PROTOCOL_VIOLATION)
    return new StartupError(reason ? `${NO_DATABASE}: ${reason}` : NO_DATABASE, { cause: error })
  return new StartupError(
    'the server of DATABASE_URL refuses the options that connections start with (role, search_path), as PgBouncer does: connect to PostgreSQL itself',
    { cause: error },
  )
}

/** The one-line error of a command whose connection was lost while it worked, or whose database cannot go on; every other error unchanged. */
export function explainLoss(error: unknown): unknown {
  if (!isConnectionFailure(error)) return explainNoConnection(error)
  // Files have the same codes.
  if ('path' in (error as Error)) return error
  return new StartupError(`a connection was lost: ${(error as Error).message}`, { cause: error })
}
