import type { Database, Statement, TextRows } from '../database.ts'

/** For the rest of a transaction. */
export const lookUpStatement: Statement = {
  name: 'few_rows_by_key',
  text: `select set_config('enable_hashjoin', 'off', true), set_config('enable_mergejoin', 'off', true),
    set_config('enable_seqscan', 'off', true)`,
}

/**
 * Sends a statement that joins a few rows to a table which may have grown by thousands since it was last analyzed: each row is looked up by
 * its key. With a plan from when the table was small each sending would read the whole of it. decisions/0064-few-rows-by-key.md
 */
export function rowsByKey(database: Database, statement: Statement, values: unknown[]): Promise<TextRows> {
  return database.transaction(async (transaction) => {
    const [, rows] = await Promise.all([transaction.rows(lookUpStatement), transaction.rows(statement, values)])
    return rows
  })
}
