import type pg from 'pg'
import { codeOf, reasonOf } from '../../error-code.ts'
import { StartupError } from '../../startup-error.ts'
import { statedReasonOf } from '../../stated-reason.ts'
import {
  INSUFFICIENT_PRIVILEGE,
  isConnectionFailure,
  isTransientDatabaseError,
  NotConnected,
  READ_ONLY,
} from '../errors.ts'
import { endOf, startAdvice, withAdvice } from '../start-failure.ts'
import { ENCODED } from './servers.ts'

/** The database of a connection, for an operator: only `DATABASE_URL` has a connection string. */
const nameOf = ({ connectionString }: pg.PoolConfig) =>
  connectionString === undefined ? 'the embedded PostgreSQL' : 'the database of DATABASE_URL'

/** The error code of a server or a pooler that does not accept how a connection starts (protocol_violation). */
const PROTOCOL_VIOLATION = '08P01'

/** The one-line error for a database that could not be reached, or cannot do what a start needs; every other error unchanged. */
export function explainNoConnection(error: unknown, connection: pg.PoolConfig): unknown {
  if (!isConnectionFailure(error)) return explainMissingRight(explainTransient(error), nameOf(connection))
  const { code = '' } = error as { code?: string }
  if (code === PROTOCOL_VIOLATION)
    return new StartupError(
      'the server of DATABASE_URL refuses the options that connections start with (role, search_path), as PgBouncer does: connect to PostgreSQL itself',
      { cause: error },
    )
  return withoutDatabase(connection, error)
}

/** The same for an embedded PostgreSQL that has ended: nobody but its log knows why. */
export function explainEnded(error: unknown, connection: pg.PoolConfig, log: string): unknown {
  const reason = isConnectionFailure(error) ? endOf(log) : undefined
  if (reason === undefined) return explainNoConnection(error, connection)
  return new StartupError(`${nameOf(connection)} has ended: ${withAdvice(reason)}`, { cause: error })
}

/** The one-line error for a database that cannot be reached. */
export function withoutDatabase(connection: pg.PoolConfig, cause: unknown): StartupError {
  const { reason } = statedReasonOf(cause)
  return new StartupError(`${nameOf(connection)} cannot be reached${reason ? `: ${clearerOf(reason)}` : ''}`, { cause })
}

const clearerOf = (reason: string) => CLEARER.find(([theirs]) => theirs.test(reason))?.[1] ?? reason

/** What the driver says, and what an operator can do about it. */
const CLEARER: readonly (readonly [RegExp, string])[] = [
  [/^Invalid URL$/, `DATABASE_URL cannot be read; ${ENCODED}`],
  [/client password must be a/, 'it asks for a password, and DATABASE_URL has none'],
  [/^no PostgreSQL user name specified/, 'DATABASE_URL names no user'],
  [
    /timeout expired|connection timeout|timeout exceeded/,
    'it does not answer in time (of several servers: none accepts writes)',
  ],
]

/** A login that may not use what another one owns; the message of PostgreSQL names the table or schema, and no row. */
function explainMissingRight(error: unknown, place = 'the database'): unknown {
  if (codeOf(error) !== INSUFFICIENT_PRIVILEGE) return error
  return new StartupError(
    `the login of ${place} lacks a right: ${(error as Error).message}. Use the login that owns its tables, or grant its role to this one`,
    { cause: error },
  )
}

/** The one-line error of a command whose connection was lost while it worked, or whose database cannot continue; every other error unchanged. */
export function explainLoss(error: unknown): unknown {
  // It may quote the driver.
  if (error instanceof StartupError) return error
  if (!isConnectionFailure(error)) return explainMissingRight(explainTransient(error))
  // Files have the same codes.
  if ('path' in (error as Error)) return error
  if (error instanceof NotConnected)
    return new StartupError(`no connection to the database was opened: ${clearerOf(error.message)}`, { cause: error })
  return new StartupError(`a connection was lost: ${(error as Error).message}`, { cause: error })
}

/** Why work on the database failed, as part of another message. */
export function explainedReason(error: unknown): string {
  const explained = explainLoss(error)
  return explained instanceof StartupError ? explained.message : reasonOf(error)
}

const READS_ALONE = 'Is it a standby, or is default_transaction_read_only on? It has to accept writes'

function explainTransient(error: unknown): unknown {
  const { code = '', message, hint = '' } = (error ?? {}) as { code?: string; message?: string; hint?: string }
  if (!isTransientDatabaseError(error)) return error
  const told = `the database cannot be used at the moment: ${message} (${code})`
  const advice = code === READ_ONLY ? READS_ALONE : startAdvice(`${message} ${hint}`)
  return new StartupError([told, advice].filter(Boolean).join('. '), { cause: error })
}
