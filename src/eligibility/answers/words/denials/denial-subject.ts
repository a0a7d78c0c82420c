// What a clause of a payer's text is about, by the words before its predicate. decisions/0100-a-grammar-of-denials.md.
import { classesOf, letterOf, nameOf, pattern } from './denial-classes.ts'
import { AHEAD } from './denial-predicates.ts'

/** `label`: an unknown noun before a dash or comma, which may be the name of a plan. */
export type Subject = 'own' | 'premium' | 'claims' | 'none' | 'label' | 'unknown' | 'other'

/** The clauses without a predicate before a clause: the last one, and all of them. */
export interface Labels {
  label: string
  owners: string
}

/** What a clause is about, by the classes before its predicate, or by those of the clauses before it that have no predicate. */
export function subjectOf(before: string, labels: Labels): Subject {
  const stated = before.replace(STATED, '')
  if (stated !== before) return subjectOf(stated, labels) === 'other' ? 'other' : 'none'
  const head = PARTICIPLE.exec(before)?.index ?? 0
  const ofHead = head > 0 ? subjectOf(before.slice(0, head), labels) : 'none'
  if (ofHead === 'other' || ofHead === 'unknown') return ofHead
  const phrase = PHRASE.exec(before.replace(AHEAD, ''))![0]
  const noun = nounOf(phrase)
  const { label, owners } = labels
  if (noun !== '') return ATTRIBUTE.test(noun) && isOfOther(owners + phrase) ? 'other' : subjectOfNoun(noun)
  return label === '' || before !== phrase ? 'none' : subjectOfLabel(label)
}

/** "Account", "status": of what the label before it names. */
const ATTRIBUTE = pattern('^ attribute+ $')
/** True for "HSA balance", "dental"; not for "medical and dental". */
const isOfOther = (label: string) => NAMES_OTHER.test(label) && !NAMES_COVERAGE.test(label)

/** Who states it is not the subject: "our records show ...". */
const STATED = pattern('shows small* $')
/** After the head of a subject: "a provider suspended from Medicaid will not be paid", "services not listed are not covered". */
const PARTICIPLE = pattern(
  '(ended (preposition|for) (small|coverage|person|attribute|ahead)* | not small* fine (preposition (other|coverage|and)+)? (link|ahead)+) $',
)
/** The words that a subject is made of. A verb or a negation before them belongs to another statement. */
const PHRASE = pattern(
  `(coverage|attribute|person|premium|claims|other|unknown|fine|event|term|small|for|preposition|time|date|number|and|colon)* $`,
)

/** The noun after the last colon, without dates and small words before it. */
function nounOf(phrase: string): string {
  const afterColon = phrase.replace(ENDING, '').split(letterOf('colon')).at(-1)!
  return afterColon.replace(DATE_AT_START, '').replace(SMALL_AT_START, '')
}

/** "Status :", "member is". */
const ENDING = pattern('(small|colon|and)+ $')
/** "For the date of service 01/01/2026". */
const DATE_AT_START = pattern('^ (for|preposition|small|confirmed|and)* (time|date|number)+')
const SMALL_AT_START = pattern('^ (small|and)+')

function subjectOfNoun(noun: string): Subject {
  if (ALL_CLAIMS.test(noun)) return 'claims'
  if (COVERAGE_AND_MORE.test(noun)) return 'own'
  if (NAMES_OTHER.test(noun) || FOR_UNKNOWN.test(noun)) return 'other'
  const nouns = noun.replace(WITH_FOR, '').replace(WITH_PREPOSITION, '').replace(QUALITIES, '')
  if (nouns === '') return QUALITY.test(noun) ? 'none' : 'unknown'
  const last = nameOf(nouns.at(-1)!)
  if (last === 'premium') return 'premium'
  if (last === 'coverage' || last === 'person') return 'own'
  return last === 'attribute' && OWN_ATTRIBUTE.test(nouns) ? 'own' : 'unknown'
}

/** "Claims", "all claims for this member"; not claims of one kind. */
const ALL_CLAIMS = pattern('^ (filler|confirmed)* claims ((for|preposition) filler* (person|attribute)+)? $')
/** "Medical and dental coverage", "dental and medical coverage". */
const COVERAGE_AND_MORE = pattern(`
  ^ filler* (coverage|person)+ and (filler|unknown)* other+ coverage* $
  | other and (filler|unknown)* coverage+ $`)
/** "Dental coverage", "claim status". */
const NAMES_OTHER = pattern('(other|claims)')
/** "Coverage for orthotripsy". */
const FOR_UNKNOWN = pattern('for .* unknown')
/** "Coverage for this patient": the head is COVERAGE. */
const WITH_FOR = pattern('for .*')
/** "Status of the policy": the head is STATUS. */
const WITH_PREPOSITION = pattern('(?<=.) preposition .*')
/** An answer to a question without a noun: "eligible: N", "covered = no". */
const QUALITY = pattern('fine $')
/** "Policy 123 effective 01/01/2026". */
const QUALITIES = pattern('(small|fine|number|time|date)+ $')
/** "Status", "insured status", "group 12", "XYZ coverage status"; not "XYZ status". */
const OWN_ATTRIBUTE = pattern(
  '^ (small|fine|preposition|attribute|coverage|person|number|premium)* $ | (coverage|person) attribute+ $',
)

/** A label may be followed by a number or a code: "eligibility flag 0". */
function subjectOfLabel(label: string): Subject {
  const subject = subjectOf(label.replace(ANSWERED_YES, ''), { label: '', owners: '' })
  if (subject !== 'unknown') return subject
  return NAMES_OWN.test(label) ? 'own' : 'label'
}

/** "Other insurance: yes": Y is also the Spanish AND. */
const ANSWERED_YES = pattern('small* colon small* (yes|and) $')
const NAMES_COVERAGE = pattern('(coverage|person)')
const NAMES_OWN = pattern('(coverage|person|attribute)')

/** True when a label in capitals names a service or another thing, and not the coverage: "ambulance"; not "benefits". */
export function namesOther(label: string): boolean {
  return isOfOther(classesOf(label))
}
