// Sentences that name the primary payer by words of no list. rules.md 17; x12-271.md 10; decisions/0073.

import { isProperName } from '../names/proper-names.ts'
import { phrases } from '../phrase-group.ts'
import { CONDITIONAL, KINDS, TAIL } from './primacy.ts'

const BARE = "([A-Z][A-Z&'-]*(?: [A-Z&'-]+){0,3}?)"
/** The beginning of a name after what it is of, however long it goes on: "Blue Cross and Blue Shield of North Carolina". */
const REGION = '(?:MID|NORTH|SOUTH|EAST|WEST|PACIFIC|ATLANTIC|GREAT|GULF|ROCK|RIVER|CAPITAL|CAROLINAS|DAKOTAS)[A-Z-]*'
const LABELED = `([A-Z][A-Z&'-]*(?: (?!(?:AND|OF)\\b)[A-Z&'-]+){0,6}?)(?: AND [A-Z]+(?: [A-Z]+)?)?(?: OF(?: THE(?= ${REGION})| (?!THE\\b)[A-Z]+)(?: [A-Z-]+){0,2})?`
/** "Cigna primary", "primary - Anthem", "prim ins Aetna". */
const BARE_NAME = new RegExp(
  `^\\W*(?:${BARE}(?: ?[:(-] ?| )PRIM(?:E|ARY)?(?: (?:CARRIER|PAY[EO]R|INS(?:URANCE)?))?|PRIM(?:ARY)?(?: (?:INS(?:URANCE)?|CARRIER|PAY[EO]R|INSURER) | ?-+ ?)${LABELED})${TAIL}`,
)

const PERSONS = "(?:HIS|HER|THEIR|(?:MEMBER|PATIENT|SUBSCRIBER|DEPENDENT|CHILD)'?S?)"
const NAME = `${BARE}(?: OF [A-Z]+(?: [A-Z]+)?)?`
/** "Has primary with Blue Shield", "her primary is Cigna", "covered first by Aetna". */
const NAMED_IN_SENTENCE = new RegExp(
  [
    `(?:^\\W*|\\b(?:HAS|HAVE|${PERSONS}) (?:(?:AN?|${PERSONS}) )?)PRIMARY(?: ${KINDS})?(?: IS)? (?:WITH|THROUGH) ${NAME}`,
    `\\b(?:HAS|HAVE|${PERSONS}) PRIMARY(?: ${KINDS})?(?: IS)? (?:UNDER|VIA|BY) ${NAME}`,
    `\\b${PERSONS} PRIMARY(?: ${KINDS})? IS (?!WITH\\b|THROUGH\\b|UNDER\\b|[A-Z]+ED\\b)${NAME}`,
    `\\bCOVERED FIRST (?:BY|UNDER|THROUGH) ${NAME}`,
    `^\\W*${NAME} COVERS(?: (?:THIS|THE))? (?:MEMBER|PATIENT|DEPENDENT|CHILD|SUBSCRIBER|CLAIMS?) FIRST`,
    `^\\W*(?:PLEASE NOTE[ :]+)?(?:(?:ALL|MEDICAL) )*CLAIMS? (?:GO|GOES|MUST GO|ARE SENT) TO (?!LOCAL\\b|HOST\\b|HOME\\b)${NAME} FIRST`,
  ]
    .map((stated) => stated + TAIL)
    .join('|'),
)

const COB = '(?:COB|COORDINATION OF BENEFITS)'
/** "Primary under UHC per COB", "COB: UHC primary", "COB on file - primary Aetna". */
const NAMED_BY_COB = new RegExp(
  [
    `^\\W*(?:${PERSONS} )?PRIMARY(?: ${KINDS})?(?: IS)?(?: (?:UNDER|WITH|THROUGH|VIA|ON))? ${NAME} (?:PER|BY) (?:THE )?${COB}\\b.*$`,
    `^\\W*${COB}(?: (?:ON FILE|STATUS|INFO|INFORMATION))?\\W+${NAME}(?: (?:IS|AS))?[ -]+PRIMARY${TAIL}`,
    `^\\W*${COB}(?: (?:ON FILE|STATUS|INFO|INFORMATION))?\\W+PRIMARY[ :-]+${NAME}${TAIL}`,
  ].join('|'),
)

