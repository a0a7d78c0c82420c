import { sentencesOf } from './payer-text.ts'

const OTHERS = '(?:OTHER|ANOTHER|DIFFERENT|ALTERNATE|COMMERCIAL|MEDICARE|GROUP|AUTO|LIABILITY|WORKERS COMP)'
const OTHER_FIRST = new RegExp(
  `\\b${OTHERS}\\b(?: [A-Z]+){0,4} (?:IS|PAYS|AS|HAS|CONSIDERED|THE) (?:[A-Z]+ ){0,2}PRIMARY\\b(?! CARE)|\\bPRIMARY (?:PAYER|INSURANCE|COVERAGE|CARRIER|INSURER)(?: IS| TO)?[ :-]+(?:THE )?${OTHERS}\\b`,
)
const THIS_SECOND =
  /\b(?:THIS|OUR) (?:PLAN|COVERAGE|POLICY|INSURANCE)(?: [A-Z]+){0,2} (?:IS|PAYS)(?: AS)? SECONDARY\b|\bWE (?:ARE|PAY)(?: AS)? SECONDARY\b/
/** A sentence that denies it, or that states a condition and no fact. */
const CONDITIONAL = /\b(?:NOT|NO|NEVER|IF|WHEN|WHENEVER|UNLESS|UNTIL|MAY|WAS|ENDED|TERMINATED|NO LONGER)\b/

/** The primary payer as the text of a row states it; undefined when it states none. */
export function statedPrimacy(text: string): 'MEDICARE' | 'OTHER' | undefined {
  for (const sentence of sentencesOf(text)) {
    if (CONDITIONAL.test(sentence)) continue
    const first = OTHER_FIRST.exec(sentence)?.[0]
    if (first !== undefined) return first.includes('MEDICARE') ? 'MEDICARE' : 'OTHER'
    if (THIS_SECOND.test(sentence)) return 'OTHER'
  }
  return undefined
}

/** True when a text of a row about another payer (EB01 R) states that this payer is primary. */
export function saysPrimary(text: string): boolean {
  return sentencesOf(text).some((sentence) => {
    return /\bPRIMARY\b(?! CARE)/.test(sentence) && !CONDITIONAL.test(sentence) && !ASKED_FIRST.test(sentence)
  })
}

/** Words that give the first place to the inquired payer, or the second to the other one. */
const ASKED_FIRST = /\bSECONDARY\b|\b(?:THIS|OUR) (?:PLAN|COVERAGE|POLICY|INSURANCE)\b|\bWE ARE\b/
