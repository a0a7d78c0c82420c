// Something that happens right after one statement of a service, for tests of races.
import type { Database, Statement } from '../../src/platform/database/database.ts'

interface Meanwhile {
  /** After the next statement with this name; before its result is returned. */
  after(statement: string, happens: () => Promise<unknown>): void
  /** The same database, whose statements are watched. */
  within<T extends Database>(database: T): T
}

export function createMeanwhile(): Meanwhile {
  let next: { statement: string; happens: () => Promise<unknown> } | undefined
  async function reached(statement: Statement | string): Promise<void> {
    if (next === undefined || typeof statement === 'string' || statement.name !== next.statement) return
    const { happens } = next
    next = undefined
    await happens()
  }
  const within = <T extends Database>(database: T): T => ({
    ...database,
    async rows(statement, ...rest) {
      const rows = await database.rows(statement, ...rest)
      await reached(statement)
      return rows
    },
    async row(statement, ...rest) {
      const row = await database.row(statement, ...rest)
      await reached(statement)
      return row
    },
    async rowByKey(statement, ...rest) {
      const row = await database.rowByKey(statement, ...rest)
      await reached(statement)
      return row
    },
    async rowsByKey(statement, ...rest) {
      const rows = await database.rowsByKey(statement, ...rest)
      await reached(statement)
      return rows
    },
    transaction: (work, ...rest) => database.transaction((transaction) => work(within(transaction)), ...rest),
  })
  return {
    after(statement, happens) {
      next = { statement, happens }
    },
    within,
  }
}
