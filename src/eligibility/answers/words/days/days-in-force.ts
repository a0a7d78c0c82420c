// The days on which a coverage is in force, as the clauses of a payer's text state them: "eligible from 04/01/2026", "covered through 02/28/2026". The
// words are those of the grammar of denials. decisions/0112-a-grammar-of-days.md.
import { DATE, datesOf } from '../../payer-text.ts'
import { classesOf, countDates, letterOf, pattern } from '../denials/denial-classes.ts'
import { subjectOf } from '../denials/denial-subject.ts'

/** "Terminated effective 12/31/2026": the day is that of the end, which is for the grammar of denials. */
const EFFECTIVE_END =
  /\b((?:TERMINAT(?:ED|ION)|CANCELL?ED|CANCELLATION|DISENROLLED|DISENROLLMENT|ENDED|EXPIRED|LAPSED|DROPPED|REMOVED|DISCONTINUED|INACTIVE|CLOSED)(?: (?:IS|PENDING|REQUEST|REQUESTED|RECEIVED|IN|PROCESS|PROGRESS|BY|THE|EMPLOYER|GROUP|MEMBER|AND))*) EFFECTIVE\b/g

/** "Effective 04/01/2026 this group is moving to UMR": the day is that of the change. */
const EFFECTIVE_CHANGE = new RegExp(
  `\\b(?:EFFECTIVE|STARTING|BEGINNING)(?=(?: (?:DATE|ON))* ${DATE},? (?:THIS |THE |YOUR )?(?:GROUP|EMPLOYER|ACCOUNT|CLAIMS?|PLAN SPONSOR)(?: (?:IS|ARE|WILL|BE))* (?:MOV|TRANSFER|TRANSITION|CHANG|SWITCH))`,
  'g',
)

/** "Eligibility verified through 02/28/2026 only": the payer vouches for no later day. */
const VOUCHED =
  /\b(?:VERIFIED|CONFIRMED|GUARANTEED)(?= (?:ONLY )?(?:THROUGH|THRU|UNTIL|UP TO)\b)|\b(?<=\bELIGIBILITY )(?:INFORMATION|DATA) (?:IS )?(?:AVAILABLE|VALID|CURRENT)\b/g

/**
 * "COBRA premium paid through 02/28/2026": continuation coverage is in force as long as it is paid (26 CFR 54.4980B-8). Of other premiums, a day that has
 * passed may be within a grace period, which payers state as such.
 */
const PAID_THROUGH = new RegExp(
  `\\bCOBRA(?: (?:CONTINUATION|COVERAGE|MEMBER|ENROLLEE|ACTIVE|ELECTED|BENEFICIARY|PREMIUMS?|IS|ARE|HAS|HAVE|BEEN|CURRENTLY|ONLY))*[ :-]+PAID[ -](?:UP )?(?:ONLY )?(?:THROUGH|THRU|UNTIL|TO)(?: DATE)?(?: (?:IS|OF))?[ :-]*(?=${DATE})`,
  'g',
)

/** "Enrolled fall semester only 08/15/2025 - 01/11/2026": the part of a school year whose days follow. */
const OF_SCHOOL_YEAR = new RegExp(
  `\\b(?:FALL|SPRING|SUMMER|WINTER)(?: (?:SEMESTER|TERM|QUARTER|SESSION|COVERAGE|20\\d\\d))+(?: (?:ONLY|PERIOD))*(?=[ :,(-]+${DATE})`,
  'g',
)

/** `first`: in force from the first date. `last`: up to the first date. `span`: from the first to the second. */
export interface DaysInForce {
  kind: 'first' | 'last' | 'span'
  dates: readonly (string | undefined)[]
}

/** What the clauses of a text in capitals without abbreviations (`spellOut`) state about the days of the coverage. */
export function daysInForce(text: string): DaysInForce[] {
  const dates = datesOf(text)
  if (dates.length === 0) return []
  return classesOf(
    text
      .replace(EFFECTIVE_END, '$1 ON')
      .replace(EFFECTIVE_CHANGE, 'ON')
      .replace(OF_SCHOOL_YEAR, 'COVERAGE')
      .replace(VOUCHED, 'VALID')
      .replace(PAID_THROUGH, 'COVERAGE VALID THROUGH '),
  )
    .replace(SIGN_BEFORE_DATE, letterOf('link'))
    .split(CLAUSE_END)
    .flatMap((clause) => statementIn(clause, dates.splice(0, countDates(clause))) ?? [])
}

/** A date after a dash or comma belongs to what is before it: "coverage dates, 01/01/2026 - 12/31/2026". */
const SIGN_BEFORE_DATE = pattern('boundary (?=(link|preposition|time|colon)* date)', 'g')
const CLAUSE_END = pattern('(sentenceEnd|boundary)')

function statementIn(clause: string, dates: readonly (string | undefined)[]): DaysInForce | undefined {
  if (dates.length === 0 || DEPENDS.test(clause)) return undefined
  for (const [kind, statement] of STATEMENTS) {
    const found = statement.exec(clause)
    if (
      !found ||
      DENIED.test(clause.slice(0, found.index + found[0].length)) ||
      !isOwn(clause.slice(0, found.index), found[0])
    )
      continue
    const place = countDates(clause.slice(0, found.index))
    return { kind, dates: dates.slice(place, place + countDates(found[0])) }
  }
  return undefined
}

const DEPENDS = pattern('(condition|reinstated)')
/** A negation, which is for the grammar of denials; one after the days is another statement. */
const DENIED = pattern('(not|no|unableTo|failedTo)')

const OWN = '(coverage|person|inForce|insured)'
const BEFORE_DATE = '(small|time|colon|for|preposition|to|ahead)*'

const UNDER = '(preposition|for) (small|coverage|person|attribute|number|unknown|other)+'

/** In the order in which they are tried. */
const STATEMENTS: readonly (readonly [DaysInForce['kind'], RegExp])[] = [
  // "Eligible 01/01/2025 - 02/28/2026", "policy period: 01/01/2025 to 02/28/2026".
  [
    'span',
    pattern(`${OWN} attribute* ${BEFORE_DATE} (inForce ${BEFORE_DATE})? date (small|to|through|until|and)* date`),
  ],
  // "Covered through 02/28/2026", "coverage valid until 02/28/2026", "covered under group 12 through 02/28/2026".
  ['last', pattern(`${OWN} (small|inForce|time|colon)* (${UNDER})? (through|until|to) ${BEFORE_DATE} date`)],
  // "Member effective 04/01/2026", "coverage will start on 04/01/2026".
  [
    'first',
    pattern(
      `(inForce|insured|begins|begin) (preposition small* (coverage|person))? (inForce|small|time|colon|for|preposition|ahead)* date`,
    ),
  ],
]

/** True when the statement is about the coverage or the person, or names nothing. */
function isOwn(before: string, statement: string): boolean {
  const nouns = before + NOUNS.exec(statement)![0]
  const subject = subjectOf(nouns, { label: '', owners: '' })
  return (subject === 'own' && !ATTRIBUTE.test(nouns)) || subject === 'none'
}

/** "Renewal", "group"; not "status:". */
const ATTRIBUTE = pattern('^ (small|attribute)* attribute small* $')
const NOUNS = pattern('^ ((coverage|person) attribute*)?')
