// An upgrade under load: processes of a release before migration 0067 write beside newer ones for a while and do not
// maintain record_change.
import { describe, expect, it } from 'vitest'
import { kindsWith, operate } from '../../test/support/operations.ts'
import { testService } from '../../test/support/service.ts'
import { COLUMNS } from './statements.ts'

const service = testService()

describe.each(kindsWith('create'))('a $name written by a process of an earlier release', (kind) => {
  it('appears in the change feed', async () => {
    const caller = await service.newCaller()
    const { body: made } = await operate(caller, kind.endpoint('create'), { body: await kind.make(caller) })
    const values = [caller.organizationId, made.id]
    const { name } = kind
    await service.deps.database.rows(
      `with clock as (
        update change_clock set at = greatest(at + interval '1 ms', date_trunc('milliseconds', clock_timestamp()))
        where organization_id = $1 and record_type = '${name}' returning at
      ),
      head as (
        update ${name} set version = version + 1, updated_at = clock.at from clock where organization_id = $1 and id = $2 returning ${COLUMNS}
      )
      insert into ${name}_history (${COLUMNS}) select ${COLUMNS} from head`,
      values,
    )
    const written = `select version, updated_at::text from ${name} where organization_id = $1 and id = $2`
    const place = `select version, at::text from record_change where organization_id = $1 and record_type = '${name}' and id = $2`
    const [version] = (await service.database.row(written, values)) ?? []
    expect(Number(version)).toBeGreaterThan(1)
    expect(await service.database.row(place, values)).toEqual(await service.database.row(written, values))
  })
})
