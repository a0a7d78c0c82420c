// Active coverage that the payer limits in words: EB has no code for "family planning only" or "emergency services only". Source:
// x12-271.md 5, rule 7; rules.md 17; decisions/0073-coverage-that-is-no-medical-coverage.md.
import type { BenefitRow } from '../../../x12/model.ts'
import { type BetweenRows, LONGEST_TEXT, sentencesOfAll } from '../payer-text.ts'
import { isNotMedical, programOfName, supplementsMedicare } from './coverage-names.ts'
import { explainOutOfForce } from './in-force.ts'
import { isActiveRow, isPlanRow } from './status.ts'

/** What limited programs cover, and the X12 1365 codes of the visits that such a program does cover. */
const PROGRAMS: readonly (readonly [words: string, codes: readonly string[]])[] = [
  ['EMERGEN(?:CY|CIES|T)', ['86', '52']],
  ['FAMILY PLANNING', ['82']],
  ['PREGNANCY|MATERNITY|PRENATAL|LABOR (?:AND|&) DELIVERY|UNBORN(?: CHILD)?', ['69', 'BT', 'BU']],
  ['PHARMACY|PRESCRIPTIONS?|DRUGS?', ['88']],
  ['DENTAL', ['35']],
  ['VISION', ['AL']],
  ['HOSPICE', ['45']],
  ['MINOR CONSENT', ['82', '69', 'MH', 'AI']],
  ['TUBERCULOSIS|TB', []],
  ['BREAST|CERVICAL|CANCER', []],
  ['COVID(?:-?19)?', []],
  ['INPATIENT|HOSPITAL(?:IZATION)?', ['47', '48']],
  ['LONG[ -]TERM CARE|NURSING (?:HOME|FACILITY)', ['54']],
  ['(?:MENTAL|BEHAVIORAL) HEALTH|SUBSTANCE ABUSE', ['MH', 'AI']],
  ['TRANSPORTATION', []],
  ['PREMIUMS?|SLMB|QI-?1?|QDWI|(?:QUALIFYING|QUALIFIED) INDIVIDUALS?(?: 1)?|SPECIFIED LOW[ -]INCOME', []],
  ['CATASTROPHIC|ACCIDENTS?', []],
  ['COMPENSABLE|INJUR(?:Y|IES)|INDUSTRIAL', []],
  ['DIRECT CARE|MILITARY', []],
  ['INDEMNITY|CRITICAL ILLNESS|DISCOUNTS?|REIMBURSEMENTS?|(?:IC|QSE)?HRA', []],
]

const PROGRAM = `(?:${PROGRAMS.map(([words]) => words).join('|')})\\b`
const LINKS =
  'MEDICAL|MEDICAID|MEDICARE|RELATED|SERVICES?|CARE|BENEFITS?|COVERAGE|PLAN|PROGRAM|WAIVER|TREATMENT|FACILITIES|HOSPITALS?|CLINICS?|ARRANGEMENT|WORK|THIS|FOR|OF|THE|AND|OR|IS|ARE'
const LINK = `(?:[ ,/&:-]+(?:${LINKS}|${PROGRAM}))*`

