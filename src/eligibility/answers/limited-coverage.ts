// Active coverage that the payer limits in words: EB has no code for "family planning only" or "emergency services only". Source:
// x12-271.md 5, rule 7; rules.md 17.
import type { BenefitRow } from '../../x12/model.ts'
import { explainOutOfForce } from './in-force.ts'
import { LONGEST_TEXT, sentencesOf } from './payer-text.ts'
import { isActiveRow, isPlanRow } from './status.ts'

/** What limited programs cover, and the X12 1365 codes of the visits that such a program does cover. */
const PROGRAMS: readonly (readonly [words: string, codes: readonly string[]])[] = [
  ['EMERGEN(?:CY|CIES|T)', ['86', '52']],
  ['FAMILY PLANNING', ['82']],
  ['PREGNANCY|MATERNITY|PRENATAL|LABOR AND DELIVERY', ['69', 'BT', 'BU']],
  ['PHARMACY|PRESCRIPTIONS?|DRUGS?', ['88']],
  ['DENTAL', ['35']],
  ['VISION', ['AL']],
  ['HOSPICE', ['45']],
  ['TUBERCULOSIS|TB', []],
  ['BREAST|CERVICAL|CANCER', []],
  ['COVID(?:-?19)?', []],
  ['INPATIENT|HOSPITAL(?:IZATION)?', ['47', '48']],
  ['LONG[ -]TERM CARE|NURSING (?:HOME|FACILITY)', ['54']],
  ['(?:MENTAL|BEHAVIORAL) HEALTH|SUBSTANCE ABUSE', ['MH', 'AI']],
  ['PREMIUMS?|SLMB|QI-?1?|QDWI', []],
  ['CATASTROPHIC|ACCIDENTS?', []],
]

const PROGRAM = `(?:${PROGRAMS.map(([words]) => words).join('|')})\\b`
const LINKS =
  'MEDICAL|MEDICAID|MEDICARE|RELATED|SERVICES?|CARE|BENEFITS?|COVERAGE|PLAN|PROGRAM|WAIVER|TREATMENT|FOR|OF|THE|AND|OR|IS|ARE'
const LINK = `(?:[ ,/&:-]+(?:${LINKS}|${PROGRAM}))*`

const PATTERNS = [
  new RegExp(`\\b${PROGRAM}${LINK}[ ,:-]+ONLY\\b`),
  new RegExp(`\\b(?:ONLY|SOLELY)(?: COVERS| COVERED| PAYS| ELIGIBLE)?${LINK}[ ,/&:-]+${PROGRAM}`),
  new RegExp(`\\b(?:LIMITED|RESTRICTED)(?: ONLY)? TO${LINK}[ ,/&:-]+${PROGRAM}`),
  /\b(?:LIMITED|RESTRICTED)(?: (?:MEDICAL|MEDICAID|SCOPE))?[ -](?:BENEFITS?|COVERAGE|SCOPE|MEDICAID|ELIGIBILITY)\b/,
]
/** The name of a program as the name of the plan. */
const PROGRAM_NAME = /\bFAMILY PLANNING\b|\bEMERGENCY (?:MEDICAID|MEDICAL|SERVICES|MEDI-?CAL)\b|^(?:SLMB|QI-?1?|QDWI)$/
/** Words of a sentence that is not about what is covered: "referral required for inpatient only". */
const OTHER_SUBJECT =
  /\b(?:NOT|REFERRALS?|AUTHORI[SZ]ATIONS?|PRE-?CERT\w*|CO-?PAY\w*|COINSURANCE|DEDUCTIBLES?|REQUIRE[DS]?|APPL(?:Y|IES)|WAIVED|NETWORK|CARD)\b/

/** EB01 of texts about the coverage as a whole: limitations, description, disclaimer, coverage basis. */
const TEXT_ROWS: ReadonlySet<string> = new Set(['F', 'D', 'P', 'CB'])

/**
 * The rows that limit the plan to services other than the requested ones. A plan is not limited when another active row states it without a
 * limit; a text about the coverage as a whole limits every plan.
 */
export function findLimits(rows: readonly BenefitRow[], services: readonly string[], day: string): BenefitRow[] {
  const stated = rows.filter((row) => isPlanRow(row) && !row.procedure && !explainOutOfForce(row.dates, day))
  const limits = (row: BenefitRow) => statementsOf(row).some((sentence) => limitsTo(sentence, services))
  const active = stated.filter(isActiveRow)
  const texts = stated.filter((row) => TEXT_ROWS.has(row.code) && hasNoFigure(row) && limits(row))
  return active.every(limits) ? [...active, ...texts] : texts
}

/** A text under a figure or about one network is not about the coverage as a whole. */
function hasNoFigure({ amount, percent, quantity, deliveries, networkIndicator }: BenefitRow): boolean {
  return [amount, percent, quantity, deliveries[0], networkIndicator].every((part) => part === undefined)
}

function statementsOf({ planDescription = '', messages }: BenefitRow): string[] {
  const name = planDescription.slice(0, LONGEST_TEXT).toUpperCase().trim()
  const program = PROGRAM_NAME.exec(name)?.[0]
  return [name, ...(program === undefined ? [] : [`${program} ONLY`]), ...messages.flatMap(sentencesOf)]
}

function limitsTo(sentence: string, services: readonly string[]): boolean {
  if (OTHER_SUBJECT.test(sentence)) return false
  const limit = PATTERNS.map((pattern) => pattern.exec(sentence)?.[0]).find((found) => found !== undefined)
  if (limit === undefined) return false
  return !PROGRAMS.some(([words, codes]) => {
    return codes.some((code) => services.includes(code)) && new RegExp(`\\b(?:${words})\\b`).test(limit)
  })
}
