// Row-level security where Citus has distributed the tables: the policies hold on the worker that has an organization's rows, in another
// session than this connection's. Citus passes on `set local` alone. decisions/0085-a-distributed-database.md
import type pg from 'pg'
import type { NoteFailure } from '../each-organization.ts'
import type { SystemDatabase, TextRow } from './database.ts'
import { isConnectionFailure, isDatabaseUnable } from './errors.ts'

/** Whether the database has the extension. */
export const extensionStatement = `select to_regclass('pg_catalog.pg_dist_partition') is not null`

/** Whether the statements of this connection may run on workers. */
export async function mayBeDistributed(client: pg.ClientBase): Promise<boolean> {
  const { rows } = await client.query<string[]>({ text: extensionStatement, rowMode: 'array' })
  return rows[0]?.[0] === 't'
}

const known = new WeakMap<SystemDatabase, Promise<boolean>>()

/**
 * The same for work of all organizations, asked once: Citus does not lock or change rows of several organizations in one statement that joins
 * them, so that such work is then done organization by organization. decisions/0225-work-of-all-organizations-on-citus.md
 */
export function isByOrganization(database: SystemDatabase): Promise<boolean> {
  const asked = known.get(database) ?? database.row(extensionStatement).then((row) => row?.[0] === 't')
  known.set(database, asked)
  asked.catch(() => known.delete(database))
  return asked
}

interface Shares {
  limit?: number | undefined
  onFailure: NoteFailure
}

/**
 * The rows of these organizations, read one organization at a time. Each has an equal share of what the ones before it have left of `limit`, if there
 * is one. An organization whose read fails has none.
 */
export async function inShares(
  organizations: readonly string[],
  { limit, onFailure }: Shares,
  ask: (organizationId: string, share: number | undefined) => Promise<TextRow[]>,
): Promise<TextRow[]> {
  const rows: TextRow[] = []
  for (const [place, id] of organizations.entries()) {
    const share = limit === undefined ? undefined : Math.ceil((limit - rows.length) / (organizations.length - place))
    if (share === 0) break
    try {
      rows.push(...(await ask(id, share)))
    } catch (error) {
      onFailure(error, id)
    }
  }
  return rows
}

interface Ways extends Shares {
  /** One statement for all organizations. */
  together(): Promise<TextRow[]>
  /** The organizations to ask for one after another. */
  organizations(): Promise<string[]>
  each(organizationId: string, share: number | undefined): Promise<TextRow[]>
}

/**
 * The rows of all organizations in one statement, or of each by itself where the database is distributed, and where that statement fails.
 */
export async function togetherOrEach(database: SystemDatabase, ways: Ways): Promise<TextRow[]> {
  if (!(await isByOrganization(database))) return togetherUnlessOneFails(ways)
  return inShares(await ways.organizations(), ways, ways.each)
}

/**
 * The same for statements that a distributed database runs as well. A value that cannot be read is in the rows of one organization, and the
 * others must not miss theirs. decisions/0234-background-work-of-each-organization.md
 */
export async function togetherUnlessOneFails(ways: Ways): Promise<TextRow[]> {
  try {
    return await ways.together()
  } catch (error) {
    if (isConnectionFailure(error)) throw error
  }
  return inShares(await ways.organizations(), ways, ways.each)
}

const organizationsStatement = { name: 'all_organizations', text: 'select id from organization' }

/** The organizations that `find` names, or all where it fails. */
export async function thoseOrAll(database: SystemDatabase, find: () => Promise<string[]>): Promise<string[]> {
  try {
    return await find()
  } catch (error) {
    if (isConnectionFailure(error) || isDatabaseUnable(error)) throw error
    return (await database.rows(organizationsStatement)).map(([id = '']) => id)
  }
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
