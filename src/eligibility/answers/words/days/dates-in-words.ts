// Words by which payers state the days of a coverage in a text instead of a DTP. rules.md 17; decisions/0073.
import { DATE, MONTH_OF_YEAR } from '../../payer-text.ts'
import { OTHER_SUBJECT_OF_DENIAL } from '../denials/denied.ts'
import { phrases } from '../phrase-group.ts'
import { spellOut } from '../sentences/abbreviations.ts'
import { type DaysInForce, daysInForce } from './days-in-force.ts'

const BY = '(?: (?:DATE|AS|OF|ON|FROM|IS|WILL|BE|EFF|EFFECTIVE|(?:FOR|DUE TO) NON[ -]?PAYMENT))*[ :-]+'
/** Something other than the coverage that has a first and a last day. */
const OTHER_PERIOD =
  /\b(?:AUTHORI[SZ]ATIONS?|REFERRALS?|PCP|PROVIDER|YEAR|PERIOD|DEDUCTIBLES?|ACCUMULAT\w*|PREMIUMS?|GRACE|CARD|RIDER|WAIVER|HOSPICE|CERTIFICATION|RATES?|BENEFIT|OPEN|NEW)\b/

/** A statement of the grammar of days, with the dates of a text whatever they are. */
const states = (kind: DaysInForce['kind']) => (text: string) =>
  daysInForce(spellOut(text)).some((statement) => statement.kind === kind)

export const LAST_DAY = phrases({
  meaning: 'the last day of the coverage',
  source: 'UHC, Humana and Medicaid answers that keep EB01 1 after the end',
  says: [],
  holds: states('last'),
  examples: [
    'ACTIVE THROUGH 02/28/2026',
    'ACTIVE UNTIL 02/28/2026',
    'COVERED THRU 02/28/2026',
    'COVERAGE VALID THROUGH 02/28/2026',
    'ELIGIBILITY THROUGH DATE 02/28/2026',
    'CUBIERTA VIGENTE HASTA 28/02/2026',
  ],
  counterexamples: [
    'AUTHORIZATION VALID THROUGH 01/01/2026',
    'PRIOR COVERAGE THROUGH 12/31/2025',
    'MEMBER SINCE 02/28/26',
    'PREMIUM PAID THROUGH 02/28/2026',
    'COVERAGE PAID THROUGH 02/28/2026',
    'DATA CURRENT THROUGH 03/04/2026',
    'HOSPICE COVERED THROUGH 02/28/2026',
  ],
})

export const FIRST_DAY = phrases({
  meaning: 'the first day of the coverage',
  source: 'Employers and exchanges that enroll ahead of time',
  says: [],
  holds: states('first'),
  examples: [
    'EFFECTIVE DATE 05/01/2026',
    'THE EFFECTIVE DATE OF COVERAGE IS 04/01/2026',
    'COVERAGE GOES INTO EFFECT 04/01/2026',
    'FUTURE EFFECTIVE 07/01/26',
    'NEW MEMBER EFFECTIVE DATE 05/01/26',
    'COVERAGE BEGINS 04/01/2026',
    'ELIG BEG 04/01/26',
    '1ST DAY OF COVERAGE 04/01/2026',
    'POLICY WILL BE EFFECTIVE ON 04/01/2026',
    'PLAN STARTS 2026-04-01',
    'ACTIVE AS OF 04/01/2026',
    'STATUS: ACTIVE 04/01/2026',
    'MEMBER WILL BE ELIGIBLE ON 04/01/2026',
    'PATIENT BECOMES ELIGIBLE 04/01/2026',
    'ENROLLED EFFECTIVE 04/01/2026',
    'CUBIERTA EFECTIVA DESDE EL 1 DE ABRIL DE 2026',
  ],
  counterexamples: [
    'OTHER COVERAGE BEGINS 04/01/2026',
    'PLAN YEAR BEGINS 04/01/2026',
    'NEW BENEFITS EFFECTIVE 04/01/2026',
    'PCP EFFECTIVE DATE 05/01/2026',
    'RENEWAL EFFECTIVE 07/01/2026',
    'NEXT ELIGIBLE 06/12/2026',
    'ELIGIBLE FOR MEDICARE ON 05/14/2036',
    'BENEFIT AVAILABLE 07/01/2026',
    'IF COVERAGE BEGINS 04/01/2026',
  ],
})

const SERVICES =
  '(?:(?:ANY|ALL|FOR|OF|THE|MEDICAL|SERVICES?|CLAIMS|CARE|TREATMENT|EXPENSES|CHARGES|RENDERED|INCURRED|PROVIDED|PERFORMED|DATES?|ON|OR|WITH) )'
