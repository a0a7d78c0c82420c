import { createHash } from 'node:crypto'
import type pg from 'pg'
import { to as copyTo } from 'pg-copy-streams'
import { NIL_UUID } from '../../contract/formats.ts'
import { recordCommand } from '../audit/administration.ts'
import { type KeyRing, ringText } from '../crypto/key-ring.ts'
import { BACKUP_LOCK } from '../database/leases/advisory-locks.ts'
import { StartupError } from '../startup-error.ts'
import type { FileStorage } from '../storage/storage.ts'
import { type AgeTarget, writeAgeFile } from './age-file.ts'
import { type ArchiveSource, type DescribedTable, type Manifest, writeArchive } from './archive.ts'
import { connect, transactionOf } from './connect.ts'
import { columnList, listTables, quoted, readSequences, type TableShape } from './tables.ts'

interface BackupSource {
  connection: pg.PoolConfig
  ring: KeyRing
  storage: FileStorage
}

interface BackupTarget {
  path: string
  passphrase?: string | undefined
  /** Public keys of age identities, used instead of a passphrase. */
  recipients: string[]
  withoutKeys: boolean
  now: Date
}

interface BackupCounts {
  tables: number
  bytes_of_tables: number
  images: number
  bytes_of_images: number
  /** Images that the database refers to but whose bytes are missing. */
  images_missing: number
  has_keys: boolean
  /** False when the database is read-only: the audit trail then has no event of this backup. */
  has_audit_event: boolean
}

/**
 * Writes all data as of one instant while the service keeps running: every table in one snapshot, the images that it
 * refers to, and the keys. Memory use does not grow with the data.
 * @throws StartupError when there is nothing to back up, or keys are being rotated.
 */
export async function writeBackup(source: BackupSource, target: BackupTarget): Promise<BackupCounts> {
  const encryptedFor = encryptionOf(source.ring, target)
  const client = await connect(source.connection)
  try {
    const { tables, hasEvent } = await openSnapshot(client)
    const keys = await requireKeys(client, source.ring)
    const manifest = await describe(client, tables, target)
    const completion = { images: 0, images_missing: 0, bytes_of_images: 0 }
    const archive: ArchiveSource = {
      manifest,
      keys: target.withoutKeys ? undefined : keys,
      copyTable: (table) => copyTable(client, table),
      images: () => readImages(client, source.storage, completion),
      completion: () => completion,
    }
    await writeAgeFile(target.path, encryptedFor, () => writeArchive(archive))
    const bytesOfTables = manifest.tables.reduce((sum, { bytes }) => sum + bytes, 0)
    const counts = { tables: tables.length, bytes_of_tables: bytesOfTables, ...completion }
    return { ...counts, has_keys: !target.withoutKeys, has_audit_event: hasEvent }
  } finally {
    await client.end()
  }
}

const UNUSED = 'there is nothing to back up: no server has run on this database'

/**
 * For a backup without a key: nothing is missing where none was ever registered. False for a database that has one.
 * @throws StartupError
 */
export async function refuseUnused(connection: pg.PoolConfig): Promise<false> {
  const client = await connect(connection)
  try {
    const { rows } = await client.query(`select to_regclass('encryption_key') is null as is_empty`)
    const { rowCount } = rows[0]?.is_empty ? { rowCount: 0 } : await client.query('select from encryption_key limit 1')
    if (rowCount === 0) throw new StartupError(UNUSED)
    return false
  } finally {
    await client.end()
  }
}

function encryptionOf(ring: KeyRing, { passphrase, recipients, withoutKeys }: BackupTarget): AgeTarget {
  if (recipients.length > 0) return { recipients }
  if (passphrase !== undefined) return { passphrase }
  const [key] = ring.refreshed()
  if (withoutKeys && key) return { key: key.bytes.toString('hex') }
  throw new StartupError(
    'a backup is encrypted under a passphrase (--passphrase-file or BACKUP_PASSPHRASE) or for an age identity (--recipient); without either, only a backup without keys is possible (--without-keys)',
  )
}

/**
 * One instant for every table. The tables are locked against migrations first, because a snapshot does not protect
 * their shape.
 */
