// The events of a patient's eligibility, one sentence each.

import { money } from '../../../src/contract/money.ts'
import type {
  AppointmentStatus,
  EligibilityTimelineEvent,
  NotReadyReason,
  AppointmentWorkQueue as WorkQueue,
} from '../api/generated.ts'
import { shortDay } from './days.ts'
import { missingOf } from './missing.ts'
import { explainCode } from './reject-words.ts'
import { statusWords, workQueueWords } from './visits.ts'

type TimelineEvent = Pick<EligibilityTimelineEvent, 'event_type' | 'payload' | 'appointment_date'>

export function describeEvent({ event_type, payload, appointment_date: day }: TimelineEvent): string {
  const text = (key: string) => (typeof payload[key] === 'string' ? payload[key] : '')
  const queue = (key: string) => workQueueWords[text(key) as WorkQueue] ?? text(key)
  const visit = day ? `Visit of ${shortDay(day)}` : 'Visit'
  switch (event_type) {
    case 'ELIG_CHECK_COMPLETED': {
      const outcome = { ACTIVE: 'reported as active', INACTIVE: 'not active' }[text('eligibility_status')] ?? 'unknown'
      const known = explainCode(text('error_code'))?.means
      const error = text('error_code') ? `. ${known ?? `Code ${text('error_code')}.`}` : ''
      return `Checked with ${text('payer_name') || 'the payer'}: ${outcome}${error}`
    }
    case 'APPOINTMENT_STATUS_CHANGED': {
      const status = (key: string) => (statusWords[text(key) as AppointmentStatus] ?? 'new').toLowerCase()
      const missing = missingOf({
        status: text('to_status') as AppointmentStatus,
        not_ready_reason: text('not_ready_reason') as NotReadyReason,
      })
      const change = text('from_status')
        ? `from ${status('from_status')} to ${status('to_status')}`
        : status('to_status')
      return `${visit}: ${change}${missing ? `. ${missing.what}.` : ''}`
    }
    case 'APPOINTMENT_WORK_QUEUE_CHANGED':
      return text('to_work_queue')
        ? `${visit}: marked “${queue('to_work_queue')}”`
        : `${visit}: no longer marked “${queue('from_work_queue')}”`
    case 'APPOINTMENT_COPAY_UPDATED':
      return typeof payload.copay_cents === 'number'
        ? `${visit}: copay set to ${money(payload.copay_cents / 100)}`
        : `${visit}: copay changed`
    case 'COVERAGE_CREATED':
      return `Coverage added: ${text('payer_name') || text('payer_id')}`
    case 'COVERAGE_UPDATED':
      return text('source') === 'eligibility_check' ? 'Coverage updated from a payer response' : 'Coverage edited'
    case 'PATIENT_TAGS_UPDATED':
      return 'Tags changed'
  }
}
