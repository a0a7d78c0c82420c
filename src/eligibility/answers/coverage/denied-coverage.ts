// Rows by which the payer contradicts active coverage: a text that it is suspended or ended, and an inactive period of the same plan.
// Source: rules.md 17; decisions/0073-coverage-that-is-no-medical-coverage.md.
import type { BenefitRow } from '../../../x12/model.ts'
import { type BetweenRows, DATE, datesOf, sentencesOfAll } from '../payer-text.ts'
import { explainOutOfForce, firstDay } from './in-force.ts'
import { findStating } from './limited-coverage.ts'
import { planNameOf } from './plan-rows.ts'
import { isActiveRow, isInactiveRow, isPlanRow, PLAN_SERVICE } from './status.ts'

const LINKS =
  '(?: (?:IS|ARE|HAS|HAVE|BEEN|WAS|WERE|NOW|CURRENTLY|TEMPORARILY|RETRO(?:ACTIVELY)?|STATUS|AN?|PLACED))*[ :-]+'
const COVERAGE =
  '(?:COVERAGE|BENEFITS?|ELIGIBILITY|POLICY|MEMBERSHIP|CONTRACT|ENROLLMENT|MEDICAID|PLAN|INSURANCE|GROUP|REINSTATEMENT|ELECTION)'
const PERSON = '(?:MEMBER|PATIENT|RECIPIENT|BENEFICIARY|SUBSCRIBER|INSURED)'
const ENDED =
  'SUSPENDED|TERMINATED|TERMED|CANCELL?ED|LAPSED|VOIDED|RESCINDED|INACTIVE|NOT ACTIVE|NOT IN FORCE|NOT (?:YET )?EFFECTIVE|DENIED(?! FOR\\b)|ON HOLD|PENDING(?! CLAIMS?\\b)'
/** What a person does not have: coverage as a whole, not "coverage for infertility". */
const HAVING =
  '(?:ACTIVE |MEDICAL |HEALTH |CURRENT )*(?:COVERAGE|BENEFITS|ELIGIBILITY|INSURANCE)\\b(?! (?:FOR|OF|UNDER)\\b)'