/** Programs, whose names are words of the grammar. */
const PROGRAM = /^(?:MEDICARE|TRICARE|CHAMPVA)$/

/** The name in a text that is nothing but a name and PRIMARY, or that states by name who is primary. */
export function primaryByName(text: string): string | undefined {
  const [bare, stated, named] = [BARE_NAME, NAMED_IN_SENTENCE, NAMED_BY_COB].map((pattern) =>
    pattern.exec(text)?.slice(1).find(Boolean),
  )
  if (bare !== undefined && isProperName(bare)) return bare
  const name = [stated, named].find((each) => each !== undefined && (isProperName(each) || PROGRAM.test(each)))
  return name ?? primaryBesideOthers(text)
}

/** The name beside a former or a later payer: "Aetna primary - prior carrier Cigna through 12/31/2025". With days of its own it may have ended. */
function primaryBesideOthers(text: string): string | undefined {
  if (!OTHER_PAYER.test(text)) return undefined
  return text
    .split(/ -+ |, /)
    .filter((clause) => !/\d/.test(clause))
    .map((clause) => BARE_NAME.exec(clause)?.slice(1).find(Boolean))
    .find((name) => name !== undefined && isProperName(name))
}
const OTHER_PAYER = new RegExp(`\\b(?:PRIOR|PREVIOUS|FORMER|OLD|SECONDARY|TERTIARY) ${KINDS}\\b`)

export const FIRST_BY_NAME = phrases({
  meaning: 'the primary payer by its name alone or in a sentence, unless it is the inquired payer or no name (NO_NAME)',
  source: 'TPAs; portals of BCBS plans',
  says: [],
  holds: (text) => primaryByName(text) !== undefined,
  unless: [CONDITIONAL],
  examples: [
    'PRIMARY - ANTHEM',
    'PRIM INS AETNA',
    'HUMANA PRIM',
    'BCBS PRIMARY EFF 01/01/2026',
    'CIGNA PRIMARY',
    'BLUE CROSS - PRIMARY',
    'BCBS PRIME CARRIER',
    'UNITED HEALTHCARE PRIMARY',
    'MEMBER HAS PRIMARY WITH BLUE SHIELD',
    'HER PRIMARY IS CIGNA',
    'COVERED FIRST BY AETNA',
    'CIGNA COVERS THIS MEMBER FIRST',
    'CLAIMS GO TO HUMANA FIRST',
    'PRIMARY UNDER UHC PER COB',
    'COB: UHC PRIMARY',
    'PRIMARY PAYER BLUE CROSS AND BLUE SHIELD OF TEXAS',
    'PRIMARY PAYER UNITED HEALTHCARE OF THE RIVER VALLEY',
    'AETNA PRIMARY - PRIOR CARRIER CIGNA THROUGH 12/31/2025',
  ],
  counterexamples: [
    'PRIMARY WITH NO DEDUCTIBLE',
    'EYE EXAM COVERED FIRST BY VISION PLAN',
    'CHOOSE A PRIMARY THROUGH MYCHART',
    'VISION CLAIMS GO TO EYEMED FIRST',
    'INPATIENT PRIMARY',
    'COVERAGE PRIMARY',
    'DR SMITH PRIMARY',
    'PCP PRIMARY',
    'PCMH PRIMARY',
    'PRIMARY UNDER COB RULES',
    'COB: COVERAGE PRIMARY',
    'PRIMARY PAYER RULES OF THE STATE APPLY',
    'MULTIPLAN PRIMARY - SECONDARY NETWORK PHCS',
  ],
})
