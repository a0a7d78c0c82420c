import { statSync } from 'node:fs'
import { join } from 'node:path'
import { readConfig } from '../../config.ts'
import { refuseUnused, writeBackup } from '../../platform/backup/write-backup.ts'
import { createVault } from '../../platform/crypto/encryption.ts'
import { openKeyRing } from '../../platform/crypto/key-ring.ts'
import { StartupError } from '../../platform/startup-error.ts'
import { openStorage } from '../../platform/storage/index.ts'
import { refuseEmptyFolder } from '../existing-data.ts'
import { openConnection } from '../open-database.ts'
import { type CommandLine, requireWord } from './program/command-line.ts'
import { commandLog, printDiagnostic, printObject } from './program/output.ts'
import { readPassphrase } from './program/read-passphrase.ts'

export async function backup(line: CommandLine): Promise<void> {
  const now = new Date()
  const path = placeOf(requireWord(line, 0, 'a file or a folder'), now)
  const config = readConfig()
  refuseEmptyFolder(config)
  const recipients = String(line.flags.recipient ?? '')
    .split(',')
    .filter(Boolean)
  const passphrase = await readPassphrase(line, config)
  const connection = await openConnection(config, commandLog(), 'command')
  try {
    const ring = await openKeyRing(config, () => refuseUnused(connection.value))
    const storage = await openStorage(config, createVault(ring), { now, isUsed: async () => true })
    const target = { path, passphrase, recipients, withoutKeys: line.flags['without-keys'] === true, now }
    const counts = await writeBackup({ connection: connection.value, ring, storage }, target)
    if (!counts.has_audit_event) printDiagnostic(`anteroom: ${noEvent}`)
    printObject(line, { file: path, bytes: statSync(path).size, ...counts })
  } finally {
    await connection.close()
  }
}

const noEvent = 'the database accepts no writes (a replica?): its audit trail has no event for this backup'

/** In a folder, the file name contains the time of the backup. @throws StartupError for an existing file. */
function placeOf(path: string, now: Date): string {
  const found = statSync(path, { throwIfNoEntry: false })
  if (found?.isDirectory()) return join(path, `anteroom-${now.toISOString().replaceAll(':', '-')}.tar.age`)
  if (found) throw new StartupError(`${path} already exists`)
  return path
}
