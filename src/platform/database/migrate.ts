import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { codeOf } from '../error-code.ts'
import { packageFile } from '../package-root.ts'
import { StartupError } from '../startup-error.ts'
import { ensureApplicationRole } from './application-role.ts'
import type { Database } from './database.ts'
import type { DatabasePool } from './database-pool.ts'
import { isConnectionFailure, isDeadlock, isLockTimeout } from './errors.ts'
import { BACKUP_LOCK, MIGRATION_LOCK } from './leases/advisory-locks.ts'
import { withAdvice } from './start-failure.ts'
import { statementsOf } from './statements/statements-of.ts'
import { requireSuitable } from './suitable.ts'

interface Migration {
  name: string
  sql: string
  checksum: string
}

/** Called while a migration waits for other processes, with the number of seconds so far and what it waits for. */
type OnWait = (seconds: number, reason: string) => void

const ALONE = { number: MIGRATION_LOCK, reason: 'another process that is migrating or restoring the database' }
const UNUSED_BY_BACKUPS = { number: BACKUP_LOCK, reason: 'a backup or a rotation of keys that uses the tables' }

/** How often a waiting process reports that it waits. */
const REPORT_EVERY_MS = 10_000

/** A migration locks tables in its own order, and serving processes in theirs: it yields to them at most this often. */
const DEADLOCKS_MAX = 10

/**
 * How long a migration waits for a table before it starts again. It must be shorter than PostgreSQL's `deadlock_timeout` (1 s): after
 * that a transaction of a serving process would be cancelled, and its caller would get 503. Meanwhile all callers of the table wait too.
 */
const LOCK_WAIT_MS = 200
const RETRY_AFTER_MS = 100
/** After this time a migration waits for its tables without yielding, because it would never finish otherwise. */
const YIELD_FOR_MS = 10 * 60_000

/**
 * Migrates the database to the level of `migrations/`, forward only: each file in its own transaction, or all in one when none is applied
 * yet. Several processes may run it at once; `onWait` is called from time to time while it waits for another one, or for a backup. Where
 * all of them are applied, it reads that in one statement and waits for nobody. Returns the names of the applied migrations.
 * @throws StartupError when the application's role cannot be created, when an applied file has changed, or when the
 * database is ahead of this program.
 */
export async function migrate(
  { systemDatabase: database }: Pick<DatabasePool, 'systemDatabase'>,
  onWait?: OnWait,
): Promise<string[]> {
  await ensureApplicationRole(database)
  if (await isAtThisLevel(database)) return []
  await requireSuitable(database)
  // Under the lock, because `if not exists` does not wait for a concurrent creation.
  await changeSchema(database, (transaction) => transaction.rows(createMigrationTable), onWait)
  const built = await changeSchema(database, buildWhereEmpty, onWait)
  if (built.length > 0) return built
  const applied: string[] = []
  for (const migration of readMigrations()) {
    const bringUp = async (transaction: Database) => {
      const known = await transaction.row('select checksum from migration where name = $1', [migration.name])
      if (known) return verify(migration, known[0])
      await apply(transaction, migration, statementsOf(migration.sql).map(withColumns))
      await buildRowLevelSecurity(transaction)
      return true
    }
    const isNew = await changeSchema(database, bringUp, onWait).catch((error: unknown) => {
      throw explain(migration, error)
    })
    if (isNew) applied.push(migration.name)
  }
  await refuseUnknown(database)
  return applied
}

/**
 * Migrates an empty database to an earlier level within the given transaction: the migrations with these names and
 * checksums.
 * @throws StartupError when this program does not have them.
 */
export async function migrateTo(transaction: Database, level: Record<string, string>): Promise<void> {
  await transaction.rows(createMigrationTable)
  const wanted = readMigrations().filter(({ name }) => Object.hasOwn(level, name))
  const unknown = Object.keys(level).filter((name) => !wanted.some((each) => each.name === name))
  if (unknown.length > 0)
    throw new StartupError(`this release is too old for the database: it does not know migration ${unknown.join(', ')}`)
  for (const migration of wanted) verify(migration, level[migration.name])
  await build(transaction, wanted)
}

