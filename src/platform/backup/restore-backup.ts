import { pipeline } from 'node:stream/promises'
import pg from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import { recordCommand } from '../audit/administration.ts'
import { ringOf } from '../crypto/key-ring.ts'
import { ensureApplicationRole } from '../database/application-role.ts'
import { openDatabase } from '../database/database-pool.ts'
import { isTransientDatabaseError } from '../database/errors.ts'
import { MIGRATION_LOCK } from '../database/leases/advisory-locks.ts'
import { migrateTo } from '../database/migrate.ts'
import { StartupError } from '../startup-error.ts'
import type { FileStorage } from '../storage/storage.ts'
import { commit, OutcomeUnknown } from './commit.ts'
import { connect, transactionOf } from './connect.ts'
import { type Entry, type EntryHead, readSmall } from './entries.ts'
import type { BackupFile } from './open-backup.ts'
import type { KeysOfBackup } from './place-keys.ts'
import { damagedBackup } from './refusals.ts'
import { type ImageRestoring, restoreImagesInto } from './restore-images.ts'
import { copyTarget, listTables, quoted, readSequences, type TableShape } from './tables.ts'

export interface RestoreCounts {
  tables: number
  rows: number
  images: number
}

interface Restored {
  counts: RestoreCounts
  /** Whether the trail has the event of the restore: backups of the first releases have no trail yet. */
  isAudited: boolean
}

const MAX_KEYS_BYTES = 64 * 1024

/**
 * Reads a backup to the end and verifies every byte, before anything is created or changed. `checkKeys` may refuse its keys once all rows are
 * read: images are most of a large backup.
 * @throws StartupError.
 */
export async function verifyBackup(
  file: BackupFile,
  checkKeys: (keys: KeysOfBackup) => Promise<unknown>,
): Promise<KeysOfBackup> {
  const contents: KeysOfBackup = { ring: undefined, keyIds: [] }
  let isChecked = false
  const check = async () => {
    if (!isChecked) await checkKeys(contents)
    isChecked = true
  }
  for await (const { head, data } of file.entries()) {
    if (head.type === 'image') await check()
    if (head.type === 'keys') contents.ring = ringOf(String(await readSmall(data, MAX_KEYS_BYTES)), 'the backup')
    else if (head.type === 'table' && head.name === 'encryption_key') contents.keyIds = await readKeyIds(head, data)
    else for await (const _ of data);
  }
  await check()
  return contents
}

/** The ids among the rows of a table, in the text form of COPY. An id is hexadecimal, so nothing in it is escaped. */
async function readKeyIds({ columns }: TableHead, data: AsyncIterable<Buffer>): Promise<string[]> {
  const rows = String(await readSmall(data, MAX_KEYS_BYTES))
    .split('\n')
    .slice(0, -1)
  return rows.map((row) => row.split('\t')[columns.indexOf('id')] ?? '')
}

/**
 * Restores a backup into an empty database and its images into the storage, all or nothing: added images are removed
 * when it fails.
 * @throws StartupError when the database contains any table, and as `verifyBackup` does; OutcomeUnknown, after which images and keys must stay.
 */
export async function restoreBackup(
  file: BackupFile,
  target: { connection: pg.PoolConfig; storage: FileStorage },
): Promise<Restored> {
  await makeRole(target.connection)
  const client = await connect(target.connection)
  const images = restoreImagesInto(target.storage, client)
  try {
    await client.query('begin')
    // A server that starts on this database now waits and says so, and one that began before has its tables first.
    await client.query(`select pg_advisory_xact_lock(${MIGRATION_LOCK})`)
    await refuseUnlessEmpty(client)
    const counts = await restoreAll(client, file.entries(), images)
    await client.query(endSessions)
    const isAudited = await recordRestore(client)
    await commit(client, target.connection)
    return { counts, isAudited }
  } catch (error) {
    if (!(error instanceof OutcomeUnknown)) await images.undo()
    throw error
  } finally {
    // Without a commit nothing of it is kept.
    await client.end().catch(() => {})
  }
}

/**
 * A session that was ended after the backup, for instance of a stolen laptop, must not become valid again. Backups of
 * earlier releases have no such table.
 */
const endSessions = `do $$ begin
  if to_regclass('public.user_session') is not null then delete from public.user_session; end if;
end $$`

/** Together with the rows, since what follows the commit may fail. Returns whether there is a trail. */
async function recordRestore(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query(`select where to_regclass('public.audit_pending') is not null`)
  if (rows.length > 0) await recordCommand(transactionOf(client), 'restore')
  return rows.length > 0
}

