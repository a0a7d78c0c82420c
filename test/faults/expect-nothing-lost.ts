// The state after the faults: every acknowledged write is stored, and no partial write is.
import { expect } from 'vitest'
import type { Database, SystemDatabase } from '../../src/platform/database/database.ts'
import { countStored } from '../support/operations.ts'
import type { Acknowledged, Writers, WrittenType } from './writers.ts'

const types: WrittenType[] = ['patient', 'coverage', 'appointment', 'note']

/** The number of timeline events of each record version, by type. */
const events: Partial<Record<WrittenType, { types: string; id: string }>> = {
  coverage: { types: "('COVERAGE_CREATED', 'COVERAGE_UPDATED')", id: 'coverage_id' },
  appointment: { types: "('APPOINTMENT_COPAY_UPDATED')", id: 'appointment_id' },
}

/** Verifies the acknowledged writes and prints one line with the counts. The writers have stopped. */
export async function expectNothingLost(database: SystemDatabase, writers: Writers, fault: string): Promise<void> {
  const { acknowledged, unexpected } = writers
  expect(unexpected, 'answers that are no success and no sign of a fault').toEqual([])
  expect(await findLost(database, acknowledged), 'acknowledged, and not there').toEqual([])
  for (const type of types) {
    expect(await countStored(database, { name: type }), `every head of ${type} with its history`).toMatchObject({
      isWhole: true,
    })
    await expectClock(database, type)
    await expectEvents(database, type)
  }
  console.info(`${fault}: ${acknowledged.length} acknowledged, 0 lost, ${writers.unanswered()} unanswered`)
}

async function findLost(database: Database, acknowledged: Acknowledged[]): Promise<Acknowledged[]> {
  const lost: Acknowledged[] = []
  for (const type of types) {
    const expected = acknowledged.filter((each) => each.type === type)
    const rows = await database.rows(`select id || ' ' || version, body::text from ${type}_history`)
    const stored = new Map(rows.map(([key, body]) => [key, body]))
    lost.push(...expected.filter(({ id, version, text }) => !stored.get(`${id} ${version}`)?.includes(text)))
  }
  return lost
}

/** The clock is at the latest write, or later if a write was rolled back, and its count is correct. */
async function expectClock(database: Database, type: WrittenType): Promise<void> {
  const wrong = await database.rows(
    `select c.organization_id from change_clock c join lateral (
       select max(updated_at) as latest, count(*) as total, count(*) filter (where not deactivated) as live
       from ${type} r where r.organization_id = c.organization_id) r on true
     where c.record_type = $1 and (c.at < r.latest or c.total <> r.total or c.live <> r.live)`,
    [type],
  )
  expect(wrong, `the clock and the counts of ${type}`).toEqual([])
}

async function expectEvents(database: Database, type: WrittenType): Promise<void> {
  const event = events[type]
  if (!event) return
  const wrong = await database.rows(
    `select h.id, h.version, e.events from ${type} h join lateral (
       select count(*) as events from timeline_event e
       where e.organization_id = h.organization_id and e.${event.id} = h.id and e.event_type in ${event.types}) e on true
     where e.events <> h.version`,
  )
  expect(wrong, `one event for each version of ${type}`).toEqual([])
}
