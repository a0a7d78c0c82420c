import { readConfig } from '../../config.ts'
import { recordCommand } from '../../platform/audit/administration.ts'
import { openBackup } from '../../platform/backup/open-backup.ts'
import { findKeys, placeKeys } from '../../platform/backup/place-keys.ts'
import { type RestoreCounts, restoreBackup, verifyBackup } from '../../platform/backup/restore-backup.ts'
import { createVault } from '../../platform/crypto/encryption.ts'
import { openDatabase } from '../../platform/database/database-pool.ts'
import { migrate } from '../../platform/database/migrate.ts'
import { openStorage } from '../../platform/storage/index.ts'
import { openConnection } from '../open-database.ts'
import { type CommandLine, requireWord } from './command-line.ts'
import { commandLog, printObject } from './output.ts'
import { readIdentities, readPassphrase } from './read-passphrase.ts'

export async function restore(line: CommandLine): Promise<void> {
  const path = requireWord(line, 0, 'a backup file')
  const config = readConfig()
  const identities = await readIdentities(line)
  const passphrase = await readPassphrase(line, config)
  const file = await openBackup(path, { passphrase, identities, ring: await findKeys(config) })
  const { ring } = await verifyBackup(file)
  // Opened in the role of a server: no server can start on this data folder meanwhile.
  const connection = await openConnection(config, commandLog(), 'server')
  try {
    const keys = await placeKeys(config, ring)
    let counts: RestoreCounts
    try {
      const storage = await openStorage(config, createVault(keys.ring), new Date())
      counts = await restoreBackup(file, { connection: connection.value, storage })
    } catch (error) {
      await keys.undo()
      throw error
    }
    printObject(line, { ...counts, migrated: await bringUp(connection.value) })
  } finally {
    await connection.close()
  }
}

/** Migrates a backup of an earlier release to this release. Returns the number of migrations. */
async function bringUp(connection: Parameters<typeof openDatabase>[0]): Promise<number> {
  const database = openDatabase(connection, { onError() {} })
  try {
    const { length } = await migrate(database)
    await recordCommand(database, 'restore')
    // The planner would have no statistics of these rows until autovacuum runs.
    await database.systemDatabase.transaction(async (transaction) => {
      await transaction.rows('set local statement_timeout = 0')
      await transaction.rows('analyze')
    })
    return length
  } finally {
    await database.close()
  }
}
