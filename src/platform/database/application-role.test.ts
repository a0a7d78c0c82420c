// Row-level security in the database itself: what a statement finds and changes when its `where` was forgotten.
import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, inject, it } from 'vitest'
import { type Caller, testService } from '../../../test/support/service.ts'
import { StartupError } from '../startup-error.ts'
import { ensureApplicationRole, requireRowLevelSecurity } from './application-role.ts'
import type { Database } from './database.ts'
import { openDatabase } from './database-pool.ts'

const service = testService()
let ours: Caller
let theirs: Caller
beforeAll(async () => {
  ours = await service.newCaller()
  theirs = await service.newCaller()
  for (const { call } of [ours, theirs]) await call('POST', '/notes/v1', { value: 'first' })
})

const owners = async (sql: string, values: unknown[]) =>
  new Set((await service.deps.database.rows(sql, values)).map(([owner]) => owner))
const notesOf = ({ organizationId }: Caller) =>
  service.database.rows('select id, version, body::text from note where organization_id = $1 order by id', [
    organizationId,
  ])

// In a statement, `note` is the view; the table itself is under row-level security.
describe.each(['note', 'public.note'])('a statement on %s without a where', (note) => {
  it('reads only the rows of its own organization', async () => {
    const sql = `select organization_id from ${note} where $1::uuid is not null`
    expect(await owners(sql, [ours.organizationId])).toEqual(new Set([ours.organizationId]))
  })

  it('reads nothing when it names no organization, or one that does not exist', async () => {
    expect(await owners(`select organization_id from ${note}`, [])).toEqual(new Set())
    for (const first of ['', 'a text', '%', randomUUID()]) {
      expect(await owners(`select organization_id from ${note} where $1::text is not null`, [first])).toEqual(new Set())
    }
  })

  it('changes and removes only the rows of its own organization', async () => {
    const before = await notesOf(theirs)
    const changed = `update ${note} set version = version + 1 where $1::uuid is not null returning organization_id`
    expect(await owners(changed, [ours.organizationId])).toEqual(new Set([ours.organizationId]))
    const removed = `delete from ${note} where $1::uuid is not null returning organization_id`
    expect(await owners(removed, [ours.organizationId])).toEqual(new Set([ours.organizationId]))
    expect(await notesOf(theirs)).toEqual(before)
    await ours.call('POST', '/notes/v1', { value: 'another' })
  })

  it('cannot insert a row into another organization, or move one there', async () => {
    const before = await notesOf(theirs)
    const insert = `insert into ${note} select $2::uuid, gen_random_uuid(), version, deactivated, updated_at, updating_user_id,
      created_at, body from ${note} where organization_id = $1::uuid`
    const move = `update ${note} set organization_id = $2::uuid where organization_id = $1::uuid`
    for (const sql of [insert, move]) {
      const write = service.deps.database.rows(sql, [ours.organizationId, theirs.organizationId])
      await expect(write).rejects.toThrow(/check option|row-level security/)
    }
    expect(await notesOf(theirs)).toEqual(before)
  })
})

describe('a connection', () => {
  it('without its start-up options is detected at the start', async () => {
    await expect(requireRowLevelSecurity(service.deps.database)).resolves.toBeUndefined()
    await expect(requireRowLevelSecurity(service.deps.systemDatabase)).rejects.toThrow(StartupError)
    const { deps } = service
    const halfway = { ...deps.database, row: async () => ['anteroom_app', 'public'] }
    await expect(requireRowLevelSecurity(halfway)).rejects.toThrow('pooler')
  })

  it('that may not use the schema public is refused at the start with the grant that it needs', async () => {
    const { database, systemDatabase } = service.deps
    await systemDatabase.rows('revoke usage on schema public from public, anteroom_app')
    try {
      await expect(requireRowLevelSecurity(database)).rejects.toThrow('grant usage on schema public to anteroom_app;')
    } finally {
      await systemDatabase.rows('grant usage on schema public to public, anteroom_app')
    }
  })

  it('is under row-level security also when DATABASE_URL contains server options, which apply as well', async () => {
    const theirs = encodeURIComponent('-c work_mem=8MB -c role=none -c search_path=public')
    const separator = service.databaseUrl.includes('?') ? '&' : '?'
    const url = `${service.databaseUrl}${separator}options=${theirs}&connect_timeout=30`
    const database = openDatabase({ connectionString: url, max: 2 }, { onError: () => {} })
    const sql = `select current_user, current_setting('search_path'), current_setting('work_mem'), current_setting('statement_timeout')`
    const restricted = ['anteroom_app', 'walled,public', '8MB', '30s']
    expect(await database.row(sql)).toEqual(restricted)
    expect(await database.rowByKey({ name: 'standing', text: sql }, [])).toEqual(restricted)
    expect((await database.systemDatabase.row(sql))?.[2]).toBe('8MB')
    expect(await database.rows('select organization_id from note')).toEqual([])
    await database.close()
  })

  const sql = {
    name: 'security_test_owner',
    text: 'select organization_id from note where $1::uuid is not null limit 1',
  }

  it('serves one organization after the other, and none to a statement that names none', async () => {
    const one = openDatabase({ connectionString: service.databaseUrl, max: 1 }, { onError: () => {} })
    try {
      for (const each of [ours, theirs, ours, ours, theirs]) {
        expect(await one.rows(sql, [each.organizationId])).toEqual([[each.organizationId]])
        expect(await one.rows('select 1 from note')).toEqual([])
      }
    } finally {
      await one.close()
    }
  })

  it("enters its statement's organization again after a rollback reset it", async () => {
    const one = openDatabase({ connectionString: service.databaseUrl, max: 1 }, { onError: () => {} })
    try {
      await one.rows(sql, [ours.organizationId])
      const failed = one.transaction(async (transaction) => {
        expect(await transaction.rows(sql, [theirs.organizationId])).toEqual([[theirs.organizationId]])
        await transaction.rows('select 1 / 0 from organization where id = $1', [theirs.organizationId])
      })
      await expect(failed).rejects.toThrow('division by zero')
      expect(await one.rows(sql, [theirs.organizationId])).toEqual([[theirs.organizationId]])
      expect(await one.rows(sql, [ours.organizationId])).toEqual([[ours.organizationId]])
    } finally {
      await one.close()
    }
  })

  it('that many statements share never mixes their organizations', async () => {
    const asked = Array.from({ length: 500 }, (_, index) => (index % 3 === 0 ? theirs : ours).organizationId)
    const found = await Promise.all(asked.map((id) => service.deps.database.rowByKey(sql, [id])))
    expect(found.map((row) => row?.[0])).toEqual(asked)
  })

  it('cannot read the keys that sign tokens or chain the audit trail', async () => {
    for (const sql of ['select private_key from signing_key', 'select sealed_key from audit_key']) {
      await expect(service.deps.database.rows(sql), sql).rejects.toThrow('permission denied')
    }
  })

  it('cannot rewrite history', async () => {
    for (const sql of [
      'update note_history set version = 7',
      'delete from note_history',
      'delete from timeline_event',
      `update audit_block set events = '[]'`,
      'delete from audit_block',
      'truncate public.audit_block',
      `update audit_pending set act = '{}'`,
      'truncate public.audit_pending',
      'delete from audit_head',
      'alter table public.audit_block disable trigger audit_block_append_only',
    ]) {
      await expect(service.deps.database.rows(sql), sql).rejects.toThrow(/permission denied|must be owner/)
    }
  })
})

