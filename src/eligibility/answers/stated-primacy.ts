import { organizationKey } from './organization-names.ts'
import { sentencesOf } from './payer-text.ts'

/** The payer that a text states to be primary: its name, if the text has one. */
export interface StatedPayer {
  name?: string
}

const OTHERS = '(?:OTHER|ANOTHER|DIFFERENT|ALTERNATE|COMMERCIAL|MEDICARE|GROUP|AUTO|LIABILITY|WORKERS COMP)'
const KINDS = '(?:PAYER|PAYOR|INSURANCE|COVERAGE|CARRIER|INSURER|PLAN|POLICY)'
const OTHER_FIRST = new RegExp(
  `\\b${OTHERS}\\b(?: [A-Z]+){0,4} (?:IS|PAYS|AS|HAS|CONSIDERED|THE) (?:[A-Z]+ ){0,2}PRIMARY\\b(?! CARE)|\\b${OTHERS}(?: ${KINDS})?(?: (?:IS|PAYS))?[ :-]+PRIM(?:E|ARY)\\b(?! CARE)|\\bPRIMARY ${KINDS}(?: IS| TO)?[ :-]+(?:THE )?${OTHERS}\\b`,
)
const THIS_SECOND =
  /\b(?:THIS|OUR|MEMBER'?S?|PATIENT'?S?) (?:PLAN|COVERAGE|POLICY|INSURANCE)(?: [A-Z]+){0,2} (?:IS|PAYS)(?: AS)? SECONDARY\b|\bWE (?:ARE|PAY)(?: AS)? SECONDARY\b|\bTHIS IS (?:A |THE )?SECONDARY (?:PLAN|COVERAGE|POLICY|INSURANCE)\b|\bCOB (?:ORDER|STATUS)?[ :-]*(?:SECONDARY|TERTIARY)\b/
/** A payer by name: `PRIMARY PAYER: AETNA`. */
const NAMED = new RegExp(`\\bPRIMARY ${KINDS}(?: IS(?: THE)?|[ ]*[:-])[ ]*([A-Z][A-Z0-9 &,'-]{1,60})`)
/** What follows the colon without being another payer's name. */
const NO_NAME =
  /^(?:THIS|THE PLAN|YES|NO|NONE|N\b|Y\b|UNKNOWN|NOT|ACTIVE|SELF|SAME|OUR|US\b|MEMBER|PATIENT|SUBSCRIBER|INSURED)/
/** A sentence that denies it, or that states a condition and no fact. */
const CONDITIONAL = /\b(?:NOT|NO|NEVER|IF|WHEN|WHENEVER|UNLESS|UNTIL|MAY|WAS|ENDED|TERMINATED|NO LONGER)\b/

/** The primary payer as the text of a row states it; undefined when it states none, or the inquired payer (keys of its names). */
export function statedPrimacy(text: string, inquired: readonly string[] = []): StatedPayer | undefined {
  for (const sentence of sentencesOf(text)) {
    if (CONDITIONAL.test(sentence)) continue
    const first = OTHER_FIRST.exec(sentence)?.[0]
    if (first !== undefined) return first.includes('MEDICARE') ? { name: 'Medicare' } : {}
    const name = NAMED.exec(sentence)?.[1]?.trim()
    if (name !== undefined && !NO_NAME.test(name)) {
      if (!inquired.some((payer) => isPart(payer, organizationKey(name)))) return { name }
      continue
    }
    if (THIS_SECOND.test(sentence)) return {}
  }
  return undefined
}

/** A text has the payer's name in full or its beginning. */
function isPart(one: string, other: string): boolean {
  return one !== '' && other !== '' && (one.startsWith(other) || other.startsWith(one))
}

/** True when a text of a row about another payer (EB01 R) states that this payer is primary. */
export function saysPrimary(text: string): boolean {
  return sentencesOf(text).some((sentence) => {
    return /\bPRIMARY\b(?! CARE)/.test(sentence) && !CONDITIONAL.test(sentence) && !ASKED_FIRST.test(sentence)
  })
}

/** Words that give the first place to the inquired payer, or the second to the other one. */
const ASKED_FIRST = /\bSECONDARY\b|\b(?:THIS|OUR) (?:PLAN|COVERAGE|POLICY|INSURANCE)\b|\bWE ARE\b/
