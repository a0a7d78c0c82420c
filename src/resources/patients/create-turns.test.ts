import { expect, it } from 'vitest'
import { nameBody, patientBody } from '../../../test/support/bodies.ts'
import { testService } from '../../../test/support/service.ts'

const service = testService()

it('creates that wait for another write of their organization take three connections, and do not delay another one', async () => {
  const [caller, other] = [await service.newCaller(), await service.newCaller()]
  const create = ({ call }: typeof caller, family: string) =>
    call('POST', '/patients/v1', patientBody({ name: nameBody(family) }))
  expect((await create(caller, 'First')).status).toBe(200)
  const waiting = await service.database.transaction(async (transaction) => {
    const hold = `select at from change_clock where organization_id = $1 and record_type = 'patient' for update`
    await transaction.rows(hold, [caller.organizationId])
    const creates = Array.from({ length: 12 }, (_, index) => create(caller, `Person ${index}`))
    for (let blocked = 0; blocked < 3; ) blocked = await count(`state = 'active' and wait_event_type = 'Lock'`)
    for (let index = 0; index < 3; index++) expect((await create(other, `Other ${index}`)).status).toBe(200)
    expect(await count(`wait_event_type = 'Lock' or state like 'idle in transaction%'`)).toBe(3)
    return { creates }
  })
  const statuses = (await Promise.all(waiting.creates)).map(({ status }) => status)
  expect(statuses).toEqual(Array(12).fill(200))
})

/** Sessions of the service, without the one that holds the clock. */
async function count(condition: string): Promise<number> {
  const text = `select count(*) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()
    and query not like '%for update' and (${condition})`
  return Number((await service.database.rows(text))[0]?.[0])
}
