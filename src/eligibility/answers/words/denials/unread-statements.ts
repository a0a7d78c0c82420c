// Statements about the coverage or the patient that are understood neither as a denial (denial-grammar.ts) nor as harmless. Lists of words cannot
// hold every way to say that a coverage is over, so that a person has to read these. decisions/0198-statements-that-nobody-understands.md.

import { cachedByName } from '../names/known-names.ts'
import { spellOut } from '../sentences/abbreviations.ts'
import { classesOf, pattern } from './denial-classes.ts'

/** What a statement is about: the person, the coverage, or who insures them. */
const OWN =
  '(?:APPLICANT|BENEFICIARY|BENEFITS|CASE|CLIENT|CONTRACT|COVERAGE|ELIGIBILITY|EMPLOYE[ER]|ENROLLEE|ENROLLMENT|ENTITLEMENT|GROUP|INDIVIDUAL|INSURANCE|INSURED|MEMBER(?:S|SHIP)?|PARTICIPANT|PATIENT|PERSON|PLAN|POLICY(?: ?HOLDER)?|RECIPIENT|SUBSCRIBER)'
const BEFORE_OWN = '(?:ACTIVE|ALL|CURRENT|ENTIRE|HEALTH|HER|HIS|MEDICAID|MEDICAL|OUR|THAT|THE|THIS|YOUR)'
const SUBJECT = new RegExp(`^\\W*(?:${BEFORE_OWN}\\W+)*${OWN}(?:'S)?(?:\\W+(?:AND )?${OWN}(?:'S)?)*\\b(?=\\W*[A-Z])`)

/** Where another statement begins. */
const CLAUSES = new RegExp(
  ` -+ |[(),:]|\\b(?:AS OF|BECAUSE|BUT|DUE TO|HOWEVER|SINCE)\\b|\\bAND (?=${OWN}\\b|(?:ARE|HAS|HAVE|IS|WAS) )`,
)
/** What depends on something, or says more about another noun. */
const CONDITION = /\b(?:IF|ONCE|PROVIDED THAT|SHOULD|THAT|UNLESS|WHEN(?:EVER)?|WHERE|WHICH|WHILE|WHO|WHOSE)\b.*/
/** A time, which is no other noun of the statement. */
const TIME_OF =
  /\b(?:AT|BEFORE|BY|DURING|FOR|IN|UNTIL)(?: (?:CURRENT|NEW|NEXT|THE|THIS))* (?:(?:ANNUAL|OPEN|SPECIAL) ENROLLMENT|(?:BENEFIT|CALENDAR|CONTRACT|PLAN|POLICY) YEAR)\b/
/** The next text goes on with it. */
const UNFINISHED = /\b(?:A|AND|ARE|BEEN|BY|FOR|IN|IS|NOT|OF|ON|OR|THE|TO|WAS|WITH)\W*$/

/** What may happen, or what somebody has to do. */
const AHEAD = /^(?:CAN|COULD|MAY|MIGHT|MUST|NEEDS?|SHALL|SHOULD|WILL|WOULD)$/
const AUXILIARY = /^(?:ARE|BE|BEEN|BEING|DID|DO|DOES|GETS?|GOT|HAD|HAS|HAVE|IS|REMAINS?|WAS|WERE)$/
const ADVERB = /^(?:ALREADY|ALSO|BOTH|EVER|JUST|LAST|MORE|NOW|ONLY|SO|STILL|TO|VERY|YET|[A-Z]{3,}LY)$/
const NEGATION = /\b(?:CANNOT|FAIL(?:ED|S)|LACKS|NEITHER|NEVER|NO|NONE|NOT|NOTHING|NOWHERE|UNABLE|WITHOUT)\b/
/** "Pays nothing", without an auxiliary. */
const NOTHING = /^(?:COVERS|OFFERS|PAYS|PROVIDES) (?:[A-Z]+ )?(?:NOTHING|NO ONE|NOBODY)\b/

