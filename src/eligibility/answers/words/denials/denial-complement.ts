// Whether a predicate is about the coverage as a whole, by the words after it. decisions/0100-a-grammar-of-denials.md.
import { type ClassName, pattern } from './denial-classes.ts'
import type { Predicate } from './denial-predicates.ts'
import type { Subject } from './denial-subject.ts'

/** Whether a predicate is about the coverage, by the classes after it without small words and colons before them (`rest`). */
export function concernsCoverage({ classes, first, last }: Predicate, subject: Subject, rest: string): boolean {
  switch (first) {
    case 'none':
      return true
    case 'ends':
      return false
    case 'term':
    case 'termCode':
      return subject === 'own' ? REASON_OR_END.test(rest) : subject === 'none' && BY_REASON.test(rest)
    case 'event':
      return !STILL_POSSIBLE.test(rest) && AFTER_EVENT.test(rest)
    case 'missed':
      return !STILL_POSSIBLE.test(rest) && isPremiumMissed(subject, rest)
    case 'unpaid':
      return !STILL_POSSIBLE.test(rest) && isUnpaid(subject, rest)
    case 'moved':
      return (subject === 'own' || (subject === 'none' && GONE.test(classes))) && PROPER_NAME.test(rest)
    case 'ended':
      return !STILL_POSSIBLE.test(rest) && isEnded(subject, rest)
    case 'failedTo':
      if (subject === 'none' && AHEAD_FOLLOWS.test(rest)) return false
      return !OTHER_AFTER_DUTY.test(rest) || OWN_AFTER_DUTY.test(rest)
    case 'unableTo':
      return last === 'toVerify' ? OWN_OBJECT.test(rest) : isWhole(rest, subject)
    case 'no':
      return isAbsent(classes, last, subject, rest)
    default:
      if (subject === 'premium') return last === 'confirmed' && !OTHER_FOLLOWS.test(rest)
      return isWhole(rest, subject, last)
  }
}

/** "Term due to nonpayment", "status: T 02/28/2026". */
const REASON_OR_END = pattern('^ (reason|date|$)')
/** "Term for nonpayment", "term nonpayment". */
const BY_REASON = pattern('^ (reason (?!colon) | unpaid)')
const GONE = pattern('^ goneTo $')
/** Words that are in no list, which may be the name of a payer. */
const PROPER_NAME = pattern(
  '^ unknown (unknown|filler|and|preposition unknown)* (small|time|preposition|date|inForce)* $',
)
/** "Past due premiums must be paid", "nonpayment of premium will result in termination". */
const STILL_POSSIBLE = pattern('^ (confirmed | (preposition small*)? premium)? ahead')
/** "Termination due to nonpayment", "termination 02/28/2026", "termination: yes" (Y is also the Spanish AND), "lapse in coverage"; not "lapse reason: none". */
const AFTER_EVENT = pattern(`
  ^ (reason (?!colon) | date | $ | confirmed | (yes|and) $ | (preposition|for) (small|fine)* (coverage|person) (?!other|unknown|claims))`)
/** "Failure to renew will result in termination". */
const AHEAD_FOLLOWS = pattern('ahead')
/** "Did not pay for dental": the words after what was to be done. */
const OTHER_AFTER_DUTY = pattern('^ (for|preposition)? (small|fine|unknown)* other')
/** "Did not complete dental form for coverage". */
const OWN_AFTER_DUTY = pattern('(coverage|attribute|premium)')
/** "Not paid for dental", of a premium. */
const OTHER_FOLLOWS = pattern('^ (for|preposition|to) (small|fine|unknown)* other')

/** True for "premium missed" and "missed premium payment", and not for a visit or a person. */
function isPremiumMissed(subject: Subject, rest: string): boolean {
  return subject === 'premium' ? !OTHER_MISSED.test(rest) : subject === 'none' && PREMIUM_FOLLOWS.test(rest)
}

/** "Premium outstanding for dental". */
const OTHER_MISSED = pattern('^ (for|preposition|to)? (small|unknown)* other')
const PREMIUM_FOLLOWS = pattern('^ small* premium')

/** True for "member delinquent", "past due premium", and not for "past due invoices". */
function isUnpaid(subject: Subject, rest: string): boolean {
  if (PREMIUM_PAID.test(rest)) return false
  return subject === 'none' ? PREMIUM_UNPAID.test(rest) : !OTHER_UNPAID.test(rest)
}

/** "Delinquent", "delinquent 01/01/2026", "delinquency 90 days", "delinquent status: 60 days", "arrears in premiums", "nonpayment term". */
const PREMIUM_UNPAID = pattern(
  '^ ($ | reason | time* date | (attribute|colon)* number+ $ | (term|event) ($|date) | (preposition|and)? small* premium)',
)
/** "Past due premium received". */
const PREMIUM_PAID = pattern('^ (preposition|and)? small* premium small* confirmed')
/** "Member owing for dental". */
const OTHER_UNPAID = pattern('^ (for|preposition)? (small|unknown)* other')

