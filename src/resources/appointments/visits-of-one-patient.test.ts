import { expect, it } from 'vitest'
import { appointmentBody, patientBody } from '../../../test/support/bodies.ts'
import { type Caller, testService } from '../../../test/support/service.ts'
import type { Statement } from '../../platform/database/database.ts'
import { createMany } from '../../records/bulk.ts'
import { appointment } from './appointment.ts'

const service = testService()
const COUNT = 2000

interface Plan {
  'Actual Rows': number
  'Actual Loops': number
  'Rows Removed by Filter'?: number
  Plans?: Plan[]
}

/** The rows that every step of a plan read. */
function rowsRead(plan: Plan): number {
  const own = (plan['Actual Rows'] + (plan['Rows Removed by Filter'] ?? 0)) * plan['Actual Loops']
  return (plan.Plans ?? []).reduce((sum, each) => sum + rowsRead(each), own)
}

const startOf = (index: number) => new Date(Date.UTC(2026, 2, 1, 20) + index * 14_400).toISOString()

/** An organization with one patient, whose appointments are on two days. */
async function storeVisits(): Promise<Caller> {
  const caller = await service.newCaller()
  const { body: person } = await caller.call('POST', '/patients/v1', patientBody())
  const actor = { organizationId: caller.organizationId, userId: person.id, clientId: person.id }
  const rows = Array.from({ length: COUNT }, (_, index) => ({
    id: service.deps.newId(),
    body: appointmentBody(person.id, { start_timestamp: startOf(index) }),
    events: [],
  }))
  await createMany(service.deps, appointment, actor, rows)
  return caller
}

it.each(['', '&sort_direction=desc', '&sort_field=patient.name.family'])(
  'a page of visits (%s) reads the appointments of one patient about once, even with hundreds on each of two days',
  async (sort) => {
    // The planner reads a table whole that holds the appointments of one patient alone.
    await storeVisits()
    const caller = await storeVisits()
    await service.database.rows('analyze appointment')
    const { rows: send } = service.deps.database
    const sent: { text: string; values: unknown[] }[] = []
    service.deps.database.rows = (statement: Statement | string, values = []) => {
      const { text } = typeof statement === 'string' ? { text: statement } : statement
      if (text.includes('visit.start_time')) sent.push({ text, values })
      return send(statement, values)
    }
    try {
      const filters = encodeURIComponent('appointment.startTimestamp|gt|2026-01-01')
      const { body } = await caller.call('GET', `/appointments/v1/visits?filters=${filters}${sort}`)
      expect(body.items.map((each: { start_time: string }) => each.start_time).toSorted()).toEqual([
        '2026-03-01T20:00:00.000Z',
        '2026-03-02T00:00:00.000Z',
      ])
    } finally {
      service.deps.database.rows = send
    }
    expect(sent).toHaveLength(1)
    for (const { text, values } of sent) {
      const [plan = '[]'] = (await service.database.row(`explain (analyze, format json) ${text}`, values)) ?? []
      expect(rowsRead(JSON.parse(plan)[0].Plan)).toBeLessThan(20 * COUNT)
    }
  },
)
