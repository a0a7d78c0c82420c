// The rows that PostgreSQL reads from tables for the statements of a call.
import pg from 'pg'
import type { Database } from '../../src/platform/database/database.ts'
import { type Sent, sentBy } from './sent-statements.ts'

interface Node {
  'Relation Name'?: string
  'Actual Rows': number
  'Actual Loops': number
  'Rows Removed by Filter'?: number
  'Rows Removed by Index Recheck'?: number
  Plans?: Node[]
}

/** The rows that a plan has read from tables. */
export function rowsRead(node: Node): number {
  const removed = (node['Rows Removed by Filter'] ?? 0) + (node['Rows Removed by Index Recheck'] ?? 0)
  const own = node['Relation Name'] === undefined ? 0 : (node['Actual Rows'] + removed) * node['Actual Loops']
  return (node.Plans ?? []).reduce((sum, each) => sum + rowsRead(each), own)
}

/** The audit trail is written meanwhile, and has the calls of other tests too. */
const isOfAuditTrail = ({ name, text }: Sent) => name.startsWith('audit_') || text.includes('audit_')

/** @throws when `work` sends nothing through `database`: for a test service that is `deps.database`. */
export async function rowsReadBy(database: Database, work: () => Promise<unknown>): Promise<number> {
  const { statements } = await sentBy(database, work)
  if (statements.length === 0) throw new Error('no statement was sent through this database')
  let sum = 0
  for (const statement of statements.filter((statement) => !isOfAuditTrail(statement))) {
    const own = rowsRead(await planOf(database, statement))
    const prepared = statement.hasOnePlan ? rowsRead(await preparedPlanOf(database, statement)) : 0
    sum += Math.max(own, prepared)
  }
  return sum
}

export async function planOf(database: Database, { text, values }: Sent): Promise<Node> {
  const row = await database.row(`explain (analyze, timing off, format json) ${text}`, values)
  return JSON.parse(row?.[0] ?? '')[0].Plan
}

const explainPrepared = `create function pg_temp.explain_prepared(organization uuid, statement text, arguments text) returns text
  language plpgsql as $$
  declare plan text;
  begin
    execute 'prepare examined as ' || statement;
    execute 'explain (analyze, timing off, format json) execute examined(' || arguments || ')' into plan;
    deallocate examined;
    return plan;
  end $$`

/** With the plan of the prepared statement, which was made for no values. */
function preparedPlanOf(database: Database, { text, values }: Sent): Promise<Node> {
  return database.transaction(async (transaction) => {
    await transaction.rows('set local plan_cache_mode = force_generic_plan')
    await transaction.rows(explainPrepared)
    const listed = values.map((value) => pg.escapeLiteral(String(value))).join(', ')
    const row = await transaction.row('select pg_temp.explain_prepared($1, $2, $3)', [values[0], text, listed])
    await transaction.rows('drop function pg_temp.explain_prepared')
    return JSON.parse(row?.[0] ?? '')[0].Plan
  })
}
