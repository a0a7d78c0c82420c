// Invented appointments: two years of clinic days around today, with a status that fits the day.
import type { TimelineEvent } from '../../records/record.ts'
import type { MutableAppointment } from '../../resources/appointments/appointment.schema.ts'
import { type Chance, chanceFor } from './chance.ts'
import type { Person } from './people.ts'

/** One clinic day of the organization's calendar. */
export interface ClinicDay {
  /** YYYY-MM-DD. */
  date: string
  /** Noon in the organization's time zone, in milliseconds. */
  noonMs: number
  /** Counted from today. */
  distance: number
}

interface Slot {
  /** Index of the patient. */
  patient: number
  day: ClinicDay
  /** Minutes after midnight. */
  minute: number
  isSecond: boolean
}

const OPENS_MINUTE = 8 * 60
const SLOT_MINUTES = 15
const SLOTS_A_DAY = 36
const MINUTE_MS = 60_000
const NOON_MINUTE = 12 * 60
/** Every twelfth appointment is a patient's second on the same day. */
const SECOND_EVERY = 12
/** The number of clinic days, from today on, that the members' first visits are spread over. */
const FIRST_DAYS = 3

/** Members of the sandbox's payers come first, in the afternoons of the next clinic days: one visit each that is still to be verified. */
export function firstSlotOf(index: number, days: readonly ClinicDay[]): Slot {
  const next = days.filter(({ distance }) => distance >= 0).slice(0, FIRST_DAYS)
  const row = Math.floor(index / next.length)
  const minute = NOON_MINUTE + SLOT_MINUTES * (row % (SLOTS_A_DAY - (NOON_MINUTE - OPENS_MINUTE) / SLOT_MINUTES))
  return { patient: index, day: next[index % next.length] as ClinicDay, minute, isSecond: false }
}

/** The time and patient of appointment `index`. Every fourth patient is chronic and comes more often. */
export function slotOf(index: number, patients: number, days: readonly ClinicDay[]): Slot {
  if (index % SECOND_EVERY === SECOND_EVERY - 1) {
    const first = slotOf(index - 1, patients, days)
    const later = (first.minute - OPENS_MINUTE + 4 * SLOT_MINUTES) % (SLOTS_A_DAY * SLOT_MINUTES)
    return { ...first, minute: OPENS_MINUTE + later, isSecond: true }
  }
  const chance = chanceFor('slot', index)
  const patient = chance.below(patients)
  return {
    patient: chance.happens(0.4) ? patient - (patient % 4) : patient,
    day: chance.oneOf(days),
    minute: OPENS_MINUTE + SLOT_MINUTES * chance.below(SLOTS_A_DAY),
    isSecond: false,
  }
}

const reasons = {
  INACTIVE_PRIMARY: 26,
  ELIGIBILITY_CHECK_FAILED_PRIMARY: 18,
  PENDING_PRIMARY: 12,
  UNAVAILABLE_PRIMARY: 8,
  INACTIVE_SECONDARY: 8,
  MEDICARE_ADVANTAGE_CONVERSION: 6,
  NEW_INSURANCE: 6,
  MEDICAID_MANAGED_CONVERSION: 5,
  PRIOR_APPOINTMENT_NOT_READY: 4,
  MANUAL: 4,
  ERROR: 3,
} as const

/**
 * An appointment in the form in which the service stores it, with the fields its status requires and none that it forbids (rules.md 11.1).
 */
