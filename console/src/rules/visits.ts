// The next action for a visit of the board, and its timing.
import type {
  Appointment,
  BoardCoverage,
  BoardItem,
  MutableAppointment,
  NotReadyReason,
  Operations,
} from '../api/generated.ts'
import { notesOf } from './benefits.ts'
import { coveragesOf, type FiledCoverages, type FiledPlace } from './filed-coverages.ts'
import { lightOf } from './light.ts'
import { isPrimaryUnchecked } from './missing.ts'
import { fullName } from './names.ts'
import { type Queue, queueOf } from './queues.ts'
import { memberPart, memberSigns } from './search.ts'

export type Action =
  | 'check-again'
  | 'read-answer'
  | 'add-coverage'
  | 'fix-coverage'
  | 'mark-ready'
  | 'check-in'
  | 'check-out'

const actionWords: Record<Action, string> = {
  'check-again': 'Check again',
  'read-answer': 'View response',
  'add-coverage': 'Add coverage',
  'fix-coverage': 'Fix coverage',
  'mark-ready': 'Mark ready',
  'check-in': 'Check in',
  'check-out': 'Check out',
}

/** The operation that an action cannot do without. */
const NEEDS: Record<Action, keyof Operations> = {
  'check-again': 'visitVerification.begin',
  'read-answer': 'storedChecks.get',
  'add-coverage': 'coverages.create',
  'fix-coverage': 'coverages.update',
  'mark-ready': 'appointments.update',
  'check-in': 'appointments.update',
  'check-out': 'appointments.update',
}

/** The patient has not arrived. */
export const isExpected = ({ status = 'PENDING' }: Pick<Appointment, 'status'>) =>
  status === 'PENDING' || status === 'NOT_READY' || status === 'READY'

/** The label of an action for a visit: a first check is not labeled "Check again". */
export function wordOf(action: Action, visit: FiledCoverages): string {
  const isFirst = coveragesOf(visit).every((each) => lightOf(each).checkId === undefined)
  return action === 'check-again' && isFirst ? 'Check' : actionWords[action]
}

/** The next action; undefined when there is none, or none yet. `isToday`: in the time zone of the clinic. */
export function nextAction(item: BoardItem, isToday: boolean): Action | undefined {
  const { appointment, patient } = item
  const status = appointment.status ?? 'PENDING'
  if (status === 'CHECKED_IN') return 'check-out'
  if (status === 'CHECKED_OUT' || status === 'NO_SHOW') return undefined
  if (status === 'READY') return isToday ? 'check-in' : undefined
  if (patient.self_pay) return 'mark-ready'
  if (!item.primary_coverage) return 'add-coverage'
  const coverages = coveragesOf(item)
  if (coverages.some((each) => lightOf(each).limits?.some(({ kind }) => kind === 'CHANGED'))) return 'check-again'
  if (isPrimaryUnchecked(appointment, item.primary_coverage)) return 'check-again'
  // A payer's warning must be read before anything else.
  if (coverages.some(warns) && answerOf(item)) return 'read-answer'
  // A repeated check changes nothing before a user has corrected the coverage, whose page then offers the check.
  const { not_ready_reason: reason = 'MANUAL' } = appointment
  if (status !== 'NOT_READY' || !NEEDS_A_FIX.has(reason) || looksFixed(item)) return 'check-again'
  const rejected = REJECTIONS[reason]
  return (rejected && lightOf(item[rejected]).rejection?.next) ?? 'fix-coverage'
}

/** The coverage whose check failed. */
const REJECTIONS: Partial<Record<NotReadyReason, FiledPlace>> = {
  ELIGIBILITY_CHECK_FAILED_PRIMARY: 'primary_coverage',
  ELIGIBILITY_CHECK_FAILED_SECONDARY: 'secondary_coverage',
}

/**
 * The next action of a user who may do these operations. Billers and readers change no visits: they have what they may do about its coverage,
 * and otherwise the answer to read.
 */
export function actionFor(
  item: BoardItem,
  isToday: boolean,
  may: (name: keyof Operations) => boolean,
): Action | undefined {
  const action = nextAction(item, isToday)
  if (action && may(NEEDS[action])) return action
  return !may('appointments.update') && may(NEEDS['read-answer']) && answerOf(item) ? 'read-answer' : undefined
}

