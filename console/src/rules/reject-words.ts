// Reject reasons of a 271 (AAA03, X12 element 901), and failures of the connection to the payer, in plain words: the meaning, who resolves it, and
// how. The screen shows the codes and the payer's own text as well. Source: eligibility/users.md 13; the names are those of src/x12/codes/rejections.ts.
import { type AdvisedReason, type HandlingClass, handlingOfReason } from '../../../src/x12/codes/rejections.ts'
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
const ofProvider = 'The provider or the enrollment with this payer needs attention.'

const OWNERS: Readonly<Record<HandlingClass, Owner>> = {
  retry: 'Payer',
  registrar: 'Front desk',
  billing: 'Billing',
  date: 'Front desk',
  informational: 'Front desk',
}

type Words = Omit<Explained, 'owner'>

const entry = (means: string, todo: string, next: Words['next'] = 'fix-coverage'): Words => ({
  means,
  todo,
  next: todo === ofProvider ? 'read-answer' : next,
})

const words = {
  '04': entry(
    'The inquiry asks for more than the payer answers at once.',
    'Request fewer services at a time.',
    'read-answer',
  ),
  15: entry('The payer needs more information.', 'Complete the coverage and check again.'),
  33: entry('The payer found an input error.', compareCard),
  35: entry('The provider is out of network for this plan.', 'Ask billing, and tell the patient.', 'read-answer'),
  41: entry('The payer does not accept inquiries from this provider.', ofProvider),
  42: entry(
    'The payer cannot answer at the moment.',
    'The check is repeated automatically. You can also check again later.',
    'check-again',
  ),
  43: entry('The payer does not accept the provider’s identification.', ofProvider),
  44: entry('The payer does not accept the provider’s name.', ofProvider),
  45: entry('The payer does not accept the provider’s specialty.', ofProvider),
  46: entry('The payer does not accept the provider’s telephone number.', ofProvider),
  47: entry('The payer does not accept the provider’s state.', ofProvider),
  48: entry('The payer does not accept the referring provider’s number.', ofProvider),
  49: entry('The provider is not the primary care physician whom the payer has for the patient.', ofProvider),
  50: entry('The provider is not eligible to inquire with this payer.', ofProvider),
  51: entry('The payer does not recognize this provider.', ofProvider),
  52: entry(
    'The date is outside the provider’s enrollment with the plan.',
    'Check the date of the visit. If it is right, ask billing.',
    'read-answer',
  ),
  56: entry('The payer does not accept the date.', 'Check the date of the visit.', 'read-answer'),
  57: entry('The date of service is missing or not accepted.', 'Check the date of the visit.', 'read-answer'),
  58: entry('The birth date is missing or not accepted.', compareCard),
  60: entry('The birth date is after the date of service.', 'Correct the birth date.'),
  61: entry('The payer has a date of death before the visit.', 'Confirm that this is the right patient.'),
  62: entry('The payer does not answer for this date.', 'Check closer to the date of the visit.', 'check-again'),
  63: entry('The payer does not answer for future dates.', 'Check again on the day of the visit.', 'check-again'),
  64: entry('The patient ID is missing or not accepted.', compareCard),
  65: entry('The patient’s name is missing or not accepted.', compareCard),
  66: entry('The patient’s sex is missing or not accepted.', 'Correct the patient’s record.'),
  67: entry('The payer does not find the patient.', `${compareCard} ${newborn}`),
  68: entry('The payer has this ID more than once.', 'Call the payer.', 'read-answer'),
  71: entry('The birth date differs from the payer’s record.', compareCard),
  72: entry('The member ID is missing or not accepted.', compareCard),
  73: entry('The subscriber’s name does not match.', compareCard),
  74: entry('The subscriber’s sex is missing or not accepted.', 'Correct the coverage.'),
  75: entry('The payer does not find the subscriber.', compareCard),
  76: entry('The payer has this member ID more than once.', 'Call the payer.', 'read-answer'),
  77: entry(
    'The payer finds the subscriber but not the patient.',
    `Check the relationship to the subscriber. ${newborn}`,
  ),
  78: entry('The subscriber is not in this group or plan.', 'Ask for the new card.'),
  79: entry('The payer ID is not accepted.', 'Choose the payer again by search.'),
  80: entry('The payer did not answer.', 'Check again later.', 'check-again'),
  97: entry('The payer does not accept the provider’s address.', ofProvider),
  T4: entry('The payer is missing or not accepted.', 'Choose the payer again by search.'),
} satisfies Record<AdvisedReason, Words> & Record<string, Words>

const ofCode: ReadonlyMap<string | undefined, Words> = new Map(Object.entries(words))

/** Who resolves it is the same as on the command line; undefined for a code without words here. */
export function explainCode(code: string | undefined): Explained | undefined {
  const found = ofCode.get(code)
  return found && { ...found, owner: OWNERS[handlingOfReason(code) ?? 'registrar'] }
}

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
