import { createWriteStream } from 'node:fs'
import { mkdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import type pg from 'pg'
import { openDatabase } from '../database/database.ts'
import { migrateTo } from '../database/migrate.ts'
import { ensureApplicationRole } from '../database/tenant-wall.ts'
import { type KeyRing, ringOf } from '../keys/key-ring.ts'
import { StartupError } from '../startup-error.ts'
import type { FileStorage } from '../storage/storage.ts'
import { connect, transactionOf } from './connect.ts'
import { type BackupSecret, readContainer } from './container.ts'
import { copyIn } from './copy.ts'
import { type Entry, type EntryHead, readEntries } from './entries.ts'
import { copyTarget, quoted } from './tables.ts'

export interface BackupFile {
  path: string
  /** What opens it. @throws StartupError when there is none. */
  findSecret(sealedUnder: { keyId: string } | 'passphrase'): Promise<BackupSecret>
}

export interface BackupContents {
  tables: number
  images: number
  /** The keys that came along, if any. */
  ring: KeyRing | undefined
  migrations: Record<string, string>
}

export interface RestoreCounts {
  tables: number
  rows: number
  images: number
}

/** Reads a backup to its end and believes every byte of it, or fails. @throws StartupError for another file, another secret, every change. */
export async function verifyBackup(file: BackupFile): Promise<BackupContents> {
  const contents: BackupContents = { tables: 0, images: 0, ring: undefined, migrations: {} }
  for await (const { head, data } of open(file)) {
    if (head.type === 'keys') contents.ring = ringOf(await text(data), 'the backup')
    else for await (const _ of data);
    if (head.type === 'state') contents.migrations = head.migrations
    if (head.type === 'table') contents.tables += 1
    if (head.type === 'image') contents.images += 1
  }
  return contents
}

/**
 * Brings a backup back into an empty database and its images into the storage, all or nothing: what was kept of the images is
 * removed when it fails. @throws StartupError when the database holds anything, and as `verifyBackup` does.
 */
export async function restoreBackup(
  file: BackupFile,
  target: { connection: pg.PoolConfig; storage: FileStorage },
): Promise<RestoreCounts> {
  const kept: string[] = []
  await makeRole(target.connection)
  const client = await connect(target.connection)
  try {
    await client.query('begin')
    await refuseUnlessEmpty(client)
    const counts = await restoreAll(client, open(file), { storage: target.storage, kept })
    await client.query('commit')
    return counts
  } catch (error) {
    for (const key of kept) await target.storage.remove(key).catch(() => {})
    throw error
  } finally {
    // Without a commit nothing of it stays.
    await client.end().catch(() => {})
  }
}

/** Roles belong to the cluster, not to the database, and no backup holds them: as a start makes them. */
async function makeRole(connection: pg.PoolConfig): Promise<void> {
  const database = openDatabase(connection, { onError() {} })
  try {
    await ensureApplicationRole(database.acrossOrganizations)
  } finally {
    await database.close()
  }
}

/** @throws StartupError when there is a table. */
export async function refuseUnlessEmpty(client: pg.Client): Promise<void> {
  const { rows } = await client.query(
    `select 1 from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') limit 1`,
  )
  if (rows.length > 0) {
    throw new StartupError('the database is not empty: restore into a new DATA_DIR, or into a new database')
  }
}

const open = (file: BackupFile) => readEntries(readContainer(file.path, file.findSecret))

async function restoreAll(
  client: pg.Client,
  entries: AsyncIterable<Entry>,
  images: { storage: FileStorage; kept: string[] },
): Promise<RestoreCounts> {
  const counts: RestoreCounts = { tables: 0, rows: 0, images: 0 }
  let sequences: Extract<EntryHead, { type: 'state' }>['sequences'] = {}
  for await (const { head, data } of entries) {
    if (head.type === 'state') {
      await migrateTo(transactionOf(client), head.migrations)
      sequences = head.sequences
    }
    if (head.type === 'table') {
      // Migrations may have put rows of their own there.
      await client.query(`delete from public.${quoted(head.name)}`)
      counts.rows += await copyIn(client, `copy ${copyTarget(head)} from stdin`, data)
      counts.tables += 1
    } else if (head.type === 'image') {
      await restoreImage(images, head.key, head.content_type, data)
      counts.images += 1
    } else for await (const _ of data);
  }
  for (const [name, [value, isCalled]] of Object.entries(sequences)) {
    await client.query('select setval($1::regclass, $2, $3)', [quoted(name), value, isCalled])
  }
  return counts
}

async function restoreImage(
  { storage, kept }: { storage: FileStorage; kept: string[] },
  key: string,
  contentType: string,
  data: AsyncIterable<Buffer>,
): Promise<void> {
  await mkdir(storage.incomingFolder, { recursive: true, mode: 0o700 })
  const path = join(storage.incomingFolder, `restored-${key.slice(-36)}`)
  try {
    await pipeline(data, createWriteStream(path, { mode: 0o600 }))
    kept.push(key)
    await storage.keep(key, { path, contentType, sizeBytes: (await stat(path)).size })
  } finally {
    await rm(path, { force: true })
  }
}
