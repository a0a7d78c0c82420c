import { sentencesOf, sentencesOfAll } from '../payer-text.ts'
import { organizationKey } from '../people/organization-names.ts'
import { normalizeText } from '../people/person.ts'

/** The payer that a text states to be primary: its name, if the text has one. */
export interface StatedPayer {
  name?: string
}

const OTHERS = '(?:OTHER|ANOTHER|DIFFERENT|ALTERNATE|COMMERCIAL|MEDICARE|GROUP|AUTO|LIABILITY|WORKERS COMP)'
const KINDS = '(?:PAYER|PAYOR|INSURANCE|COVERAGE|CARRIER|INSURER|PLAN|POLICY)'
const OTHER_FIRST = new RegExp(
  `\\b${OTHERS}\\b(?: [A-Z]+){0,4} (?:IS|PAYS|AS|HAS|CONSIDERED|THE) (?:[A-Z]+ ){0,2}PRIMARY\\b(?! CARE)|\\b${OTHERS}(?: ${KINDS}| (?:PARTS? )?A(?: ?(?:AND|&|/) ?B)?)?(?: (?:IS|PAYS))?[ :-]+PRIM(?:E|ARY)\\b(?! CARE)|\\bPRIMARY ${KINDS}(?: IS| TO)?[ :-]+(?:THE )?${OTHERS}\\b|\\bBILL(?: TO| THE)* (?:PRIMARY|${OTHERS})\\b(?: ${KINDS})? FIRST\\b|\\bBILL(?:ED)? TO (?:THE )?${OTHERS}(?: ${KINDS})? BEFORE\\b`,
)
const OURS = "(?:THIS|OUR|YOUR|MEMBER'?S?|PATIENT'?S?|THE)"
const THIS_SECOND = new RegExp(
  `\\bTHIS IS (?:A |THE )?SECONDARY ${KINDS}\\b|\\bCOB (?:ORDER|STATUS)?[ :-]*(?:SECONDARY|TERTIARY)\\b`,
)
/** Who is second, and to whom: `WE ARE THE SECONDARY PAYER`, `PAYS SECONDARY TO MEDICARE`. */
const SECOND =
  /^(?:COB[ :-]+)?(?<subject>[A-Z0-9 &,'-]*?)\b(?:IS|ARE|PAYS?|PAYING)(?: AS)?(?: THE| A)? (?:SECONDARY|TERTIARY)\b(?! CARE)(?: [A-Z]+)?(?: TO (?<first>.+))?/
const SECOND_TO = /^(?<subject>[A-Z0-9 &,'-]*?)\b(?:SECONDARY|TERTIARY) TO (?<first>.+)/
const OUR_SUBJECT = new RegExp(`^\\W*(?:WE|IT|COVERAGE|POLICY|${OURS} ${KINDS}(?: [A-Z]+){0,2}|THIS)?\\W*$`)
/** A payer by name: `PRIMARY PAYER: AETNA`. */
const NAMED = new RegExp(`\\bPRIMARY ${KINDS}(?: IS(?: THE)?| WITH| THROUGH|[ ]*[:-])[ ]*([A-Z][A-Z0-9 &,'-]{1,60})`)
/** What follows the colon without being another payer's name. */
const NO_NAME =
  /^(?:THIS|THE PLAN|YES|NO|NONE|N\b|Y\b|UNKNOWN|NOT|ACTIVE|SELF|SAME|OUR|US\b|MEMBER|PATIENT|SUBSCRIBER|INSURED|EMPLOYER|AN? )/
/** A sentence that denies it, or that states a condition and no fact. */
const CONDITIONAL = /\b(?:NOT|NO|NEVER|IF|WHEN|WHENEVER|UNLESS|UNTIL|MAY|WAS|ENDED|TERMINATED|NO LONGER)\b/

/** The primary payer as the texts of a row state it; undefined when they state none, or the inquired payer (keys of its names). */
export function statedPrimacy(texts: readonly string[], inquired: readonly string[] = []): StatedPayer | undefined {
  const isInquired = (name: string) => inquired.some((payer) => isPart(payer, organizationKey(name)))
  for (const sentence of sentencesOfAll(texts)) {
    if (CONDITIONAL.test(sentence)) continue
    const first = OTHER_FIRST.exec(sentence)?.[0]
    if (first !== undefined) return first.includes('MEDICARE') ? { name: 'Medicare' } : {}
    const name = NAMED.exec(sentence)?.[1]?.trim()
    if (name !== undefined && !NO_NAME.test(name)) {
      if (!isInquired(name)) return { name }
      continue
    }
    if (THIS_SECOND.test(sentence) || isSecond(sentence, isInquired)) {
      return /\bTO MEDICARE\b/.test(sentence) ? { name: 'Medicare' } : {}
    }
  }
  return undefined
}

/** True when the inquired payer is the one that a sentence calls secondary. */
function isSecond(sentence: string, isInquired: (name: string) => boolean): boolean {
  const { subject, first = '' } = (SECOND.exec(sentence) ?? SECOND_TO.exec(sentence))?.groups ?? {}
  if (subject === undefined || /\bPRIMARY\b/.test(subject) || /^(?:US\b|THIS\b|OUR\b)/.test(first) || isInquired(first))
    return false
  // A rule of every such program, and no statement that there is other insurance.
  if (/\bALWAYS\b/.test(subject) && /^(?:ANY |ALL )?OTHER\b/.test(first)) return false
  return OUR_SUBJECT.test(subject) || isInquired(subject)
}

/** What keeps Medicaid from paying first: a managed care plan, or other insurance. Source: 42 CFR 433.139; x12-271.md 10. */
const ENROLLED = /\b(?:ENROLL(?:ED|MENT)|ASSIGNED|MEMBER)\b/
const PLAN = /\b(?:MCO|CCO|PACE|MANAGED CARE|HMO|HEALTH PLAN)\b/
const NAMED_PLAN =
  /\bHEALTH PLAN MEMBER ?: ?[A-Z]|\b(?:MCO|CCO|PACE|MANAGED CARE|HMO)(?: PLAN| NAME| PROVIDER)? ?: ?(?!N(?:O|ONE|\/A)?\b)[A-Z]/
const OTHER_INSURANCE =
  /\bOTHER (?:HEALTH )?(?:INSURANCE|COVERAGE)(?: COV(?:ERAGE)?)? (?:UNDER|CODE|CARRIER)\b|\b(?:HAS|HAVE|WITH) (?:OTHER|PRIVATE|COMMERCIAL|THIRD[ -]PARTY) (?:HEALTH )?(?:INSURANCE|COVERAGE|LIABILITY)\b|^\W*(?:TPL|THIRD[ -]PARTY LIABILITY)(?: CARRIER)?[ :-]+(?!N(?:O|ONE|\/A)?\b)[A-Z]/

function saysManaged(sentence: string): boolean {
  const enrolled = ENROLLED.exec(sentence)
  return (enrolled !== null && PLAN.test(sentence.slice(enrolled.index))) || NAMED_PLAN.test(sentence)
}

/**
 * What the texts of a Medicaid answer state to pay instead of it or before it. A plan that answers for itself (`ownNames`, keys) is not
 * another one.
 */
export function paysBeforeMedicaid(
  texts: readonly string[],
  ownNames: readonly string[] = [],
): 'MANAGED_CARE' | 'OTHER_INSURANCE' | undefined {
  const sentences = sentencesOfAll(texts).filter((sentence) => !CONDITIONAL.test(sentence))
  const isOwn = (sentence: string) => ownNames.some((name) => name !== '' && normalizeText(sentence).includes(name))
  if (sentences.some((sentence) => saysManaged(sentence) && !isOwn(sentence))) return 'MANAGED_CARE'
  return sentences.some((sentence) => OTHER_INSURANCE.test(sentence)) ? 'OTHER_INSURANCE' : undefined
}

/** A text has the payer's name in full or its beginning. */
function isPart(one: string, other: string): boolean {
  return one !== '' && other !== '' && (one.startsWith(other) || other.startsWith(one))
}

/**
 * True when a text of a row about another payer (EB01 R) states that this payer is primary, and not the inquired one: in words, or by one of
 * its names (`inquired`, keys).
 */
export function saysPrimary(text: string, inquired: readonly string[] = []): boolean {
  const clauses = sentencesOf(text)
    .filter((sentence) => !CONDITIONAL.test(sentence))
    .flatMap((sentence) => sentence.split(CLAUSES))
  const isInquired = (clause: string) => {
    const words = normalizeText(clause)
    return ASKED.test(clause) || inquired.some((name) => name.length >= SHORTEST_NAME && words.includes(name))
  }
  return clauses.some((clause) => /\bPRIMARY\b(?! CARE)/.test(clause) && !isInquired(clause))
}

const CLAUSES = /,|\bAND\b|&/
/** Shorter names occur within other words. */
const SHORTEST_NAME = 4
/** Words for the inquired payer. */
const ASKED = /\b(?:THIS|OUR) (?:PLAN|COVERAGE|POLICY|INSURANCE)\b|\bWE ARE\b/
