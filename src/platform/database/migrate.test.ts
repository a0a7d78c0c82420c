import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { expect, it, vi } from 'vitest'
import { cloneDatabase } from '../../../test/support/database.ts'
import { testService } from '../../../test/support/service.ts'
import type { Database } from './database.ts'
import type { DatabasePool } from './database-pool.ts'
import { BACKUP_LOCK } from './leases/advisory-locks.ts'
import { changeSchema, migrate, migrateTo } from './migrate.ts'

const service = testService()

/** Resolves once another transaction waits for this table. */
async function isWantedByOthers(table: string): Promise<void> {
  const sql = 'select 1 from pg_locks where not granted and relation = $1::regclass'
  while (!(await service.database.row(sql, [table]))) await delay(5)
}

/** A reader that locks tables in another order than a migration; returns how often the migration was started. */
async function meetReader(): Promise<number> {
  let attempts = 0
  let change: Promise<void> | undefined
  const read = service.database.transaction(async (reader) => {
    await reader.rows('lock table tag in access share mode')
    change = changeSchema(service.database, async (migration) => {
      attempts++
      await migration.rows('lock table note in access exclusive mode')
      await migration.rows('lock table tag in access exclusive mode')
    })
    await isWantedByOthers('tag')
    await reader.rows('lock table note in access share mode')
  })
  await read
  await change
  return attempts
}

it('yields to a transaction that locks tables in another order, which never fails, and succeeds afterwards', async () => {
  expect(await meetReader()).toBeGreaterThan(1)
})

it('lets callers use a table while another transaction keeps the migration waiting for it', async () => {
  let isChanged = false
  let change: Promise<unknown> | undefined
  await service.database.transaction(async (backup) => {
    await backup.rows('lock table note in access share mode')
    change = changeSchema(service.database, async (migration) => {
      await migration.rows('lock table note in access exclusive mode')
      isChanged = true
    })
    for (let turn = 0; turn < 5; turn++) {
      await isWantedByOthers('note')
      await service.database.rows('select count(*) from note where organization_id is null')
    }
    expect(isChanged).toBe(false)
  })
  await change
  expect(isChanged).toBe(true)
})

it('asks for no table while a backup has met it, so that no caller waits behind it, and says what it waits for', async () => {
  let attempts = 0
  let change: Promise<unknown> | undefined
  const waits: string[] = []
  await service.database.transaction(async (backup) => {
    await backup.rows('select pg_advisory_xact_lock_shared($1)', [BACKUP_LOCK])
    await backup.rows('lock table note in access share mode')
    const lock = async (migration: Database) => {
      attempts++
      await migration.rows('lock table note in access exclusive mode')
    }
    change = changeSchema(service.database, lock, (_, reason) => waits.push(reason), 20)
    await vi.waitFor(() => expect(waits.length + attempts).toBeGreaterThan(20), { timeout: 60_000 })
    expect(attempts).toBe(1)
    // On a slow machine it waits for the lock on migrations first, which nobody has.
    const told = waits.slice(waits.findIndex((reason) => reason.includes('backup')))
    expect(new Set(told)).toEqual(new Set(['a backup or a rotation of keys that uses the tables']))
  })
  await change
  expect(attempts).toBe(2)
})

it('is not retried after another error', async () => {
  let attempts = 0
  const change = changeSchema(service.database, async (migration) => {
    attempts++
    await migration.rows('select 1 from nowhere')
  })
  await expect(change).rejects.toThrow('nowhere')
  expect(attempts).toBe(1)
})

/** Like a login whose statements may take almost no time: reaches a timeout of 30 s sooner. */
const impatient = <T extends Database>(database: T): T => ({
  ...database,
  transaction: (work) =>
    database.transaction(async (transaction) => {
      await transaction.rows('set local statement_timeout = 20')
      await transaction.rows('set local lock_timeout = 20')
      return work(transaction)
    }),
})

it("waits for another process's migration as long as necessary, and reports this from time to time", async () => {
  const waits: number[] = []
  let release = () => {}
  const released = new Promise<void>((resolve) => (release = resolve))
  // The other process must be first: if it waited itself, its wait would never end.
  let other: Promise<void> | undefined
  await new Promise<void>((resolve) => {
    other = changeSchema(service.database, () => {
      resolve()
      return released
    })
  })
  const turn = changeSchema(
    impatient(service.database),
    async () => 'its turn',
    (seconds) => {
      waits.push(seconds)
      if (waits.length === 3) release()
    },
    50,
  )
  expect(await turn).toBe('its turn')
  await other
  expect(waits.length).toBeGreaterThanOrEqual(3)
})

it('starts on a migrated database at once, while another process holds the lock of migrations', async () => {
  await changeSchema(service.database, async () => {
    expect(await migrate({ systemDatabase: impatient(service.database) })).toEqual([])
  })
})

