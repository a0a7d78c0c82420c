// Why a visit is not ready, and who resolves it.
import type { Appointment, NotReadyReason } from '../api/generated.ts'
import type { Owner } from './reject-words.ts'

export interface Missing {
  what: string
  owner: Owner
  todo: string
}

const missing = (what: string, owner: Owner, todo: string): Missing => ({ what, owner, todo })

const requestCard = 'Ask the patient for another card, or arrange payment.'
const correct = 'Compare the coverage with the card, correct it, and check again.'
const wait = 'Check again. Call the payer if the visit is soon.'

const reasons: Record<NotReadyReason, Missing> = {
  INACTIVE_PRIMARY: missing('Primary coverage is not active', 'Front desk', requestCard),
  INACTIVE_SECONDARY: missing('Secondary coverage is not active', 'Front desk', requestCard),
  MEDICARE_ADVANTAGE_CONVERSION: missing(
    'Medicare Advantage pays, not Medicare',
    'Front desk',
    'Add the Medicare Advantage plan and file it first.',
  ),
  MEDICAID_MANAGED_CONVERSION: missing(
    'A managed care plan pays, not Medicaid',
    'Front desk',
    'Add the managed care plan and file it first.',
  ),
  UNAVAILABLE_PRIMARY: missing('The primary payer cannot answer', 'Payer', wait),
  UNAVAILABLE_SECONDARY: missing('The secondary payer cannot answer', 'Payer', wait),
  PENDING_PRIMARY: missing('The primary payer has not answered yet', 'Payer', wait),
  PENDING_SECONDARY: missing('The secondary payer has not answered yet', 'Payer', wait),
  ELIGIBILITY_CHECK_FAILED_PRIMARY: missing('The check of the primary coverage failed', 'Front desk', correct),
  ELIGIBILITY_CHECK_FAILED_SECONDARY: missing('The check of the secondary coverage failed', 'Front desk', correct),
  NEW_COMBO: missing('This combination of coverages is new', 'Billing', 'Confirm who pays first.'),
  NEW_INSURANCE: missing('Another payer comes first', 'Front desk', 'Add the other coverage and file it first.'),
  PRIOR_APPOINTMENT_NOT_READY: missing('An earlier visit is not ready', 'Billing', 'Settle the earlier visit first.'),
  NO_COVERAGE: missing('No coverage is filed', 'Front desk', 'Add a coverage, or mark the patient as self-pay.'),
  ERROR: missing('The answers are not conclusive', 'Billing', 'Review the answer and decide.'),
  MANUAL: missing('Marked not ready by a user', 'Front desk', 'See the notes of the visit.'),
}

/** Undefined when no reason is known. */
export function missingOf({ status, not_ready_reason: reason }: Pick<Appointment, 'status' | 'not_ready_reason'>) {
  if (status !== 'NOT_READY') return undefined
  return reasons[reason ?? 'MANUAL']
}
