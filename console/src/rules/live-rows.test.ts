import { describe, expect, it } from 'vitest'
import type { BoardItem, EventData } from '../api/generated.ts'
import { mergeRows, rowsOf } from './live-rows.ts'

const row = (id: string, start: string, version = 1) =>
  ({
    appointment: { id, start_timestamp: start, version, patient_id: `patient-${id}` },
    patient: { filing_order: { coverages: [`coverage-${id}`] } },
  }) as unknown as BoardItem
const rows = [row('a', '09:00'), row('b', '10:00'), row('c', '11:00')]
const event = (data: Partial<EventData>) => ({
  data: { organization_id: 'o', id: 'x', link: '', record_type: '', ...data },
})

describe('a live change', () => {
  it('keeps the identity of every other row, so that it is not rendered again', () => {
    const merged = mergeRows(rows, ['b'], [row('b', '10:00', 2)])
    expect(merged.map(({ appointment }) => appointment.version)).toEqual([1, 2, 1])
    expect(merged[0]).toBe(rows[0])
    expect(merged[2]).toBe(rows[2])
  })

  it('removes a visit that has left the day, and inserts a new one at its time', () => {
    const merged = mergeRows(rows, ['a', 'd'], [row('d', '10:30')])
    expect(merged.map(({ appointment }) => appointment.id)).toEqual(['b', 'd', 'c'])
  })

  it('affects the rows of its patient or coverage, and any appointment, which may have moved to this day', () => {
    expect(rowsOf(event({ record_type: 'appointment', id: 'z' }), rows)).toEqual(['z'])
    expect(rowsOf(event({ record_type: 'patient', id: 'patient-b' }), rows)).toEqual(['b'])
    expect(rowsOf(event({ record_type: 'coverage', id: 'coverage-c' }), rows)).toEqual(['c'])
    expect(rowsOf(event({ record_type: 'eligibility_check', coverage_id: 'coverage-a' }), rows)).toEqual(['a'])
    expect(rowsOf(event({ record_type: 'tag', id: 't' }), rows)).toEqual([])
  })
})
