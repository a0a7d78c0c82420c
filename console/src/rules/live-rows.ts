// Which rows of the board an event concerns, and the board with some rows read again.
import type { AppointmentListItem, Event } from '../api/generated.ts'

/** Ids of the appointments to read again. One that is not on the board may have moved to this day. */
export function rowsOf({ data }: Pick<Event, 'data'>, rows: readonly AppointmentListItem[]): string[] {
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

/** Rows that were asked for and not found have left the day. All others stay the very same objects, so that they are not drawn again. */
export function mergeRows(
  rows: readonly AppointmentListItem[],
  asked: readonly string[],
  read: readonly AppointmentListItem[],
): AppointmentListItem[] {
  const fresh = new Map(read.map((row) => [row.appointment.id, row]))
  const kept = rows
    .filter(({ appointment: { id } }) => !asked.includes(id) || fresh.has(id))
    .map((row) => fresh.get(row.appointment.id) ?? row)
  const known = new Set(rows.map(({ appointment }) => appointment.id))
  const added = read.filter(({ appointment }) => !known.has(appointment.id))
  return added.length === 0 ? kept : [...kept, ...added].sort(byStart)
}

const byStart = (a: AppointmentListItem, b: AppointmentListItem) =>
  a.appointment.start_timestamp.localeCompare(b.appointment.start_timestamp) ||
  a.appointment.id.localeCompare(b.appointment.id)
