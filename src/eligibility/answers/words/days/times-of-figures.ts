// Labels by which a figure is of another time than the date of service, in place of a DTP. decisions/0183.
import { DATE } from '../../payer-text.ts'
import { phrases } from '../phrase-group.ts'

const OTHER_SUBJECT =
  /\b(?:AUTH\w*|CERT\w*|REFERRALS?|PCP|PROVIDERS?|PREMIUMS?|CARD|NETWORK|INFORMATION|DATA|CLAIMS|PROCESSED|IF|UNLESS)\b/

export const OTHER_YEAR = phrases({
  meaning: 'a figure is of the year before or after that of the date of service',
  source: 'Payers that send the figures of two plan years in one answer',
  says: [
    /\b(?:PRIOR|PREVIOUS|LAST|PAST|NEXT|UPCOMING|FUTURE) (?:(?:PLAN|BENEFIT|CALENDAR|CONTRACT|SERVICE|POLICY) )?(?:YEAR|PERIOD)\b/,
  ],
  unless: [OTHER_SUBJECT, /\b(?:CREDIT\w*|CARR\w*|INCLU\w+|UNTIL|BEGINS?|STARTS?|RESETS?|RENEWS?|ROLL\w*|APPL\w+)\b/],
  examples: ['PRIOR YEAR', 'NEXT PLAN YEAR', 'DEDUCTIBLE - PREVIOUS BENEFIT YEAR'],
  counterexamples: ['CALENDAR YEAR', 'NEXT BENEFIT YEAR BEGINS 01/01/2027', 'INCLUDES PRIOR YEAR CREDIT'],
})

const FIGURE =
  'DED(?:UCTIBLE)?|OUT[ -]OF[ -]POCKET|OOP|CO-?PAY(?:MENT)?|CO-?INSURANCE|MAX(?:IMUM)?|LIMIT|AMOUNT|REMAINING|MET|USED|INDIVIDUAL|FAMILY|ANNUAL|CALENDAR|CONTRACT|SERVICE|BENEFITS?|PLAN|POLICY|YEAR|PERIOD|FOR|THE|OF|VISITS?|ACCUMULAT(?:OR|ED)'

export const YEAR_OF_FIGURE = phrases({
  meaning: 'a figure is that of the year that its label names',
  source: 'Payers that send the figures of two plan years in one answer',
  says: [
    new RegExp(`^[ :(-]*(?:(?:${FIGURE})[ :/-]+)*20\\d\\d(?: ?[/-] ?(?:20)?\\d\\d)?(?:[ :/-]+(?:${FIGURE}))*\\W*$`),
  ],
  examples: ['2025 DEDUCTIBLE', 'PLAN YEAR 2025', '2026', 'OUT OF POCKET - 2025-2026 BENEFIT YEAR'],
  counterexamples: ['GOLD PPO 2025', '$2025', 'SERVICES OF 2025 ARE COVERED'],
})

const AT = `(?: (?:DATE|AS|OF|ON))*[ :-]+${DATE}\\W*$`

export const FIRST_DAY_OF_FIGURE = phrases({
  meaning: 'the first day on which a figure is owed',
  source: 'Employers that change their plans within a year',
  says: [
    new RegExp(`^\\W*(?:[A-Z]+ ){0,3}(?:EFF|EFFECTIVE|BEG|BEGINS?|BEGINNING|STARTS?|STARTING|FROM|AFTER|AS OF)${AT}`),
  ],
  unless: [OTHER_SUBJECT],
  examples: ['EFFECTIVE 07/01/2026', 'COPAY BEGINNING 01/01/2027', 'EFF DATE 04/01/26', 'AS OF 01/01/2027'],
  counterexamples: ['AUTHORIZATION EFFECTIVE 07/01/2026', 'PLAN YEAR BEGINS 01/01'],
})

export const LAST_DAY_OF_FIGURE = phrases({
  meaning: 'the last day on which a figure is owed',
  source: 'Employers that change their plans within a year',
  says: [new RegExp(`^\\W*(?:[A-Z]+ ){0,3}(?:THRU|THROUGH|UNTIL|END(?:S|ED|ING)?|EXPIRE[SD]?|BEFORE|PRIOR TO)${AT}`)],
  unless: [OTHER_SUBJECT],
  examples: ['THROUGH 12/31/2025', 'ENDED 12/31/2025', 'COPAY UNTIL 06/30/2026'],
  counterexamples: ['CLAIMS PROCESSED THROUGH 03/01/2026', 'PREMIUM PAID THROUGH 02/28/2026'],
})

export const DAYS_OF_FIGURE = phrases({
  meaning: 'the first and the last day of the year that a figure is of',
  source: 'Payers that send the figures of two plan years in one answer',
  says: [new RegExp(`^[ :(-]*(?:(?:${FIGURE}|FROM|DATES?)[ :/-]+)*${DATE} ?(?:-|TO|THRU|THROUGH) ?${DATE}\\W*$`)],
  examples: ['PLAN YEAR 01/01/2025 - 12/31/2025', '07/01/2025 THRU 06/30/2026'],
  counterexamples: ['HOSPITAL STAY 01/01/2025 - 01/05/2025'],
})
