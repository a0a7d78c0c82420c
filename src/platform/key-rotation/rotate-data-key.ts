import { setTimeout as delay } from 'node:timers/promises'
import type { Config } from '../../config.ts'
import { administer } from '../audit/administration.ts'
import { createVault, type Vault } from '../crypto/encryption.ts'
import {
  keyFileOf,
  newDataKey,
  openKeyRing,
  RING_STALE_MS,
  removeUnfinishedKeyFiles,
  writeKeyFile,
} from '../crypto/key-ring.ts'
import type { Database } from '../database/database.ts'
import { BACKUP_LOCK } from '../database/leases/advisory-locks.ts'
import { StartupError } from '../startup-error.ts'
import type { EncryptedStorage } from '../storage/encrypted-files.ts'
import { openStorage } from '../storage/index.ts'
import { holdsFiles } from '../storage/storage.ts'
import type { EncryptedColumn } from './encrypted-columns.ts'
import { type ReencryptCounts, reencryptColumn, reencryptImages } from './re-encrypt.ts'
import { registerKeys } from './register-keys.ts'

interface Rotation {
  /** The id of the current encryption key. */
  key_id: string
  /** Keys that are no longer used by any value. */
  dropped_key_ids: string[]
  /** The number of re-encrypted values of each column, and of files. */
  reencrypted: Record<string, number>
}

/**
 * A value may be encrypted this long before its transaction starts: a key ring may be a second old, and a statement
 * waits up to five seconds for a connection.
 */
const ENCRYPTED_AHEAD_MS = RING_STALE_MS + 5_000
/** No statement of a request takes longer, and bulk work rarely does. */
const OPEN_TRANSACTIONS_LIMIT_MS = 120_000
const POLL_MS = 100
/** It stores two events: one for the new key, one for the dropped keys. */
const OPERATION = 'keys rotate --data'

/**
 * Re-encrypts everything with a new key while servers are running, and drops the old keys. With a key file the new key
 * is created here; with ENCRYPTION_KEY it is the first of several. When it is interrupted, the next run continues.
 * @throws StartupError when ENCRYPTION_KEY contains one key, during a backup or another rotation, and when a value
 * cannot be decrypted.
 */
export async function rotateDataKey(
  config: Config,
  { database, columns }: { database: Database; columns: readonly EncryptedColumn[] },
  progress: (line: string) => void,
): Promise<Rotation> {
  const everything = (vault: Vault, storage: EncryptedStorage) => ({ database, columns, vault, storage })
  return alone(database, async (requireLock) => {
    const vault = await beginRotation(config, database, progress)
    const changedAt = Date.now()
    const storage = await openStorage(config, vault, { now: new Date(), isUsed: holdsFiles(database) })
    const reencrypted: Record<string, number> = {}
    await delay(2 * RING_STALE_MS)
    await reencryptAll(everything(vault, storage), reencrypted, progress)
    await delay(Math.max(0, changedAt + ENCRYPTED_AHEAD_MS - Date.now()))
    await waitForOpenTransactions(database)
    // Values that were encrypted with the old key before the new one was known, and written after the first walk had
    // passed.
    const unreadable = await reencryptAll(everything(vault, storage), reencrypted, () => {})
    if (unreadable.length > 0) {
      throw new StartupError(
        `some values cannot be decrypted with these keys, so no key was dropped: ${unreadable.join(', ')}`,
      )
    }
    if (config.ENCRYPTION_KEY !== undefined && Object.values(reencrypted).every((count) => count === 0))
      progress(
        `nothing was encrypted under another key than ${vault.keyId}: a new key must be the first of ENCRYPTION_KEY`,
      )
    await requireLock()
    const dropped = await dropOldKeys(config, database)
    // Those of killed rotations; a start writes a key file only where there is none.
    if (config.ENCRYPTION_KEY === undefined) await removeUnfinishedKeyFiles(keyFileOf(config))
    return { key_id: vault.keyId, dropped_key_ids: dropped, reencrypted }
  })
}

/** The transaction of the lock is idle during all of the work, and would lose the lock with its end. Not every PostgreSQL has both. */
const withoutEnd = `select set_config(name, '0', true) from pg_settings
  where name in ('idle_in_transaction_session_timeout', 'transaction_timeout')`