/** Verbs and adverbs of an end that no -ED shows. */
const ENDING =
  /^(?:BECAME|BROKE|BROKEN|CUT|DONE|FALLEN|FELL|FLED|FROZE|GONE|LEFT|LOST|OFF|OUT|OVER|QUIT|RAN|SHUT|SPLIT|STUCK|SUNK|THROWN|TORN|UNDONE|UNWOUND|VOID|WENT|WITHDREW)$/
const PARTICIPLE = /^[A-Z]{2,}ED$/
/** What may follow "was severed" without changing what it says. */
const TIME =
  /^(?:AGAIN|AS|EFFECTIVE|FOR|FROM|IN|MONTH|OF|ON|THE|THIS|TODAY|JAN\w*|FEB\w*|MAR\w*|APR\w*|JUNE?|JULY?|AUG\w*|SEP\w*|OCT\w*|NOV\w*|DEC\w*|\d\S*)$/

/** Away from something: "bumped from the program", "weeded out". */
const AWAY = /^(?:AWAY|FROM|OFF|OUT)$/

/** Who stops a coverage: "flagged by compliance". */
const STOPPERS =
  '(?:FRAUD|SIU|(?:SPECIAL )?INVESTIGATIONS?|INVESTIGATORS?|COMPLIANCE|AUDIT(?:ORS?|ING)?|LEGAL|(?:PROGRAM|PAYMENT) INTEGRITY|LAW ENFORCEMENT|OIG)'
const BY_STOPPER = new RegExp(`^BY(?: (?:AN?|OUR|THE))? ${STOPPERS}\\b`)
/** What stops a coverage, whoever does it: "locked by underwriting". */
const STOPPED = /^(?:BANNED|BARRED|BLOCKED|DEACTIVATED|DISABLED|FLAGGED|LOCKED|PULLED|QUARANTINED|SEIZED)$/
/** Whom an agent stops without being named, or by a record: "blocked by fraud unit", "ID card deactivated by ...". */
const RECORDS = '(?:ACCESS|ACCOUNT|CARD|FILE|ID|PROFILE|RECORD)'
const RECORD = new RegExp(`^\\W*(?:${RECORDS} )*(?=(?:(?:HAS|HAVE|IS|WAS|BEEN|CURRENTLY) )*[A-Z]+ED BY )`)
const CLEARED = /^(?:APPROVED|CLEARED|CONFIRMED|RELEASED|RESOLVED|VALIDATED|VERIFIED)$/

/** Participles without an object that end nothing: of plans, of people, of data. */
const HARMLESS = new Set(
  `ACCREDITED ADJUSTED ADMINISTERED AGED ALIGNED ALLOWED AMENDED APPLIED ASSESSED ASSIGNED ATTRIBUTED AUTHORIZED BASED BUNDLED CALCULATED CAPITATED CAPPED
  CATEGORIZED CERTIFIED CHANGED COMBINED CONTRACTED CONVERTED COORDINATED CREDITED CUSTOMIZED DATED DEFINED DESIGNATED DISABLED DISCOUNTED DISPLAYED
  EMBEDDED EMPLOYED ENGAGED ENHANCED ESTIMATED EXEMPTED EXPANDED FEDERATED FUNDED GENERATED GRANDFATHERED GROUPED GUARANTEED HANDLED HIRED IMPROVED
  INCLUDED INCREASED INDEXED INTEGRATED LICENSED LIMITED LINKED LOCATED MAILED MANAGED MARKETED MARRIED MODIFIED MONITORED MOVED NAMED NEGOTIATED NOTIFIED
  OPENED OWNED PERMITTED PREFERRED PRICED PRORATED PROTECTED PROVIDED PUBLISHED QUOTED RATED RECONCILED RECORDED REDUCED REFERRED REFRESHED REGISTERED
  REGULATED REIMBURSED RELATED RELOCATED REPRESENTED REQUESTED REQUIRED RESTRICTED RETIRED REVIEWED REVISED SALARIED SATISFIED SCREENED SELECTED SERVED
  SHARED SITUSED SOURCED SPONSORED STATED SUBMITTED SUBSIDIZED SUPPLIED TIERED TRANSFERRED TRANSMITTED UNCHANGED UNDERWRITTEN UPDATED UPGRADED USED UTILIZED`.split(
    /\s+/,
  ),
)
/** Those of them by which a coverage exists: "is not provided". */
const GIVEN = /^(?:ALLOWED|AUTHORIZED|FUNDED|INCLUDED|PERMITTED|PROVIDED|SERVED|SPONSORED|SUPPLIED)$/
/** Nouns and verbs with which a negation is about something else than the coverage, beside those of the class `other`. */
const OF_OTHER =
  /\b(?:ACCUMULAT\w*|AFFECT\w*|APPLICABLE|APPL(?:Y|IES)|ASSESSMENT|CARRY|CHANGED?|COB|COORDINATE|COUNT|CREDIT|CROSS|DIFFER\w*|DISCOUNTS?|DISPLAYED|EXPIRE|GATEKEEPER|GUARANTEE\w*|GUARDIAN|NO HOLDS?|ISSUES?|LAPSE|LIABLE|LIMIT\w*|LISTED|MESSAGES?|MINIMUM|NEED\w*|NOTES?|OBLIGAT\w+|PARTICIPATE|REQUIRE\w*|RESPONSIBLE|RESTRICT\w*|SELECT\w*|SHARE|SHOWN|SMOK\w+|SPEND|SUBJECT|TOBACCO|USED?|USES|VACCIN\w+|VARY)\b/
