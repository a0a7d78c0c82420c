import { pino } from 'pino'
import { readConfig } from '../config.ts'
import { openMigratedDatabase } from '../service.ts'
import { print } from './command-line.ts'

export async function runMigrations(): Promise<void> {
  const database = await openMigratedDatabase(readConfig(), pino({ level: 'silent' }), 'command')
  await database.close()
  print('the database is at the level of this program')
}
