import { expect, it } from 'vitest'
import { refuseWrites } from '../../test/support/refuse-writes.ts'
import { type Caller, testService } from '../../test/support/service.ts'
import { pruneEvents } from './prune.ts'

const service = testService()

/** An organization with a webhook, and `old` events of 2001, then one of now, each with its delivery. */
async function withEvents(old: number): Promise<Caller> {
  const caller = await service.newCaller()
  const { organizationId } = caller
  await caller.call('POST', '/anteroom/v1/webhooks', { url: 'https://hooks.example.com/x', event_types: ['*'] })
  await service.database.rows(
    `with made as (
        insert into event (organization_id, number, at, type, record_type, record_id)
        select $1, n, case when n <= $2 then '2001-01-01' else now() end, 'note.created', 'note', gen_random_uuid() from generate_series(1, $2 + 1) n
        returning number, record_id
      ),
      sent as (
        insert into webhook_delivery (organization_id, webhook_id, number, record_id)
        select $1, w.id, m.number, m.record_id from made m, webhook w where w.organization_id = $1
      )
      update event_log set last_number = $2 + 1 where organization_id = $1`,
    [organizationId, old],
  )
  await service.database.rows(
    `insert into event_pending (organization_id, at, type, record_type, record_id)
      select $1, '2001-01-01', 'note.created', 'note', gen_random_uuid() from generate_series(1, $2)`,
    [organizationId, old],
  )
  return caller
}

const COUNTS = ['event', 'webhook_delivery', 'event_pending']
  .map((table) => `(select count(*) from ${table} where organization_id = $1)`)
  .join(', ')

/** Events, deliveries, waiting events, and up to which number they were removed. */
async function kept({ organizationId }: Caller): Promise<number[]> {
  const sql = `select ${COUNTS}, pruned_number from event_log where organization_id = $1`
  return ((await service.database.row(sql, [organizationId])) ?? []).map(Number)
}

it('old events are removed with their deliveries, however many became old at once, and younger ones stay', async () => {
  const callers = [await withEvents(4_100), await withEvents(0)]
  expect(await pruneEvents(service.deps, service.app.log)).toBe(4_100)
  expect(await Promise.all(callers.map(kept))).toEqual([
    [1, 1, 0, 4_100],
    [1, 1, 0, 0],
  ])
})

it('an organization in which that fails keeps them, and those of the others are removed', async () => {
  const callers = [await withEvents(2), await withEvents(2), await withEvents(2)] as const
  const [, broken] = callers
  await refuseWrites(service.database, 'before delete on event', `old.organization_id = '${broken.organizationId}'`)
  await pruneEvents(service.deps, service.app.log)
  expect(await Promise.all(callers.map(kept))).toEqual([
    [1, 1, 0, 2],
    [3, 3, 2, 0],
    [1, 1, 0, 2],
  ])
  expect(await service.deps.metrics.registry.getSingleMetricAsString('anteroom_organization_failures_total')).toContain(
    'anteroom_organization_failures_total{work="events"} 1',
  )
})