it('a login without the role is refused with the SQL that an administrator must run, and is accepted after that', async () => {
  const connection = inject('postgres')
  const admin = openDatabase({ ...connection, user: 'postgres' }, { onError: () => {} })
  const name = `visitor_${randomUUID().slice(0, 8)}`
  const visitor = openDatabase({ ...connection, user: name, password: 'visitor' }, { onError: () => {} })
  try {
    await admin.systemDatabase.rows(`create role ${name} login password 'visitor'`)
    const refusal = await ensureApplicationRole(visitor.systemDatabase).catch((error) => error)
    expect(refusal).toBeInstanceOf(StartupError)
    expect(refusal.message).toContain(`grant anteroom_app to ${name};`)
    expect(refusal.message).not.toContain('\n')
    await admin.systemDatabase.rows(/grant anteroom_app to .*;/.exec(refusal.message)?.[0] ?? '')
    await ensureApplicationRole(visitor.systemDatabase)
    expect(await visitor.row('select current_user')).toEqual(['anteroom_app'])
  } finally {
    await visitor.close()
    await admin.systemDatabase.rows(`drop role ${name}`)
    await admin.close()
  }
})

class Undo extends Error {}

/** What `work` finds out in a transaction that is undone. */
async function undone<T>(work: (transaction: Database) => Promise<T>): Promise<T> {
  let found: T | undefined
  const doing = service.deps.systemDatabase.transaction(async (transaction) => {
    found = await work(transaction)
    throw new Undo()
  })
  await expect(doing).rejects.toThrow(Undo)
  return found as T
}

describe('after a migration', () => {
  const viewOf = async (database: Database, table: string) =>
    (await database.row(`select to_regclass('walled.${table}')::oid::text`))?.[0]

  it('a view is recreated when the columns of its table have changed, and no other view is locked', async () => {
    const found = await undone(async (transaction) => {
      const before = { tag: await viewOf(transaction, 'tag'), note: await viewOf(transaction, 'note') }
      await transaction.rows('alter table tag add column color text')
      await transaction.rows('select build_tenant_wall()')
      await transaction.rows('select color from walled.tag')
      const locked = await transaction.rows(
        `select relation::regclass::text from pg_locks where pid = pg_backend_pid() and mode = 'AccessExclusiveLock' and relation::regclass::text like 'walled.%'`,
      )
      const after = { tag: await viewOf(transaction, 'tag'), note: await viewOf(transaction, 'note') }
      return { before, after, locked: locked.flat().filter((name) => !name?.includes('tag')) }
    })
    expect(found.after.note).toBe(found.before.note)
    expect(found.after.tag).not.toBe(found.before.tag)
    expect(found.locked).toEqual([])
  })

  it('a view that stays loses the rights that are no longer granted', async () => {
    const may = async (transaction: Database) =>
      (await transaction.row(`select has_table_privilege('anteroom_app', 'walled.note', 'delete')`))?.[0]
    const found = await undone(async (transaction) => {
      const before = await may(transaction)
      await transaction.rows(
        `create or replace function rights_behind_wall(base name) returns text language sql immutable as $$ select 'select' $$`,
      )
      await transaction.rows('select build_tenant_wall()')
      return [before, await may(transaction)]
    })
    expect(found).toEqual(['t', 'f'])
  })
})
