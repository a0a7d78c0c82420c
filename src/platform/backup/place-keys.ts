import { existsSync } from 'node:fs'
import { readFile, rm } from 'node:fs/promises'
import type { Config } from '../../config.ts'
import { type KeyRing, keyFileOf, PUT_BACK, ringOf, writeKeyFile } from '../crypto/key-ring.ts'
import { StartupError } from '../startup-error.ts'
import { damagedBackup } from './refusals.ts'

/** The existing keys of these settings; unlike the start of a server this creates none. */
export async function findKeys(config: Config): Promise<KeyRing | undefined> {
  if (config.ENCRYPTION_KEY !== undefined) return ringOf(config.ENCRYPTION_KEY, 'ENCRYPTION_KEY')
  const path = keyFileOf(config)
  return existsSync(path) ? ringOf(await readFile(path, 'utf8'), path) : undefined
}

/** What a backup says about its keys. */
export interface KeysOfBackup {
  /** The keys in the backup, if any. */
  ring: KeyRing | undefined
  /** The ids of the keys that its values are encrypted with. */
  keyIds: readonly string[]
}

/**
 * The keys that a backup is restored under. Its images are encrypted again under them, so that with other ones they and the rows could never be
 * read together.
 * @throws StartupError when the settings lack a key of the backup, or when neither the settings nor the backup have keys.
 */
export async function keysToRestore(
  config: Config,
  backup: KeysOfBackup,
): Promise<{ ring: KeyRing; isPresent: boolean }> {
  const present = await findKeys(config)
  const ring = present ?? backup.ring
  if (!ring) throw new StartupError(noKeys)
  const ids = ring.keys().map(({ id }) => id)
  const needed = [...(backup.ring?.keys() ?? []).map(({ id }) => id), ...backup.keyIds]
  const missing = [...new Set(needed)].filter((id) => !ids.includes(id))
  if (missing.length === 0) return { ring, isPresent: present !== undefined }
  if (!present) throw damagedBackup()
  const place = config.ENCRYPTION_KEY === undefined ? keyFileOf(config) : 'ENCRYPTION_KEY'
  const advice = backup.ring ? `without ${place} the keys of the backup are restored` : PUT_BACK
  throw new StartupError(
    `the backup was written with encryption key ${missing.join(', ')}, and ${place} holds ${ids.join(', ')}: ${advice}`,
  )
}

/**
 * Installs the keys of a backup as the keys of these settings; `undo` removes them again if they were not there before.
 * @throws StartupError as `keysToRestore` does.
 */
export async function placeKeys(
  config: Config,
  backup: KeysOfBackup,
): Promise<{ ring: KeyRing; undo(): Promise<void> }> {
  const { ring, isPresent } = await keysToRestore(config, backup)
  if (isPresent) return { ring, undo: async () => {} }
  const path = keyFileOf(config)
  await writeKeyFile(path, ring.keys())
  return { ring, undo: () => rm(path, { force: true }) }
}

export const noKeys =
  'the backup was made without the encryption keys: set ENCRYPTION_KEY, or put the key file into DATA_DIR, first'
