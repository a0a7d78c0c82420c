// The rows of the board that an event affects, and the board after some rows have been read again.
import type { BoardItem, Event } from '../api/generated.ts'

/** Ids of the appointments to read again. One that is not on the board may have moved to this day. */
export function rowsOf({ data }: Pick<Event, 'data'>, rows: readonly BoardItem[]): string[] {
  if (data.record_type === 'appointment') return [data.id]
  const patient = data.record_type === 'patient' ? data.id : data.patient_id
  const coverage = data.record_type === 'coverage' ? data.id : data.coverage_id
  return rows
    .filter(
      (row) =>
        row.appointment.patient_id === patient ||
        row.appointment.id === data.appointment_id ||
        (coverage !== undefined && row.patient.filing_order.coverages.includes(coverage)),
    )
    .map(({ appointment }) => appointment.id)
}

/** Requested rows that were not found have left the day. All others keep their identity, so that they are not rendered again. */
export function mergeRows(
  rows: readonly BoardItem[],
  requested: readonly string[],
  read: readonly BoardItem[],
): BoardItem[] {
  const fresh = new Map(read.map((row) => [row.appointment.id, row]))
  const kept = rows
    .filter(({ appointment: { id } }) => !requested.includes(id) || fresh.has(id))
    .map((row) => fresh.get(row.appointment.id) ?? row)
  const known = new Set(rows.map(({ appointment }) => appointment.id))
  const added = read.filter(({ appointment }) => !known.has(appointment.id))
  return added.length === 0 ? kept : [...kept, ...added].sort(byStart)
}

const byStart = (a: BoardItem, b: BoardItem) =>
  a.appointment.start_timestamp.localeCompare(b.appointment.start_timestamp) ||
  a.appointment.id.localeCompare(b.appointment.id)
