// The key that chains the trail: made once, kept encrypted by the vault, so that the database alone cannot make a chain that holds.
// A rotation of the vault's key re-encrypts it and leaves the chain as it is.
import { createHash, randomBytes } from 'node:crypto'
import type { Place, Vault } from '../crypto/encryption.ts'
import type { Database, SystemDatabase } from '../database/database.ts'

const KEY_BYTES = 32

/** The key, made when there is none. @throws Error when it was encrypted under a key that the vault does not have. */
export async function openAuditKey(
  database: SystemDatabase,
  vault: Pick<Vault, 'encrypt' | 'decrypt'>,
): Promise<Buffer> {
  const found = await readKey(database, vault)
  if (found) return found
  const key = randomBytes(KEY_BYTES)
  const id = createHash('sha256').update(key).digest('hex').slice(0, 8)
  await database.transaction(async (transaction) => {
    // Two processes that start at once on an empty database make one key between them.
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
