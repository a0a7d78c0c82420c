import type { Vault } from '../crypto/encryption.ts'
import { PUT_BACK } from '../crypto/key-ring.ts'
import type { Database } from '../database/database.ts'
import { StartupError } from '../startup-error.ts'

/** The ids of the keys that the values of this database are encrypted with, the oldest first. */
export async function registeredKeys(database: Database): Promise<string[]> {
  return (await database.rows('select id from encryption_key order by created_at, id')).map(([id]) => id ?? '')
}

/**
 * The keys that the values of this database are encrypted with.
 * @throws StartupError when one of them is not among these.
 */
async function requireKeys(database: Database, keyIds: readonly string[]): Promise<string[]> {
  const known = await registeredKeys(database)
  const missing = known.filter((id) => !keyIds.includes(id))
  if (missing.length === 0) return known
  throw new StartupError(
    `the database was written with encryption key ${missing.join(', ')}, but ENCRYPTION_KEY or the key file is ${keyIds.join(', ')}: ${PUT_BACK}`,
  )
}

/**
 * Registers the keys that this database's values are encrypted with.
 * @throws StartupError when one of them is not in the key ring: at the start, and not at the first social security
 * number.
 */
export async function registerKeys(database: Database, vault: Vault): Promise<void> {
  const known = await requireKeys(database, vault.keyIds)
  // Two servers may start at once on an empty database, each with its own key: only one of them is registered.
  const expected = known.length === 0 ? 'where not exists (select from encryption_key)' : ''
  await database.rows(`insert into encryption_key (id) select $1 ${expected} on conflict do nothing`, [vault.keyId])
  const present = (await database.rows('select id from encryption_key')).map(([id]) => id)
  if (!present.includes(vault.keyId)) return registerKeys(database, vault)
}
