// What a database on Citus promises beside what all tests of vitest.citus.config.ts try there. docs/citus.md
import { describe, expect, it } from 'vitest'
import { ensureApplicationRole } from '../../src/platform/database/application-role.ts'
import { openDatabase } from '../../src/platform/database/database-pool.ts'
import { distribute } from '../../src/platform/database/distribute.ts'
import { migrate, migrateTo } from '../../src/platform/database/migrate.ts'
import { citusConnection, citusUrl, createOnServers, dropDistributed } from '../support/citus.ts'
import { testService } from '../support/service.ts'

if (!citusUrl) console.log('CITUS_DATABASE_URL is not set: nothing is tried on a distributed database (docs/citus.md)')

const service = testService()

it('functions that a body in PL/pgSQL calls by name are known to the catalog otherwise, so that they reach the servers of a distributed database', async () => {
  // A distributed table takes along what its columns, indexes and constraints depend on; of a body that is text the catalog knows nothing.
  const calls = await service.database.rows(`with recursive taken as (
      select refobjid as oid from pg_depend where refclassid = 'pg_proc'::regclass
        and classid in ('pg_attrdef'::regclass, 'pg_class'::regclass, 'pg_constraint'::regclass, 'pg_trigger'::regclass)
      union
      select d.refobjid from pg_depend d join taken on d.classid = 'pg_proc'::regclass and d.objid = taken.oid
        where d.refclassid = 'pg_proc'::regclass
    )
    select caller.proname, called.proname, called.oid in (select oid from taken) from taken join pg_proc caller using (oid)
    join pg_language l on l.oid = caller.prolang and l.lanname = 'plpgsql'
    join pg_proc called on called.pronamespace = 'public'::regnamespace
      and caller.prosrc ~ ('\\mpublic\\.' || called.proname || '\\(')`)
  expect(calls.length).toBeGreaterThan(0)
  expect(calls.filter(([, , isKnown]) => isKnown !== 't')).toEqual([])
})

describe.skipIf(!citusUrl)('a distributed database', () => {
  const newNote = async () => {
    const caller = await service.newCaller()
    const { body } = await caller.call('POST', '/notes/v1', { type: 'GENERAL', value: 'a note' })
    return { ...caller, noteId: body.id as string }
  }

  it('is distributed by organization, and distributing it again changes nothing', async () => {
    const kinds = `select count(*) filter (where partmethod = 'h'), count(*) filter (where partmethod = 'n') from pg_dist_partition`
    const before = await service.database.row(kinds)
    const { distributed, reference } = await distribute(service.database)
    expect(before).toEqual([String(distributed), String(reference)])
    expect(await service.database.row(kinds)).toEqual(before)
  })

  it('shows a statement without a where the rows of its own organization alone, and none without an organization', async () => {
    const [one, other] = [await newNote(), await newNote()]
    const ids = async (organizationId: string | null) =>
      (
        await service.deps.database.rows('select id from note where coalesce($1::text, id::text) is not null', [
          organizationId,
        ])
      ).flat()
    expect(await ids(one.organizationId)).toEqual([one.noteId])
    expect(await ids(other.organizationId)).toEqual([other.noteId])
    expect(await ids(null)).toEqual([])
  })

  it('changes no row of another organization by a statement without a where, alone or within a transaction', async () => {
    const [one, other] = [await newNote(), await newNote()]
    const touch = 'update note set deactivated = true where $1::uuid is not null returning id'
    expect(await service.deps.database.rows(touch, [one.organizationId])).toEqual([[one.noteId]])
    await service.deps.database.transaction(async (transaction) => {
      expect(await transaction.rows(touch, [one.organizationId])).toEqual([[one.noteId]])
      expect(await transaction.rows(touch, [other.organizationId])).toEqual([[other.noteId]])
    })
  })

  it('of an earlier release is migrated, in its distributed tables too', async () => {
    const level = (await service.database.rows('select name, checksum from migration')) as [string, string][]
    const earlier = level.filter(([name]) => name <= '0112_isolation_by_policies.sql')
    const name = 'anteroom_of_an_earlier_release'
    await createOnServers(citusUrl ?? '', name)
    const database = openDatabase(citusConnection(citusUrl ?? '', name), { onError: () => {} })
    try {
      await ensureApplicationRole(database.systemDatabase)
      await database.systemDatabase.transaction((transaction) => migrateTo(transaction, Object.fromEntries(earlier)))
      await distribute(database.systemDatabase)
      expect((await migrate(database)).length).toBe(level.length - earlier.length)
      expect(await distribute(database.systemDatabase)).toEqual(await distribute(service.database))
    } finally {
      await database.close()
      await dropDistributed(citusUrl ?? '', name)
    }
  })
})