const DENIALS = [
  new RegExp(`\\b${COVERAGE}${LINKS}(?:${ENDED}|EXHAUSTED)\\b`),
  new RegExp(
    `\\b${PERSON}${LINKS}(?:${ENDED}|DISENROLLED|INELIGIBLE|NOT (?:ELIGIBLE|COVERED|ENROLLED|FOUND|ON FILE)|INCARCERATED|INMATE|DECEASED)\\b(?! (?:FOR(?! (?:THE |THIS )?DATE)|IN)\\b)`,
  ),
  /^\W*(?:NOT (?:ELIGIBLE|COVERED|ACTIVE)|INELIGIBLE)\b(?! (?:FOR|IN|WITH|OUTSIDE|BY|UNDER|EXCEPT)\b)/,
  /^\W*NO (?:ACTIVE |MEDICAL )?(?:COVERAGE|BENEFITS|ELIGIBILITY)(?: (?:FOUND|ON FILE|AVAILABLE|(?:ON|FOR|AS OF)(?: THE| THIS)? DATE\b.*))?\W*$/,
  /\bNO LONGER (?:COVERED|ELIGIBLE|ACTIVE|ENROLLED|INSURED|A MEMBER|EFFECTIVE|IN FORCE)\b(?! FOR\b)/,
  new RegExp(`\\b(?:DOES NOT|DID NOT|DOESN'T) HAVE (?:ANY )?${HAVING}`),
  new RegExp(`\\b${PERSON} (?:HAS|HAD|WITHOUT) (?:NO )?(?<=NO |WITHOUT )${HAVING}`),
  new RegExp(`\\b(?:${PERSON}|${COVERAGE})${LINKS}(?:IN |ON )?SUSPENSE\\b`),
  /\bPREMIUMS?(?: PAYMENT)?(?: (?:IS|ARE))?[ :-]+(?:PAST DUE|DELINQUENT|OVERDUE|UNPAID|NOT PAID)\b/,
  /(?<!\bNOT (?:CURRENTLY )?)\b(?:IN|WITHIN|ENTERED)(?: THE| A| AN| ITS| THEIR)?(?: [A-Z0-9-]+){0,5} GRACE PERIOD\b/,
  /\bGRACE PERIOD(?: STATUS)?[ :-]+(?:MONTH|SECOND|THIRD|2|3|YES|Y\b|ACTIVE|ENDS)/,
  /^\W*(?:ALL |ANY )?CLAIMS (?:WILL BE|ARE BEING|ARE) (?:(?:PENDED|HELD|SUSPENDED)\b|DENIED\W*$)/,
  // A text, or a part of a plan's name, that is nothing but this status.
  /^\W*(?:(?:MEMBER|COVERAGE|PLAN)? ?STATUS[ :-]+)?(?:RETRO(?:ACTIVELY)? )?(?:TERMINATED|TERMED|CANCELL?ED|SUSPENDED|LAPSED|INACTIVE|VOIDED|RESCINDED|NOT IN FORCE|NOT EFFECTIVE)\W*$/,
  /\bCOBRA(?: ELECTION)? PENDING\b/,
  /\b(?:EMPLOYEE|MEMBER|SUBSCRIBER|INSURED) (?:HAS )?(?:WAIVED|DECLINED|OPTED OUT OF)(?: (?:THE|MEDICAL|HEALTH))* (?:COVERAGE|INSURANCE|BENEFITS)\b/,
  /^\W*(?:NO ELEGIBLE|SIN (?:CUBIERTA|COBERTURA))\b/,
  /\b(?:CUBIERTA|COBERTURA|POLIZA|PLAN|ELEGIBILIDAD|ASEGURAD[OA]|BENEFICIARI[OA]|MIEMBRO|PACIENTE|SUSCRIPTOR)(?: (?:ESTA|FUE|HA SIDO|ES|DE|DEL|LA|EL|MEDIC[OA]))*[ :-]+(?:CANCELAD[OA]|INACTIV[OA]|TERMINAD[OA]|SUSPENDID[OA]|VENCID[OA]|NO (?:ES |ESTA )?(?:ELEGIBLE|ACTIV[OA]|CUBIERT[OA]|ENCONTRAD[OA])|SIN (?:CUBIERTA|COBERTURA))\b/,
]
/** A condition, something else, or a denial that was withdrawn. */
const ANOTHER_SUBJECT =
  /\b(?:IF|WHEN|WHENEVER|UNLESS|UNTIL|MAY|COULD|PRIOR|PREVIOUS(?:LY)?|FORMER|OTHER|OLD|DEPENDENTS?|SPOUSE|REINSTATED|CANNOT|NEVER|DENTAL|VISION|PHARMACY|MEDICARE|COBRA(?! (?:ELECTION|PENDING)\b)|OUT[ -]OF[ -]NETWORK)\b/

/** Nothing is paid before a premium is, or before a form is received: a condition, and yet a statement about the coverage. */
const UNTIL = /\b(?:UNTIL|UNLESS|BEFORE)\b/
const UNPAID = /\b(?:NOT|NO)\b/
const PAID = /\b(?:PREMIUMS?|PAYMENT) (?:IS|ARE|HAS BEEN|HAVE BEEN|RECEIVED|PAID)\b/
const MUST_PAY = /\bMUST PAY\b/
const PREMIUM = /\bPREMIUMS?\b/
const CLAIMS = /\bCLAIMS?\b/
const PENDED = /\b(?:PEND(?:ED)?|HELD|NOT (?:BE )?PAID)\b/
const AWAITED = /\b(?:COB|COORDINATION OF BENEFITS|OTHER INSURANCE|PREMIUMS?)\b/

function isUnpaidUntil(sentence: string): boolean {
  const place = sentence.search(UNTIL)
  if (place < 0 || OTHER_COVER.test(sentence)) return false
  const [before, after] = [sentence.slice(0, place), sentence.slice(place)]
  if (UNPAID.test(before) && PAID.test(after)) return true
  if (MUST_PAY.test(before) && PREMIUM.test(before)) return true
  return CLAIMS.test(before) && PENDED.test(before) && AWAITED.test(after)
}