const warns = (coverage: BoardCoverage) =>
  notesOf(coverage.benefits?.notes).alerts.length > 0 || lightOf(coverage).state === 'limited'

/** The check whose answer is to be read: of the coverage that warns, or else of the first that was checked. */
export function answerOf(visit: FiledCoverages): string | undefined {
  const checked = coveragesOf(visit).filter((each) => each.latest_eligibility_check)
  return (checked.find(warns) ?? checked[0])?.latest_eligibility_check?.check_id
}

const NEEDS_A_FIX: ReadonlySet<NotReadyReason> = new Set([
  'INACTIVE_PRIMARY',
  'INACTIVE_SECONDARY',
  'ELIGIBILITY_CHECK_FAILED_PRIMARY',
  'ELIGIBILITY_CHECK_FAILED_SECONDARY',
  'MEDICARE_ADVANTAGE_CONVERSION',
  'MEDICAID_MANAGED_CONVERSION',
  'NEW_INSURANCE',
])

/** Whether a check was made since the visit was last written, and every coverage is active now. */
function looksFixed(item: BoardItem): boolean {
  const lights = coveragesOf(item).map((each) => lightOf(each))
  return (
    lights.every(({ state }) => state === 'active') &&
    lights.some(({ at = '' }) => Date.parse(at) > Date.parse(item.appointment.updated_at))
  )
}

/**
 * The patient's other visits among `items` that a verification has made NOT_READY: what was settled for one of them may be settled for all,
 * so they are checked together. One that a user marked stays as it is.
 */
export function checkedWith({ appointment }: Pick<BoardItem, 'appointment'>, items: readonly BoardItem[]): BoardItem[] {
  return items.filter(({ appointment: other, primary_coverage: primary }) => {
    const isOther = other.patient_id === appointment.patient_id && other.id !== appointment.id
    return isOther && primary && other.status === 'NOT_READY' && (other.not_ready_reason ?? 'MANUAL') !== 'MANUAL'
  })
}

const LATE_MINUTES = 10
const LONG_WAIT_MINUTES = 30

interface Timing {
  kind: 'late' | 'waiting'
  minutes: number
  isLong: boolean
}

/** How late a patient is who has not arrived, or how long a patient who has arrived is waiting. */
export function timingOf(appointment: Appointment, now: number): Timing | undefined {
  const since = (instant: string) => Math.floor((now - Date.parse(instant)) / 60_000)
  const { status = 'PENDING', start_timestamp: start, checked_in_timestamp: arrived } = appointment
  if (status === 'CHECKED_IN' && arrived) {
    const minutes = Math.max(0, since(arrived))
    return { kind: 'waiting', minutes, isLong: minutes >= LONG_WAIT_MINUTES }
  }
  const minutes = since(start)
  const isSameDay = minutes < 24 * 60
  return isExpected({ status }) && isSameDay && minutes >= LATE_MINUTES
    ? { kind: 'late', minutes, isLong: minutes >= LONG_WAIT_MINUTES }
    : undefined
}

/** Whether somebody calls the patient: to complete what is missing, or to ask where they are. */
export const isToCall = (appointment: Appointment, now: number): boolean =>
  appointment.status === 'NOT_READY' || timingOf(appointment, now)?.kind === 'late'

export const statusWords: Record<NonNullable<Appointment['status']>, string> = {
  PENDING: 'Not verified yet',
  NOT_READY: 'Not ready',
  READY: 'Ready',
  CHECKED_IN: 'Checked in',
  CHECKED_OUT: 'Checked out',
  NO_SHOW: 'No-show',
}

/** The groups of visits to settle. EMERGENT_ISSUE is a visit within 24 hours and no medical emergency. Source: rules.md 17. */
export const workQueueWords: Record<NonNullable<Appointment['work_queue']>, string> = {
  EMERGENT_ISSUE: 'Urgent',
  NEW_PATIENT: 'New patient',
  RETURNING_PATIENT: 'Returning patient',
  MANUAL_ESCALATION: 'Escalated',
}

export const serviceWords: Record<string, string> = {
  MD_Visit: 'Office visit',
  Treatment: 'Treatment',
  Tests: 'Tests',
  Activity: 'Activity',
}

