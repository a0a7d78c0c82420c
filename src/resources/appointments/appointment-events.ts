// The timeline events of an appointment's writes. Source: rules.md 6, "Timeline".
import { calendarDay } from '../../records/calendar.ts'
import type { RuleContext, TimelineEvent } from '../../records/record.ts'
import type { MutableAppointment } from './appointment.schema.ts'

interface Write {
  id: string
  after: MutableAppointment
  before?: MutableAppointment
}

type AppointmentEvent = Pick<TimelineEvent, 'event_type' | 'payload'>

/** One event each for a changed status, work queue and copay. */
export async function appointmentEvents(write: Write, { actor, deps }: RuleContext): Promise<TimelineEvent[]> {
  const events = [...statusEvents(write), ...workQueueEvents(write), ...copayEvents(write)]
  if (events.length === 0) return []
  const day = await calendarDay(deps, actor.organizationId, write.after.start_timestamp)
  return events.map(({ event_type, payload }) => ({
    event_type,
    patient_id: write.after.patient_id,
    appointment_id: write.id,
    appointment_date: day,
    payload: event_type === 'APPOINTMENT_COPAY_UPDATED' ? { ...payload, appointment_date: day } : payload,
  }))
}

/**
 * A new reason for the same status counts as a change too. Our choice: every appointment starts as PENDING, so a create
 * has a status event only for another status.
 */
function statusEvents({ after, before }: Write): AppointmentEvent[] {
  const isSame =
    before === undefined
      ? after.status === 'PENDING'
      : after.status === before.status && after.not_ready_reason === before.not_ready_reason
  if (isSame) return []
  const payload = {
    from_status: before?.status,
    to_status: after.status,
    not_ready_reason: after.not_ready_reason,
  }
  return [{ event_type: 'APPOINTMENT_STATUS_CHANGED', payload }]
}

function workQueueEvents({ after, before }: Write): AppointmentEvent[] {
  if (after.work_queue === before?.work_queue) return []
  const payload = { from_work_queue: before?.work_queue, to_work_queue: after.work_queue }
  return [{ event_type: 'APPOINTMENT_WORK_QUEUE_CHANGED', payload }]
}

/** Our choice: removing a copay has no event, because the event's payload must contain a copay. */
function copayEvents({ after, before }: Write): AppointmentEvent[] {
  const copay_cents = after.estimated_copay_cents
  if (copay_cents === undefined || copay_cents === before?.estimated_copay_cents) return []
  const service = after.services[0]?.universal_service_identifier
  return [{ event_type: 'APPOINTMENT_COPAY_UPDATED', payload: { copay_cents, service } }]
}
