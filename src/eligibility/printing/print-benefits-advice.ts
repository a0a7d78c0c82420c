// Advice on a rejection for users who have never seen an AAA segment. Source: x12-271.md 8, users.md 13.
import { TRY_LATER } from '../../contract/answer-notes.ts'
import { codeTable } from '../../x12/codes/code-table.ts'
import {
  type AdvisedReason,
  followUpActionNames,
  type HandlingClass,
  INVALID_PARTICIPANT,
} from '../../x12/codes/rejections.ts'
import { classifyRejection } from '../answers/rejections/rejections.ts'
import type { ErrorDetails } from '../answers/wire.ts'
import { wrap } from './print-benefits-layout.ts'

/** Who has to act on it. */
const ACTORS: Readonly<Record<HandlingClass, string>> = {
  retry: 'Payer outage',
  registrar: 'Front desk',
  billing: 'Billing office',
  date: 'Front desk',
  informational: 'For information',
}

/**
 * Advice on a reason, by AAA03; other reasons use the advice of their handling class. The console has a table of its own (console/src/rules/reject-words.ts):
 * it shows the meaning and the step apart, and its step names what the screen offers, where a reader of this text may be a biller or a program's log.
 */
const ADVICE = codeTable({
  '04': 'The inquiry asks for more than the payer answers at once. Request fewer services at a time.',
  15: 'The payer needs more information about the patient. Fill in member ID, both names and date of birth, and check again.',
  41: 'The payer does not accept our inquiries. Ask the clearinghouse whether this provider is enrolled for eligibility.',
  42: 'The payer cannot answer now. No correction is needed; check again later.',
  43: 'The payer does not accept the NPI. Check it, and whether the provider is enrolled with this payer.',
  44: 'The payer does not accept the name of the provider. Check it against the enrollment.',
  45: 'The payer does not accept the specialty of the provider. Check it against the enrollment.',
  46: 'The payer does not accept the telephone number of the provider. Check it against the enrollment.',
  47: 'The payer does not accept the state of the provider. Check it against the enrollment.',
  48: 'The payer does not accept the number of the referring provider. Check it.',
  49: 'The provider is not the primary care physician whom the payer has for the patient. Ask the payer who is.',
  50: 'The payer does not accept inquiries from this provider. Enroll the provider for eligibility with this payer.',
  51: 'The payer does not recognize this provider. Check the NPI and the enrollment with this payer.',
  52: 'The provider was not in the plan on that date. Check the date of service and the enrollment.',
  56: 'The payer does not accept the date of service. Check it, or choose another date.',
  57: 'The date of service is missing or wrong. Correct it and check again.',
  58: 'The date of birth is missing or wrong. Compare it with the ID and the insurance card, and check again.',
  60: 'The date of birth is after the date of service. Correct whichever is wrong.',
  61: 'The payer has a date of death before the date of service. Confirm that this is the right person.',
  62: 'The payer does not answer for a date this far in the past or future. Choose a date closer to today.',
  63: 'The payer does not answer for future dates. Check again on the day of the visit.',
  64: 'The patient ID is missing or wrong. Copy it from the insurance card and check again.',
  65: "The patient name differs from the payer's record. Spell it as on the insurance card and check again.",
  66: 'The payer has a different sex for the patient. Compare it with the registration.',
  67: 'The payer does not find the patient. Compare member ID, name and date of birth with the insurance card.',
  68: 'The payer has the patient under several IDs. Call the payer.',
  71: 'The payer has a different date of birth for this member. Ask the patient, correct it, and check again.',
  72: 'The member ID is missing or wrong. Copy it from the insurance card, including letters, and check again.',
  73: "The name differs from the payer's record. Spell it as on the card: nicknames, hyphens and Jr. matter.",
  74: 'The payer has a different sex for the subscriber. Compare it with the registration.',
  75: 'The payer does not find this member. Compare member ID, name and date of birth with the card, and confirm the payer.',
  76: 'The payer has this member ID more than once. Call the payer.',
  77: 'The payer has the subscriber but not this patient. Ask whether the patient is on the plan under another name.',
  78: 'The member is not in this group or plan. Look for a newer insurance card.',
  79: 'The payer does not accept the provider or payer ID. Check both, and the enrollment with this payer.',
  80: 'The payer did not answer in time. No correction is needed; check again later.',
  97: 'The provider address is missing or wrong. Correct it and check again.',
  T4: 'The payer is missing, or the clearinghouse does not recognize it. Choose the payer from the list again.',
} satisfies Record<AdvisedReason, string>)

const CLASS_ADVICE: Readonly<Record<HandlingClass, string>> = {
  retry: 'The payer cannot answer now. No correction is needed; check again later.',
  registrar: 'The payer could not identify the patient. Compare everything with the insurance card and check again.',
  billing: 'The payer did not accept the provider or payer details. Check NPI, payer ID and enrollment.',
  date: 'The payer does not answer for this date. Choose another date of service and check again.',
  informational: 'The payer did not answer for this service; the rest of the answer is valid.',
}

/** AAA04 codes that state when or whether to send the inquiry again. */
const WAITS = codeTable({
  S: 'The payer has forwarded the inquiry to a third party. Do not send it again; call the payer.',
  W: 'Wait 30 days before you send the same inquiry again.',
  X: 'Wait 10 days before you send the same inquiry again.',
  Y: 'The payer will respond later. Do not send the inquiry again.',
})

const FOLLOW_UP_CODES: ReadonlyMap<string, string> = new Map(
  Object.entries(followUpActionNames).map(([code, name]) => [name, code]),
)

/** True for a reject reason of the payer; false for a failure before the payer was reached. */
export function isRejection({ field, location }: ErrorDetails): boolean {
  return field === 'AAA' || location?.startsWith('Loop ') === true
}

/** The lines of each error, once: its X12 codes and text for billing, and who has to act, with advice. */
export function printErrors(errors: readonly ErrorDetails[]): string[] {
  return [...new Map(errors.map(printError).map((lines) => [lines.join('\n'), lines])).values()].flat()
}

function printError(error: ErrorDetails): string[] {
  const { code, description, possibleResolutions } = error
  if (isRejection(error)) return printRejection(error)
  const summary = [code, description].filter((part) => part !== undefined).join(': ')
  const advice = possibleResolutions ?? TRY_LATER
  return [...wrap(summary || 'unknown error', 0, 'failed: '), ...wrap(advice, 2)]
}

function printRejection({ code, description, followupAction, location }: ErrorDetails): string[] {
  const followUpCode =
    followupAction === undefined ? undefined : (FOLLOW_UP_CODES.get(followupAction) ?? followupAction)
  const loop = location?.replace('Loop ', '') ?? ''
  const handling = classifyRejection({ reasonCode: code, followUpCode, loop })
  const summary = [`AAA ${code ?? '(no code)'}`, description, location && `(${location})`].filter(Boolean).join(' ')
  const known = code === undefined || handling === 'informational' ? undefined : ADVICE[code]
  // 79 from the payer's own level is an outage, 79 about the provider is not; the table describes the latter.
  const advice =
    known !== undefined && !(handling === 'retry' && code === INVALID_PARTICIPANT) ? known : CLASS_ADVICE[handling]
  const wait = followUpCode === undefined ? undefined : WAITS[followUpCode]
  return [
    ...wrap(summary, 0, 'rejected: '),
    ...wrap([advice, wait].filter(Boolean).join(' '), 2, `${ACTORS[handling]}: `),
  ]
}