const NOT_PAID = '(?:(?:IS|ARE|WILL|BE) )*NOT (?:BE )?(?:COVERED|PAYABLE|PAID|ELIGIBLE)'
/** The words around a day before or after which nothing is paid. */
const beyond = (side: string) => [
  new RegExp(`\\bNO(?:T)? (?:COVERAGE|BENEFITS|COVERED|ELIGIBLE|PAYABLE|ELIGIBILITY) ${SERVICES}{0,6}${side} ${DATE}`),
  new RegExp(`\\b(?:SERVICES|CLAIMS|EXPENSES|CHARGES) ${SERVICES}{0,4}${side} ${DATE} ${NOT_PAID}\\b`),
]
const OTHER_SERVICE =
  /\b(?:IF|WHEN|UNLESS|DENTAL|VISION|PHARMACY|DRUGS?|MATERNITY|ORTHO\w*|AUTHORI[SZ]\w*|REFERRALS?|PRE-?EXISTING|FILED|SUBMITTED|NETWORK|NON[ -]?PAR\w*|WAIVER|PREVIOUS|OTHER)\b/

export const NOTHING_BEFORE = phrases({
  meaning: 'the day before which nothing is paid',
  source: 'Employers and TPAs; Medicaid of NC and IN',
  says: beyond('(?:PRIOR TO|BEFORE)'),
  unless: [OTHER_SERVICE],
  examples: [
    'NO COVERAGE FOR SERVICES RENDERED PRIOR TO 04/01/2026',
    'SERVICES BEFORE 04/01/2026 ARE NOT COVERED',
    'CLAIMS INCURRED PRIOR TO 04/01/2026 WILL NOT BE PAID',
  ],
  counterexamples: ['NO COVERAGE FOR DENTAL SERVICES BEFORE 04/01/2026'],
})

const THAT_DAY = '(?: (?:TO|THAT|THIS|THEN|IT|THE|EFFECTIVE|START|DATE|DAY))*'
const DAY_NAMED_BEFORE = new RegExp(
  `(?<=\\b(?:EFF\\w*|BEG[IA]N\\w*|START\\w*|AS OF|FROM|ON|DATE)[ :-]+(${DATE}).*\\b(?:NOT|NO) (?:[A-Z]+ ){1,3})(?:PRIOR|BEFORE)${THAT_DAY}\\W*$`,
)

/** A sentence with the day that it means in place of "prior": "new group effective 04/01/2026 - member not covered prior". */
export function withDayNamed(sentence: string): string {
  return sentence.replace(DAY_NAMED_BEFORE, (_words, date: string) => `PRIOR TO ${date}`)
}

export const NOTHING_AFTER = phrases({
  meaning: 'the day after which nothing is paid',
  source: 'Employers and TPAs; Medicaid of NC and IN',
  says: beyond('(?:AFTER|BEYOND)'),
  unless: [OTHER_SERVICE],
  examples: [
    'NO COVERAGE FOR SERVICES AFTER 02/28/2026',
    'SERVICES RENDERED AFTER 02/28/2026 ARE NOT COVERED',
    'NOT COVERED AFTER 02/28/2026',
  ],
  counterexamples: ['CLAIMS FILED AFTER 02/28/2026 WILL NOT BE PAID'],
})

/** The end of a plan's name that is a day, and not the day of its rates or network. */
const AT_END = `(?: (?:DATE|AS|OF|ON))*[ :-]+${DATE}\\W*$`
const OTHER_NAMED = /\b(?:RATES?|NETWORK|YEAR|PERIOD|RIDER|FORMULARY|AMENDMENT|REVISED|RENEW\w*)\b/

export const NAMED_FIRST_DAY = phrases({
  meaning: 'the first day of the coverage, in the name of its plan',
  source: 'TPAs that write it at the end of EB05',
  says: [new RegExp(`\\b(?:EFFECTIVE|BEG|BEGINS?|BEGINNING|STARTS?|STARTING|FROM)${AT_END}`)],
  unless: [OTHER_NAMED],
  examples: ['GOLD PPO EFFECTIVE 04/01/2026', 'SILVER HMO BEG 04/01/2026', 'CHOICE PLUS (EFFECTIVE 4/1/26)'],
  counterexamples: ['GOLD PPO RATES EFFECTIVE 04/01/2026', 'PPO 2026'],
})

export const NAMED_LAST_DAY = phrases({
  meaning: 'the last day of the coverage, in the name of its plan',
  source: 'TPAs that write it at the end of EB05',
  says: [
    new RegExp(`\\b(?:THRU|THROUGH|UNTIL)${AT_END}`),
    new RegExp(
      `\\b(?:PPO|HMO|EPO|POS|HDHP|HSA|PLAN) (?:TERM|TERMINATED|CANCELLED|EXPIRED|EXPIRES|ENDED|ENDS)${AT_END}`,
    ),
  ],
  unless: [OTHER_NAMED, /\b(?:PRIOR|PREVIOUS|FORMER|OTHER|OLD|DENTAL|VISION|PHARMACY|RX|DRUG|PART D)\b/],
  examples: ['GOLD PPO THRU 02/28/2026', 'BLUE CARD PPO TERM 02/28/2026', 'GOLD PPO 01/01/2025 THROUGH 12/31/2025'],
  counterexamples: ['PPO PLAN YEAR 01/01/2025 THRU 12/31/2025'],
})

const OF_COVERAGE =
  '(?:COVERAGE|POLICY|PLAN|ELIGIBILITY|BENEFITS|MEMBERSHIP|ENROLLMENT|MEMBER)(?: (?:IS|WAS|HAS|WILL|BE))*'

