import type { Database, Statement } from '../../src/platform/database/database.ts'

interface Sent {
  text: string
  values: unknown[]
}

/** The statements that `work` sends outside of transactions, and their names, in order; `work` can read the names sent so far. */
export async function sentBy<T>(
  database: Database,
  work: (names: readonly string[]) => Promise<T>,
): Promise<{ result: T; names: string[]; statements: Sent[] }> {
  const { rows, row, rowByKey } = database
  const names: string[] = []
  const statements: Sent[] = []
  const noting =
    <Answer>(ask: (statement: Statement, values: unknown[]) => Promise<Answer>) =>
    (statement: Statement | string, values: unknown[] = []) => {
      names.push((typeof statement === 'object' && statement.name) || '')
      statements.push({ text: typeof statement === 'string' ? statement : statement.text, values })
      return ask(statement as Statement, values)
    }
  Object.assign(database, { rows: noting(rows), row: noting(row), rowByKey: noting(rowByKey) })
  try {
    return { result: await work(names), names, statements }
  } finally {
    Object.assign(database, { rows, row, rowByKey })
  }
}
