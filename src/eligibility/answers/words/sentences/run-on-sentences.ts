// Statements that payers string together in one sentence, with commas, dashes or nothing between them. Rules over sentences look for their words at the
// beginning of a clause, or for a subject that is the coverage, and find neither there. decisions/0209-texts-without-full-stops.md

/** The words of a sentence from which on it may be another statement: one about the coverage, the person or another payer, with its verb. */
const OWN =
  '(?:ACCOUNT|BENEFICIARY|BENEFITS|CARRIER|CLAIMS?|CLIENT|CONTRACT|COVERAGE|COV|CVG|ELIGIBILITY|ELIG|EMPLOYE[ER]|ENROLLEE|ENROLLMENT|GRACE PERIOD|GROUP|INSURANCE|INSURED|MBR|MEMBER(?:SHIP)?|OFFICE VISITS?|PATIENT|PAYER|PERSON|PLAN|POLICY(?: ?HOLDER)?|PREMIUMS?|PT|RECIPIENT|RETIREE|SHARE OF COST|SPEND ?DOWN|SPEND-DOWN|SUBSCRIBER|MEDICARE|MEDICAID|TRICARE)'
const BEFORE_OWN = '(?:ACTIVE|ALL|CURRENT|GROUP|HEALTH|HER|HIS|MEDICAL|OTHER|OUR|PRIMARY|THE|THEIR|THIS|YOUR)'
const VERB =
  '(?:IS|ARE|WAS|WERE|HAS|HAVE|HAD|HASNT|WILL|DOES|DID|NOT|NO LONGER|PAYS|COVERS|ONLY|NEVER|OF \\$?\\d|TERM|ENDS?|BEGINS|STARTS?|EFFECTIVE|LAPSED?|FLED|LEFT|WENT|GOT|INELIGIBLE|INACTIVE|UNPAID|DELINQUENT|CANCEL|CXL|CXLD|CANC|BROKEN|CUT|VOID|SECONDARY|PRIMARY|[A-Z]{3,}(?:ED|ES)\\b)'
const STATEMENT = new RegExp(
  `(?:\\b${BEFORE_OWN} ){0,3}\\b${OWN} (?:ALREADY |CURRENTLY |ALSO |NOW |STATUS )?${VERB}\\b|\\b(?:COB:|COB (?:ON FILE|STATUS):?|PER COB|WE ARE|NO ACTIVE COVERAGE)|\\bBILL (?:OTHER|MEDICARE|SPOUSE)`,
  'g',
)
/** The same, at one place. */
const BEGINS = new RegExp(STATEMENT.source, 'y')
/** Where a statement ends that no such words follow. */
const NEUTRAL =
  /\b(?:PLEASE|CALL|CONTACT|VISIT|REFER TO|SEE|NOTE|FOR (?:A|MORE|FURTHER|QUESTIONS|ADDITIONAL|DETAILS|INFORMATION|COMPLETE)|(?:[A-Z]+ ){1,2}(?:IS|ARE|MAY|WILL|MUST|CAN|SHOULD|APPLIES|APPLY|INCLUDES?)\b)/g