export const LAST_MONTH = phrases({
  meaning: 'the last month of the coverage',
  source: 'Medicaid of FL and MO; TPAs that bill by the month',
  says: [
    new RegExp(
      `\\b(?:(?:ACTIVE|EFFECTIVE|COVERED|ELIGIBLE|COVERAGE) (?:THROUGH|THRU|UNTIL|TO)|(?:LAST|FINAL) (?:MONTH OF (?:COVERAGE|ELIGIBILITY|BENEFITS|ENROLLMENT)|(?:COVERED|ELIGIBLE|ACTIVE|PAID) MONTH)(?: WAS)?|${OF_COVERAGE} (?:ENDS?|ENDED|EXPIRES|EXPIRED))${BY}(?:THE )?(?:END OF )?${MONTH_OF_YEAR}`,
    ),
    new RegExp(
      `(?<!\\bNOT )\\b(?:ACTIVE|COVERED|ELIGIBLE|ENROLLED) (?:FOR|IN|DURING)(?: (?:THE|SERVICE|MONTHS?|OF))* ${MONTH_OF_YEAR}\\W*$`,
    ),
  ],
  unless: [OTHER_SUBJECT_OF_DENIAL, OTHER_PERIOD],
  examples: [
    'LAST COVERED MONTH WAS FEB 2026',
    'ELIGIBLE FOR THE MONTH OF FEBRUARY 2026',
    'COVERED THROUGH FEB 2026',
    'ELIGIBLE THRU 02/2026',
    'COVERAGE ENDS FEBRUARY 2026',
    'LAST MONTH OF BENEFITS: FEBRUARY 2026',
  ],
  counterexamples: ['BENEFIT YEAR ENDS FEBRUARY 2026', 'PREMIUM PAID THROUGH FEB 2026'],
})

export const FIRST_MONTH = phrases({
  meaning: 'the first month of the coverage',
  source: 'Employers and exchanges that enroll ahead of time',
  says: [new RegExp(`\\b${OF_COVERAGE} (?:EFFECTIVE|BEGINS?|STARTS?)${BY}${MONTH_OF_YEAR}`)],
  unless: [OTHER_SUBJECT_OF_DENIAL, OTHER_PERIOD],
  examples: ['COVERAGE BEGINS APRIL 2026', 'POLICY EFFECTIVE 04/2026'],
  counterexamples: ['PLAN YEAR BEGINS APRIL 2026'],
})

export const SPAN = phrases({
  meaning: 'the first and the last day of the coverage',
  source: 'Medicaid of TX, FL and GA; TPAs',
  says: [],
  holds: states('span'),
  examples: [
    'EFFECTIVE 01/01/2025 THRU 02/28/2026',
    'COVERAGE WAS IN EFFECT FROM 05/01/24 TO 04/30/25',
    'COVERAGE DATES: 01/01/2025 - 02/28/2026',
    'ELIGIBILITY PERIOD: 01/01/2025-02/28/2026',
    'CONTRACT DATES: 01/01/2025 THRU 02/28/2026',
  ],
  counterexamples: [
    'BENEFIT PERIOD 01/01/2025 - 12/31/2025',
    'PREVIOUS COVERAGE 01/01/2024 - 12/31/2024',
    'RETROACTIVE COVERAGE 12/01/2025 - 02/28/2026',
    'AUTHORIZATION VALID 01/01/2026 - 02/28/2026',
  ],
})

/** Care that is no visit; "medical and dental waiting period" is of both. */
const OF_SOME_CARE =
  /^(?!.*\b(?:MEDICAL|HEALTH|ALL)\b).*\b(?:DENTAL|VISION|HEARING|ORTHO\w*|MAJOR|RX|PHARMACY|DRUGS?|MATERNITY|INFERTILITY|PRE-?EX\w*)\b/

export const WAITING = phrases({
  meaning: 'a time before the coverage pays, with its last day',
  source: 'Self-funded plans (29 CFR 2590.715-2708, waiting periods)',
  says: [
    new RegExp(
      `\\bWAITING PERIOD(?: FOR (?:(?:ALL|ANY|MEDICAL|HEALTH) )*(?:SERVICES|BENEFITS|COVERAGE|CARE))?(?:[ ,]+(?:IS|ENDS|UNTIL|THROUGH|THRU|TO|ON|WILL|BE|SATISFIED|MET|COMPLETED?|OVER|FULFILLED|SERVED))*[ :-]+${DATE}`,
    ),
  ],
  unless: [OF_SOME_CARE],
  examples: [
    'WAITING PERIOD ENDS 04/01/2026',
    'WAITING PERIOD: 04/01/2026',
    'MEDICAL AND DENTAL WAITING PERIOD ENDS 04/01/2026',
    'WAITING PERIOD FOR ALL SERVICES ENDS 04/01/2026',
    'BENEFITS BEGIN AFTER 90 DAY WAITING PERIOD, SATISFIED 04/15/2026',
  ],
  counterexamples: ['NO WAITING PERIOD', 'WAITING PERIOD OF 90 DAYS', 'DENTAL WAITING PERIOD ENDS 04/01/2026'],
})
