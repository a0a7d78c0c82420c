// What is left of a limit, in the words below its row. rules.md 17; 005010X279A1 2110C EB*F; decisions/0174, 0213.
import { DATE, datesOf } from '../../payer-text.ts'
import { phrases } from '../phrase-group.ts'

/** "20 of 20 visits used", "0 visits remaining"; "allowed 20 used 20", in which each number has its label. */
function isUsedUp(text: string): boolean {
  const [, used, limit] =
    /^\W*(?:ALL )?(\d+) (?:OF|OUT OF) (\d+)(?: (?:OFFICE )?(?:VISITS|DAYS))? (?:USED|EXHAUSTED)\b/.exec(text) ?? []
  if (used !== undefined) return Number(used) >= Number(limit)
  if (/^\W*(?:0|NO|ZERO)(?: OF \d+)? (?:OFFICE )?VISITS (?:REMAIN(?:ING)?|LEFT)\b/.test(text)) return true
  return LABELED_COUNTS.test(text) && areUsedUp(labeledCounts(text))
}

/** Nothing but counts and words for a limit and what is used or left of it: not "20 of 20 chiropractic visits used". */
const LABELED_COUNTS =
  /^(?=.*\b(?:USED|TAKEN|UTILIZED|COUNT|REMAIN(?:ING|S)?|LEFT)\b)[ ,:;=/-]*(?:(?:\d{1,3}|A|ALL|ALLOWED|ALLOWANCE|AVAILABLE|BENEFITS?|CAL|CALENDAR|COUNT|DAYS?|HAS|HAVE|LEFT|LIMIT|MAX|MAXIMUM|MEMBER|NO|NONE|OF|OFFICE|PATIENT|PER|PLAN|REMAIN(?:ING|S)?|SO FAR|TAKEN|THE|THIS|TO DATE|TOTAL|USED|UTILIZED|VISITS?|YEAR|YR|YTD|ZERO)(?:[ ,:;=/-]+|\W*$))+$/

interface Counts {
  allowed?: number
  used?: number
  left?: number
}

/** Each count by the label before it, if the text begins with one, and otherwise by the label after it. */
function labeledCounts(text: string): Counts {
  const [first = '', ...rest] = text.split(/\b(\d{1,3}|NO|NONE|ZERO)\b/)
  const isLabelFirst = roleOf(first) !== undefined
  const counts: Counts = {}
  for (let place = 0; place < rest.length; place += 2) {
    const role = roleOf((isLabelFirst ? (place === 0 ? first : rest[place - 1]) : rest[place + 1]) ?? '')
    const count = Number(rest[place])
    if (role) counts[role] ??= Number.isNaN(count) ? 0 : count
  }
  return counts
}

function roleOf(label: string): keyof Counts | undefined {
  if (/\b(?:USED|TAKEN|UTILIZED|COUNT)\b/.test(label)) return 'used'
  if (/\b(?:REMAIN(?:ING|S)?|LEFT)\b/.test(label)) return 'left'
  return /\b(?:ALLOWED|ALLOWANCE|LIMIT|MAX(?:IMUM)?|PER|OF)\b|^ ?\/ ?$/.test(label) ? 'allowed' : undefined
}

const areUsedUp = ({ allowed = 0, used = 0, left }: Counts) => left === 0 || (allowed > 0 && used >= allowed)

