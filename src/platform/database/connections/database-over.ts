// A database over a pool of connections: single statements and transactions.
import type pg from 'pg'
import type { Database, Statement, SystemDatabase, TextRows } from '../database.ts'
import { breaksConnection, isDeadlock, isStalePlan } from '../errors.ts'
import { organizationOf, type RowLevelSecurity, withoutRowLevelSecurity } from '../row-level-security.ts'
import { createPreparedForms } from '../statements/prepared-forms.ts'
import { rethrow } from '../statements/text-query.ts'
import { type Connect, type Lease, onConnection } from './connections.ts'
import type { HeavyReads } from './heavy-reads.ts'

export const wholeOver = (connect: Connect): SystemDatabase => ({
  ...databaseOver(connect, withoutRowLevelSecurity),
  reach: 'every organization',
})

/** `heavy` is for a pool that organizations share. */
export function databaseOver(connect: Connect, security: RowLevelSecurity, heavy?: HeavyReads): Database {
  const forms = createPreparedForms()
  const askOnce: Ask = (statement, values, gone) => {
    const organization = organizationOf(values)
    const send = (sent?: () => void) => {
      const ask = (client: pg.PoolClient) => {
        sent?.()
        return security.ask(client, forms.prepared(statement), values)
      }
      return onConnection(connect, organization, ask, gone)
    }
    heavy?.note(organization)
    return heavy && gone ? heavy.pass(organization, gone, send) : send()
  }
  const own = statementsOver((statement, values, gone) => repeatRolledBack(() => askOnce(statement, values, gone)))
  return {
    ...own,
    rowByKey: (statement, values) => own.row(statement, values),
    rowsByKey: (statement, values) => own.rows(statement, values),
    transaction(work, gone) {
      const begin = (organization: string) => {
        heavy?.note(organization)
        return connect(organization, gone)
      }
      return inTransaction(begin, security, work)
    },
  }
}

const ATTEMPTS = 3

/**
 * A statement that was cancelled to resolve a deadlock is rolled back completely; the other transaction proceeds, and
 * this one is repeated. So is one whose plan a migration made stale: it was not executed.
 */
async function repeatRolledBack<T>(send: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await send()
    } catch (error) {
      if (!(isDeadlock(error) || isStalePlan(error)) || attempt === ATTEMPTS) rethrow(error as Error)
    }
  }
}

type Ask = (statement: Statement | string, values: unknown[], gone?: AbortSignal) => Promise<TextRows>

function statementsOver(ask: Ask): Pick<Database, 'rows' | 'row'> {
  const rows: Database['rows'] = (statement, values = [], gone) => ask(statement, values, gone)
  return { rows, row: async (statement, values, gone) => (await rows(statement, values, gone))[0] }
}

/**
 * Connects with its first statement, which names the organization: the transaction counts towards that organization's
 * share.
 */
async function inTransaction<T>(
  connect: Connect,
  security: RowLevelSecurity,
  work: (database: Database) => Promise<T>,
): Promise<T> {
  let beginning: Promise<Lease> | undefined
  const ask = security.within()
  const own = statementsOver(async (statement, values) => {
    beginning ??= begin(connect, organizationOf(values))
    const { client } = await beginning
    return ask(client, statement, values).catch(rethrow)
  })
  const database: Database = {
    ...own,
    rowByKey: (statement, values) => own.row(statement, values),
    rowsByKey: (statement, values) => own.rows(statement, values),
    transaction: () => {
      throw new Error('transactions cannot be nested')
    },
  }
  const begun = () => beginning?.catch(() => undefined)
  let broken: Error | undefined
  try {
    const result = await work(database)
    const lease = await begun()
    if (lease) await commit(lease)
    return result
  } catch (error) {
    const lease = await begun()
    await lease?.client.query('rollback').catch((rollbackError: Error) => {
      broken = rollbackError
    })
    if (breaksConnection(error)) broken ??= error as Error
    if (lease) security.forget(lease.client)
    throw error
  } finally {
    ;(await begun())?.release(broken)
  }
}

/** PostgreSQL answers COMMIT after a failed statement with ROLLBACK, and reports no error: nothing was stored. */
async function commit({ client }: Lease): Promise<void> {
  const { command } = await client.query('commit')
  if (command !== 'COMMIT')
    throw new Error('a transaction was rolled back by a failed statement whose error was caught')
}

async function begin(connect: Connect, organization: string): Promise<Lease> {
  const lease = await connect(organization)
  try {
    await lease.client.query('begin')
    return lease
  } catch (error) {
    lease.release(error as Error)
    throw error
  }
}