const NAMES_OTHER = pattern('other|claims')
/** What the grammar of denials has judged. */
const JUDGED = pattern('ended|ends|event|term|ineligible|unpaid|missed | until small* date')
const IS_UNKNOWN = pattern('^ unknown')

/**
 * The part of a sentence, in capitals, that says of the coverage or the patient what neither a list nor the grammar understands; undefined if none
 * does. Understood are conditions, what lies ahead, negations of something else, and participles with an object or a place.
 */
export const unreadStatementIn = cachedByName((sentence): string | undefined =>
  spellOut(sentence).split(CLAUSES).find(isUnread)?.trim(),
)

function isUnread(clause: string): boolean {
  const subject = SUBJECT.exec(clause) ?? RECORD.exec(clause)
  if (subject === null) return false
  const predicate = clause.slice(subject[0].length).replace(CONDITION, '').replace(TIME_OF, '').trim()
  if (UNFINISHED.test(predicate)) return false
  const words = predicate.match(/[A-Z][A-Z'-]*|\d[\d/.-]*/g) ?? []
  const place = words.findIndex((word) => !AUXILIARY.test(word) && !NEGATION.test(word) && !ADVERB.test(word))
  const head = words[place]
  if (head === undefined || AHEAD.test(head)) return false
  const after = words.slice(place + 1)
  // An age: what follows from it, a list says.
  if (head === 'TURNED' && /^\d/.test(after[0] ?? '')) return false
  if (after[0] === 'BY' && PARTICIPLE.test(head)) return isStoppedBy(head, after.join(' '))
  if (namesOther(predicate)) return false
  const isStated = words.slice(0, place).some((word) => AUXILIARY.test(word) || NEGATION.test(word))
  if ((isStated && NEGATION.test(predicate)) || NOTHING.test(predicate)) {
    if (HARMLESS.has(head) && !GIVEN.test(head)) return false
    return !OF_OTHER.test(predicate) && !JUDGED.test(classesOf(predicate))
  }
  if (HARMLESS.has(head) || !IS_UNKNOWN.test(classesOf(words.slice(place).join(' ')))) return false
  return (
    ENDING.test(head) ||
    (PARTICIPLE.test(head) && (AWAY.test(after[0] ?? '') || after.every((word) => TIME.test(word))))
  )
}

const isStoppedBy = (head: string, agent: string) =>
  STOPPED.test(head) || (BY_STOPPER.test(agent) && !HARMLESS.has(head) && !CLEARED.test(head))

const namesOther = (predicate: string) => NAMES_OTHER.test(classesOf(predicate))