export const USED_UP = phrases({
  meaning: 'no visit is left of the limit of a service',
  source: 'Payers that write in MSG what they have used of a limit, in place of EB06 24 or 29',
  says: [
    {
      at: / -+ (?:THE )?(?:VISIT |BENEFIT )?(?:MAXIMUM|MAX|LIMIT)(?: (?:HAS|BEEN|IS|WAS))* (?:REACHED|MET|EXHAUSTED)\W*$/,
      before: [/^\W*(?:(?:PLAN|PAYS|UP|LIMITED|MAXIMUM|TO|OF) )*(?:\d+ (?:OFFICE )?VISITS|\$[\d,.]+)\b/],
      after: [],
    },
  ],
  holds: isUsedUp,
  examples: [
    '20 OF 20 VISITS USED',
    '0 VISITS REMAINING',
    'NO VISITS LEFT',
    'VISITS USED: 30 VISITS ALLOWED: 30',
    'ALLOWED 20 USED 20',
    '20 ALLOWED/20 USED',
    'USED 20 OF 20',
    'MAX 20 VISITS - USED TO DATE 20',
    '20 VISITS PER CAL YR, 20 USED YTD',
    'VISITS USED 20 REMAINING NONE',
    'VISIT COUNT 20/20',
    '20 VISITS PER YEAR - LIMIT MET',
    '30 VISITS PER CALENDAR YEAR - MAXIMUM HAS BEEN REACHED',
  ],
  counterexamples: [
    '5 OF 20 VISITS USED',
    '10 VISITS REMAINING',
    '20 OF 20 CHIROPRACTIC VISITS USED',
    'VISITS USED: 3 VISITS ALLOWED: 30',
    'ALLOWED 20 USED 2',
    '20 ALLOWED/0 USED',
    'VISITS USED 0 REMAINING 20',
    'VISIT LIMIT NONE USED 5',
    '20 VISITS PER YEAR - LIMIT NOT MET',
    '20 VISITS PER YEAR - AFTER LIMIT IS MET',
  ],
})

const CARE_OF_EYES_OR_TEETH =
  'EXAM(?:INATION)?S?|VISIT|SERVICE|CLEANING|PROPHY(?:LAXIS)?|X-?RAYS?|BITEWINGS?|COMPREHENSIVE|ROUTINE|EYE|VISION|DENTAL|ORAL'

export const NEXT_TIME = phrases({
  meaning: 'the day from which a service is covered again, which the patient had before',
  source: 'VSP, EyeMed, Davis Vision, Delta Dental: one exam in a service year',
  says: [
    /\bNEXT(?: [A-Z]+){0,3}? (?:ELIGIBLE|ELIGIBILITY|AVAILABLE|ALLOWED|COVERED|DUE|SERVICE DATE|EXAM DATE|VISIT DATE)\b|\bNEXT (?:ELIGIBLE|AVAILABLE)\b|\b(?:ELIGIBLE|AVAILABLE|COVERED) AGAIN\b|\bNO (?:FURTHER|MORE|ADDITIONAL|OTHER)(?: [A-Z]+){1,4} (?:UNTIL|BEFORE)\b/i,
    new RegExp(
      `^\\W*(?:(?:${CARE_OF_EYES_OR_TEETH})\\b[ :-]*)+(?:(?:IS|ARE|WILL|BE|BENEFIT) )*(?:ELIGIBLE|AVAILABLE|COVERED|ALLOWED)(?: (?:ON|AS OF|AFTER|FROM|BEGINNING|STARTING|DATE))*[ :-]+${DATE}\\W*$`,
      'i',
    ),
  ],
  unless: [/\b(?:FRAMES?|LENS(?:ES)?|CONTACTS?|MATERIALS|EYEWEAR|GLASSES|YEAR BEGINS)\b/i],
  examples: [
    'NEXT EXAM ELIGIBLE',
    'Next eligible 08/01/2026',
    'EXAM AVAILABLE AGAIN 08/01/2026',
    'NEXT SERVICE DATE',
    'EXAM ELIGIBLE 05/01/2026',
    'ROUTINE EYE EXAM: AVAILABLE ON 05/01/2026',
    'NO FURTHER EXAMS ELIGIBLE UNTIL 01/01/2027',
  ],
  counterexamples: ['NEXT FRAMES ELIGIBLE 2027', 'NEXT BENEFIT YEAR BEGINS 01/01/2027'],
})

const COUNTED = '(?:VISITS?|DAYS?|UNITS?|SESSIONS?|TREATMENTS?|EXAMS?|SERVICES?|BENEFITS?|PAYMENTS?|COVERAGE)'
const UP_TO = '(?:MAX(?:IMUM)?|LIMIT|ALLOWANCE|ALLOTMENT|CAP)'
const OF_LIMIT = `(?:THE|THIS|YOUR|ITS|MEMBER|PATIENT|HAS|ANNUAL|YEARLY|CALENDAR|YEAR|PLAN|POLICY|CONTRACT|PERIOD|DOLLAR|TOTAL|OVERALL|COMBINED|FREQUENCY|AMOUNT|NUMBER|OF|PER|REACHED|MET|${COUNTED})`
const IS = '(?:HAS|HAVE|BEEN|IS|ARE|WAS|WERE|ALREADY|NOW|FULLY)'
const WHEN =
  '(?: (?:FOR|IN|ON|AS OF|TO|DURING|THIS)(?: (?:THE|THIS|CURRENT|CALENDAR|BENEFIT|PLAN|CONTRACT|YEAR|PERIOD|DATE)| [\\d/-]+)*|[ :-]+\\d{1,4}[/-]\\d[\\d/-]*)?'

