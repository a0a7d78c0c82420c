import { readConfig } from '../../../config.ts'
import type { Vault } from '../../../platform/crypto/encryption.ts'
import type { DatabasePool } from '../../../platform/database/database-pool.ts'
import { openMigratedDatabase, openVault } from '../../open-database.ts'
import { commandLog } from './output.ts'

/** Runs a command on the database of a server, with the key that encrypts stored secrets. */
export async function withVault<T>(work: (database: DatabasePool, vault: Vault) => Promise<T>): Promise<T> {
  const config = readConfig()
  const database = await openMigratedDatabase(config, commandLog(), { role: 'command', data: 'existing' })
  try {
    return await work(database.value, await openVault(config, database.value.systemDatabase))
  } finally {
    await database.close()
  }
}
