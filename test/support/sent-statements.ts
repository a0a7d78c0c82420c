import type { Database, Statement } from '../../src/platform/database/database.ts'

/** The names of the statements that `work` sends outside of transactions, in order; `work` can read those sent so far. */
export async function sentBy<T>(
  database: Database,
  work: (names: readonly string[]) => Promise<T>,
): Promise<{ result: T; names: string[] }> {
  const { rows, row, rowByKey } = database
  const names: string[] = []
  const noting =
    <Answer>(ask: (statement: Statement, values: unknown[]) => Promise<Answer>) =>
    (statement: Statement | string, values: unknown[] = []) => {
      names.push((typeof statement === 'object' && statement.name) || '')
      return ask(statement as Statement, values)
    }
  Object.assign(database, { rows: noting(rows), row: noting(row), rowByKey: noting(rowByKey) })
  try {
    return { result: await work(names), names }
  } finally {
    Object.assign(database, { rows, row, rowByKey })
  }
}
