import { expect, it } from 'vitest'
import { refuseWrites } from '../../../test/support/refuse-writes.ts'
import { type Caller, testService } from '../../../test/support/service.ts'
import { deleteOldMessages } from './message-retention.ts'

const service = testService()
/** More than are deleted at a time. */
const MANY = 2_100

/** `count` checks of 2001 with messages. */
async function storeOld({ organizationId }: Caller, count: number): Promise<void> {
  await service.database.rows(
    `insert into eligibility_check (organization_id, id, initiated_at, completed_at, user_id, status, request, raw_response)
      select $1, gen_random_uuid(), timestamptz '2001-01-01' + n % 7 * interval '1 day', '2001-02-01', $1, 'COMPLETED', '{}', '\\x01'
      from generate_series(1, $2) n`,
    [organizationId, count],
  )
}

async function withMessages({ organizationId }: Caller): Promise<number> {
  const row = await service.database.row(
    'select count(*) from eligibility_check where organization_id = $1 and raw_response is not null',
    [organizationId],
  )
  return Number(row?.[0])
}

it('old messages are deleted until none is left, however many became old at once', async () => {
  const caller = await service.newCaller()
  await storeOld(caller, MANY)
  expect(await deleteOldMessages(service.deps, service.app.log)).toBe(MANY)
  expect(await withMessages(caller)).toBe(0)
  expect(await deleteOldMessages(service.deps, service.app.log)).toBe(0)
})

it('an organization in which that fails keeps them, those of the others are deleted, and the failure is counted', async () => {
  const callers = [await service.newCaller(), await service.newCaller(), await service.newCaller()] as const
  for (const caller of callers) await storeOld(caller, 3)
  const [, broken] = callers
  const accept = await refuseWrites(
    service.database,
    'before update on eligibility_check',
    `old.organization_id = '${broken.organizationId}'`,
  )
  await deleteOldMessages(service.deps, service.app.log)
  expect(await Promise.all(callers.map(withMessages))).toEqual([0, 3, 0])
  expect(await service.deps.metrics.registry.getSingleMetricAsString('anteroom_organization_failures_total')).toContain(
    'anteroom_organization_failures_total{work="messages"} 1',
  )
  await accept()
  await deleteOldMessages(service.deps, service.app.log)
  expect(await withMessages(broken)).toBe(0)
})

it.each(['the service', 'the database'])('nothing is deleted that is old by the clock of %s alone', async (whose) => {
  const caller = await service.newCaller()
  await storeOld(caller, 1)
  const { deps } = service
  // The clock that is right: a day after it was stored.
  const right = Date.parse('2001-01-02T00:00:00.000Z')
  const isService = whose === 'the service'
  const now = () => new Date(isService ? Date.now() : right)
  const { systemDatabase } = deps
  const row: typeof systemDatabase.row = async (statement, values) =>
    isService && typeof statement === 'object' && statement.name === 'clock_read'
      ? [String(right)]
      : systemDatabase.row(statement, values)
  expect(await deleteOldMessages({ ...deps, now, systemDatabase: { ...systemDatabase, row } }, service.app.log)).toBe(0)
  expect(await withMessages(caller)).toBe(1)
})
