// The size of a block is limited, because the patients of a block are indexed and a block is read as a whole.
import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { testService } from '../../../test/support/service.ts'
import { createMany } from '../../records/bulk.ts'
import { coverage } from '../../resources/coverages/coverage.ts'
import { chainEvents, PATIENTS_A_BLOCK } from './block.ts'
import type { StoredAuditEvent } from './event.ts'
import { insertEvent } from './pending.ts'

const KEY = Buffer.alloc(32)
const idsOf = (count: number) => Array.from({ length: count }, () => randomUUID() as string)

function chain(...events: StoredAuditEvent[]) {
  return [...chainEvents(KEY, randomUUID(), { number: 0, hash: '' }, events)]
}

function eventOf(patientIds: string[], recordIds: string[] = []): StoredAuditEvent {
  return { at: '2026-01-01T00:00:00.000Z', operation: 'x', record_ids: recordIds, patient_ids: patientIds }
}

describe('a block of the trail', () => {
  it('names at most a page of patients, regardless of its events', () => {
    const lists = [700, 300, 1, 999, 1, 1000, 4321].map((count) => eventOf(idsOf(count)))
    const blocks = chain(...lists)
    for (const { patientIds } of blocks) expect(patientIds.length).toBeLessThanOrEqual(PATIENTS_A_BLOCK)
    const named = blocks.flatMap(({ patientIds }) => patientIds)
    expect(named.toSorted()).toEqual(lists.flatMap(({ patient_ids = [] }) => patient_ids).toSorted())
  })

  it('counts a patient once who occurs in many events', () => {
    const ids = idsOf(PATIENTS_A_BLOCK)
    expect(chain(eventOf(ids), eventOf(ids), eventOf(ids.slice(0, 10)))).toHaveLength(1)
  })

  it('repeats all facts of an event that is split, for each of its patients', () => {
    const [first, last] = chain(eventOf(idsOf(1500), ['one'])).map(({ events }) => JSON.parse(events)[0])
    expect({ ...first, patient_ids: [] }).toEqual({ ...last, patient_ids: [] })
  })

  it('does not repeat a long list of records in the parts of an event', () => {
    const records = chain(eventOf(idsOf(3000), idsOf(3000))).map(({ events }) => JSON.parse(events)[0].record_ids)
    expect(records.map((each) => each?.length)).toEqual([3000, undefined, undefined])
  })
})

describe('the trail of an organization', () => {
  const service = testService()

  it('chains a waiting event with more patients than a block may name, in blocks of a page each', async () => {
    const caller = await service.newCaller()
    const patientIds = idsOf(2500)
    await insertEvent(service.database, {
      organizationId: caller.organizationId,
      auditContext: JSON.stringify({ operation: 'x' }),
      type: 'coverage',
      ids: idsOf(1),
      patientIds,
    })
    await service.deps.audit.flush(caller.organizationId)
    const rows = await service.database.rows(
      'select cardinality(patient_ids), size from audit_block where organization_id = $1 and patient_ids && $2::uuid[] order by number',
      [caller.organizationId, patientIds],
    )
    expect(rows.map(([patients]) => Number(patients)).toSorted((a, b) => b - a)).toEqual([1000, 1000, 500])
  })
  it('has an event for each thousand records of one write, with their patients', async () => {
    const caller = await service.newCaller()
    const actor = { organizationId: caller.organizationId, userId: randomUUID() }
    const owners = new Map(idsOf(1001).map((id) => [id, randomUUID() as string]))
    const written = [...owners].map(([id, patient]) => ({ id, body: { patient }, events: [] }))
    await createMany(service.deps, coverage, actor, written as never)
    await service.deps.audit.flush(caller.organizationId)
    const rows = await service.database.rows(
      `select events from audit_block where organization_id = $1 and events like '%coverage%'`,
      [caller.organizationId],
    )
    const events: StoredAuditEvent[] = rows.flatMap(([text]) => JSON.parse(text ?? '[]'))
    const writes = events.filter(({ operation }) => operation === 'system.coverage.create_many')
    expect(writes.map(({ record_ids = [] }) => record_ids.length).toSorted((a, b) => b - a)).toEqual([1000, 1])
    for (const { record_ids = [], patient_ids = [] } of writes) {
      expect(patient_ids.toSorted()).toEqual(record_ids.map((id) => owners.get(id)).toSorted())
    }
  })
})