/** True for "coverage terminated", "terminated for this member", and not for "suspended claims", "pending authorization". */
function isEnded(subject: Subject, rest: string): boolean {
  if (subject !== 'none') return !OTHER_ENDED.test(rest)
  return FOR_NONPAYMENT.test(rest) || (AFTER_ENDED.test(rest) && !OTHER_OBJECT.test(rest))
}

/** "Member terminated from dental", "member exhausted 20 of 20 chiropractic visits". */
const OTHER_ENDED = pattern(`
  ^ (claims | (for|preposition) (small|fine|unknown)* other | number (small|preposition|number|unknown)* other)`)
/** Without a subject: "terminated due to nonpayment", "terminated 02/28/2026", "waived coverage"; not "terminated XYZ". */
const AFTER_ENDED = pattern(`
  ^ ($ | (confirmed|attribute) (small|preposition|time|colon)* date | attribute+ colon? small* (yes|and) ($ | (unknown|other|attribute)+ colon) | (for|preposition|reason|time|to|date|until|and|colon|coverage|number|link|person|ended|yes))`)
/** "Pended XYZ for nonpayment", "pended XYZ due to premium". */
const FOR_NONPAYMENT = pattern('^ (small|unknown|attribute)* reason ($ | small* (premium|unpaid))')
/** "Pending dental coverage", "suspended for member services". */
const OTHER_OBJECT = pattern('^ (for|preposition|coverage)? (small|fine)* (coverage|person)* (other|unknown|claims)')

/** True for "no coverage", "no active segment", "no patient found", "no payment received", and in Spanish "no elegible". */
function isAbsent(classes: string, last: ClassName, subject: Subject, rest: string): boolean {
  switch (last) {
    case 'premium':
      return RECEIVED.test(rest)
    case 'attribute':
      return IN_FORCE.test(classes) && isWhole(rest, subject)
    case 'no':
      return true
    case 'person':
      return rest === '' || FOUND.test(rest)
    default:
      return isWhole(rest.replace(FOUND, ''), subject)
  }
}

/** "... received", and no claim or service after it. */
const RECEIVED = pattern('^ small* confirmed (?! .* (other|claims))')
const IN_FORCE = pattern('fine')
/** "... found", "... on file". */
const FOUND = pattern('^ small* fine')

/** True when what is denied is the coverage as a whole, and not a service, place or condition: "not eligible for ..." */
function isWhole(rest: string, subject: Subject, last?: ClassName): boolean {
  if (OTHER_NOUN.test(rest)) return false
  if (UNTIL.test(rest)) return subject === 'own' || UNTIL_DATE.test(rest) || UNTIL_OWN.test(rest)
  if (last === 'confirmed' && IN_PLACE.test(rest)) return !IN_OTHER.test(rest)
  return !WITH_NOUN.test(rest) || WITH_OWN_NOUN.test(rest)
}

/** "Not eligible transportation", "not covered status". */
const OTHER_NOUN = pattern('^ (other|unknown|claims|no|attribute)')
/** "Not covered until approved" is a condition of a service, unless the subject is the coverage or a date follows. */
const UNTIL = pattern('^ until')
const UNTIL_DATE = pattern('^ until date')
/** "Not eligible until citizenship is documented", "not effective until the premium is received": what the coverage waits for, not a service. */
const UNTIL_OWN = pattern('^ until small* (attribute|premium|coverage small* (fine|reinstated)) (?!.*(other|claims))')
/** "Not found in our files", "not active with this plan", where an unknown noun is a place; not "not effective with dental". */
const IN_PLACE = pattern('^ (preposition|to)')
const IN_OTHER = pattern('^ (preposition|to) (small|fine)* (other|claims)')
const WITH_NOUN = pattern('^ (for|preposition|to)')

/** A noun about the coverage, the person or the day that is not part of another one. */
const OWN_NOUN = `
  (small|fine)*
  (
    (coverage|person|attribute|premium)* (time|date)
    | ((coverage|person|attribute|premium) | number $)+ (?!other|unknown|claims|preposition small* other)
  )`
/** "Not eligible for Medicaid", "not eligible on 01/01/2026"; not "not eligible for member services". */
const WITH_OWN_NOUN = pattern(`^ (for|preposition|to) ${OWN_NOUN}`)
/** "Unable to verify coverage", "unable to verify XYZ coverage"; not "unable to verify coverage limits". */
const OWN_OBJECT = pattern(`^ small* unknown? small* unknown? ${OWN_NOUN}`)
