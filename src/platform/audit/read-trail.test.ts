import { expect, it } from 'vitest'
import { testService } from '../../../test/support/service.ts'
import { eventsOfTrail, type TrailQuery } from './read-trail.ts'

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
