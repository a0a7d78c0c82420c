// The events of a patient's eligibility, one sentence each.
import type { AppointmentStatus, EligibilityTimelineEvent, NotReadyReason } from '../api/generated.ts'
import { missingOf } from './missing.ts'
import { codeLabel, money } from './names.ts'
import { explainCode } from './reject-words.ts'
import { statusWords } from './visits.ts'

type TimelineEvent = Pick<EligibilityTimelineEvent, 'event_type' | 'payload'>

export function describeEvent({ event_type, payload }: TimelineEvent): string {
  const text = (key: string) => (typeof payload[key] === 'string' ? payload[key] : '')
  const code = (key: string) => (text(key) ? codeLabel(text(key)) : 'none')
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
      return `Visit: from ${status('from_status')} to ${status('to_status')}${missing ? `. ${missing.what}.` : ''}`
    }
    case 'APPOINTMENT_WORK_QUEUE_CHANGED':
      return text('from_work_queue')
        ? `Visit type: from ${code('from_work_queue').toLowerCase()} to ${code('to_work_queue').toLowerCase()}`
        : `Visit type: ${code('to_work_queue').toLowerCase()}`
    case 'APPOINTMENT_COPAY_UPDATED':
      return typeof payload.copay_cents === 'number' ? `Copay set to ${money(payload.copay_cents)}` : 'Copay changed'
    case 'COVERAGE_CREATED':
      return `Coverage added: ${text('payer_name') || text('payer_id')}`
    case 'COVERAGE_UPDATED':
      return text('source') === 'eligibility_check' ? 'Coverage updated from a payer response' : 'Coverage edited'
    case 'PATIENT_TAGS_UPDATED':
      return 'Tags changed'
  }
}
