import { pino } from 'pino'
import { readConfig } from '../config.ts'
import type { DatabasePool } from '../database/database.ts'
import { openMigratedDatabase } from '../service.ts'

/** Runs a command on the database that a server would use: beside a running one, or alone. */
export async function withDatabase<T>(work: (database: DatabasePool) => Promise<T>): Promise<T> {
  const database = await openMigratedDatabase(readConfig(), pino({ level: 'silent' }), 'command')
  try {
    return await work(database.value)
  } finally {
    await database.close()
  }
}
