import type { Readable } from 'node:stream'
import type pg from 'pg'
import { leaveEvent } from '../audit/administration.ts'
import type { Vault } from '../encryption.ts'
import { type KeyRing, ringText } from '../keys/key-ring.ts'
import { StartupError } from '../startup-error.ts'
import type { FileStorage } from '../storage/storage.ts'
import { BACKUP_LOCK, connect, transactionOf } from './connect.ts'
import { type BackupSecret, writeContainer } from './container.ts'
import { copyOut } from './copy.ts'
import { type Entry, writeEntries } from './entries.ts'
import { columnList, listTables, quoted, readSequences, type TableShape } from './tables.ts'

export interface BackupSource {
  connection: pg.PoolConfig
  ring: KeyRing
  vault: Vault
  storage: FileStorage
}

export interface BackupCounts {
  tables: number
  bytes_of_tables: number
  images: number
  /** Images that the database knows and whose bytes are gone. */
  images_missing: number
  has_keys: boolean
}

/**
 * Writes everything as of one instant while the service goes on: every table in one snapshot, the images that it names, and the
 * keys. Memory does not grow with what there is. @throws StartupError when there is nothing to back up, or keys are being changed.
 */
export async function writeBackup(
  source: BackupSource,
  target: { path: string; passphrase?: string | undefined; withoutKeys: boolean; now: Date },
): Promise<BackupCounts> {
  const secret = secretFor(source.vault, target)
  const client = await connect(source.connection)
  try {
    const tables = await openSnapshot(client)
    await requireKeys(client, source.ring)
    const counts = {
      tables: tables.length,
      bytes_of_tables: 0,
      images: 0,
      images_missing: 0,
      has_keys: !target.withoutKeys,
    }
    const entries = () => writeEntries(entriesOf(client, source, { tables, counts, withKeys: counts.has_keys }))
    await writeContainer(target.path, { secret, createdAt: target.now }, entries)
    return counts
  } finally {
    await client.end()
  }
}

function secretFor(vault: Vault, target: { passphrase?: string | undefined; withoutKeys: boolean }): BackupSecret {
  if (target.passphrase !== undefined) return { passphrase: target.passphrase }
  if (target.withoutKeys) return { vault }
  throw new StartupError(
    'a backup takes the encryption keys along under a passphrase: --passphrase-file or BACKUP_PASSPHRASE; or leave them out with --without-keys',
  )
}

/** One instant for every table. The tables are held against migrations first: a snapshot does not hold their shape. */
async function openSnapshot(client: pg.Client): Promise<TableShape[]> {
  const { rows } = await client.query(`select pg_try_advisory_lock_shared(${BACKUP_LOCK}) as locked`)
  if (rows[0]?.locked !== true) throw new StartupError('the encryption key is being changed: try again after that')
  const before = await listTables(client)
  if (!before.some(({ name }) => name === 'migration')) {
    throw new StartupError('there is nothing to back up: no server has run on this database')
  }
  // Before the snapshot, so that nobody has a copy of which the trail, and the copy's own, say nothing. A database that no program
  // with a trail has opened yet can be backed up as well.
  if (before.some(({ name }) => name === 'audit_pending')) await leaveEvent(transactionOf(client), 'backup')
  await client.query('begin isolation level repeatable read read only')
  await client.query(`lock table ${before.map(({ name }) => `public.${quoted(name)}`).join(', ')} in access share mode`)
  const tables = await listTables(client)
  if (JSON.stringify(tables) === JSON.stringify(before)) return tables
  throw new StartupError('the database was being migrated: try again')
}

/** @throws StartupError when the ring could not open what is in the snapshot. */
async function requireKeys(client: pg.Client, ring: KeyRing): Promise<void> {
  const { rows } = await client.query<{ id: string }>('select id from encryption_key')
  const missing = rows.filter(({ id }) => !ring.refreshed().some((key) => key.id === id)).map(({ id }) => id)
  if (missing.length === 0) return
  throw new StartupError(
    `the database was written with encryption key ${missing.join(', ')}, which is not in ENCRYPTION_KEY or the key file`,
  )
}

async function* entriesOf(
  client: pg.Client,
  { ring, storage }: BackupSource,
  { tables, counts, withKeys }: { tables: TableShape[]; counts: BackupCounts; withKeys: boolean },
): AsyncGenerator<Entry> {
  const { rows } = await client.query<{ name: string; checksum: string }>(
    'select name, checksum from migration order by name',
  )
  const migrations = Object.fromEntries(rows.map(({ name, checksum }) => [name, checksum]))
  yield { head: { type: 'state', migrations, sequences: await readSequences(client) }, data: nothing() }
  if (withKeys) yield { head: { type: 'keys' }, data: once(Buffer.from(ringText(ring.refreshed()))) }
  for (const table of tables) {
    const data = counted(
      copyOut(client, `copy (select ${columnList(table)} from public.${quoted(table.name)}) to stdout`),
      counts,
    )
    yield { head: { type: 'table', ...table }, data }
  }
  for await (const { key, contentType } of listImages(client)) {
    const bytes = await storage.open(key)
    if (bytes) {
      counts.images += 1
      yield { head: { type: 'image', key, content_type: contentType }, data: bytes as Readable }
    } else counts.images_missing += 1
  }
}

const IMAGES_AT_A_TIME = 1000

/** Every upload of the snapshot: its bytes were kept before its row was written, and are never replaced by others. */
async function* listImages(client: pg.Client): AsyncGenerator<{ key: string; contentType: string }> {
  let [organizationId, uploadId] = ['00000000-0000-0000-0000-000000000000', '00000000-0000-0000-0000-000000000000']
  for (;;) {
    const { rows } = await client.query<{ organization_id: string; upload_id: string; content_type: string }>(
      `select organization_id, upload_id, content_type from image_content
      where (organization_id, upload_id) > ($1, $2) order by organization_id, upload_id limit ${IMAGES_AT_A_TIME}`,
      [organizationId, uploadId],
    )
    for (const row of rows) yield { key: `${row.organization_id}/${row.upload_id}`, contentType: row.content_type }
    const last = rows.at(-1)
    if (!last) return
    ;({ organization_id: organizationId, upload_id: uploadId } = last)
  }
}

async function* counted(data: AsyncIterable<Buffer>, counts: BackupCounts): AsyncGenerator<Buffer> {
  for await (const piece of data) {
    counts.bytes_of_tables += piece.length
    yield piece
  }
}

async function* once(bytes: Buffer): AsyncGenerator<Buffer> {
  yield bytes
}

async function* nothing(): AsyncGenerator<Buffer> {}