/**
 * Excludes backups and other rotations: a backup must not lose the keys of its snapshot. `requireLock` throws when the lock was lost with its
 * connection: another rotation may have begun since, whose data would be encrypted under a key that is an old one here.
 */
async function alone<T>(database: Database, work: (requireLock: () => Promise<unknown>) => Promise<T>): Promise<T> {
  return database.transaction(async (transaction) => {
    await transaction.rows(withoutEnd)
    const row = await transaction.row('select pg_try_advisory_xact_lock($1)', [BACKUP_LOCK])
    if (row?.[0] !== 't')
      throw new StartupError(
        'a backup or another key rotation is running, or the database is being migrated: try again when that has finished',
      )
    return work(() => transaction.row('select 1'))
  })
}

/** The vault whose first key is the new one, registered in the database. */
async function beginRotation(config: Config, database: Database, progress: (line: string) => void): Promise<Vault> {
  const ring = await openKeyRing(config)
  const keys = ring.refreshed()
  await registerKeys(database, createVault(ring))
  if (keys.length > 1) progress(`encrypting everything under key ${keys[0]?.id}, which was made before`)
  else if (config.ENCRYPTION_KEY !== undefined) throw new StartupError(oneKey)
  else {
    const key = newDataKey()
    await writeKeyFile(keyFileOf(config), [key, ...keys])
    progress(`the new key is ${key.id}`)
  }
  const vault = createVault(await openKeyRing(config))
  await administer(
    database,
    OPERATION,
    (inner) => registerKeys(inner, vault),
    () => ({ type: 'encryption_key', ids: [vault.keyId] }),
  )
  return vault
}

const oneKey =
  'ENCRYPTION_KEY holds one key: make another (openssl rand -hex 32), start every process with ENCRYPTION_KEY=<old>,<new>, then with <new>,<old>, and run this again with <new>,<old>'

/** Adds to the counts, and lists what could not be decrypted. */
async function reencryptAll(
  encrypted: { database: Database; columns: readonly EncryptedColumn[]; vault: Vault; storage: EncryptedStorage },
  counts: Record<string, number>,
  progress: (line: string) => void,
): Promise<string[]> {
  const { database, columns, vault, storage } = encrypted
  const unreadable: string[] = []
  const add = (name: string, found: ReencryptCounts) => {
    counts[name] = (counts[name] ?? 0) + found.reencrypted
    progress(`${name}: ${found.reencrypted} re-encrypted`)
    if (found.unreadable > 0) unreadable.push(`${found.unreadable} of ${name}`)
  }
  for (const target of columns) {
    const name = [target.table, target.column, target.field].filter((part) => part !== undefined).join('.')
    add(name, await reencryptColumn(database, vault, target))
  }
  add('images', await reencryptImages(database, storage))
  return unreadable
}

/** Waits until every transaction that was open at the call has ended. @throws StartupError when one lasts too long. */
async function waitForOpenTransactions(database: Database): Promise<void> {
  const [now] = (await database.row('select pg_current_xact_id()::text')) ?? []
  const deadline = Date.now() + OPEN_TRANSACTIONS_LIMIT_MS
  const isOver = async () =>
    (await database.row('select pg_snapshot_xmin(pg_current_snapshot()) > $1::xid8', [now]))?.[0] === 't'
  while (!(await isOver())) {
    if (Date.now() > deadline)
      throw new StartupError('a transaction of another process does not end: run this command again')
    await delay(POLL_MS)
  }
}

/** From the database first: a process that starts in between has both keys, and needs one. */
async function dropOldKeys(config: Config, database: Database): Promise<string[]> {
  const [current, ...old] = (await openKeyRing(config)).refreshed()
  if (!current || old.length === 0) return []
  const ids = old.map(({ id }) => id)
  await administer(
    database,
    OPERATION,
    (inner) => inner.rows('delete from encryption_key where id = any($1)', [ids]),
    () => ({ type: 'encryption_key', ids }),
  )
  if (config.ENCRYPTION_KEY === undefined) await writeKeyFile(keyFileOf(config), [current])
  return ids
}
