// Labels by which a number is what is used or left of another. decisions/0181, 0183.
import { LONGEST_LABEL, phrases, states } from '../phrase-group.ts'

/** A count or an amount that something is left of. */
const COUNTED =
  '(?:VISITS?|DAYS?|UNITS?|SESSIONS?|HOURS?|TREATMENTS?|BENEFITS?|ALLOWANCE|AMOUNT|DOLLARS|LIMIT|MAX(?:IMUM)?|DEDUCTIBLE|OOP|POCKET)'
const YEAR = '(?:(?:CALENDAR|BENEFIT|PLAN|CONTRACT) )?(?:YEAR|PERIOD)'

export const USAGE = phrases({
  meaning:
    'the number is the used or the remaining part, or what is available, in a row of a base period. "Has been met" is about the whole amount',
  source: 'Payers that label EB*C, EB*G and EB*F in EB05 or MSG instead of EB06; x12-271.md 4, EB05',
  says: [
    /^[^\d$%]*\b(?:REMAINING|REMAINDER|UNMET|OUTSTANDING|YTD|(?:YEAR )?TO DATE|(?:LEFT|STILL) (?:TO|OWED|DUE|AVAILABLE)|BALANCE OF)\b[^\d$%]*$/i,
    new RegExp(
      `^\\W*(?:[A-Z]+[ :,/+&-]+){0,6}?(?:MET|USED|TAKEN|UTILIZED|COMPLETED|CONSUMED|SPENT|SATISFIED|(?<=\\b(?:MEMBER|PATIENT) HAS )PAID|ACCUMULATED|APPLIED|REMAINS|BALANCE|(?:APPLIED|PAID|CREDITED) (?:TO|TOWARDS?)|${COUNTED} (?:LEFT|AVAILABLE|AUTHORIZED|APPROVED)|AVAILABLE ${COUNTED})(?:[ :-]+(?:INDIVIDUAL|FAMILY|MEMBER|BALANCE|DUE|SO FAR|OUT[ -]OF[ -]POCKET|${COUNTED}|(?:IN|PER|THIS|FOR(?: THE)?) ${YEAR}))*\\W*$`,
      'i',
    ),
  ],
  unless: [
    /\b(?:HAS(?! PAID\W*$)|HAVE|BEEN|BE(?! MET\W*$)|IS|ARE|NO|NOT|NONE|IF|WHEN|AFTER|UNTIL|ONCE|MUST|WILL|CAN|MAY|SHALL|APPL(?:Y|IES)|REQUIRE\w*|INCLU\w+|EXCLU\w+|EXCEPT|DOES|WAIVED|UNLESS|BEFORE|PAYS?|BILL\w*|WHERE|BASED|SUBJECT)\b/i,
  ],
  examples: [
    'DEDUCTIBLE MET',
    'Remaining',
    'INDIVIDUAL OUT OF POCKET USED',
    'YTD',
    'VISITS REMAINING',
    'NUMBER OF VISITS USED',
    'BALANCE',
    'REMAINING VISITS THIS CALENDAR YEAR',
    'ORTHO LIFETIME MAX REMAINING',
    'PT VISITS USED',
    'COMBINED THERAPY VISITS LEFT',
    'VISITS TAKEN THIS YEAR',
    'DEDUCTIBLE REMAINING TO BE MET',
    'UNMET FAMILY OUT OF POCKET',
    'AMOUNT APPLIED TO DEDUCTIBLE',
    'DAYS REMAINING IN BENEFIT PERIOD',
    'VISITS AVAILABLE',
    'REMAINING CHIROPRACTIC VISITS',
    'OUT OF POCKET STILL OWED',
    'VISITS AUTHORIZED',
  ],
  counterexamples: [
    'DEDUCTIBLE HAS BEEN MET',
    'DEDUCTIBLE',
    'NO DEDUCTIBLE APPLIED FOR GENERICS',
    '20 VISITS USED',
    'AFTER DEDUCTIBLE MET',
    'DEDUCTIBLE MUST BE MET',
    'MEMBER PAYS BALANCE',
    'HEARING AID - LEFT',
    'TELEHEALTH SERVICES AVAILABLE',
    'REMAINING VISITS REQUIRE AUTHORIZATION',
  ],
})

/** What a label says of its number: remaining, used, available and the like; undefined for other texts. */
export function usageNamed(label: string): string | undefined {
  if (label.length > LONGEST_LABEL || !states(USAGE, label)) return undefined
  if (/\b(?:remain|left|balance|unmet|outstanding|still|to be met)/i.test(label)) return 'remaining'
  return /\b(?:available|authorized|approved)/i.exec(label)?.[0].toLowerCase() ?? 'used'
}

/** True for a label that also says of what a number is used or left: ORTHODONTIC MAXIMUM USED, and not VISITS USED. */
export const saysMoreThanUsage = (label: string): boolean => !ONLY_USAGE.test(label)

const ONLY_USAGE =
  /^\W*(?:(?:remain\w*|left|balance|used|taken|utilized|met|available|authorized|approved|applied|satisfied|accumulated|amount|number|of|the|to|date|ytd|visits?|days?|units?|sessions?|hours?|benefits?|limit|max(?:imum)?|annual|year)(?:\W+|$))+$/i
