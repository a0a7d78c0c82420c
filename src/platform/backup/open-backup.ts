import { createVault } from '../crypto/encryption.ts'
import type { KeyRing } from '../crypto/key-ring.ts'
import { StartupError } from '../startup-error.ts'
import { MAGIC as AGE_MAGIC, openAgeFile } from './age-file.ts'
import { readArchive } from './archive.ts'
import { checkEntries, type Entry } from './entries.ts'
import { type BackupSecret, MAGIC as FORMAT_1_MAGIC, readContainer } from './format-1/container.ts'
import { readEntries } from './format-1/entries.ts'
import { noKeys } from './place-keys.ts'
import { notABackup, openToRead, unreadableBackup } from './refusals.ts'

/** All secrets that may decrypt a backup here. */
interface RestoreSecrets {
  passphrase: string | undefined
  identities: string[]
  /** The encryption keys of these settings, if any. */
  ring: KeyRing | undefined
}

export interface BackupFile {
  /** Reads it from the start. @throws StartupError as soon as an entry is invalid. */
  entries(): AsyncGenerator<Entry>
}

/** @throws StartupError for another file, and when the secrets do not decrypt it. */
export async function openBackup(path: string, secrets: RestoreSecrets): Promise<BackupFile> {
  const start = await readStart(path)
  if (start.subarray(0, FORMAT_1_MAGIC.length).equals(FORMAT_1_MAGIC)) {
    const find = async (under: { keyId: string } | 'passphrase') => secretOfFormat1(secrets, under)
    return { entries: () => checkEntries(readEntries(readContainer(path, find))) }
  }
  if (!start.subarray(0, AGE_MAGIC.length).equals(AGE_MAGIC)) throw notABackup(path)
  const { passphrase, identities, ring } = secrets
  const keys = (ring?.keys() ?? []).map(({ bytes }) => bytes.toString('hex'))
  const passphrases = [...(passphrase === undefined ? [] : [passphrase]), ...keys]
  if (passphrases.length + identities.length === 0) throw new StartupError(noSecret)
  const read = await openAgeFile(path, { passphrases, identities })
  return { entries: () => checkEntries(readArchive(read())) }
}

const noSecret =
  'the backup cannot be decrypted: give its passphrase (--passphrase-file or BACKUP_PASSPHRASE), or its identity (--identity-file)'

async function readStart(path: string): Promise<Buffer> {
  const file = await openToRead(path)
  try {
    const start = Buffer.alloc(Math.max(AGE_MAGIC.length, FORMAT_1_MAGIC.length))
    const { bytesRead } = await file.read(start, 0, start.length, 0)
    return start.subarray(0, bytesRead)
  } catch (cause) {
    throw unreadableBackup(path, cause)
  } finally {
    await file.close()
  }
}

function secretOfFormat1({ passphrase, ring }: RestoreSecrets, under: { keyId: string } | 'passphrase'): BackupSecret {
  if (under === 'passphrase') {
    if (passphrase !== undefined) return { passphrase }
    throw new StartupError('the backup is encrypted under a passphrase: give --passphrase-file or BACKUP_PASSPHRASE')
  }
  if (!ring) throw new StartupError(noKeys)
  const ids = ring.keys().map(({ id }) => id)
  if (ids.includes(under.keyId)) return { vault: createVault(ring) }
  throw new StartupError(
    `the backup is encrypted under encryption key ${under.keyId}, and the keys here are ${ids.join(', ')}`,
  )
}