async function openSnapshot(client: pg.Client): Promise<{ tables: TableShape[]; hasEvent: boolean }> {
  const { rows } = await client.query(`select pg_try_advisory_lock_shared(${BACKUP_LOCK}) as locked`)
  if (rows[0]?.locked !== true)
    throw new StartupError(
      'the encryption key is being rotated, or the database is being migrated: try again when that has finished',
    )
  const before = await listTables(client)
  if (!before.some(({ name }) => name === 'migration')) throw new StartupError(UNUSED)
  const hasEvent = await recordBackup(client, before)
  await client.query('begin isolation level repeatable read read only')
  await client.query(`lock table ${before.map(({ name }) => `public.${quoted(name)}`).join(', ')} in access share mode`)
  const tables = await listTables(client)
  if (JSON.stringify(tables) === JSON.stringify(before)) return { tables, hasEvent }
  throw new StartupError('the database is being migrated: try again')
}

/**
 * Stored before the snapshot, so that both the trail and its copy in the backup record every backup. A database that no
 * release with an audit trail has opened yet can be backed up as well, and so can a read-only one (a replica).
 */
async function recordBackup(client: pg.Client, tables: TableShape[]): Promise<boolean> {
  if (!tables.some(({ name }) => name === 'audit_pending')) return false
  const { rows } = await client.query<{ transaction_read_only: string }>('show transaction_read_only')
  if (rows[0]?.transaction_read_only === 'on') return false
  await recordCommand(transactionOf(client), 'backup')
  return true
}

/** The keys that decrypt the data of the snapshot. @throws StartupError when the key ring lacks one. */
async function requireKeys(client: pg.Client, ring: KeyRing): Promise<string> {
  const { rows } = await client.query<{ id: string }>('select id from encryption_key')
  const keys = ring.refreshed()
  const missing = rows.filter(({ id }) => !keys.some((key) => key.id === id)).map(({ id }) => id)
  if (missing.length === 0) return ringText(keys)
  throw new StartupError(
    `the database was written with encryption key ${missing.join(', ')}, which is not in ENCRYPTION_KEY or the key file`,
  )
}

/** Reads every table once for its size, which an archive states before the content. */
async function describe(
  client: pg.Client,
  shapes: TableShape[],
  { now, withoutKeys }: BackupTarget,
): Promise<Manifest> {
  const { rows } = await client.query<{ name: string; checksum: string }>(
    'select name, checksum from migration order by name',
  )
  const tables: DescribedTable[] = []
  for (const shape of shapes) tables.push({ ...shape, ...(await measure(copyTable(client, shape))) })
  return {
    format: 2,
    created_at: now.toISOString(),
    has_keys: !withoutKeys,
    migrations: Object.fromEntries(rows.map(({ name, checksum }) => [name, checksum])),
    sequences: await readSequences(client),
    tables,
  }
}

function copyTable(client: pg.Client, table: TableShape): AsyncIterable<Buffer> {
  return client.query(copyTo(`copy (select ${columnList(table)} from public.${quoted(table.name)}) to stdout`))
}

const LINE_END = 10

/** COPY escapes line breaks within values, so there are as many rows as lines. */
async function measure(data: AsyncIterable<Buffer>): Promise<{ rows: number; bytes: number; sha256: string }> {
  const hash = createHash('sha256')
  let [rows, bytes] = [0, 0]
  for await (const piece of data) {
    hash.update(piece)
    bytes += piece.length
    for (let at = piece.indexOf(LINE_END); at >= 0; at = piece.indexOf(LINE_END, at + 1)) rows += 1
  }
  return { rows, bytes, sha256: hash.digest('hex') }
}

interface ImageCounts {
  images: number
  images_missing: number
  bytes_of_images: number
}

async function* readImages(client: pg.Client, storage: FileStorage, counts: ImageCounts) {
  for await (const { key, size } of listImages(client)) {
    const data = await storage.open(key)
    if (data) {
      counts.images += 1
      counts.bytes_of_images += size
      yield { key, size, data: data as AsyncIterable<Buffer> }
    } else counts.images_missing += 1
  }
}

const IMAGES_AT_A_TIME = 1000

/** Every upload of the snapshot: its bytes were stored before its row was written, and are never replaced. */
async function* listImages(client: pg.Client): AsyncGenerator<{ key: string; size: number }> {
  let [organizationId, uploadId] = [NIL_UUID, NIL_UUID]
  for (;;) {
    const { rows } = await client.query<{ organization_id: string; upload_id: string; size_bytes: number }>(
      `select organization_id, upload_id, size_bytes from image_content
      where (organization_id, upload_id) > ($1, $2) order by organization_id, upload_id limit ${IMAGES_AT_A_TIME}`,
      [organizationId, uploadId],
    )
    for (const row of rows) yield { key: `${row.organization_id}/${row.upload_id}`, size: row.size_bytes }
    const last = rows.at(-1)
    if (!last) return
    ;({ organization_id: organizationId, upload_id: uploadId } = last)
  }
}