/** Whether exactly the migrations of this program are applied: the case of almost every start, which must take no lock. */
async function isAtThisLevel(database: Database): Promise<boolean> {
  const applied = await database.rows('select name, checksum from migration').catch((error: unknown) => {
    if (codeOf(error) === NO_SUCH_TABLE) return []
    throw error
  })
  const checksums = new Map(applied.map(([name, checksum]) => [name, checksum]))
  const own = readMigrations()
  return checksums.size === own.length && own.every(({ name, checksum }) => checksums.get(name) === checksum)
}

const NO_SUCH_TABLE = '42P01'

/** True when every migration of this program has been applied; `/readyz` uses this. */
export async function isMigrated(database: Database): Promise<boolean> {
  const names = new Set((await database.rows('select name from migration')).map(([name]) => name))
  return readMigrations().every(({ name }) => names.has(name))
}

/**
 * Runs a change of the schema in a transaction, one process at a time. It yields to users of the tables: it is run again after a
 * deadlock, and when a table was not free soon. A backup may use all tables for hours, so a change that met one waits for its end before it
 * asks for a table: whoever asks later would wait behind it.
 */
export async function changeSchema<T>(
  database: Database,
  work: (transaction: Database) => Promise<T>,
  onWait?: OnWait,
  tellEveryMs = REPORT_EVERY_MS,
): Promise<T> {
  let yieldsUntil = performance.now() + YIELD_FOR_MS
  let needed = [ALONE]
  for (let deadlocks = 0; ; ) {
    let isYielding = true
    try {
      return await database.transaction(async (transaction) => {
        await transaction.rows(migrationSettings)
        const askedAt = performance.now()
        for (const lock of needed) await takeLock(transaction, lock, onWait, tellEveryMs)
        yieldsUntil += performance.now() - askedAt
        isYielding = performance.now() < yieldsUntil
        if (isYielding) await transaction.rows(`set local lock_timeout = ${LOCK_WAIT_MS}`)
        return await work(transaction)
      })
    } catch (error) {
      if (isYielding && isLockTimeout(error)) {
        needed = [ALONE, UNUSED_BY_BACKUPS]
        await delay(RETRY_AFTER_MS)
      } else if (!isDeadlock(error) || deadlocks++ === DEADLOCKS_MAX) throw error
    }
  }
}

/**
 * A migration takes as long as it needs, in this process or another, regardless of the login's settings; not every
 * PostgreSQL has all four. Citus changes the shards of a table sequentially, because it refuses to mix that with parallel changes in one transaction.
 */
const migrationSettings = `select set_config(name, case when name like 'citus.%' then 'sequential' else '0' end, true) from pg_settings
  where name in ('statement_timeout', 'lock_timeout', 'transaction_timeout', 'idle_in_transaction_session_timeout',
    'citus.multi_shard_modify_mode')`

async function takeLock(
  transaction: Database,
  { number, reason }: { number: number; reason: string },
  onWait: OnWait = () => {},
  tellEveryMs: number,
): Promise<void> {
  const startedAt = performance.now()
  const timer = setInterval(() => onWait(Math.round((performance.now() - startedAt) / 1000), reason), tellEveryMs)
  try {
    await transaction.rows('select pg_advisory_xact_lock($1)', [number])
  } finally {
    clearInterval(timer)
  }
}

/** PostgreSQL's message about a migration, for the person who started it, unless it quotes rows. */
function explain({ name }: Migration, error: unknown): unknown {
  if (!(error instanceof pg.DatabaseError) || isConnectionFailure(error)) return error
  const reason = QUOTES_ROWS.test(error.code ?? '') ? `error ${error.code}` : withAdvice(error.message)
  const advice = EXISTS.test(error.code ?? '') ? ELSEWHERE : ''
  return new StartupError(`migration ${name} failed and was undone: ${reason}${advice}`, { cause: error })
}