export function makeAppointment(
  index: number,
  slot: Slot,
  patient: { id: string; person: Person; coverages: number; placerId: string; isPending: boolean },
): MutableAppointment {
  const chance = chanceFor('appointment', index)
  const startMs = slot.day.noonMs + (slot.minute - NOON_MINUTE) * MINUTE_MS
  const start = instant(startMs)
  const duration = chance.oneOf([15, 30, 30, 45, 60])
  const service = slot.isSecond ? 'Treatment' : chance.weighted({ MD_Visit: 75, Tests: 15, Activity: 10 })
  return {
    patient_id: patient.id,
    start_timestamp: start,
    service_duration: duration,
    services: [{ universal_service_identifier: service, start_timestamp: start }],
    placer_appointment_id: patient.placerId,
    placer_system_name: 'SEED',
    attending_doctor: patient.person.doctor,
    ...(chance.happens(0.6) && { estimated_copay_cents: 500 * (2 + chance.below(10)) }),
    location_resource_id: `room-${1 + chance.below(12)}^Exam room`,
    ...(chance.happens(0.1) && { notes: 'Asked to be called the day before' }),
    ...statusFields(
      patient.isPending ? 'PENDING' : statusOn(slot, chance),
      { startMs, duration, coverages: patient.coverages },
      chance,
    ),
  }
}

type Status = NonNullable<MutableAppointment['status']>

/** Our choice: the current time counts as noon, so that the same day always has the same schedule. */
function statusOn({ day, minute }: Slot, chance: Chance): Status {
  if (day.distance < 0 || (day.distance === 0 && minute < NOON_MINUTE - 60)) {
    return chance.weighted({ CHECKED_OUT: 92, NO_SHOW: 7, CHECKED_IN: 1 })
  }
  if (day.distance === 0 && minute < NOON_MINUTE) return chance.weighted({ CHECKED_IN: 90, NO_SHOW: 10 })
  if (day.distance <= 7) return chance.weighted({ READY: 62, NOT_READY: 23, PENDING: 15 })
  return chance.weighted({ PENDING: 93, NOT_READY: 4, READY: 3 })
}

function statusFields(
  status: Status,
  { startMs, duration, coverages }: { startMs: number; duration: number; coverages: number },
  chance: Chance,
): Partial<MutableAppointment> {
  const ready_source = chance.happens(0.8) ? ('MACHINE' as const) : ('MANUAL' as const)
  const checked_in_timestamp = instant(startMs + (chance.below(20) - 15) * MINUTE_MS)
  const checked_out_timestamp = instant(startMs + (duration + chance.below(15)) * MINUTE_MS)
  const isChecked = { automated_eligibility_check_complete: true }
  switch (status) {
    case 'PENDING':
      return { status, automated_eligibility_check_complete: false }
    case 'NOT_READY': {
      const work_queue = chance.weighted({
        RETURNING_PATIENT: 60,
        NEW_PATIENT: 30,
        EMERGENT_ISSUE: 7,
        MANUAL_ESCALATION: 3,
      })
      return {
        status,
        work_queue,
        not_ready_reason: coverages === 0 ? 'NO_COVERAGE' : chance.weighted(reasons),
        ...isChecked,
      }
    }
    case 'CHECKED_IN':
      return { status, ready_source, checked_in_timestamp, ...isChecked }
    case 'CHECKED_OUT':
      return { status, ready_source, checked_in_timestamp, checked_out_timestamp, ...isChecked }
    default:
      return { status, ready_source, ...isChecked }
  }
}

/**
 * The timeline events of a created appointment: the same as those of appointment-events.ts, without its calendar query because the day is
 * known.
 */
export function appointmentCreated(id: string, body: MutableAppointment, date: string): TimelineEvent[] {
  const { status, not_ready_reason, work_queue, estimated_copay_cents, services } = body
  const about = { patient_id: body.patient_id, appointment_id: id, appointment_date: date }
  const events: TimelineEvent[] = []
  if (status !== 'PENDING') {
    const payload = { to_status: status, not_ready_reason }
    events.push({ ...about, event_type: 'APPOINTMENT_STATUS_CHANGED', payload })
  }
  if (work_queue) {
    events.push({ ...about, event_type: 'APPOINTMENT_WORK_QUEUE_CHANGED', payload: { to_work_queue: work_queue } })
  }
  if (estimated_copay_cents !== undefined) {
    const service = services[0]?.universal_service_identifier
    const payload = { copay_cents: estimated_copay_cents, service, appointment_date: date }
    events.push({ ...about, event_type: 'APPOINTMENT_COPAY_UPDATED', payload })
  }
  return events
}

function instant(ms: number): string {
  return new Date(ms).toISOString()
}
