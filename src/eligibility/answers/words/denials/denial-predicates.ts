// The predicates of a denial: what in a clause says that something is ended, absent, unpaid or unknown. decisions/0100-a-grammar-of-denials.md.
import { type ClassName, nameOf, pattern } from './denial-classes.ts'

/** A predicate and what stands around it in its clause, as classes (denial-classes.ts). */
export interface Predicate {
  classes: string
  /** Its first class decides how it is read: "ended", "not ...", "no ...". */
  first: ClassName
  /** Its last class is what is denied, if it has several: "no ... coverage". */
  last: ClassName
  before: string
  after: string
}

/** The predicates of a clause, in their order. */
export function predicatesOf(clause: string): Predicate[] {
  return [...clause.matchAll(PREDICATE)].map(({ 0: classes, index }) => ({
    classes,
    first: nameOf(classes.at(0)!),
    last: nameOf(classes.at(-1)!),
    before: clause.slice(0, index),
    after: clause.slice(index + classes.length),
  }))
}

/** The longest form first. */
const PREDICATE = pattern(
  [
    // "Unable to verify".
    'unableTo (small|ahead|to)* (toVerify|fine)',
    // "Failed to pay".
    'failedTo small* duty',
    // "Not an eligible member", "not a member of this plan", "does not cover this patient".
    'not (small|fine|coverage)* (cover small*)? person',
    // "Not under the group policy".
    'not small* preposition (filler|attribute)* coverage',
    // "No active coverage", "no active segment", "no patient", "no premium".
    'no (small|fine)* (coverage* attribute|coverage+|(person|claims|premium))',
    // "Not active", "no longer covered", "not reinstated", "will not begin".
    '(not|no) small* (fine|reinstated|begin)',
    // "Terminated", "ineligible", "delinquent", "termination", "ends".
    '(ended|ineligible|unpaid|missed|event|term|ends)',
    // "Moved to Aetna".
    'moved',
    // "Status: T".
    '(?<=attribute colon) termCode',
    // "Eligibility: N", "coverage status none", "active flag N".
    '(?<=(coverage|fine) attribute* colon small*|(coverage|fine) attribute) (?<! (^|boundary) small* kind colon small*) (none|no) (?=(time|date)* ($|(other|unknown)+ colon))',
  ].join('|'),
  'g',
)

/** True when the predicate denies what is good, and false when it states what is bad: "not active", "terminated". */
export function isNegation({ first }: Predicate): boolean {
  return NEGATIONS.includes(first)
}

const NEGATIONS: readonly ClassName[] = ['not', 'no', 'unableTo', 'failedTo', 'none']

/** True when the clause denies the predicate: "not terminated", "no lapse"; "incarcerated: no". */
export function isNegated(predicate: Predicate): boolean {
  const { first, before, after } = predicate
  if (first === 'none') return VALUE_OF_ENDED.test(before)
  return !isNegation(predicate) && (NEGATED.test(before) || ANSWERED_NO.test(after))
}

/** "Pending benefits: none". */
const VALUE_OF_ENDED = pattern('ended (small|coverage|attribute)* colon $')

const NEGATED = pattern('(not|no|unableTo) (small|fine|ended)* $')
/** NO before a noun belongs to the noun: "terminated: no coverage". */
const ANSWERED_NO = pattern(`
  ^ (small|coverage|attribute|reason|time)* colon small*
  (no|none) (?=$|(premium|number|date|colon|and|none|ends|term|termCode|missed|reinstated|shows|to|until))`)

/** True when the predicate lies ahead, is possible or demanded: "will be terminated". */
export function isAhead({ before }: Predicate): boolean {
  return AHEAD.test(before)
}

/** The end of what comes before such a predicate. */
export const AHEAD = pattern('(ahead|to) small* $')

/** True when the first date after the predicate is the last day of the coverage: "ends 02/28/2026", "will be terminated on 02/28/2026". */
export function hasLastDay(predicate: Predicate): boolean {
  if (!ENDS.includes(predicate.first) || !DAY_FOLLOWS.test(predicate.after)) return false
  return predicate.first !== 'ended' || isAhead(predicate)
}

const ENDS: readonly ClassName[] = ['ended', 'term', 'ends', 'event']
/** "Termination effective date: 02/28/2026", "termination date will be 02/28/2026". */
const DAY_FOLLOWS = pattern('^ (reason|small|fine|preposition|for|to|ahead|time|unpaid|coverage|colon)* date')

/**
 * The days that the dates of a denial deny: those from a date on, before it ("not covered until 04/01/2026"), up to it ("suspended through
 * 05/31/2026"), between two, or those after the last day of the coverage ("ends 02/28/2026").
 */
export type DeniedSpan = 'from' | 'before' | 'through' | 'between' | 'after'

export function spanOf(predicate: Predicate): DeniedSpan {
  const { classes, before, after } = predicate
  if (hasLastDay(predicate)) return 'after'
  // What ended through a day ended then.
  if (LASTS.test(classes)) {
    if (THROUGH_FOLLOWS.test(after)) return 'through'
    if (SPAN_FOLLOWS.test(after)) return 'between'
  }
  if (UNTIL_FOLLOWS.test(after)) return isNegation(predicate) || predicate.first === 'ended' ? 'before' : 'from'
  return isNegation(predicate) && UNTIL_PRECEDES.test(before) ? 'before' : 'from'
}

const LASTS = pattern('^ (paused|lasting|putOff|ineligible) $ | ^ not small* fine $ | ^ no (small|fine)* coverage+ $')
/** "Suspended at the request of the employer through 06/30/2026". */
const THROUGH_FOLLOWS = pattern('^ (reason (small|person|attribute)* | small*) through small* date')
/** "Suspended from 01/01/2026 to 01/31/2026". */
const SPAN_FOLLOWS = pattern('^ (small|preposition|for|time)* date small* (through|until|to|and) small* date')
const UNTIL_FOLLOWS = pattern('^ small* until date')
/** "Services before 04/01/2026 are not covered". */
const UNTIL_PRECEDES = pattern('until small* date (small|ahead)* $')
