import type pg from 'pg'
import { explainNoConnection } from '../database/connections/no-connection.ts'
import { optionsOf, SESSION_OPTIONS } from '../database/connections/pool-settings.ts'
import { followPrimary } from '../database/connections/servers.ts'
import type { Database } from '../database/database.ts'
import { NotConnected } from '../database/errors.ts'

/**
 * A separate connection without timeouts, which reads a table twice in the same order. @throws StartupError when the
 * database cannot be reached.
 */
export async function connect(connection: pg.PoolConfig): Promise<pg.Client> {
  const primary = followPrimary(connection)
  const client = new primary.connection.Client({
    ...primary.connection,
    application_name: 'anteroom backup',
    connectionTimeoutMillis: 5_000,
    keepAlive: true,
    options: `${SESSION_OPTIONS} ${optionsOf({ statement_timeout: 0, idle_in_transaction_session_timeout: 0, synchronize_seqscans: 'off' })}`,
  })
  // A lost connection makes its statement fail, which is reported.
  client.on('error', () => {})
  client.once('end', () => primary.close())
  try {
    await client.connect()
    // Before PostgreSQL 17 there is none, and a start-up option that is not known is refused.
    await client.query(`select set_config(name, '0', false) from pg_settings where name = 'transaction_timeout'`)
    return client
  } catch (error) {
    await primary.close()
    throw explainNoConnection(new NotConnected(error as Error), connection)
  }
}

/** Wraps the connection's transaction for code that is written against `Database`. */
export function transactionOf(client: pg.Client): Database {
  const rows: Database['rows'] = async (statement, values) => {
    const query = typeof statement === 'string' ? { text: statement } : statement
    // Without values, one text may contain several statements.
    return (await client.query<string[]>({ ...query, ...(values && { values }), rowMode: 'array' })).rows
  }
  const row: Database['row'] = async (statement, values) => (await rows(statement, values))[0]
  return {
    rows,
    row,
    rowByKey: row,
    rowsByKey: rows,
    transaction: () => {
      throw new Error('transactions cannot be nested')
    },
  }
}
