// What to do about a refusal, for people who have never seen an AAA segment. Source: x12-271.md 8, users.md 13.
import { codeTable } from '../../x12/codes/code-table.ts'
import { followUpActionNames } from '../../x12/codes/rejections.ts'
import { wrap } from './print-benefits-layout.ts'
import { classifyRejection, type HandlingClass } from './rejections.ts'
import type { ErrorDetails } from './wire.ts'

/** Who has to act. */
const ACTORS: Readonly<Record<HandlingClass, string>> = {
  retry: 'Payer outage',
  registrar: 'Front desk',
  billing: 'Billing office',
  date: 'Front desk',
  informational: 'For information',
}

/** What to do about a reason, by AAA03; others follow the handling class. */
const ADVICE = codeTable({
  '04': 'The payer limits how many inquiries one answer may take. Ask for fewer services at once.',
  15: 'The payer needs more about the patient. Fill in member ID, both names and date of birth, and check again.',
  41: 'The payer does not let us ask. Ask the clearinghouse whether this provider is enrolled for eligibility.',
  42: 'The payer cannot answer now. Nothing needs correcting; check again in a while.',
  43: 'The payer does not accept the NPI. Check it, and whether the provider is enrolled with this payer.',
  44: 'The payer does not accept the name of the provider. Check it against the enrollment.',
  50: 'The payer does not answer this provider. Enroll the provider for eligibility with this payer.',
  51: 'The payer does not know this provider. Check the NPI and the enrollment with this payer.',
  52: 'The provider was not in the plan on that day. Check the date of service and the enrollment.',
  56: 'The payer does not accept the date of service. Check it and ask for another day.',
  57: 'The date of service is missing or wrong. Correct it and check again.',
  58: 'The date of birth is missing or wrong. Compare it with the ID and the insurance card, and check again.',
  60: 'The date of birth is after the date of service. Correct whichever is wrong.',
  61: 'The payer has the patient as deceased before the date of service. Check that this is the right person.',
  62: 'The payer does not answer for a day so far back or ahead. Ask for a day nearer to today.',
  63: 'The payer does not answer for days to come. Check again on the day of the visit.',
  64: 'The ID of the patient is missing or wrong. Copy it from the insurance card and check again.',
  65: 'The name of the patient is not the one the payer has. Spell it as on the insurance card and check again.',
  66: 'The payer has another sex for the patient. Compare it with the registration.',
  67: 'The payer does not find the patient. Compare member ID, name and date of birth with the insurance card.',
  68: 'The payer has the patient under several IDs. Call the payer.',
  71: 'The payer has another date of birth for this member. Ask the patient, correct it, and check again.',
  72: 'The member ID is missing or wrong. Copy it from the insurance card, letters included, and check again.',
  73: 'The name is not the one the payer has. Spell it as on the card: nicknames, hyphens and Jr. matter.',
  74: 'The payer has another sex for the subscriber. Compare it with the registration.',
  75: 'The payer does not find this member. Compare member ID, name and birth date with the card; is it this payer at all?',
  76: 'The payer has this member ID twice. Call the payer.',
  77: 'The payer knows the subscriber but not this patient. Ask whether the patient is on the plan under another name.',
  78: 'The member is not in this group or plan. Look for a newer insurance card.',
  79: 'The payer does not accept the provider or payer ID. Check both, and the enrollment with this payer.',
  80: 'The payer did not answer in time. Nothing needs correcting; check again in a while.',
  97: 'The payer needs the address of the provider. Complete it.',
  T4: 'The payer is missing or not known to the clearinghouse. Choose the payer from the list again.',
})

const CLASS_ADVICE: Readonly<Record<HandlingClass, string>> = {
  retry: 'The payer cannot answer now. Nothing needs correcting; check again in a while.',
  registrar: 'The payer could not identify the patient. Compare everything with the insurance card and check again.',
  billing: 'The payer did not accept the provider or payer details. Check NPI, payer ID and enrollment.',
  date: 'The payer does not answer for this day. Choose another date of service and check again.',
  informational: 'The payer did not answer for this service; the rest of the answer stands.',
}

/** AAA04 that change when to ask again. */
const WAITS = codeTable({
  S: 'The payer asks somebody else first. Do not ask again; call the payer.',
  W: 'The payer wants 30 days before the same inquiry comes again.',
  X: 'The payer wants 10 days before the same inquiry comes again.',
  Y: 'The payer will answer later by itself. Do not ask again.',
})

const FOLLOW_UP_CODES: ReadonlyMap<string, string> = new Map(
  Object.entries(followUpActionNames).map(([code, name]) => [name, code]),
)

/** True for a reject reason of the payer; false for what went wrong on the way to it. */
export function isRejection({ field, location }: ErrorDetails): boolean {
  return field === 'AAA' || location?.startsWith('Loop ') === true
}

/**
 * Each error once, in two parts: what was said, in the words and codes of X12 for billing, and who does what about it.
 */
export function printErrors(errors: readonly ErrorDetails[]): string[] {
  return [...new Set(errors.map((error) => printError(error).join('\n')))]
}

function printError(error: ErrorDetails): string[] {
  const { code, description, possibleResolutions } = error
  if (isRejection(error)) return printRejection(error)
  const said = [code, description].filter((part) => part !== undefined).join(': ')
  const advice =
    possibleResolutions ?? 'Check again in a while. If that does not help, show this to your administrator.'
  return [...wrap(said || 'unknown error', 0, 'failed: '), ...wrap(advice, 2)]
}

function printRejection({ code, description, followupAction, location }: ErrorDetails): string[] {
  const followUpCode =
    followupAction === undefined ? undefined : (FOLLOW_UP_CODES.get(followupAction) ?? followupAction)
  const loop = location?.replace('Loop ', '') ?? ''
  const handling = classifyRejection({ reasonCode: code, followUpCode, loop })
  const said = [`AAA ${code ?? '(no code)'}`, description, location && `(${location})`].filter(Boolean).join(' ')
  const known = code === undefined || handling === 'informational' ? undefined : ADVICE[code]
  // A payer's own 79 is an outage, the provider's is not; the table speaks of the latter.
  const advice = known !== undefined && !(handling === 'retry' && code === '79') ? known : CLASS_ADVICE[handling]
  const wait = followUpCode === undefined ? undefined : WAITS[followUpCode]
  return [...wrap(said, 0, 'rejected: '), ...wrap([advice, wait].filter(Boolean).join(' '), 2, `${ACTORS[handling]}: `)]
}
