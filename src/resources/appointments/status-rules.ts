// Which fields are allowed or required with which status. Source: rules.md 11.1, the table.
import { badRequest } from '../../contract/errors.ts'
import type { AppointmentStatus, MutableAppointment } from './appointment.schema.ts'

type Presence = 'free' | 'set' | 'unset'

interface StatusRule {
  work_queue: Presence
  checked_in_timestamp: Presence
  checked_out_timestamp: Presence
  /** The reason field that this status allows; the other one is dropped. */
  keeps?: 'not_ready_reason' | 'ready_source'
}

const absent = { checked_in_timestamp: 'unset', checked_out_timestamp: 'unset' } as const

const statusRules: Record<AppointmentStatus, StatusRule> = {
  PENDING: { ...absent, work_queue: 'free' },
  NOT_READY: { ...absent, work_queue: 'set', keeps: 'not_ready_reason' },
  READY: { ...absent, work_queue: 'unset', keeps: 'ready_source' },
  CHECKED_IN: {
    work_queue: 'free',
    checked_in_timestamp: 'set',
    checked_out_timestamp: 'unset',
    keeps: 'ready_source',
  },
  CHECKED_OUT: {
    work_queue: 'unset',
    checked_in_timestamp: 'set',
    checked_out_timestamp: 'set',
    keeps: 'ready_source',
  },
  NO_SHOW: { ...absent, work_queue: 'unset', keeps: 'ready_source' },
}

const governedFields = ['work_queue', 'checked_in_timestamp', 'checked_out_timestamp'] as const

/**
 * The appointment with its status filled in and without the reason fields that do not apply to it.
 * @throws BadRequestError that names the field which the status requires or forbids.
 */
export function applyStatusRules(sent: MutableAppointment): MutableAppointment & { status: AppointmentStatus } {
  const { not_ready_reason, ready_source, ...rest } = sent
  const status = sent.status ?? 'PENDING'
  const rule = statusRules[status]
  for (const field of governedFields) {
    const isSet = sent[field] !== undefined
    if (rule[field] === 'set' && !isSet) throw badRequest(`${field} must be set when status is ${status}`)
    if (rule[field] === 'unset' && isSet) throw badRequest(`${field} must not be set when status is ${status}`)
  }
  return {
    ...rest,
    status,
    ...(rule.keeps === 'not_ready_reason' && not_ready_reason !== undefined && { not_ready_reason }),
    ...(rule.keeps === 'ready_source' && ready_source !== undefined && { ready_source }),
  }
}
