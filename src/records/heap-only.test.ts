// decisions/0036-updates-touch-what-changed.md, 0133-what-a-write-costs-beside-its-rows.md
import { describe, expect, it } from 'vitest'
import { kindsWith, operate, pathVersion } from '../../test/support/operations.ts'
import { testService } from '../../test/support/service.ts'
import { records } from '../main/resources.ts'
import { verifyCredentials } from '../platform/auth/clients.ts'
import { updateRecord } from './store.ts'

const service = testService()
/** The record types that are written most. */
const BUSY = ['patient', 'coverage', 'appointment']

describe.each(kindsWith('create', 'update').filter(({ name }) => BUSY.includes(name)))(
  'an update of a $name',
  (kind) => {
    it('touches no index of its table when no indexed field changes', async () => {
      const caller = await service.newCaller()
      const { client_id, client_secret } = caller.credentials
      const actor = await verifyCredentials(service.database, client_id, client_secret)
      const record = records.find(({ name }) => name === kind.name)
      if (!actor || !record) throw new Error('there is no actor or record to write')
      const body = await kind.make(caller)
      const { body: made } = await operate(caller, kind.endpoint('create'), { body })
      // The stored form: a PUT through the interface adds defaults that `body` does not have.
      const params = { id: made.id, version: pathVersion(kind, 'update', 1) }
      const { body: stored } = await operate(caller, kind.endpoint('update'), { params, body })
      const {
        id,
        organization_id: _o,
        deactivated: _d,
        version: _v,
        updated_at: _a,
        updating_user_id: _u,
        ...rest
      } = stored
      const ofTable = {
        text: 'select n_tup_upd, n_tup_hot_upd from pg_stat_xact_user_tables where relname = $2 and $1::uuid is not null',
      }
      const counts = await service.deps.database.transaction(async (database) => {
        const deps = { ...service.deps, database }
        const read = async () => (await database.row(ofTable, [actor.organizationId, kind.name]))?.map(Number) ?? []
        const [updatedBefore = 0, heapOnlyBefore = 0] = await read()
        for (let version = 2; version < 5; version++) {
          const changed = kind.change(rest, `again ${version}`)
          await updateRecord(deps, record, actor, { id, expectedVersion: version, body: changed })
        }
        const [updated = 0, heapOnly = 0] = await read()
        return { updated: updated - updatedBefore, heapOnly: heapOnly - heapOnlyBefore }
      })
      expect(counts).toEqual({ updated: 3, heapOnly: 3 })
    })

    it('finds no index on a body or a stamp', async () => {
      const rows = await service.database.rows(
        `select distinct i.indexrelid::regclass::text from pg_index i
      join pg_depend d on d.objid = i.indexrelid and d.refobjid = i.indrelid
      join pg_attribute a on a.attrelid = i.indrelid and a.attnum = d.refobjsubid
      where i.indrelid = $1::regclass and a.attname in ('body', 'updated_at', 'version', 'updating_user_id')`,
        [kind.name],
      )
      expect(rows).toEqual([])
    })
  },
)

it('computes the columns of a record with functions that are planned once in a session, not for each write', async () => {
  const rows = await service.database.rows(
    `select a.attrelid::regclass || '.' || a.attname || ': ' || p.proname from pg_attrdef d
    join pg_attribute a on a.attrelid = d.adrelid and a.attnum = d.adnum and a.attgenerated <> ''
    join pg_depend x on x.classid = 'pg_attrdef'::regclass and x.objid = d.oid and x.refclassid = 'pg_proc'::regclass
    join pg_proc p on p.oid = x.refobjid join pg_language l on l.oid = p.prolang where l.lanname = 'sql'`,
  )
  expect(rows).toEqual([])
})