/** Words to which those behind them belong. */
const BINDING =
  /(?:\b(?:IF|WHEN|UNLESS|WHETHER|THAT|UNTIL|AFTER|BEFORE|ONCE|WHILE|WHERE|AS|BECAUSE|SINCE|OF|FOR|TO|BY|WITH|WITHIN|WITHOUT|FROM|IN|ON|AT|UNDER|OVER|PER|THROUGH|DURING|UPON|ABOUT|OR|NOR|THAN|NOT|NO|NEVER|ANY|ALL|EACH|EVERY|SOME|OTHER|ANOTHER|PRIOR|PREVIOUS|FORMER|OLD|NEW|PAST|SPOUSE|CHILD|DEPENDENT|PARENT|FATHER|MOTHER|IS|ARE|WAS|WERE|BE|BEEN|HAS|HAVE|HAD|A|AN|WHO|WHICH)S?|'S)\W*$/
/** What a coverage or benefit is named after, but no person. */
const KIND =
  /\b(?:SECONDARY|TERTIARY|SUPPLEMENTAL|GUEST|DENTAL|VISION|PHARMACY|RX|DRUG|HEARING|LIFE|DISABILITY|ACCIDENT|CANCER|TRAVEL|RIDER|MATERNITY|CHIROPRACTIC|BEHAVIORAL|MENTAL(?: HEALTH)?|HOSPICE|AUTO|NETWORK|WELLNESS|SURGERY|THERAPY|TRANSPLANT|INFERTILITY|FERTILITY|BARIATRIC|COSMETIC|ACUPUNCTURE|DME|HOME|SKILLED|INPATIENT|OUTPATIENT|TELEHEALTH|PART [A-D])S?\W*$/
const PERSON =
  /^(?:(?:THE|THIS|YOUR|OUR) )?(?:BENEFICIARY|CLIENT|EMPLOYE|ENROLLEE|INSURED|MBR|MEMBER\b|PATIENT|PERSON|PT|RECIPIENT|RETIREE|SUBSCRIBER|MEDICARE|MEDICAID|TRICARE|WE ARE|COB|PER COB)/
const CONDITION = /\b(?:IF|WHEN|WHENEVER|UNLESS|UNTIL|ONCE(?! (?:A|PER|EVERY|EACH)\b)|WHETHER|PROVIDED THAT)\b/g
/** Words behind a condition that may depend on it. */
const WORDS_OF_CONDITION = 12

/** A shorter sentence is one statement, or several with slashes between them. */
const SHORTEST_RUN_ON = 40
/** In a shorter one, another statement begins only behind a verb and no condition, and none about claims, which may be some. */
const LONG_RUN_ON = 100
const HAS_VERB = new RegExp(`\\b(?:${VERB}|COVERED|MAY|MUST|CAN|NO|APPL(?:Y|IES)|REQUIRE[SD]?)\\b`)
const DEPENDS =
  /\b(?:BEFORE|AFTER|DURING|WITHOUT|IF|WHEN|UNLESS|UNTIL|ONCE(?! (?:A|PER|EVERY|EACH)\b)|WHILE|WHERE|PRIOR|PREVIOUS(?:LY)?|FORMER(?:LY)?|RE(?:INSTAT|ACTIVAT|STOR|SUM|VERS)\w+)\b/
/** A slash before a word. That of a date stands before a number. */
const SLASH = / ?\/ ?(?=[A-Z])/g

/**
 * The statements that begin within a sentence, which payers string together without any full stop, each as far as it may go: up to the next one, and
 * up to the next clause. What depends on a condition is left out, and so is what belongs to the words before it ("dental coverage ended").
 */
export function statementsWithin(sentence: string): string[] {
  const found = sentence.includes('/') ? statementsBetweenSlashes(sentence) : []
  if (sentence.length < SHORTEST_RUN_ON) return found
  const isShort = sentence.length < LONG_RUN_ON
  const starts = [...sentence.matchAll(STATEMENT)].filter(
    (words) =>
      mayBegin(sentence, words) && !(isShort && words.index > 0 && mayBelong(sentence.slice(0, words.index), words[0])),
  )
  for (const [place, { index, 0: words }] of starts.entries()) {
    // "Grace period ended and premium was received", "grace period ended - account is now current": what follows may undo it.
    const next = starts.slice(place + 1).find((start) => {
      return !sentence.slice(0, start.index).endsWith(' AND ') && !IS_PAID.test(sentence.slice(start.index))
    })
    const end = next?.index ?? sentence.length
    const whole = sentence.slice(index, end)
    if (index > 0 || end < sentence.length) found.push(whole)
    if (isShort) continue
    NEUTRAL.lastIndex = words.length
    const neutral = NEUTRAL.exec(whole)
    if (neutral && !BINDING.test(whole.slice(0, neutral.index))) found.push(whole.slice(0, neutral.index))
  }
  return found
}

/** The end of a sentence by which what was owed is paid. */
export const IS_PAID =
  /^(?:PREMIUMS?|PAYMENT|ACCOUNT|BALANCE)\b(?!.*\b(?:NOT|NEVER|NO|UNTIL|UNLESS)\b)[^-]*\b(?:CURRENT|PAID|RECEIVED)\W*$/

/** True for what may be the rest of the one statement of a short sentence. */
const mayBelong = (before: string, words: string) =>
  !HAS_VERB.test(before) || DEPENDS.test(before) || /\bCLAIMS?\b/.test(words)

/** "Precertification required / coverage terminated 02/28/2026 / call the plan": the statements that begin behind a slash, each up to the next one. */
function statementsBetweenSlashes(sentence: string): string[] {
  const ends = [...sentence.matchAll(SLASH)]
  return ends.flatMap(({ index, 0: slash }, place) => {
    const start = index + slash.length
    BEGINS.lastIndex = start
    const words = BEGINS.exec(sentence)
    if (words === null || !mayBegin(sentence, words)) return []
    return sentence.slice(start, ends[place + 1]?.index)
  })
}

function mayBegin(sentence: string, { index, 0: words }: RegExpExecArray): boolean {
  const before = sentence.slice(Math.max(0, index - 120), index)
  if (BINDING.test(before) || (KIND.test(before) && !PERSON.test(words))) return false
  const condition = [...before.matchAll(CONDITION)].at(-1)
  return condition === undefined || before.slice(condition.index).split(' ').length > WORDS_OF_CONDITION
}
