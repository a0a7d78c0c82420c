import type { Database, TextRows } from '../../src/platform/database/database.ts'

/** The most bytes that one statement returned while `work` ran, not counting its largest row. */
export async function mostRead<T>(database: Database, work: () => Promise<T>): Promise<{ result: T; bytes: number }> {
  const { rows, rowsByKey } = database
  let bytes = 0
  const noted = (found: TextRows) => {
    const sizes = found.map((row) => row.join('').length)
    bytes = Math.max(bytes, sizes.reduce((sum, size) => sum + size, 0) - Math.max(0, ...sizes))
    return found
  }
  database.rows = async (statement, values) => noted(await rows(statement, values))
  database.rowsByKey = async (statement, values) => noted(await rowsByKey(statement, values))
  try {
    return { result: await work(), bytes }
  } finally {
    Object.assign(database, { rows, rowsByKey })
  }
}
