import type { Database, Statement } from '../../src/platform/database/database.ts'

export interface Sent {
  /** Empty for a statement without a name. */
  name: string
  text: string
  values: unknown[]
  hasOnePlan: boolean
}

/** The statements that `work` sends outside of transactions, and their names, in order; `work` can read the names sent so far. */
export async function sentBy<T>(
  database: Database,
  work: (names: readonly string[], pending: () => number) => Promise<T>,
): Promise<{ result: T; names: string[]; statements: Sent[] }> {
  const { rows, row, rowByKey, rowsByKey } = database
  const names: string[] = []
  const statements: Sent[] = []
  let pending = 0
  const noting =
    <Answer>(ask: (statement: Statement, values: unknown[]) => Promise<Answer>) =>
    (statement: Statement | string, values: unknown[] = []) => {
      const { name = '', text, hasOnePlan = false } = typeof statement === 'string' ? { text: statement } : statement
      names.push(name)
      statements.push({ name, text, values, hasOnePlan })
      pending += 1
      return ask(statement as Statement, values).finally(() => {
        pending -= 1
      })
    }
  Object.assign(database, {
    rows: noting(rows),
    row: noting(row),
    rowByKey: noting(rowByKey),
    rowsByKey: noting(rowsByKey),
  })
  try {
    return { result: await work(names, () => pending), names, statements }
  } finally {
    Object.assign(database, { rows, row, rowByKey, rowsByKey })
  }
}
