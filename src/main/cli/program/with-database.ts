import { readConfig } from '../../../config.ts'
import type { DatabasePool } from '../../../platform/database/database-pool.ts'
import { openMigratedDatabase } from '../../open-database.ts'
import { commandLog } from './output.ts'

/** Runs a command on the database that a server would use, beside a running server or alone. */
export async function withDatabase<T>(work: (database: DatabasePool) => Promise<T>): Promise<T> {
  const database = await openMigratedDatabase(readConfig(), commandLog(), { role: 'command', data: 'existing' })
  try {
    return await work(database.value)
  } finally {
    await database.close()
  }
}
