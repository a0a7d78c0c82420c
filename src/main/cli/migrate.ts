import { readConfig } from '../../config.ts'
import { openMigratedDatabase } from '../open-database.ts'
import { commandLog, print } from './program/output.ts'

export async function runMigrations(): Promise<void> {
  const database = await openMigratedDatabase(readConfig(), commandLog(), { role: 'command', data: 'existing or new' })
  await database.close()
  print('the database schema matches this release')
}
