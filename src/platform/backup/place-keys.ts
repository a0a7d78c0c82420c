import { existsSync } from 'node:fs'
import { readFile, rm } from 'node:fs/promises'
import type { Config } from '../../config.ts'
import { type KeyRing, keyFileOf, ringOf, writeKeyFile } from '../crypto/key-ring.ts'
import { StartupError } from '../startup-error.ts'

/** The existing keys of these settings; unlike the start of a server this creates none. */
export async function findKeys(config: Config): Promise<KeyRing | undefined> {
  if (config.ENCRYPTION_KEY !== undefined) return ringOf(config.ENCRYPTION_KEY, 'ENCRYPTION_KEY')
  const path = keyFileOf(config)
  return existsSync(path) ? ringOf(await readFile(path, 'utf8'), path) : undefined
}

/**
 * Installs the keys of a backup as the keys of these settings; `undo` removes them again if they were not there before.
 * @throws StartupError when the settings have other keys, or when neither the settings nor the backup have keys.
 */
export async function placeKeys(
  config: Config,
  backedUp: KeyRing | undefined,
): Promise<{ ring: KeyRing; undo(): Promise<void> }> {
  const present = await findKeys(config)
  if (!present && !backedUp) throw new StartupError(noKeys)
  if (present) {
    const ids = present.keys().map(({ id }) => id)
    const missing = (backedUp?.keys() ?? []).filter(({ id }) => !ids.includes(id)).map(({ id }) => id)
    if (missing.length === 0) return { ring: present, undo: async () => {} }
    const place = config.ENCRYPTION_KEY === undefined ? keyFileOf(config) : 'ENCRYPTION_KEY'
    throw new StartupError(
      `the backup was written with encryption key ${missing.join(', ')}, and ${place} holds ${ids.join(', ')}: without ${place} the keys of the backup are restored`,
    )
  }
  const path = keyFileOf(config)
  const ring = backedUp as KeyRing
  await writeKeyFile(path, ring.keys())
  return { ring, undo: () => rm(path, { force: true }) }
}

export const noKeys =
  'the backup was made without the encryption keys: set ENCRYPTION_KEY, or put the key file into DATA_DIR, first'
