import { expect, it } from 'vitest'
import { planOf, rowsRead } from '../../../test/support/read-rows.ts'
import { sentBy } from '../../../test/support/sent-statements.ts'
import { testService } from '../../../test/support/service.ts'
import { BLOCKS_SEARCHED, eventsOfTrail, type TrailQuery } from './read-trail.ts'

const service = testService()

it('reads only the blocks that contain an event of the operation or of the user', async () => {
  const caller = await service.newCaller()
  await caller.call('POST', '/notes/v1', { value: 'one' })
  await service.deps.audit.flush(caller.organizationId)
  const read = async (query: TrailQuery) => {
    const blocks = []
    for await (const events of eventsOfTrail(service.database, caller.organizationId, query)) blocks.push(events)
    return { blocks: blocks.length, operations: [...new Set(blocks.flat().map(({ operation }) => operation))] }
  }
  const created = { blocks: 1, operations: ['notes.create'] }
  expect(await read({ operation: 'notes.create' })).toEqual(created)
  expect(await read({ operation: 'notes' })).toEqual(created)
  // Texts that stand in every block, but not as an operation or a user.
  const nothing = { blocks: 0, operations: [] }
  for (const operation of ['a', 'note', 'notes.creat', 'at', '20', '"', 'create']) {
    expect(await read({ operation }), operation).toEqual(nothing)
  }
  expect(await read({ userId: caller.organizationId })).toEqual(nothing)
})

it('finds an event however long the trail is, without a statement that reads all of it', async () => {
  const LENGTH = 3 * BLOCKS_SEARCHED + 7
  const { organizationId } = await service.newCaller()
  const event = (operation: string) => JSON.stringify([{ at: '2026-01-01T00:00:00.000Z', operation }])
  await service.database.rows(
    `insert into audit_block (organization_id, number, first_at, last_at, size, patient_ids, events, previous_hash, hash)
    select $1, number, '2026-01-01', '2026-01-01', 1, '{}', case when number = any($4) then $2 else $3 end, '', ''
    from generate_series(1, ${LENGTH}) number`,
    [organizationId, event('users.create'), event('patients.get'), [1, 2, BLOCKS_SEARCHED, LENGTH - 1, LENGTH]],
  )
  await service.database.rows('analyze audit_block')
  const { result: ids, statements } = await sentBy(service.database, async () => {
    const found: string[] = []
    for await (const events of eventsOfTrail(service.database, organizationId, { operation: 'users' }))
      found.push(...events.map(({ id }) => id))
    return found
  })
  expect(ids).toEqual([LENGTH, LENGTH - 1, BLOCKS_SEARCHED, 2, 1].map((number) => `${number}-0`))
  const plans = await Promise.all(statements.map((statement) => planOf(service.database, statement)))
  expect(Math.max(...plans.map(rowsRead))).toBeLessThanOrEqual(BLOCKS_SEARCHED)
})
