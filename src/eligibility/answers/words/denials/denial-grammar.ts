// The grammar of a denial: whether a clause of a payer's text states that the coverage is ended, absent, unpaid or unknown. Words are replaced by
// their classes (denial-classes.ts), over which patterns are written. A denial is a predicate (denial-predicates.ts), whose subject
// (denial-subject.ts) and complement (denial-complement.ts) are the coverage. decisions/0100-a-grammar-of-denials.md.
import { datesOf } from '../../payer-text.ts'
import { classesOf, countDates, letterOf, pattern, wordsOfClasses } from './denial-classes.ts'
import { concernsCoverage } from './denial-complement.ts'
import {
  type DeniedSpan,
  hasLastDay,
  isAhead,
  isNegated,
  isNegation,
  type Predicate,
  predicatesOf,
  spanOf,
} from './denial-predicates.ts'
import { type Labels, type Subject, subjectOf } from './denial-subject.ts'
import { withMainClause } from './relative-clauses.ts'

/** Texts without any of these words deny nothing; most texts have none. */
export const DENIAL_WORDS = new RegExp(
  `\\b(?:${wordsOfClasses([
    'ended',
    'ends',
    'moved',
    'term',
    'event',
    'ineligible',
    'unpaid',
    'missed',
    'not',
    'no',
    'none',
    'failedTo',
    'unableTo',
  ])})\\b|N'T\\b|\\b(?:TO|BY) (?:AN? |THE )?(?:ANOTHER|NEW|DIFFERENT|OTHER)\\b|\\b(?:HOLD|LEFT)\\b|\\bSTA?T?(?:US|S)?(?: CODE)? ?[:=]`,
)

/** What a clause denies. */
export interface Denial {
  /** A premium is not paid: a date beside it is not the day of the denial. */
  isUnpaid: boolean
  /** Which days its dates deny. */
  span: DeniedSpan
  /** YYYY-MM-DD; undefined for a day that is not in the calendar. */
  dates: readonly (string | undefined)[]
}

/** The clauses of a text in capitals without abbreviations (`spellOut`) that deny the coverage; not those that are a condition, lie ahead, or are about something else. */
export function denialsIn(text: string): Denial[] {
  const statement = withMainClause(text)
  const dates = datesOf(statement)
  return classesOf(statement)
    .split(SENTENCE_END)
    .flatMap((sentence) => denialsOf(sentence, dates.splice(0, countDates(sentence))))
}

const SENTENCE_END = letterOf('sentenceEnd')
const BOUNDARY = letterOf('boundary')

function denialsOf(sentence: string, dates: (string | undefined)[]): Denial[] {
  if (WITHDRAWN.test(sentence)) return []
  const found: Denial[] = []
  let label = ''
  let owners = ''
  for (const clause of sentence.replace(DATE_AFTER_BOUNDARY, letterOf('link')).split(BOUNDARY)) {
    const days = dates.splice(0, countDates(clause))
    const predicates = predicatesOf(clause)
    if (CONDITIONAL.test(clause)) {
      if (STARTS_WITH_CONDITION.test(clause)) return found
      found.push(...endsBefore(clause, { label, owners }, days))
    } else {
      for (const predicate of predicates) {
        const denial = denialBy(predicate, { label, owners })
        if (denial) found.push({ ...denial, dates: daysOf(predicate, days) })
      }
    }
    label = predicates.length === 0 ? clause : ''
    owners = predicates.length === 0 ? owners + clause : ''
  }
  return found
}

/** What ended on a day before the condition: "eligibility ended 02/28/2026 unless self-payment is made". Without a day it depends on the condition. */
function endsBefore(clause: string, labels: Labels, days: (string | undefined)[]): Denial[] {
  const statement = ENDED_ON.exec(clause)?.[0]
  if (statement === undefined) return []
  return predicatesOf(statement).flatMap((predicate) => {
    const denial = denialBy(predicate, labels)
    return denial ? [{ ...denial, dates: days.slice(0, countDates(statement)) }] : []
  })
}
const ENDED_ON = pattern('^ (?:(?!condition).)*? (ended|event) (small|time|preposition)* date (?= small* condition)')

/** A sentence that ends well: "coverage was reinstated", "termination was reversed"; not "coverage was not reinstated". */
const WITHDRAWN = pattern(`
  (?<!(not|no|ahead|to|condition) (small|fine)*) reinstated
  | event (small|colon)* (ended|reinstated)`)
/** A date that stands alone belongs to the clause before it: "coverage ended, 02/28/2026". */
const DATE_AFTER_BOUNDARY = pattern('boundary (?=(link|preposition|time|colon)* date (boundary|$))', 'g')
const CONDITIONAL = pattern('condition')
/** What follows the condition depends on it: "if the premium is late, coverage is terminated". */
const STARTS_WITH_CONDITION = pattern('^ (small|and)* (?!purpose) condition')