/**
 * Roles belong to the cluster and not to the database, so no backup contains them: the role is created as at a start.
 */
async function makeRole(connection: pg.PoolConfig): Promise<void> {
  const database = openDatabase(connection, { onError() {} })
  try {
    await ensureApplicationRole(database.systemDatabase)
  } finally {
    await database.close()
  }
}

/** Whether the database has no table. */
export async function isEmpty(connection: pg.PoolConfig): Promise<boolean> {
  const client = await connect(connection)
  try {
    return await hasNoTable(client)
  } finally {
    await client.end().catch(() => {})
  }
}

async function hasNoTable(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query(
    `select 1 from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') limit 1`,
  )
  return rows.length === 0
}

/** @throws StartupError when there is a table. */
async function refuseUnlessEmpty(client: pg.Client): Promise<void> {
  if (!(await hasNoTable(client))) {
    throw new StartupError('the database is not empty: restore into a new DATA_DIR, or into a new database')
  }
}

async function restoreAll(
  client: pg.Client,
  entries: AsyncIterable<Entry>,
  images: ImageRestoring,
): Promise<RestoreCounts> {
  const counts: RestoreCounts = { tables: 0, rows: 0, images: 0 }
  let state: State | undefined
  const missing = new Map<string, TableShape>()
  let isDatabaseWhole = false
  const finishDatabase = async () => {
    if (isDatabaseWhole) return
    if (!state || missing.size > 0) throw damagedBackup()
    await requireMigrations(client, state)
    await restoreSequences(client, state)
    isDatabaseWhole = true
  }
  for await (const { head, data } of entries) {
    if (head.type === 'state') {
      state = head
      await migrateTo(transactionOf(client), head.migrations)
      for (const table of await listTables(client)) missing.set(table.name, table)
    }
    if (head.type === 'table') {
      requireShape(missing.get(head.name), head)
      missing.delete(head.name)
      counts.rows += await restoreTable(client, head, data)
      counts.tables += 1
    } else if (head.type === 'image') {
      // A failed transaction leaves nothing behind, so images are added only when nothing else can fail.
      await finishDatabase()
      await images.restore(head.key, data)
      counts.images += 1
    } else for await (const _ of data);
  }
  await finishDatabase()
  return counts
}

type State = Extract<EntryHead, { type: 'state' }>
type TableHead = Extract<EntryHead, { type: 'table' }>

/** @throws StartupError for a table that the backup's migrations do not create in this form. */
function requireShape(known: TableShape | undefined, { columns }: TableHead): void {
  if (known === undefined || [...columns].sort().join() !== [...known.columns].sort().join()) throw damagedBackup()
}

/**
 * @throws StartupError when the number of rows differs from the stated one, or the database refuses a row; no value is
 * shown.
 */
export async function restoreTable(
  client: Pick<pg.Client, 'query'>,
  table: TableHead,
  data: AsyncIterable<Buffer>,
): Promise<number> {
  try {
    // Migrations may have inserted rows of their own.
    await client.query(`delete from public.${quoted(table.name)}`)
    // Rows are restored as they were: the effects of triggers are in the backup already.
    await client.query(`alter table public.${quoted(table.name)} disable trigger user`)
    const copying = client.query(copyFrom(`copy ${copyTarget(table)} from stdin`))
    await pipeline(data, copying)
    await client.query(`alter table public.${quoted(table.name)} enable trigger user`)
    if (table.rows !== undefined && table.rows !== copying.rowCount) throw damagedBackup()
    return copying.rowCount
  } catch (error) {
    // A full disk is not the fault of the backup's rows.
    if (!(error instanceof pg.DatabaseError) || isTransientDatabaseError(error)) throw error
    throw new StartupError(`the database refused the backup's rows for table ${table.name} (${error.code})`, {
      cause: error,
    })
  }
}

/** The rows of `migration` must be those that the schema was created from, because a later start relies on them. */
async function requireMigrations(client: pg.Client, { migrations }: State): Promise<void> {
  const { rows } = await client.query<{ name: string; checksum: string }>('select name, checksum from migration')
  const isSame = rows.length === Object.keys(migrations).length
  if (!isSame || rows.some(({ name, checksum }) => migrations[name] !== checksum)) throw damagedBackup()
}

async function restoreSequences(client: pg.Client, { sequences }: State): Promise<void> {
  const known = Object.keys(await readSequences(client))
  for (const [name, [value, isCalled]] of Object.entries(sequences)) {
    if (!known.includes(name)) throw damagedBackup()
    await client.query('select setval($1::regclass, $2, $3)', [`public.${quoted(name)}`, value, isCalled])
  }
}
