// The key that chains the audit trail. It is created once and stored encrypted by the vault, so that access to the
// database alone is not enough to forge a valid chain. A rotation of the vault's key re-encrypts it and leaves the
// chain unchanged.
import { createHash, randomBytes } from 'node:crypto'
import type { Place, Vault } from '../crypto/encryption.ts'
import type { Database, SystemDatabase } from '../database/database.ts'

const KEY_BYTES = 32

/** The key, created when there is none. @throws Error when it was encrypted with a key that the vault does not have. */
export async function openAuditKey(
  database: SystemDatabase,
  vault: Pick<Vault, 'encrypt' | 'decrypt'>,
): Promise<Buffer> {
  const found = await readKey(database, vault)
  if (found) return found
  const key = randomBytes(KEY_BYTES)
  const id = createHash('sha256').update(key).digest('hex').slice(0, 8)
  await database.transaction(async (transaction) => {
    // Two processes that start at once on an empty database must create only one key.
    await transaction.rows('lock table audit_key in share row exclusive mode')
    await transaction.rows(
      'insert into audit_key (id, sealed_key) select $1, $2 where not exists (select from audit_key)',
      [id, vault.encrypt(key.toString('hex'), placeOf(id))],
    )
  })
  return openAuditKey(database, vault)
}

async function readKey(database: Pick<Database, 'row'>, vault: Pick<Vault, 'decrypt'>): Promise<Buffer | undefined> {
  const row = await database.row('select id, sealed_key from audit_key order by created_at limit 1')
  if (!row) return undefined
  const [id = '', encrypted = ''] = row
  return Buffer.from(vault.decrypt(encrypted, placeOf(id)), 'hex')
}

const placeOf = (id: string): Place => ({ table: 'audit_key', column: 'sealed_key', id })