/** The dates after a predicate, or those before it if none follow. */
function daysOf({ before }: Predicate, days: (string | undefined)[]): (string | undefined)[] {
  const after = days.slice(countDates(before))
  return after.length > 0 ? after : days
}

function denialBy(predicate: Predicate, labels: Labels): Omit<Denial, 'dates'> | undefined {
  if (isNegated(predicate)) return undefined
  const subject = subjectOf(predicate.before, labels)
  const isDenial = subject === 'claims' ? holdsClaims(predicate) : deniesCoverage(predicate, subject)
  if (!isDenial) return undefined
  const isUnpaid = subject === 'premium' || ['unpaid', 'missed', 'premium'].includes(predicate.last)
  return { isUnpaid, span: spanOf(predicate) }
}

/** "Claims will be denied" for all services, and not those of one kind or after a day. */
function holdsClaims({ classes, before, after }: Predicate): boolean {
  return (
    HELD.test(classes) &&
    !NO_CLAIMS.test(before) &&
    ((CLAIMS_ARE.test(before) && AFTER_HELD.test(after)) ||
      UNTIL_PAID.test(after) ||
      FOR_REASON.test(after) ||
      (PAUSED.test(classes) && OF_GROUP.test(after)))
  )
}

/** "Claims are", "claims will", "all claims". */
const CLAIMS_ARE = pattern('((link|ahead) | ^ filler claims) $')
/** "Suspended", "denied", "not paid". */
const HELD = pattern('^ (ended | ineligible | not small* fine) $')
/** "... due to nonpayment", "... until the premium is paid", "... pending payment", "... pending COB information". */
const AFTER_HELD = pattern(
  '^ (small* through small* date small*)? ((reason | until | ended premium | ended small* attribute) .*)? $',
)

/** "No claims on hold", "late claims will be denied". */
const NO_CLAIMS = pattern('(no|not|missed) small* claims (link|ahead)* $')
/** "Claims on hold", "claims on hold at the request of the employer", "claims on hold since 02/01/2026". */
const PAUSED = pattern('^ paused $')
const OF_GROUP = pattern(`
  ^ ((reason | for | preposition) small* (person|attribute)+)? (small|time|through)* date? $
  | ^ small* through small* date small* (reason | for | preposition) small* (person|attribute)+ $`)

/** Whether a predicate with a subject other than claims denies the coverage. */
function deniesCoverage(predicate: Predicate, subject: Subject): boolean {
  const { classes, last, after } = predicate
  const rest = after.replace(SMALL_AT_START, '')
  if (last === 'claims') return WILL_BE_PAID.test(rest)
  if (subject === 'other') return false
  if (subject === 'premium' && PUT_OFF.test(classes)) return false
  if (subject === 'label' && !DENIES_ALONE.test(classes)) return false
  if (subject === 'unknown' && !namesCoverage(predicate, rest)) return false
  if (subject === 'none' && rest === '' && WAIVED.test(classes)) return false
  if (hasLastDay(predicate)) return true
  if (!isNegation(predicate) && isAhead(predicate)) return false
  return concernsCoverage(predicate, subject === 'label' ? 'none' : subject, rest)
}

/** A premium that the payer lets the person pay later. */
const PUT_OFF = pattern('^ (putOff|waived) $')
/** A copay or deductible, which the row shows. */
const WAIVED = pattern('^ waived $')
const SMALL_AT_START = pattern('^ (small|colon)+')
/** "Claims suspended due to lack of funding", "claims on hold pending payment from employer". */
const UNTIL_PAID = pattern(
  '^ (reason|ended|for) (small|no|preposition)* (premium|unpaid) (preposition small* person)? $',
)
/** "Claims pended through 04/30/2026 for nonpayment". */
const FOR_REASON = pattern('^ (small* through small* date small*)? reason (small* through small* date)? $')
/** "No claims will be paid". */
const WILL_BE_PAID = pattern('^ ahead small* fine ($|until|reason)')
/** After the name of a plan or an unknown noun: "GOLD 500 - terminated", "GOLD 500 - not active", "GOLD 500 - no active coverage". */
const DENIES_ALONE = pattern(
  '^ (ended|event|term|ends|unpaid) | ^ not small* confirmed $ | ^ no .* (fine .* coverage|attribute) $',
)

/** True when the predicate itself names the coverage, whatever the subject is: "... has no coverage", "... ended the coverage". */
function namesCoverage({ classes, first }: Predicate, rest: string): boolean {
  return HAS_NO_COVERAGE.test(classes) || (first === 'ended' && COVERAGE_FOLLOWS.test(rest))
}

/** "No coverage", "no active record", "not an eligible member", "does not cover this member". */
const HAS_NO_COVERAGE = pattern('^ no .* (coverage|attribute|person) $ | ^ not (small+|cover) .* person $')
/** "Coverage"; not "coverage limits". */
const COVERAGE_FOLLOWS = pattern('^ coverage (?!unknown|other|attribute|claims)')