/** A table, a type or a function of this name is there already. */
const EXISTS = /^42(?:P07|710|723)$/
const ELSEWHERE = '. The database has objects of something else: give Anteroom a database of its own'

/** Data exceptions and constraint violations. */
const QUOTES_ROWS = /^2[23]/

/** Returns the names of the applied migrations: all, or none when the database has any. */
async function buildWhereEmpty(transaction: Database): Promise<string[]> {
  if (await transaction.row('select from migration limit 1')) return []
  await build(transaction, readMigrations())
  return readMigrations().map(({ name }) => name)
}

/**
 * Builds an empty database within the given transaction. No other session sees its tables before the commit, so row-level security is built
 * once, for all of them: after each migration it would take most of a first start. A migration that drops a restricted view need not find
 * it; one that uses it otherwise finds it.
 */
async function build(transaction: Database, wanted: readonly Migration[]): Promise<void> {
  for (const migration of wanted) {
    const sql = migration.sql.replace(DROPS_VIEW, 'drop view if exists walled.')
    try {
      if (USES_VIEW.test(sql)) await buildRowLevelSecurity(transaction)
      await apply(transaction, migration, [sql])
    } catch (error) {
      // These are tried again (changeSchema).
      throw isDeadlock(error) || isLockTimeout(error) ? error : explain(migration, error)
    }
  }
  await buildRowLevelSecurity(transaction)
}

const DROPS_VIEW = /\bdrop view (if exists )?walled\./gi
const USES_VIEW = /(?<!drop view if exists )\bwalled\.\w/

/** A table is under row-level security from the transaction that creates it (0030_tenant_wall.sql). */
async function buildRowLevelSecurity(transaction: Database): Promise<void> {
  const row = await transaction.row(`select to_regprocedure('build_tenant_wall()')::text`)
  if (row?.[0]) await transaction.rows('select build_tenant_wall()')
}

/** Citus does not run a query without columns over the rows of several servers, and an applied file never changes. */
const withColumns = (statement: string) => statement.replace(BARE_QUERY, '$& 1')
const BARE_QUERY = /\bdo \$\$ begin if exists \(select(?= from)/

const createMigrationTable =
  'create table if not exists migration (name text primary key, checksum text not null, applied_at timestamptz not null default now())'

/** Citus changes a distributed table by a text of one statement alone; a first start sends all of them at once. */
async function apply(transaction: Database, { name, sql, checksum }: Migration, parts = [sql]): Promise<void> {
  for (const part of parts) await transaction.rows(part)
  await transaction.rows('insert into migration (name, checksum) values ($1, $2)', [name, checksum])
}

function verify(migration: Migration, checksum: string | undefined): false {
  if (checksum === migration.checksum) return false
  throw new StartupError(`migration ${migration.name} has changed since it was applied to this database`)
}

async function refuseUnknown(database: Database): Promise<void> {
  const known = new Set(readMigrations().map(({ name }) => name))
  const rows = await database.rows('select name from migration order by name')
  const unknown = rows.map(([name]) => name).filter((name) => name !== undefined && !known.has(name))
  if (unknown.length > 0) {
    throw new StartupError(
      `the database is newer than this release: it has migration ${unknown.join(', ')}. Nothing was changed: start the release that was used, or a newer one, ` +
        'or restore a backup from before the upgrade into another database',
    )
  }
}

let migrations: Migration[] | undefined

function readMigrations(): Migration[] {
  migrations ??= readdirSync(packageFile('migrations'))
    .filter((name) => name.endsWith('.sql'))
    .sort()
    .map((name) => {
      const sql = readFileSync(join(packageFile('migrations'), name), 'utf8')
      return { name, sql, checksum: createHash('sha256').update(sql).digest('hex') }
    })
  return migrations
}