/** Coverage of something else. */
const OTHER_COVER = /\b(?:DENTAL|VISION|PHARMACY)\b/

const BY = '(?: (?:DATE|AS|OF|ON|FROM|IS|WILL|BE|EFF|EFFECTIVE|(?:FOR|DUE TO) NON[ -]?PAYMENT))*[ :-]+'
/** A last day in words, and a first day that may lie ahead. */
const LAST_DAY = new RegExp(
  `\\b(?:TERM|TERMINATION|TERMINATE[SD]?|TERMS|TERMED|ENDS?|ENDED|EXPIRES|EXPIRED|EXPIRATION|CANCEL(?:S|LATION|L?ED)?|LAPSE[SD]?|DISENROLL(?:S|ED|MENT)|LAST DAY(?: OF COVERAGE)?|(?:ACTIVE|EFFECTIVE|COVERED|ELIGIBLE|COVERAGE) (?:THROUGH|THRU|UNTIL|TO))${BY}${DATE}`,
)
const FIRST_DAY = new RegExp(
  `\\b(?:COVERAGE|POLICY|PLAN|ELIGIBILITY|MEMBER|BENEFITS)(?: (?:IS|ARE|WILL|BE|BECOMES?|NOT))*(?: (?:EFFECTIVE|BEGINS?|STARTS?|ACTIVE))${BY}${DATE}`,
)
/** The first and the last day of the coverage in words. */
const SPAN = new RegExp(
  `\\b(?:COVERAGE|ELIGIBILITY|ELIGIBLE|EFFECTIVE|EFF|ACTIVE|POLICY|COVERED|ENROLLED|MEMBERSHIP)(?: (?:DATES?|SPAN|FROM|IS|ARE|FOR))*[ :-]+${DATE} *(?:-+|TO|THRU|THROUGH|UNTIL) *${DATE}`,
)
const NOT_UNTIL = new RegExp(
  `\\bNOT (?:BE )?(?:EFFECTIVE|ACTIVE|COVERED|ELIGIBLE|IN FORCE) (?:UNTIL|BEFORE|PRIOR TO) ${DATE}`,
)
/** A time before the coverage pays, with its last day. */
const WAITING = new RegExp(`\\bWAITING PERIOD(?: (?:IS|ENDS|UNTIL|THROUGH|THRU|TO|ON))*[ :-]+${DATE}`)
/** Something other than the coverage that has a last day. */
const OTHER_PERIOD =
  /\b(?:AUTHORI[SZ]ATIONS?|REFERRALS?|PCP|PROVIDER|YEAR|PERIOD|DEDUCTIBLES?|ACCUMULAT\w*|PREMIUMS?|GRACE|CARD|RIDER|WAIVER|HOSPICE|CERTIFICATION|RATES?|BENEFIT|OPEN|NEW)\b/

/**
 * The rows whose text states that the coverage, or the coverage of a requested service, is suspended, exhausted, ended or not yet begun; a day
 * that lies ahead ends nothing yet.
 */
export async function findDenials(
  rows: readonly BenefitRow[],
  { services, day, pause }: { services: readonly string[]; day: string; pause: BetweenRows },
): Promise<BenefitRow[]> {
  const denies = ({ messages, planDescription = '' }: BenefitRow): boolean => {
    return sentencesOfAll([planDescription, ...messages]).some((sentence) => {
      return sentence.split(CLAUSES).some((clause) => isDenial(clause, day))
    })
  }
  const denied = await findStating(rows, { day, pause, alsoIn: CONTACT_ROWS }, denies)
  for (const service of services) {
    if (service !== PLAN_SERVICE) denied.push(...(await findStating(rows, { day, pause, service }, denies)))
  }
  return [...new Set(denied)]
}

/** EB01: contact the following entity. */
const CONTACT_ROWS: ReadonlySet<string> = new Set(['U'])

/** The date after a dash belongs to the clause before it. */
const CLAUSES = new RegExp(` -+ (?!${DATE})`)