it('has no time limit', async () => {
  const slow = changeSchema(impatient(service.database), (transaction) => transaction.rows('select pg_sleep(0.2)'))
  await expect(slow).resolves.toHaveLength(1)
})

/** All that migrations make: tables, columns, views, functions, indexes, constraints, triggers and policies, each with the rights on it. */
const catalog = `
  select 'relation', n.nspname || '.' || c.relname, to_jsonb(array[c.relkind::text, c.relacl::text, c.relrowsecurity::text, c.reloptions::text,
      case when c.relkind = 'v' then pg_get_viewdef(c.oid) end, case when c.relkind = 'i' then pg_get_indexdef(c.oid) end])
    from pg_class c join pg_namespace n on n.oid = c.relnamespace where n.nspname in ('public', 'walled')
  union all select 'column', a.attrelid::regclass || '.' || a.attname, to_jsonb(array[format_type(a.atttypid, a.atttypmod), a.attnotnull::text,
      a.attgenerated::text, a.attacl::text, a.attcollation::text, a.attnum::text, pg_get_expr(d.adbin, d.adrelid)])
    from pg_attribute a join pg_class c on c.oid = a.attrelid left join pg_attrdef d on (d.adrelid, d.adnum) = (a.attrelid, a.attnum)
    where c.relnamespace in ('public'::regnamespace, 'walled'::regnamespace) and not a.attisdropped
  union all select 'function', p.oid::regprocedure::text, to_jsonb(array[p.proacl::text, p.prosecdef::text,
      case when p.prokind = 'f' then pg_get_functiondef(p.oid) end])
    from pg_proc p where p.pronamespace = 'public'::regnamespace
  union all select 'policy', tablename || '.' || policyname, to_jsonb(array[roles::text, cmd, permissive, qual, with_check]) from pg_policies
  union all select 'constraint', conrelid::regclass || '.' || conname, to_jsonb(pg_get_constraintdef(oid)) from pg_constraint
    where connamespace = 'public'::regnamespace
  union all select 'trigger', tgrelid::regclass || '.' || tgname, to_jsonb(pg_get_triggerdef(oid)) from pg_trigger where not tgisinternal
  union all select 'schema', nspname, to_jsonb(nspacl::text) from pg_namespace where nspname in ('public', 'walled')
  union all select 'migration', name, to_jsonb(checksum) from migration
  order by 1, 2, 3`

async function onEmptyDatabase<T>(work: (database: DatabasePool) => Promise<T>): Promise<T> {
  const { database, drop } = await cloneDatabase('anteroom_empty')
  try {
    return await work(database)
  } finally {
    await drop()
  }
}

it('leaves a new database as it leaves one that was upgraded step by step, with the same rights', async () => {
  const atOnce = await onEmptyDatabase(async (database) => {
    await migrate(database)
    return database.systemDatabase.rows(catalog)
  })
  const stepByStep = await onEmptyDatabase(async (database) => {
    const [first] = await service.database.rows('select name, checksum from migration order by name limit 1')
    const level = { [String(first?.[0])]: String(first?.[1]) }
    await database.systemDatabase.transaction((transaction) => migrateTo(transaction, level))
    await migrate(database)
    return database.systemDatabase.rows(catalog)
  })
  expect(stepByStep.length).toBeGreaterThan(1000)
  expect(atOnce).toEqual(stepByStep)
})

it('builds a new database in one transaction, with row-level security once', async () => {
  let transactions = 0
  let walls = 0
  const counting = <T extends Database>(database: T): T => ({
    ...database,
    transaction: (work) => {
      transactions++
      return database.transaction((transaction) => work(counting(transaction)))
    },
    rows: (statement, values) => {
      if (statement === 'select build_tenant_wall()') walls++
      return database.rows(statement, values)
    },
  })
  await onEmptyDatabase(async ({ systemDatabase }) => migrate({ systemDatabase: counting(systemDatabase) }))
  // One for the role, one for the table of migrations, and one for all of them.
  expect({ transactions, walls }).toEqual({ transactions: 3, walls: 1 })
})

it('says what to do about a disk that is full, as the log of a running service does', async () => {
  const full = new pg.DatabaseError('could not extend file "base/5/16384": No space left on device', 0, 'error')
  full.code = '53100'
  const onFullDisk = <T extends Database>(database: T): T => ({
    ...database,
    transaction: (work) => database.transaction((transaction) => work(onFullDisk(transaction))),
    rows: (statement, values) =>
      String(statement).includes('create table organization') ? Promise.reject(full) : database.rows(statement, values),
  })
  await onEmptyDatabase(async ({ systemDatabase }) => {
    await expect(migrate({ systemDatabase: onFullDisk(systemDatabase) })).rejects.toThrow(
      /^migration .* failed and was undone: could not extend file .*: No space left on device\. The disk is full: make room, and try again$/,
    )
  })
})
