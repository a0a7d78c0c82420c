// What an appointment's writes tell the patient's timeline. Source: rules.md 6, "Timeline".
import { calendarDay } from '../../records/calendar.ts'
import type { RuleContext, TimelineEvent } from '../../records/record.ts'
import type { MutableAppointment } from './appointment.schema.ts'

interface Write {
  id: string
  after: MutableAppointment
  before?: MutableAppointment
}

type Told = Pick<TimelineEvent, 'event_type' | 'payload'>

/** One event for each of status, work queue and copay that the write changes. */
export async function appointmentEvents(write: Write, { actor, deps }: RuleContext): Promise<TimelineEvent[]> {
  const told = [...statusEvents(write), ...workQueueEvents(write), ...copayEvents(write)]
  if (told.length === 0) return []
  const day = await calendarDay(deps, actor.organizationId, write.after.start_timestamp)
  return told.map(({ event_type, payload }) => ({
    event_type,
    patient_id: write.after.patient_id,
    appointment_id: write.id,
    appointment_date: day,
    payload: event_type === 'APPOINTMENT_COPAY_UPDATED' ? { ...payload, appointment_date: day } : payload,
  }))
}

/**
 * A new reason for the same status is a change of what the reader sees, too.
 * Our choice: every appointment begins as PENDING, so a create tells of a status only when it is another one.
 */
function statusEvents({ after, before }: Write): Told[] {
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

function workQueueEvents({ after, before }: Write): Told[] {
  if (after.work_queue === before?.work_queue) return []
  const payload = { from_work_queue: before?.work_queue, to_work_queue: after.work_queue }
  return [{ event_type: 'APPOINTMENT_WORK_QUEUE_CHANGED', payload }]
}

/** Our choice: a copay that is taken away is not told, because the event's payload must hold one. */
function copayEvents({ after, before }: Write): Told[] {
  const copay_cents = after.estimated_copay_cents
  if (copay_cents === undefined || copay_cents === before?.estimated_copay_cents) return []
  const service = after.services[0]?.universal_service_identifier
  return [{ event_type: 'APPOINTMENT_COPAY_UPDATED', payload: { copay_cents, service } }]
}