/** A maximum of the coverage, not of what the patient pays, that is used up; no condition. */
const EXHAUSTED =
  /^\W*(?:(?:THE|THIS|MEMBER(?:'S)?|PATIENT(?:'S)?|INDIVIDUAL|MEDICAL|HAS|HAVE)\W+)*(?:LIFETIME|ANNUAL|YEARLY|PLAN|POLICY|BENEFIT|CALENDAR YEAR|OVERALL|VISIT)(?: [A-Z]+){0,2} (?:MAXIMUMS?|MAX|LIMITS?)(?: (?:BENEFITS?|AMOUNT|HAS|HAVE|IS|ARE|BEEN|WAS|FULLY|ALREADY))*[ :-]+(?:REACHED|MET|EXHAUSTED|EXCEEDED|SATISFIED|USED)\b/
const PATIENTS_SHARE =
  /\b(?:IF|WHEN|ONCE|UNTIL|UNLESS|AFTER|BEFORE|NOT|OUT[ -]OF[ -]POCKET|OOP|MOOP|DEDUCTIBLES?|CO-?PAY\w*|COINSURANCE)\b/

/** True for a sentence that a maximum of the coverage is used up. */
export function statesExhausted(sentence: string): boolean {
  return EXHAUSTED.test(sentence) && !PATIENTS_SHARE.test(sentence)
}

function isDenial(sentence: string, day: string): boolean {
  const dates = datesOf(sentence)
  if (WAITING.test(sentence)) return dates.some((date) => date === undefined || date > day)
  if (NOT_UNTIL.test(sentence)) return dates.every((date) => date === undefined || date > day)
  if (isUnpaidUntil(sentence)) return true
  if (ANOTHER_SUBJECT.test(sentence)) return false
  if (SPAN.test(sentence)) return !includesDay(dates, day)
  if (dates.length > 0 && !OTHER_PERIOD.test(sentence)) {
    if (LAST_DAY.test(sentence) && dates.every((date) => date !== undefined && date < day)) return true
    if (FIRST_DAY.test(sentence) && dates.every((date) => date !== undefined && date > day)) return true
  }
  if (statesExhausted(sentence)) return true
  if (!DENIALS.some((denial) => denial.test(sentence))) return false
  return dates.length === 0 || dates.some((date) => date !== undefined && date <= day)
}

/** True when the day is in one of the periods that each two dates are. */
function includesDay(dates: readonly (string | undefined)[], day: string): boolean {
  return dates.some((first, place) => {
    const last = dates[place + 1]
    return place % 2 === 0 && first !== undefined && last !== undefined && first <= day && day <= last
  })
}

/**
 * Inactive periods that include the day, of a plan that is active besides (Medicare lists the months of imprisonment so). The plan may have
 * been taken up again since.
 */
export function findInactivePeriods(rows: readonly BenefitRow[], day: string): BenefitRow[] {
  const plans = rows.filter(isPlanRow)
  const active = new Map<string, string>()
  for (const row of plans) {
    if (!isActiveRow(row) || explainOutOfForce(row.dates, day)) continue
    const [key, begin] = [keyOf(row), firstDay(row.dates, day) ?? '']
    if ((active.get(key) ?? '') <= begin) active.set(key, begin)
  }
  return plans.filter((row) => {
    if (!isInactiveRow(row)) return false
    if (plans.some((other) => isActiveRow(other) && isSameStatement(row, other))) return true
    const [since, begin] = [active.get(keyOf(row)), firstDay(row.dates, day)]
    return since !== undefined && begin !== undefined && since <= begin && !explainOutOfForce(row.dates, day)
  })
}

/** One named plan, stated without a date as inactive and as active: the payer contradicts itself. */
function isSameStatement(row: BenefitRow, other: BenefitRow): boolean {
  const { coverageLevel, networkIndicator } = row
  return (
    planNameOf(row) !== undefined &&
    keyOf(row) === keyOf(other) &&
    coverageLevel === other.coverageLevel &&
    networkIndicator === other.networkIndicator &&
    row.dates.length + other.dates.length === 0
  )
}

const keyOf = (row: BenefitRow) => `${row.insuranceType ?? ''} ${planNameOf(row) ?? ''}`