const GONE = '(?:REACHED|MET|HIT|EXHAUSTED|DEPLETED|EXCEEDED|USED UP|MAXED OUT)'
const PERSON = '(?:MEMBER|PATIENT|SUBSCRIBER|INSURED|ENROLLEE|RECIPIENT|BENEFICIARY|CLIENT|DEPENDENT)'

export const LIMIT_REACHED = phrases({
  meaning: 'nothing is left of the limit that the row states, in a clause of its own',
  source: 'TPAs and vendors of therapy and chiropractic care: "24 visits per year. Used 24. Limit reached"',
  says: [
    new RegExp(
      `^\\W*(?:${OF_LIMIT} )*${UP_TO}(?: ${OF_LIMIT})*? (?:(?:${IS} )*${GONE}|(?:${IS} )+(?:USED|PAID|SATISFIED|ATTAINED|UTILIZED))${WHEN}\\W*$`,
    ),
    new RegExp(
      `^\\W*ALL (?:(?:OF|THE|THESE|\\d+|COVERED|ALLOWED|AVAILABLE|ELIGIBLE) )*${COUNTED} (?:${IS} )*(?:USED(?: UP)?|EXHAUSTED|TAKEN|UTILIZED)${WHEN}\\W*$`,
    ),
    new RegExp(`^\\W*${COUNTED} (?:${IS} )*(?:MAXED OUT|DEPLETED|EXHAUSTED|USED UP)${WHEN}\\W*$`),
    new RegExp(
      `^\\W*(?:(?:THE |THIS )?${PERSON} )?(?:HAS|HAVE) (?:ALREADY |NOW )?(?:${GONE} (?:(?:THEIR|HIS|HER|${OF_LIMIT}) )*${UP_TO}|(?:USED|TAKEN|EXHAUSTED|USED UP) ALL (?:(?:OF|THE|THEIR|HIS|HER|\\d+|COVERED|ALLOWED|AVAILABLE) )*${COUNTED})${WHEN}\\W*$`,
    ),
    new RegExp(`^\\W*NOTHING (?:IS )?(?:LEFT|REMAINING|REMAINS)${WHEN}\\W*$`),
    new RegExp(
      `^\\W*NO (?:FURTHER|MORE|ADDITIONAL|OTHER|REMAINING) (?:COVERED )?${COUNTED}(?: (?:${IS}|WILL|BE|CAN))*(?: (?:AVAILABLE|COVERED|PAYABLE|PAID|ALLOWED|ELIGIBLE|AUTHORI[SZ]ED|LEFT|REMAIN(?:ING)?))?${WHEN}\\W*$`,
    ),
  ],
  unless: [
    /\b(?:IF|WHEN|WHENEVER|ONCE|UNLESS|NOT|MAY|AFTER|DEDUCTIBLE|POCKET|OOP|CO-?PAY\w*|CO-?INS\w*)\b/,
    /\bNO [A-Z]+ (?:COVERAGE|BENEFITS?|SERVICES?|PAYMENTS?)\W*$/,
  ],
  examples: [
    'LIMIT REACHED',
    'MAXIMUM MET',
    'MAXIMUM BENEFIT HAS BEEN PAID',
    'VISIT LIMIT HAS BEEN EXHAUSTED FOR THIS YEAR',
    'NO FURTHER VISITS ARE COVERED FOR THIS YEAR',
    'NO ADDITIONAL VISITS AVAILABLE',
    'NO MORE VISITS',
    'ALL VISITS HAVE BEEN USED',
    'VISITS MAXED OUT',
    'ALLOWANCE DEPLETED',
    'BENEFIT MAX HIT',
    'NOTHING LEFT FOR THIS YEAR',
    'NO MORE VISITS THIS YEAR',
    'MEMBER HAS REACHED THE LIMIT',
    'HAS USED ALL 20 VISITS',
  ],
  counterexamples: [
    'LIMIT NOT REACHED',
    'ONCE LIMIT IS MET',
    'OUT OF POCKET MAXIMUM MET',
    'LIMIT RESETS 01/01/2027',
    'NO ADDITIONAL COVERAGE',
    'ALL VISITS USED MUST BE REPORTED',
    'MAXIMUM PAID PER VISIT',
    'ANNUAL MAXIMUM USED',
    'MAXIMUM BENEFIT PAID',
    'MEMBER HAS USED 5 VISITS',
    'MEMBER HAS NOT REACHED THE LIMIT',
    'MEMBER HAS MET THE DEDUCTIBLE LIMIT',
    'NOTHING USED',
  ],
})