/** A stored appointment in the form of a write: without the service's own fields. */
export function toMutable(appointment: Appointment): MutableAppointment {
  const { id, organization_id, deactivated, version, updated_at, updating_user_id, ...mutable } = appointment
  return mutable
}

export type Step = 'READY' | 'CHECKED_IN' | 'CHECKED_OUT' | 'NO_SHOW'

/** The appointment after a step, with every field that the new status forbids cleared. Source: rules.md 11.1. */
export function afterStep(appointment: Appointment, step: Step, now: string): MutableAppointment {
  const { work_queue, not_ready_reason, checked_in_timestamp, checked_out_timestamp, ...rest } = toMutable(appointment)
  if (step === 'READY') return { ...rest, status: step, ready_source: 'MANUAL' }
  if (step === 'CHECKED_IN') return { ...rest, status: step, checked_in_timestamp: now }
  if (step === 'CHECKED_OUT') {
    return { ...rest, status: step, checked_in_timestamp: checked_in_timestamp ?? now, checked_out_timestamp: now }
  }
  return { ...rest, status: step }
}

/** How far a visit has come: a step that is undone leads back, and undone again further back, never to the step that was undone before. */
const STAGES: Partial<Record<NonNullable<Appointment['status']>, number>> = {
  CHECKED_IN: 1,
  NO_SHOW: 1,
  CHECKED_OUT: 2,
}
const MARKED = 0.5
const stageOf = (visit: Pick<Appointment, 'status' | 'ready_source'>) =>
  isMarked(visit) ? MARKED : (STAGES[visit.status ?? 'PENDING'] ?? 0)

/** Ready because a user has said so, which may have been a slip. */
export const isMarked = ({ status, ready_source }: Pick<Appointment, 'status' | 'ready_source'>) =>
  status === 'READY' && ready_source === 'MANUAL'

/** The appointment before its present status; undefined when it never had an earlier one. `history` is oldest first. */
export function beforeStep(appointment: Appointment, history: readonly Appointment[]): MutableAppointment | undefined {
  const before = history.findLast((past) => past.version < appointment.version && stageOf(past) < stageOf(appointment))
  if (!before) return undefined
  const { status, work_queue, not_ready_reason, ready_source, checked_in_timestamp, checked_out_timestamp } = before
  const old = { status, work_queue, not_ready_reason, ready_source, checked_in_timestamp, checked_out_timestamp }
  const mutable = { ...toMutable(appointment), ...old }
  return Object.fromEntries(Object.entries(mutable).filter(([, value]) => value !== undefined)) as MutableAppointment
}

interface Filter {
  queue?: Queue | undefined
  doctor?: string | undefined
  text?: string | undefined
}

export function isShown(item: BoardItem, { queue = 'all', doctor, text }: Filter): boolean {
  if (queue !== 'all' && queueOf(item.appointment) !== queue) return false
  if (doctor && doctorOf(item) !== doctor) return false
  if (!text) return true
  const { name, mrn } = item.patient
  const said = plain(`${fullName(name)} ${mrn}`)
  const isSaid = plain(text)
    .split(/[\s,]+/)
    .every((word) => said.includes(word))
  return isSaid || hasMember(item, text)
}

/** A member ID ends with the text, whatever its case and punctuation, as in the patient search. */
function hasMember(item: BoardItem, text: string): boolean {
  const end = memberPart(text)
  if (end === undefined || !/\d/.test(end)) return false
  return coveragesOf(item).some((each) => memberSigns(each.insurance_plan.member_id).endsWith(end))
}

/** Without case and accents. Words in any order: the board shows `Doe, Jane`, and people say Jane Doe. */
const plain = (text: string) => text.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase()

export function doctorOf({ appointment }: Pick<BoardItem, 'appointment'>): string {
  return appointment.attending_doctor ? fullName(appointment.attending_doctor.name) : ''
}

export function countQueues(items: readonly BoardItem[]): Record<Queue, number> {
  const counts: Record<Queue, number> = { all: items.length, exceptions: 0, unverified: 0, ready: 0, here: 0, done: 0 }
  for (const { appointment } of items) counts[queueOf(appointment)] += 1
  return counts
}
