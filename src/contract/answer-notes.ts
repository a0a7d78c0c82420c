// The lines of an answer's notes that readers recognize. The interface has no fields for them: the service writes them, and the console and the
// terminal show them in their own places.

const ALERT = 'ATTENTION: '

/** A line that people must not miss. */
export const toAlert = (text: string): string => `${ALERT}${text}`
export const isAlert = (line: string): boolean => line.startsWith(ALERT)
/** The text of an alert, or any other line unchanged. */
export const withoutAlert = (line: string): string => (isAlert(line) ? line.slice(ALERT.length) : line)

/** The beginning of a line about payers that the answer names without saying which one pays first. */
export const OTHER_INSURANCE = 'Other insurance: '

const LINE_OF_OURS = new RegExp(`^(?=${ALERT}|${OTHER_INSURANCE})`, 'gm')

/** A payer's own text as a note: no line of it can pass for a statement of ours. */
export const toNote = (text: string): string => text.replaceAll(LINE_OF_OURS, 'the payer says: ')

/** The first words of alerts. Stored answers have the words alone, so that nothing but the words can tell the kind of an alert. */
export const ALERTS = {
  otherPayer: 'another payer is primary',
  beforeMedicare: 'pays before Medicare',
  advantage: 'Medicare Advantage pays instead of Original Medicare',
  managedCare: 'a managed care plan pays instead of Medicaid',
  spendDown: 'spend-down not met',
  investigation: 'the payer is still investigating the coverage',
  correction: 'confirm with the patient',
  doubt: "the payer questions the patient's identity",
} as const

/** What an alert is about: another payer, an amount owed first, whose coverage it is, or the coverage itself. */
export const ALERT_KINDS = ['COVERAGE', 'OTHER_PAYER', 'SPEND_DOWN', 'IDENTITY'] as const
type AlertKind = (typeof ALERT_KINDS)[number]

const KINDS: Readonly<Record<keyof typeof ALERTS, AlertKind>> = {
  otherPayer: 'OTHER_PAYER',
  beforeMedicare: 'OTHER_PAYER',
  advantage: 'OTHER_PAYER',
  managedCare: 'OTHER_PAYER',
  spendDown: 'SPEND_DOWN',
  investigation: 'COVERAGE',
  correction: 'IDENTITY',
  doubt: 'IDENTITY',
}

/** The kind of an alert from its text. */
export function kindOfAlert(text: string): AlertKind {
  const name = NAMES.find((each) => text.startsWith(ALERTS[each]))
  return name === undefined ? 'COVERAGE' : KINDS[name]
}

const NAMES = Object.keys(ALERTS) as (keyof typeof ALERTS)[]

/** Source: 42 U.S.C. 1396a(n)(3)(B): a provider that bills a QMB for Medicare cost sharing is sanctioned. */
export const PROHIBITION_TO_BILL =
  'Qualified Medicare Beneficiary (QMB): billing the patient for Medicare cost sharing is against the law'

/** The same in large letters, on the screen and on paper. */
export const PROHIBITION = 'Do not bill the patient (QMB)'

/** The beginning of a text of the payer that no rule understands, and that a person reads beside the status. */
export const PAYER_NOTE = "Payer's note: "
/** True for a line that a person reads beside the status, because no rule decides what it means for the visit. */
export const isStatusNote = (line: string): boolean => line.startsWith(PAYER_NOTE) || line.startsWith(OTHER_INSURANCE)

/** True for a line about a part of Medicare and its dates, which say more than the type of the plan. */
export const isMedicarePart = (line: string): boolean => /^Medicare Part [ABD]: /.test(line)

/** What to do about a failed check whose error says nothing else. */
export const TRY_LATER = 'Check again later. If the problem persists, show this to your administrator.'
