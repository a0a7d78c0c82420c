import { type Config, readConfig } from '../../config.ts'
import { recordCommand } from '../../platform/audit/administration.ts'
import { OutcomeUnknown } from '../../platform/backup/commit.ts'
import { type BackupFile, openBackup } from '../../platform/backup/open-backup.ts'
import { findKeys, type KeysOfBackup, keysToRestore, placeKeys } from '../../platform/backup/place-keys.ts'
import { isEmpty, type RestoreCounts, restoreBackup, verifyBackup } from '../../platform/backup/restore-backup.ts'
import { createVault } from '../../platform/crypto/encryption.ts'
import { explainedReason } from '../../platform/database/connections/no-connection.ts'
import { openDatabase } from '../../platform/database/database-pool.ts'
import { migrate } from '../../platform/database/migrate.ts'
import { StartupError } from '../../platform/startup-error.ts'
import { openStorage } from '../../platform/storage/index.ts'
import { holdsDatabase, removeDatabase } from '../existing-data.ts'
import { openConnection } from '../open-database.ts'
import { type CommandLine, requireWord } from './program/command-line.ts'
import { commandLog, printObject } from './program/output.ts'
import { readIdentities, readPassphrase } from './program/read-passphrase.ts'

export async function restore(line: CommandLine): Promise<void> {
  const path = requireWord(line, 0, 'a backup file')
  const config = readConfig()
  const identities = await readIdentities(line)
  const passphrase = await readPassphrase(line, config)
  const file = await openBackup(path, { passphrase, identities, ring: await findKeys(config) })
  const keys = await verifyBackup(file, (found) => keysToRestore(config, found))
  printObject(line, await restoreInto(config, file, keys))
}

async function restoreInto(
  config: Config,
  file: BackupFile,
  backedUp: KeysOfBackup,
): Promise<RestoreCounts & { migrated: number }> {
  const isExisting = config.DATABASE_URL !== undefined || holdsDatabase(config)
  // Opened in the role of a server: no server can start on this data folder meanwhile.
  const connection = await openConnection(config, commandLog(), 'server')
  let isNew = false
  try {
    isNew = !isExisting && (await isEmpty(connection.value))
    const keys = await placeKeys(config, backedUp)
    let restored: Awaited<ReturnType<typeof restoreBackup>>
    try {
      const storage = await openStorage(config, createVault(keys.ring), {
        now: new Date(),
        isUsed: async () => false,
      })
      restored = await restoreBackup(file, { connection: connection.value, storage })
    } catch (error) {
      if (error instanceof OutcomeUnknown) isNew = false
      else await keys.undo()
      throw error
    }
    // From here on the database is the restored one, whatever fails.
    isNew = false
    const migrated = await bringUp(connection.value, restored).catch((error: unknown) => {
      throw notBroughtUp(error)
    })
    return { ...restored.counts, migrated }
  } finally {
    await connection.close()
    // What a full disk has left of a new database may be damaged beyond recovery, and would keep the next attempt from starting.
    if (isNew) await removeDatabase(config)
  }
}

/** A second restore would be refused, because the database is no longer empty. */
function notBroughtUp(error: unknown): StartupError {
  return new StartupError(
    `the backup was restored, but what follows failed: ${explainedReason(error)}. Do not restore it again: mend the cause, and run anteroom migrate`,
    { cause: error },
  )
}

/** Migrates a backup of an earlier release to this release. Returns the number of migrations. */
async function bringUp(
  connection: Parameters<typeof openDatabase>[0],
  { isAudited }: { isAudited: boolean },
): Promise<number> {
  const database = openDatabase(connection, { onError() {} })
  try {
    const { length } = await migrate(database)
    if (!isAudited) await recordCommand(database, 'restore')
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
