import { expect, it } from 'vitest'
import { testService } from '../../../test/support/service.ts'
import type { SystemDatabase } from '../database/database.ts'
import { openAuditKey } from './key.ts'
import { pruneTrail } from './prune.ts'
import { verifyTrail } from './verify-trail.ts'

const service = testService()
const BLOCKS = 450
const LATER = '2999-01-01T00:00:00.000Z'

/** One block of the service, followed by that many copies of it. */
async function longTrail(): Promise<string> {
  const caller = await service.newCaller()
  const { organizationId } = caller
  await caller.call('POST', '/notes/v1', { value: 'a note' })
  await service.deps.audit.flush(organizationId)
  await service.database.rows(
    `insert into audit_block select organization_id, number + n, first_at, last_at, size, patient_ids, events, previous_hash, hash
      from audit_block, generate_series(1, ${BLOCKS}) n where organization_id = $1 and number = 1`,
    [organizationId],
  )
  return organizationId
}

const numbers = async (organizationId: string) =>
  (
    await service.database.rows('select number from audit_block where organization_id = $1 order by 1', [
      organizationId,
    ])
  ).map(([number]) => Number(number))

it('removes a long trail in bounded steps, each with its event, and keeps the newest block', async () => {
  const organizationId = await longTrail()
  const steps: number[] = []
  const removed = await pruneTrail(service.database, organizationId, LATER, async (count) => void steps.push(count))
  expect(removed).toBe(BLOCKS)
  expect(steps).toEqual([200, 400, 450])
  expect(await numbers(organizationId)).toEqual([BLOCKS + 1])
  const events = await service.database.rows('select act from audit_pending where organization_id = $1 order by id', [
    organizationId,
  ])
  expect(events.map(([act = '']) => JSON.parse(act))).toMatchObject(
    [200, 400, 450].map((through) => ({ operation: 'command.audit prune', through })),
  )
})

it('continues where it was interrupted', async () => {
  const organizationId = await longTrail()
  const stopped = pruneTrail(service.database, organizationId, LATER, async () => {
    throw new Error('stopped')
  })
  await expect(stopped).rejects.toThrow('stopped')
  expect(await numbers(organizationId)).toHaveLength(BLOCKS + 1 - 200)
  expect(await pruneTrail(service.database, organizationId, LATER)).toBe(BLOCKS - 200)
  await service.deps.audit.flush(organizationId)
  const key = await openAuditKey(service.database, service.deps.vault)
  const { faults } = await verifyTrail(service.database, key, organizationId)
  expect(faults.map(({ fault }) => fault)).not.toContain(`blocks 1 to ${BLOCKS} are missing`)
})

it('has no statement timeout: it waits for other transactions that use the trail', async () => {
  const organizationId = await longTrail()
  const impatient: SystemDatabase = {
    ...service.database,
    transaction: (work) =>
      service.database.transaction(async (transaction) => {
        await transaction.rows('set local statement_timeout = 20')
        return work(transaction)
      }),
  }
  let pruning: Promise<number> | undefined
  await service.database.transaction(async (other) => {
    await other.rows('lock table audit_block in row exclusive mode')
    pruning = pruneTrail(impatient, organizationId, LATER)
    pruning.catch(() => {})
    await other.rows('select pg_sleep(0.2)')
  })
  expect(await pruning).toBe(BLOCKS)
})