const OF_YEAR =
  '(?:(?:PER|A|EACH|EVERY|IN) (?:(?:THE|A|CALENDAR|CAL|BENEFIT|PLAN|CONTRACT|POLICY|SERVICE) )*(?:YEAR|YR|PERIOD)|ANNUALLY|ALLOWED|MAX(?:IMUM)?|LIMIT)'
/** The visits, days or units that a text allows in a year, and no rate: "24 visits per calendar year", "limited to 24 visits". */
const ALLOWED = new RegExp(
  `^(?!.*\\b(?:DAY|DAILY|WEEK|WEEKLY|MONTH|MONTHLY|EPISODE|ADMISSION)\\b).*?(?:\\b(\\d{1,3}) (?:[A-Z]+ )?(?:VISITS?|DAYS|UNITS?|SESSIONS?|TREATMENTS?) ${OF_YEAR}\\b|\\b(?:LIMIT(?:ED)?|MAX(?:IMUM)?|UP|ALLOWED)(?: (?:TO|OF))?[ :]+(\\d{1,3})\\b(?! ?[%/.]))`,
)

/** What a sentence allows, and what another says was used of it: "20 visits per year shared PT/OT/ST", "visits used 20". */
export function areCountsUsedUp(sentences: readonly string[]): boolean {
  const used = sentences.map((text) => (LABELED_COUNTS.test(text) ? labeledCounts(text).used : undefined))
  const most = Math.max(0, ...used.map((count) => count ?? 0))
  if (most === 0) return false
  return sentences.some((text, at) => {
    const limit = used[at] === undefined ? ALLOWED.exec(text) : null
    return limit !== null && Number(limit[1] ?? limit[2]) <= most
  })
}

/** The period of a limit, as far as its row states it: a calendar year; another one or a lifetime; not stated. */
type PeriodOfLimit = 'calendarYear' | 'other' | undefined

/**
 * True for a text about a limit of a year before that of the day: "visit limit was reached in 2025". A year that begins on another day than the calendar's may
 * include both: its days are not compared.
 */
export function isOfEarlierYear(text: string, period: PeriodOfLimit, day: string): boolean {
  if (period === 'other' || !/\d{2}/.test(text)) return false
  const capitals = text.toUpperCase()
  const dates = datesOf(capitals).map((date) => date?.slice(0, 4) ?? day)
  const years = [...dates, ...(capitals.match(/\b20\d\d\b(?![-/]\d)/g) ?? [])]
  if (years.length === 0 || years.some((year) => year >= day.slice(0, 4)) || STILL.test(capitals)) return false
  return (
    period === 'calendarYear' ||
    /\bCALENDAR YEAR\b/.test(capitals) ||
    (dates.length === 0 && BARE_YEAR.test(capitals) && !OTHER_YEAR.test(capitals))
  )
}

const STILL = /\b(?:LIFE ?TIME|SINCE|STILL|REMAINS|EFFECTIVE|BEGINNING|AS OF)\b/
const BARE_YEAR = /\b(?:IN|FOR|DURING|OF|YEAR) 20\d\d\b/
const OTHER_YEAR = /\b(?:BENEFIT|CONTRACT|FISCAL|PLAN|POLICY|SERVICE) (?:YEAR|PERIOD)\b/
