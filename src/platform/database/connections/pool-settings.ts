// The options of every connection to PostgreSQL, with and without row-level security.
import type pg from 'pg'
import { APPLICATION_OPTIONS } from '../application-role.ts'
import { CONNECT_TIMEOUT_MS } from './connections.ts'
import { GuardedSocket } from './guarded-socket.ts'

/** For the calls of one service, shared by all of its processes. */
const MAX_CONNECTIONS = 20
/** The least for one process: a transaction, and the reads beside it. */
const MIN_CONNECTIONS = 4
/**
 * The database enforces the statement timeout itself, unless it is suspended: this long after the timeout the caller
 * gets its 503.
 */
export const ANSWER_MARGIN_MS = 5_000
/**
 * The share of common trigrams from which `%` matches, independent of the server's setting. More than the default of
 * 0.3, so that fewer rows are read for nothing.
 */
export const SIMILARITY = 0.34
/**
 * The share of a text's trigrams that a name must have for `%>`: two of eleven. Of 70 misspellings of names all have at least this share
 * with the name that was meant (the least: mohamed for Muhammad, wnag for Wang); xyzzy has none with any of 200,000 names, qwerty 0.17.
 */
const WORD_SIMILARITY = 0.18

const LIKENESS = {
  'pg_trgm.similarity_threshold': SIMILARITY,
  'pg_trgm.word_similarity_threshold': WORD_SIMILARITY,
}

/**
 * What statements and their texts depend on, where a database or a role may have other defaults (`alter database … set`).
 * A blank within a value is escaped.
 */
const SESSION = {
  timezone: 'UTC',
  datestyle: 'ISO,MDY',
  intervalstyle: 'postgres',
  bytea_output: 'hex',
  extra_float_digits: '1',
  standard_conforming_strings: 'on',
  transform_null_equals: 'off',
  array_nulls: 'on',
  row_security: 'on',
  search_path: 'public',
  lock_timeout: '0',
  default_transaction_isolation: 'read\\ committed',
}

const OF_THE_STATEMENT = ['search_path', 'default_transaction_isolation', 'row_security']

/**
 * A connection is kept until this process closes it. A process that is frozen in a transaction, whose locks others wait for, loses it after a
 * minute; no work of this program pauses for as long, except where it says so. decisions/0161-what-faults-showed.md
 */
const PAUSES = { idle_session_timeout: '0', idle_in_transaction_session_timeout: '60000' }

/** The start-up options of every connection to data. */
export const SESSION_OPTIONS = optionsOf({ ...SESSION, ...PAUSES })

/** Those settings which a server that Citus gives a part of a statement needs as well; schema and transaction come with the statement. */
export const SERVER_SETTINGS: Readonly<Record<string, string | number>> = {
  ...Object.fromEntries(Object.entries(SESSION).filter(([name]) => !OF_THE_STATEMENT.includes(name))),
  ...LIKENESS,
}

/** `-c name=value` for each setting. */
export function optionsOf(settings: Readonly<Record<string, string | number>>): string {
  return Object.entries(settings)
    .map(([name, value]) => `-c ${name}=${value}`)
    .join(' ')
}

const asText = { getTypeParser: () => (value: string) => value }

interface PoolSettings {
  /** Connections that see every organization. */
  whole: pg.PoolConfig & { max: number; Client: typeof pg.Client }
  /** Connections that are subject to row-level security. */
  restricted: PoolSettings['whole']
}

/** The settings of all pools that connect with `connection`, by means of `Client`. */
export function poolSettings(
  connection: pg.PoolConfig & { Client: typeof pg.Client },
  { statementTimeoutMs, processes = 1 }: { statementTimeoutMs: number; processes?: number | undefined },
): PoolSettings {
  const { address, theirs } = withoutOptions(connection)
  // The caller's options come first: the last one counts, and ours switch on row-level security.
  const ours = { statement_timeout: statementTimeoutMs, ...LIKENESS }
  const options = `${theirs} ${SESSION_OPTIONS} ${optionsOf(ours)}`
  const whole = {
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    keepAlive: true,
    stream: () => new GuardedSocket(),
    max: Math.max(MIN_CONNECTIONS, Math.floor(MAX_CONNECTIONS / processes)),
    ...address,
    Client: connection.Client,
    options,
    types: asText as never,
    application_name: 'anteroom',
    // A statement and the one that enters its organization are sent in one packet.
    pipeline: true,
  }
  const query_timeout = statementTimeoutMs + ANSWER_MARGIN_MS
  return { whole, restricted: { ...whole, options: `${options} ${APPLICATION_OPTIONS}`, query_timeout } }
}

/**
 * Keeps a connection open until it is needed, with a client-side limit that also applies when the server does not
 * respond.
 */
export const keptOpen = (timeoutMs: number) => ({
  idleTimeoutMillis: 0,
  connectionTimeoutMillis: timeoutMs,
  query_timeout: timeoutMs,
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
