import { onceForTexts } from '../once-for-texts.ts'
import { sentencesOf, sentencesOfAll } from '../payer-text.ts'
import { organizationKey } from '../people/organization-names.ts'
import { normalizeText } from '../people/person.ts'
import { namesOther } from '../words/denials/denial-subject.ts'
import { isPractice } from '../words/names/proper-names.ts'
import { conclusionOf, orderInFull } from '../words/order-of-payers/order-in-full.ts'
import { MANAGED_CARE_ENROLLMENT, OTHER_INSURANCE } from '../words/order-of-payers/pays-before.ts'
import {
  CLAUSES,
  CONDITIONAL,
  INQUIRED,
  LABELED_FIRST,
  NAMED_FIRST,
  NO_NAME,
  OTHER_FIRST,
  PRIMARY_WORD,
  SECOND,
  SECONDARY,
  THIS_SECOND,
} from '../words/order-of-payers/primacy.ts'
import { primaryByName } from '../words/order-of-payers/primary-by-name.ts'
import { anyOf, mentions, states } from '../words/phrase-group.ts'

/** The payer that a text states to be primary: its name, if the text has one. */
interface StatedPayer {
  name?: string
}

/** Most texts have none of these words. */
const PRIMACY: readonly RegExp[] = [
  ...[OTHER_FIRST, NAMED_FIRST, LABELED_FIRST, THIS_SECOND, SECONDARY].flatMap(({ any }) => any ?? []),
  /\b(?:PRIM(?:E|ARY)?|FIRST)\b/,
]

const ofPrimacy = onceForTexts((texts) =>
  sentencesOfAll(texts)
    .map(orderInFull)
    .filter((sentence) => PRIMACY.some((words) => words.test(sentence))),
)

/**
 * The primary payer as the texts of a row state it; undefined when they state none, or the inquired payer (keys of its names) or its plan (`plans`, keys of
 * the names of the active plans: "Gold PPO is primary").
 */
export function statedPrimacy(
  texts: readonly string[],
  inquired: readonly string[] = [],
  plans: readonly string[] = [],
): StatedPayer | undefined {
  const isInquired = (name: string) =>
    inquired.some((payer) => isPart(payer, organizationKey(name))) || plans.includes(organizationKey(name))
  for (const whole of ofPrimacy(texts)) {
    const sentence = CONDITIONAL.test(whole) ? conclusionOf(whole) : whole
    if (CONDITIONAL.test(sentence)) continue
    const first = OTHER_FIRST.any?.exec(sentence)?.[0]
    if (first !== undefined) return first.includes('MEDICARE') ? { name: 'Medicare' } : {}
    const name = primaryNameIn(sentence)
    if (name !== undefined) {
      if (!isInquired(name)) return { name }
      continue
    }
    if (mentions(THIS_SECOND, sentence) || isSecond(sentence, isInquired)) {
      return /\bTO MEDICARE\b/.test(sentence) ? { name: 'Medicare' } : {}
    }
  }
  return undefined
}

/** The name that a sentence gives to the primary payer. */
function primaryNameIn(sentence: string): string | undefined {
  const name = NAMED_FIRST.any?.exec(sentence)?.slice(1).find(Boolean)?.trim()
  const labeled = LABELED_FIRST.any?.exec(sentence)?.slice(1).find(Boolean)
  const names = [
    name,
    labeled && (OF_PLAN.test(labeled) || !namesOther(labeled)) ? labeled : undefined,
    primaryByName(sentence),
  ]
  return names.find((each) => each && !NO_NAME.test(each) && !(isPractice(each) && !OF_PAYER.test(sentence)))
}

/** "Primary is Village Family Practice" is the doctor; "primary insurance: Physicians Mutual" is not. */
const OF_PAYER = /\b(?:PAY[EO]RS?|INS(?:URANCE|URER)?|CARRIER|COVERAGE|PLANS?|POLICY|COB|MUTUAL)\b/

/** A payer by its name, though it is called after doctors: "Doctors Healthcare Plans". */
const OF_PLAN = /\S (?:HEALTH ?(?:CARE )?PLANS?|MUTUAL|INSURANCE CO(?:MPANY)?)\b/

/** True when the inquired payer is the one that a sentence calls secondary. */
function isSecond(sentence: string, isInquired: (name: string) => boolean): boolean {
  if (!states(SECONDARY, sentence)) return false
  if (isInquired(SECOND.bare.exec(sentence)?.groups?.subject ?? '')) return true
  const { subject, first = '' } = (SECOND.bySubject.exec(sentence) ?? SECOND.byOther.exec(sentence))?.groups ?? {}
  if (subject === undefined || /\bPRIMARY\b/.test(subject) || /^(?:US\b|THIS\b|OUR\b)/.test(first) || isInquired(first))
    return false
  return SECOND.ours.test(subject) || isInquired(subject)
}

/**
 * What the texts of a Medicaid answer state to pay instead of it or before it. A plan that answers for itself (`ownNames`, keys) is not
 * another one.
 */
export function paysBeforeMedicaid(
  texts: readonly string[],
  ownNames: readonly string[] = [],
): 'MANAGED_CARE' | 'OTHER_INSURANCE' | undefined {
  const sentences = sentencesOfAll(texts)
    .map(orderInFull)
    .filter((sentence) => !CONDITIONAL.test(sentence))
  const isOwn = (sentence: string) => ownNames.some((name) => name !== '' && normalizeText(sentence).includes(name))
  if (sentences.some((sentence) => states(MANAGED_CARE_ENROLLMENT, sentence) && !isOwn(sentence))) return 'MANAGED_CARE'
  return sentences.some((sentence) => mentions(OTHER_INSURANCE, sentence)) ? 'OTHER_INSURANCE' : undefined
}

/** True when a text of Medicare names the contract of a health plan that the person is in: `HMO H1234`. Source: x12-271.md 10. */
export function namesAdvantageContract(texts: readonly string[]): boolean {
  return sentencesOfAll(texts).some((sentence) => {
    return ADVANTAGE_CONTRACT.test(sentence) && !NOT_ENROLLED.test(sentence)
  })
}

/** Not a HCPCS code of the same form. */
const ADVANTAGE_CONTRACT =
  /\b(?:HMO|PPO|PACE|PLAN|CONTRACT|ORGANIZATION|MA)(?: (?:CODE|ID|NUMBER|NO))?[ :#-]+[HR]\d{4}\b|\b[HR]\d{4}[ -]\d{3}\b/
const NOT_ENROLLED = anyOf(MANAGED_CARE_ENROLLMENT.unless ?? [])

/** True when a text states other insurance, without whether it is primary. */
export function statesOtherInsurance(texts: readonly string[]): boolean {
  return sentencesOfAll(texts).some((sentence) => states(OTHER_INSURANCE, orderInFull(sentence)))
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
    return INQUIRED.test(clause) || inquired.some((name) => name.length >= SHORTEST_NAME && words.includes(name))
  }
  return clauses.some((clause) => PRIMARY_WORD.test(clause) && !isInquired(clause))
}

/** Shorter names occur within other words. */
const SHORTEST_NAME = 4