const PATTERNS = [
  new RegExp(`\\b${PROGRAM}${LINK}[ ,:-]+ONLY\\b(?! (?:THROUGH|UPON|VIA|FROM|EVERY|IF|WHEN|AFTER)\\b)`),
  new RegExp(`\\b(?:ONLY|SOLELY)(?: COVERS| COVERED| PAYS| ELIGIBLE)?${LINK}[ ,/&:-]+${PROGRAM}`),
  new RegExp(`\\b(?:LIMITED|RESTRICTED)(?: ONLY)? TO${LINK}[ ,/&:-]+${PROGRAM}`),
  /\b(?:LIMITED|RESTRICTED)(?: (?:MEDICAL|MEDICAID|SCOPE))?[ -](?:BENEFITS?|COVERAGE|SCOPE|MEDICAID|ELIGIBILITY)\b/,
  new RegExp(
    `\\b(?:MEDI-?CAL|MEDICAID) ELIGIBLE FOR${LINK}[ ,/&:-]+(?:EMERGENCY|FAMILY PLANNING|PREGNANCY|PRENATAL)\\b`,
  ),
  /\bELIGIBLE FOR (?:EMERGENCY|MINOR CONSENT)(?: [A-Z]+)? SERVICES\b/,
  new RegExp(
    `\\bNO (?:MEDICAID |OTHER )?(?:COVERAGE|BENEFITS)(?: EXCEPT| OTHER THAN)(?: FOR)?${LINK}[ ,/&:-]+${PROGRAM}`,
  ),
  /\b(?:SOLO|SOLAMENTE|UNICAMENTE)\b.*\b(?:EMERGENCIAS?|PLANIFICACION FAMILIAR|MATERNIDAD|EMBARAZO|FARMACIA|DENTAL|VISION)\b/,
  /\bEMERGENCY\b.*\b(?:NON-?CITIZENS?|ALIENS?|UNDOCUMENTED)\b/,
]
/** The name of a plan, or a short text of its row, that states what alone is covered: "PREVENTIVE SERVICES ONLY". */
const SHORT_LIMIT =
  /^\W*(?:[A-Z0-9'/&-]+[ ,]+){1,6}ONLY(?: (?:PLAN|COVERAGE|PROGRAM|POLICY|BENEFITS?|SERVICES?|CARE|\d+))?\W*$/
/** Who is covered and where, and the care that an office visit is. */
const NO_LIMIT =
  /\b(?:EMPLOYEES?|SUBSCRIBERS?|MEMBERS?|SELF|INDIVIDUALS?|SPOUSE|CHILD(?:REN)?|FAMILY|DEPENDENTS?|SINGLE|MEDICAL|OUTPATIENT|AMBULATORY|PHYSICIANS?|PROFESSIONAL|PRIMARY|PCP|PPO|HMO|EPO|POS|PARTICIPATING|PROVIDERS?|PART B|GENERICS?|ONLINE|BILLING|INFORMATION)\b/

/** Words of a sentence that is not about what is covered: "referral required for inpatient only". */
const OTHER_SUBJECT =
  /\b(?:NOT|REFERRALS?|AUTHORI[SZ]ATIONS?|PRE-?CERT\w*|CO-?PAY\w*|COINSURANCE|DEDUCTIBLES?|REQUIRE[DS]?|APPL(?:Y|IES)|WAIVED|NETWORK|CARD|OUT[ -]OF[ -](?:AREA|STATE|COUNTRY)|OUTSIDE|ABROAD)\b|^\W*(?:SUBSTANCE ABUSE|(?:MENTAL|BEHAVIORAL) HEALTH|DENTAL|VISION|PHARMACY|HOSPICE|TRANSPLANTS?|THERAP\w+)\b.*\b(?:LIMITED|RESTRICTED) TO\b/

/** EB01 of texts about the coverage as a whole: limitations, description, disclaimer, coverage basis. */
const TEXT_ROWS: ReadonlySet<string> = new Set(['F', 'D', 'P', 'CB'])

/** X12 1365 codes of medical care. A payer that states them as active is not one of dental or vision coverage alone. */
const MEDICAL: ReadonlySet<string> = new Set(['1', '2', '33', '47', '48', '50', '86', '96', '98', 'UC'])

/** The inquiry and the payer that an answer is about. */
export interface LimitContext {
  /** X12 1365. */
  services: readonly string[]
  /** YYYY-MM-DD. */
  day: string
  payerName?: string | undefined
}

/**
 * The rows that limit the plan to services other than the requested ones. A plan is not limited when another active row states it without a
 * limit; a text about the coverage as a whole limits every plan.
 */
export function findLimits(
  rows: readonly BenefitRow[],
  context: LimitContext,
  pause: BetweenRows,
): Promise<BenefitRow[]> {
  const { services, payerName = '' } = context
  const coversMedicine = rows.some((row) => isActiveRow(row) && row.serviceTypeCodes.some((code) => MEDICAL.has(code)))
  const ofPayer = coversMedicine ? undefined : programOfName(payerName)
  const limits = (row: BenefitRow): boolean => {
    const { planDescription = '', messages } = row
    const name = planDescription.slice(0, LONGEST_TEXT).toUpperCase().trim()
    const program = programOfName(name)
    // Dental and vision plans that list medical services belong to a medical plan of that name.
    const named = program === 'DENTAL' || program === 'VISION' ? (coversMedicine ? undefined : program) : program
    const sentences = [name, ...[named, ofPayer].flatMap((each) => (each ? [`${each} ONLY`] : []))]
    const texts = sentencesOfAll(messages)
    if (isActiveRow(row) && !supplementsMedicare(row)) {
      if (isNotMedical(row) || [name, ...texts].some((text) => isShortLimit(text, services))) return true
    }
    return [...sentences, ...texts].some((sentence) => limitsTo(sentence, services))
  }
  return findStating(rows, { day: context.day, pause }, limits)
}

/**
 * The rows about the plan, or about one service, for which `states` is true: texts about the coverage as a whole, and the active rows if it is
 * true of all of them, because another active plan without that statement is sufficient.
 */
export async function findStating(
  rows: readonly BenefitRow[],
  { day, pause, service, alsoIn }: { day: string; pause: BetweenRows; service?: string; alsoIn?: ReadonlySet<string> },
  states: (row: BenefitRow) => boolean,
): Promise<BenefitRow[]> {
  const isMeant = (row: BenefitRow) => (service === undefined ? isPlanRow(row) : row.serviceTypeCodes.includes(service))
  const stated = rows.filter((row) => isMeant(row) && !row.procedure && !explainOutOfForce(row.dates, day))
  const active = stated.filter(isActiveRow)
  const texts: BenefitRow[] = []
  for (const row of stated) {
    if (!(TEXT_ROWS.has(row.code) || alsoIn?.has(row.code)) || !hasNoFigure(row)) continue
    if (states(row)) texts.push(row)
    await pause(row)
  }
  for (const row of active) {
    if (!states(row)) return texts
    await pause(row)
  }
  return [...active, ...texts]
}

/** A text under a figure or about one network is not about the coverage as a whole. */
function hasNoFigure({ amount, percent, quantity, deliveries, networkIndicator }: BenefitRow): boolean {
  return [amount, percent, quantity, deliveries[0], networkIndicator].every((part) => part === undefined)
}

function isShortLimit(text: string, services: readonly string[]): boolean {
  if (!SHORT_LIMIT.test(text) || NO_LIMIT.test(text) || OTHER_SUBJECT.test(text)) return false
  return !coversOneOf(text, services)
}

/** True when a program in the text covers one of the services. */
function coversOneOf(text: string, services: readonly string[]): boolean {
  return PROGRAMS.some(([words, codes]) => {
    return codes.some((code) => services.includes(code)) && new RegExp(`\\b(?:${words})\\b`).test(text)
  })
}

/** A statement of its own, whatever else the sentence is about. */
const NO_INSURANCE = /\bNOT (?:HEALTH |MEDICAL )?INSURANCE\b/

function limitsTo(sentence: string, services: readonly string[]): boolean {
  if (NO_INSURANCE.test(sentence)) return true
  if (OTHER_SUBJECT.test(sentence)) return false
  const limit = PATTERNS.map((pattern) => pattern.exec(sentence)?.[0]).find((found) => found !== undefined)
  if (limit === undefined) return false
  return !coversOneOf(limit, services)
}
