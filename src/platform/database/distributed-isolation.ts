// Row-level security where Citus has distributed the tables: the policies hold on the worker that has an organization's rows, in another
// session than this connection's. Citus passes on `set local` alone. decisions/0085-a-distributed-database.md
import type pg from 'pg'

/** Whether the database has the extension. */
export const extensionStatement = `select to_regclass('pg_catalog.pg_dist_partition') is not null`

/** Whether the statements of this connection may run on workers. */
export async function mayBeDistributed(client: pg.ClientBase): Promise<boolean> {
  const { rows } = await client.query<string[]>({ text: extensionStatement, rowMode: 'array' })
  return rows[0]?.[0] === 't'
}

/** The start-up option with which Citus tells workers of `set local`; PostgreSQL alone keeps it and does nothing. */
export const PROPAGATING_OPTION = '-c citus.propagate_set_commands=local'

/**
 * Makes the rest of the connection's transaction see the rows of this organization, '' for none, wherever Citus runs its statements. A
 * statement of its own: Citus passes on the whole text that it is part of.
 */
export async function enterLocally(client: pg.ClientBase, organization: string): Promise<unknown> {
  return client.query(`set local anteroom.organization = '${organization}'`)
}

/** Runs one statement of an organization in a transaction of its own, in one packet on a pipelined connection. */
export async function aloneIn<T>(client: pg.ClientBase, organization: string, send: () => Promise<T>): Promise<T> {
  const entered = [client.query('begin'), enterLocally(client, organization)]
  const [result] = await Promise.all([send(), ...entered, client.query('commit')])
  return result
}
