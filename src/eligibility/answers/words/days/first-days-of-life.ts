// How long a payer covers a newborn whom nobody has enrolled yet, as its texts state it: "under the mother for the first 31 days". decisions/0194.
import { phrases, states } from '../phrase-group.ts'

const COUNTS: Readonly<Record<string, number>> = {
  THIRTY: 30,
  'THIRTY-ONE': 31,
  'THIRTY ONE': 31,
  SIXTY: 60,
  NINETY: 90,
}
const COUNT = `(?<count>\\d{1,2}|${Object.keys(COUNTS).reverse().join('|')})`
const UNIT = '[ -](?:CALENDAR |FULL )?(?<unit>DAYS?|WEEKS?|MONTHS?)\\b'
const UP_TO =
  '(?:\\b(?:FOR|(?<!\\bWITHIN(?: THE)? )(?:FIRST|1ST|INITIAL)|THROUGH|THRU|UNTIL|TO|DURING|AFTER|BEYOND|PAST|ENDS?|ENDED|EXPIRES|EXPIRED|STOPS|TERMINATES)|[:-])'
const SMALL = '(?: (?:THE|AN?|UP|TO|AT|ON|AFTER|FIRST|1ST|INITIAL|ONLY|HIS|HER|THEIR|END|OF|AGE))*'

/** "For the first 31 days", "31-day newborn coverage", "through day 31 of life", "through the month of birth". */
const COUNTED = new RegExp(`${UP_TO}${SMALL} ${COUNT}${UNIT}`)
const NAMED = new RegExp(
  `^\\W*${COUNT}${UNIT} (?:OF )?(?:[A-Z]+ )?(?:NEWBORN|INFANT|BABY)(?:'?S)? (?:COVERAGE|ELIGIBILITY|BENEFITS)\\b`,
)
const DAY_OF_LIFE =
  /\b(?:THROUGH|THRU|UNTIL|TO)(?: THE)? (?:DAY (?<count>\d{1,2})|(?<ordinal>\d{1,2})(?:ST|ND|RD|TH) DAY)\b/
const MONTH_OF_BIRTH =
  /\b(?:FOR|THROUGH|THRU|UNTIL|DURING|TO)(?: (?:THE|END|LAST|DAY|ONLY|CALENDAR|OF))*(?<next> MONTHS? (?:FOLLOWING|AFTER)(?: THE)?)? (?:BIRTH MONTH|MONTH OF (?:HIS |HER |THE )?(?:BIRTH|DELIVERY))\b(?! AND)/

const COVERED = /\b(?:COVERED|COVERS?|COVERAGE|ELIGIBLE|ELIGIBILITY|INSURED|ENROLLED|BENEFITS?)\b/
const OF_A_NEWBORN = /\b(?:NEWBORN|BABY|INFANT|BIRTH|DOB|LIFE|DELIVERY|MOTHER|MOM|MATERNAL)(?:'?S)?\b/

interface FirstTime {
  count: number
  unit: 'day' | 'month'
  /** The months are those of the calendar, the month of the birth being the first. */
  ofCalendar?: true
}

/** The time from the birth that a sentence in capitals states; undefined for a sentence about anything else. */
function firstTime(text: string): FirstTime | undefined {
  const month = MONTH_OF_BIRTH.exec(text)?.groups
  if (month) return { count: month.next === undefined ? 1 : 2, unit: 'month', ofCalendar: true }
  const {
    count = '',
    ordinal = '',
    unit = 'DAY',
  } = (COUNTED.exec(text) ?? NAMED.exec(text) ?? DAY_OF_LIFE.exec(text))?.groups ?? {}
  const number = COUNTS[count] ?? Number(count || ordinal)
  if (number === 0) return undefined
  if (unit.startsWith('MONTH')) return { count: number, unit: 'month' }
  return { count: unit.startsWith('WEEK') ? 7 * number : number, unit: 'day' }
}

export const FIRST_DAYS = phrases({
  meaning: 'a newborn is covered for a time from the birth alone',
  source: 'Laws of states on newborns (31 days, 60 in some); Medicaid plans (the month of the birth)',
  says: [],
  holds: (text) => COVERED.test(text) && OF_A_NEWBORN.test(text) && firstTime(text) !== undefined,
  unless: [
    /\b(?:HEARING|SCREENINGS?|NURSERY|CIRCUMCISION|HOSPITAL|INPATIENT|VISITS?|EXAMS?|MATERNITY|POSTPARTUM)\b|\bMOTHER (?:IS )?(?:COVERED|ELIGIBLE|ENROLLED)\b|\b(?:IF|WHEN|TO ADD|TO ENROLL)\b.*\b(?:DAYS?|MONTHS?)\b/,
  ],
  examples: [
    'NEWBORN COVERED FOR FIRST 31 DAYS ONLY',
    'COVERED UNDER MOTHERS ID FOR 30 DAYS FROM BIRTH',
    'NEWBORN COVERAGE ENDS 31 DAYS AFTER BIRTH',
    'TEMPORARY NEWBORN COVERAGE - 31 DAYS FROM DOB',
    'INFANT COVERED THROUGH DAY 31 OF LIFE',
    'NEWBORN COVERED THROUGH MONTH OF BIRTH',
    '31 DAY NEWBORN COVERAGE UNDER MOTHER',
    'BABY COVERED THROUGH THE 31ST DAY',
  ],
  counterexamples: [
    'NEWBORN MUST BE ENROLLED WITHIN 31 DAYS OF BIRTH',
    'NEWBORN COVERED FROM BIRTH IF ADDED WITHIN 31 DAYS',
    'NEWBORN HEARING SCREENING COVERED FOR FIRST 30 DAYS OF LIFE',
    'GRACE PERIOD 31 DAYS FOR NEWBORNS',
    'COVERED FOR 60 DAYS',
    'MOTHER COVERED FOR 60 DAYS AFTER DELIVERY',
  ],
})

/** True when the time for which a sentence in capitals says that a newborn is covered is over on the day. `born`, `day`: YYYY-MM-DD. */
export function isPastFirstDays(text: string, born: string, day: string): boolean {
  if (!OF_A_NEWBORN.test(text) || !states(FIRST_DAYS, text)) return false
  const time = firstTime(text)
  if (!time) return false
  const end = new Date(`${time.ofCalendar ? `${born.slice(0, 'CCYY-MM'.length)}-01` : born}T00:00:00Z`)
  if (time.unit === 'month') end.setUTCMonth(end.getUTCMonth() + time.count)
  else end.setUTCDate(end.getUTCDate() + time.count)
  return day >= end.toISOString().slice(0, 'CCYY-MM-DD'.length)
}
