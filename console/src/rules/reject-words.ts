// Reject reasons of a 271 (AAA03, X12 element 901), and failures of the connection to the payer, in plain words: the meaning, who resolves it, and
// how. The screen shows the codes and the payer's own text as well. Source: eligibility/users.md 13; the names are those of src/x12/codes/rejections.ts.
import type { AdvisedReason } from '../../../src/x12/codes/rejections.ts'
import { capital } from './names.ts'

export type Owner = 'Front desk' | 'Billing' | 'Payer' | 'Administrator'

export interface Explained {
  means: string
  owner: Owner
  todo: string
  /** What the front desk does next about the visit: no other coverage helps where the payer refuses the provider or the date. */
  next: 'fix-coverage' | 'read-answer' | 'check-again'
}

const compareCard =
  'Compare the member ID, the name and the birth date with the card, correct the coverage, and check again.'
const newborn = 'A newborn may not be enrolled yet: call the payer.'
const askBilling = 'Ask billing: the provider or the enrollment with this payer needs attention.'

const entry = (means: string, owner: Owner, todo: string, next: Explained['next'] = 'fix-coverage'): Explained => ({
  means,
  owner,
  todo,
  next: todo === askBilling ? 'read-answer' : next,
})

const words = {
  '04': entry(
    'The inquiry asks for more than the payer answers at once.',
    'Billing',
    'Request fewer services at a time.',
    'read-answer',
  ),
  15: entry('The payer needs more information.', 'Front desk', 'Complete the coverage and check again.'),
  33: entry('The payer found an input error.', 'Front desk', compareCard),
  35: entry('The provider is out of network for this plan.', 'Billing', askBilling),
  41: entry('The payer does not accept inquiries from this provider.', 'Billing', askBilling),
  42: entry(
    'The payer cannot answer at the moment.',
    'Payer',
    'The check is repeated automatically. You can also check again later.',
    'check-again',
  ),
  43: entry('The payer does not accept the provider’s identification.', 'Billing', askBilling),
  44: entry('The payer does not accept the provider’s name.', 'Billing', askBilling),
  45: entry('The payer does not accept the provider’s specialty.', 'Billing', askBilling),
  46: entry('The payer does not accept the provider’s telephone number.', 'Billing', askBilling),
  47: entry('The payer does not accept the provider’s state.', 'Billing', askBilling),
  48: entry('The payer does not accept the referring provider’s number.', 'Billing', askBilling),
  49: entry(
    'The provider is not the primary care physician whom the payer has for the patient.',
    'Billing',
    askBilling,
  ),
  50: entry('The provider is not eligible to inquire with this payer.', 'Billing', askBilling),
  51: entry('The payer does not recognize this provider.', 'Billing', askBilling),
  52: entry('The date is outside the provider’s enrollment with the plan.', 'Billing', askBilling),
  56: entry('The payer does not accept the date.', 'Front desk', 'Check the date of the visit.', 'read-answer'),
  57: entry(
    'The date of service is missing or not accepted.',
    'Front desk',
    'Check the date of the visit.',
    'read-answer',
  ),
  58: entry('The birth date is missing or not accepted.', 'Front desk', compareCard),
  60: entry('The birth date is after the date of service.', 'Front desk', 'Correct the birth date.'),
  61: entry('The payer has a date of death before the visit.', 'Front desk', 'Confirm that this is the right patient.'),
  62: entry(
    'The payer does not answer for this date.',
    'Front desk',
    'Check closer to the date of the visit.',
    'check-again',
  ),
  63: entry(
    'The payer does not answer for future dates.',
    'Front desk',
    'Check again on the day of the visit.',
    'check-again',
  ),
  64: entry('The patient ID is missing or not accepted.', 'Front desk', compareCard),
  65: entry('The patient’s name is missing or not accepted.', 'Front desk', compareCard),
  66: entry('The patient’s sex is missing or not accepted.', 'Front desk', 'Correct the patient’s record.'),
  67: entry('The payer does not find the patient.', 'Front desk', `${compareCard} ${newborn}`),
  68: entry('The payer has this ID more than once.', 'Billing', 'Call the payer.', 'read-answer'),
  71: entry('The birth date differs from the payer’s record.', 'Front desk', compareCard),
  72: entry('The member ID is missing or not accepted.', 'Front desk', compareCard),
  73: entry('The subscriber’s name does not match.', 'Front desk', compareCard),
  74: entry('The subscriber’s sex is missing or not accepted.', 'Front desk', 'Correct the coverage.'),
  75: entry('The payer does not find the subscriber.', 'Front desk', compareCard),
  76: entry('The payer has this member ID more than once.', 'Billing', 'Call the payer.', 'read-answer'),
  77: entry(
    'The payer finds the subscriber but not the patient.',
    'Front desk',
    `Check the relationship to the subscriber. ${newborn}`,
  ),
  78: entry('The subscriber is not in this group or plan.', 'Front desk', 'Ask for the new card.'),
  79: entry('The payer ID is not accepted.', 'Billing', 'Choose the payer again by search.'),
  80: entry('The payer did not answer.', 'Payer', 'Check again later.', 'check-again'),
  97: entry('The payer does not accept the provider’s address.', 'Billing', askBilling),
  T4: entry('The payer is missing or not accepted.', 'Front desk', 'Choose the payer again by search.'),
} satisfies Record<AdvisedReason, Explained> & Record<string, Explained>

const ofCode: ReadonlyMap<string | undefined, Explained> = new Map(Object.entries(words))

export const explainCode = (code: string | undefined): Explained | undefined => ofCode.get(code)

/**
 * Failures between the service and the payer that last until somebody changes the connection: a 999 or a TA1, an answer that is not one, settings,
 * credentials, addresses and certificates. Source: src/clearinghouses/failures.ts and those of each connector; WS-Security 1.1, 12.
 */
const OF_CONNECTION =
  /^(?:REFUSED|UNREADABLE_ANSWER|NotX12|UnknownResponse|NotConfigured|AddressRefused|NoToken|un-?authori[sz]ed|FailedAuthentication|InvalidSecurity|FailedCheck|HTTP (?:3\d\d|40[1345])|ENOTFOUND|(?:ERR_TLS|ERR_SSL|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_)\w*)$/i

/** An error of a check, if its code says who resolves it. The words of a failure of the connection are those of the service. */
export function explainCheckError({
  code,
  description,
}: {
  code?: string
  description?: string
}): Explained | undefined {
  if (!OF_CONNECTION.test(code ?? '')) return explainCode(code)
  return {
    means: capital(description ?? 'The check could not be completed.'),
    owner: 'Administrator',
    todo: 'The connection to the payer must be repaired. No correction of the coverage helps.',
    next: 'read-answer',
  }
}
