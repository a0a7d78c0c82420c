import type { Database, TextRow } from '../../src/platform/database/database.ts'

/** The most bytes that one statement returned while `work` ran, not counting its largest row. */
export async function mostRead<T>(database: Database, work: () => Promise<T>): Promise<{ result: T; bytes: number }> {
  const { rows } = database
  let bytes = 0
  database.rows = async (statement, values) => {
    const found = await rows(statement, values)
    const sizes = found.map((row: TextRow) => row.join('').length)
    bytes = Math.max(bytes, sizes.reduce((sum, size) => sum + size, 0) - Math.max(0, ...sizes))
    return found
  }
  try {
    return { result: await work(), bytes }
  } finally {
    database.rows = rows
  }
}
