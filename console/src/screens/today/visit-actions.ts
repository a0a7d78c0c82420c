// The user's actions on a visit. Each write names the version on the screen, so that another user's change is never overwritten.
import { ApiError, call } from '../../api/client.ts'
import type { Appointment, BoardItem, MutableAppointment } from '../../api/generated.ts'
import { explainError } from '../../rules/errors.ts'
import { fullName } from '../../rules/names.ts'
import { afterStep, beforeStep, type Step } from '../../rules/visits.ts'
import { announce } from '../../ui/announce.tsx'

export const save = ({ id, version }: Appointment, body: MutableAppointment) =>
  call('appointments.update', { path: { id, version: version + 1 }, body })

const done: Record<Step, string> = {
  READY: 'is ready',
  CHECKED_IN: 'is checked in',
  CHECKED_OUT: 'is checked out',
  NO_SHOW: 'is marked as no-show',
}

export async function takeStep({ appointment, patient }: BoardItem, step: Step): Promise<void> {
  await save(appointment, afterStep(appointment, step, new Date().toISOString()))
  announce(`${fullName(patient.name)} ${done[step]}.`)
}

/** @throws ApiError */
export async function undoStep({ appointment, patient }: BoardItem): Promise<void> {
  const history = await call('appointments.getHistory', { path: { id: appointment.id } })
  const before = beforeStep(appointment, history)
  if (!before) return announce('Nothing to undo.')
  await save(appointment, before)
  announce(`${fullName(patient.name)}: undone.`)
}

export async function cancelVisit({ appointment: { id, version }, patient }: BoardItem): Promise<void> {
  await call('appointments.deactivate', { path: { id, version } })
  announce(`The visit of ${fullName(patient.name)} was cancelled.`)
}

export function describeFailure(error: unknown): string {
  if (error instanceof ApiError && error.status === 409) {
    // By another user, in another window, or by a check whose response has just arrived.
    return 'This visit changed before your action was saved. Review it and try again.'
  }
  const { title, advice } = explainError(error instanceof ApiError ? error : { status: -1, message: '' })
  return `${title}. ${advice}`
}
