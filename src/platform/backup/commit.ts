import { setTimeout as delay } from 'node:timers/promises'
import type pg from 'pg'
import { isConnectionFailure } from '../database/errors.ts'
import { codeOf } from '../error-code.ts'
import { StartupError } from '../startup-error.ts'
import { connect } from './connect.ts'

/** How long the database may be away before the commit's outcome is called unknown. */
const PATIENCE_MS = 120_000
const ASK_EVERY_MS = 200

/** Nobody knows whether the commit took place: what belongs to the restored rows must stay. */
export class OutcomeUnknown extends StartupError {}

/**
 * Commits the client's transaction. When the connection is lost before the answer, the database is asked over another one whether the
 * transaction was committed, until it says so.
 * @throws the error of a commit that did not take place; OutcomeUnknown when the database does not answer within `patienceMs`.
 */
export async function commit(client: pg.Client, connection: pg.PoolConfig, patienceMs = PATIENCE_MS): Promise<void> {
  const { rows } = await client.query<{ id: string }>('select pg_current_xact_id()::text as id')
  try {
    await client.query('commit')
  } catch (error) {
    if (isConnectionFailure(error) && (await isCommitted(connection, rows[0]?.id, patienceMs))) return
    throw error
  }
}

async function isCommitted(connection: pg.PoolConfig, id: string | undefined, patienceMs: number): Promise<boolean> {
  const until = performance.now() + patienceMs
  do {
    const status = await askStatus(connection, id).catch((error: unknown) => {
      if (codeOf(error) === IN_THE_FUTURE) return 'aborted'
    })
    if (status === 'committed' || status === 'aborted') return status === 'committed'
    await delay(ASK_EVERY_MS)
  } while (performance.now() < until)
  throw new OutcomeUnknown(
    'the database stopped answering at the end of the restore: it holds the whole backup or nothing of it. Restore again once it answers; if that says that the database is not empty, the first restore was complete',
  )
}

/** A standby that took over without having received the transaction. Source: TransactionIdInRecentPast() in xid8funcs.c. */
const IN_THE_FUTURE = '22023'

/** `committed`, `aborted` or `in progress`. */
async function askStatus(connection: pg.PoolConfig, id: string | undefined): Promise<string | undefined> {
  const client = await connect(connection)
  try {
    const { rows } = await client.query<{ status: string }>('select pg_xact_status($1::xid8) as status', [id])
    return rows[0]?.status
  } finally {
    await client.end().catch(() => {})
  }
}
