// Active coverage that the payer limits in words: EB has no code for "family planning only" or "emergency services only". Source:
// x12-271.md 5, rule 7; rules.md 17; decisions/0073-coverage-that-is-no-medical-coverage.md.
import { isActiveRow, isPlanRow } from '../../../x12/benefit-row.ts'
import { BENEFIT_DESCRIPTION, COVERAGE_BASIS, DISCLAIMER, LIMITATIONS } from '../../../x12/codes/benefits.ts'
import { OFFICE_VISIT, PHYSICIAN } from '../../../x12/codes/service-types.ts'
import type { BenefitRow } from '../../../x12/model.ts'
import { type BetweenRows, LONGEST_TEXT, sentencesOfAll } from '../payer-text.ts'
import { namesOther } from '../words/denials/denial-subject.ts'
import { cachedByName } from '../words/names/known-names.ts'
import { states } from '../words/phrase-group.ts'
import { ABROAD, NARROW_CATEGORY, ONE_CAUSE } from '../words/programs/circumstances.ts'
import { KINDS_OF_COVERAGE } from '../words/programs/kinds-of-coverage.ts'
import { ALL_BUT, LIMITED_TO, LIMITED_TO_CARE, NO_INSURANCE, namesCare, ONLY } from '../words/programs/limited.ts'
import type { Program } from '../words/programs/program.ts'
import { PROGRAMS } from '../words/programs/programs.ts'
import { careOfAllInFull, programInFull } from '../words/sentences/abbreviations.ts'
import { isLimitedByType, programOfName, programOfPlan, supplementsMedicare } from './coverage-names.ts'
import { explainOutOfForce } from './in-force.ts'

/** EB01 of texts about the coverage as a whole: limitations, description, disclaimer, coverage basis. */
const TEXT_ROWS: ReadonlySet<string> = new Set([LIMITATIONS, BENEFIT_DESCRIPTION, DISCLAIMER, COVERAGE_BASIS])

/** X12 1365 codes of medical care. A payer that states them as active is not one of dental or vision coverage alone. */
const MEDICAL: ReadonlySet<string> = new Set(['1', '2', '33', '47', '48', '50', '86', PHYSICIAN, OFFICE_VISIT, 'UC'])

/** The inquiry and the payer that an answer is about. */
interface LimitContext {
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
export function findLimitedRows(
  rows: readonly BenefitRow[],
  context: LimitContext,
  pause: BetweenRows,
): Promise<BenefitRow[]> {
  return findStating(rows, { day: context.day, pause }, limitsIn(rows, context))
}

/** Whether a row of an answer limits its plan to services other than the requested ones. */
export function limitsIn(
  rows: readonly BenefitRow[],
  { services, payerName = '' }: Omit<LimitContext, 'day'>,
): (row: BenefitRow) => boolean {
  const coversMedicine = rows.some((row) => isActiveRow(row) && row.serviceTypeCodes.some((code) => MEDICAL.has(code)))
  const ofPayer = coversMedicine ? undefined : programOfName(payerName)
  return (row) => {
    const { planDescription = '', messages } = row
    const name = programInFull(planDescription.slice(0, LONGEST_TEXT).toUpperCase().trim())
    const program = programOfPlan(name)
    // Dental and vision plans that list medical services belong to a medical plan of that name.
    const named = program?.firstWords && coversMedicine ? undefined : program
    if ([named, ofPayer].some((each) => each && !coversOneOf(each.services, services))) return true
    const texts = careOfAllInFull(sentencesOfAll(messages))
    if (isActiveRow(row) && !supplementsMedicare(row)) {
      if (isLimitedByType(row, services) || (mayLimit(name) && isShortLimit(name, services))) return true
      if (texts.some((text) => isAboutCoverage(text) && isShortLimit(text, services))) return true
      if (!coversMedicine && texts.some((text) => isProgram(text, services))) return true
    }
    if (mayLimit(name) && limitsTo(name, services)) return true
    return texts.some((sentence) => limitsTo(sentence, services)) && !texts.some((text) => ALL_ELSE.test(text))
  }
}

/** Whether the name of a plan limits it to other services than none at all: what limits it for some services does for none. */
const mayLimit = cachedByName((name) => limitsTo(name, NO_SERVICES) || isShortLimit(name, NO_SERVICES))
const NO_SERVICES: readonly string[] = []

/**
 * The rows without the active plans that are limited to other services (dental, vision) beside one that is not: they do not make up for what the
 * payer states against that one. All rows where every plan is limited, or none.
 */
export async function withoutLimitedPlans(
  rows: BenefitRow[],
  { day, ...context }: LimitContext,
  pause: BetweenRows,
): Promise<BenefitRow[]> {
  const plans = rows.filter((row) => isActiveRow(row) && isPlanRow(row) && !explainOutOfForce(row.dates, day))
  if (plans.length < 2) return rows
  const isLimited = limitsIn(rows, context)
  const limited = new Set<BenefitRow>()
  for (const row of plans) {
    if (isLimited(row)) limited.add(row)
    await pause(row)
  }
  return limited.size === 0 || limited.size === plans.length ? rows : rows.filter((row) => !limited.has(row))
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
    const paused = pause(row)
    if (paused) await paused
  }
  for (const row of active) {
    if (!states(row)) return texts
    const paused = pause(row)
    if (paused) await paused
  }
  return [...active, ...texts]
}

/** A text under a figure or about one network is not about the coverage itself. */
function hasNoFigure({ amount, percent, quantity, deliveries, networkIndicator }: BenefitRow): boolean {
  return (amount ?? percent ?? quantity ?? deliveries[0] ?? networkIndicator) === undefined
}

/** "Restricted coverage for long-term care only. All other services are covered." */
const ALL_ELSE =
  /^\W*ALL OTHER (?:COVERED )?(?:SERVICES|BENEFITS|CARE)(?: (?:ARE|IS|REMAIN))* (?:COVERED|PAYABLE|AVAILABLE|APPLY)\b/

const coversOneOf = (codes: readonly string[], services: readonly string[]) => {
  return codes.some((code) => services.includes(code))
}

/** "Recipient is eligible for ..." */
const OF_PERSON =
  /^\W*(?:(?:(?:THE|THIS) )?(?:MEMBER|PATIENT|RECIPIENT|CLIENT|BENEFICIARY|INDIVIDUAL|SUBSCRIBER|PARTICIPANT|ENROLLEE) (?:HAS|(?:IS )?(?:ELIGIBLE|APPROVED|COVERED) FOR|(?:IS )?ENROLLED IN)|ELIGIBLE FOR) (?:THE )?(?=\w+ \w)/

/** What else ends in ONLY is a rule about a visit, supply or place: "retail only". The name of a plan is about the coverage in any words. */
const isAboutCoverage = (text: string) => OF_PERSON.test(text) || namesCare(text)

function isShortLimit(text: string, services: readonly string[]): boolean {
  if (isOfService(text)) return false
  const care = states(LIMITED_TO_CARE, text) ? careIn(text) : undefined
  if (care !== undefined && namesCare(care.replace(ANY_CARE, '')) && !namesOneOf(care, services)) return true
  const limits = text.split(' - ').map((part) => part.replace(OF_PERSON, ''))
  return limits.some((limit) => states(ONLY, limit) && !namesOneOf(limit, services))
}

const careIn = (text: string) => {
  const [pattern] = LIMITED_TO_CARE.says
  return pattern instanceof RegExp ? pattern.exec(text)?.groups?.care : undefined
}
/** Words of the names of service types that name none of them. */
const ANY_CARE = /\b(?:BENEFITS?|CARE|COVERAGE|HEALTH|HOSPITAL|PLAN|PROGRAM|SERVICES?|TREATMENT)\b/g

/** "Out of area dependent": a person, not what the person is covered for. */
const AWAY =
  /\bOUT[ -]OF[ -](?:SERVICE[ -])?AREA (?:DEPENDENT|MEMBER|STUDENT|CHILD)\b|\b(?:DEPENDENT|MEMBER|STUDENT|CHILD)(?: (?:IS|LIVES|RESIDES|LIVING))? OUT[ -]OF[ -](?:SERVICE[ -])?AREA\b/

/** "Ambulance: emergency only", "physical therapy - outpatient only". */
function isOfService(sentence: string): boolean {
  const label = /^[^:]{1,40}?(?=:| [-/] )/.exec(sentence)?.[0]
  if (label === undefined || /\bONLY\b/.test(label) || AWAY.test(label)) return false
  return namesOther(label) && programOfName(label) === undefined
}

/** "Benefit plan: ...", "category - ..." */
const LABEL =
  /^\W*(?:(?:THIS|IT|THIS PLAN|THIS POLICY|PLAN|POLICY|COVERAGE) IS AN? )|^\W*(?:(?:AID|BENEFIT|COVERAGE|ELIGIBILITY|MEDICAID|ME|RECIPIENT) )?(?:BENEFIT|CATEGORY|PLAN|PROGRAM|COVERAGE|TYPE|GROUP|(?<=\b(?:AID|ELIGIBILITY|ME) )CODE)(?: (?:NAME|TYPE|DESCRIPTION|CODE|GROUP|PROGRAM))?(?: ?[:=-] ?|(?<= CODE) | (?=\d{1,3}[A-Z]? ))/
/** A text that is only a name: one word, or up to six whose last word says what kind of thing it names. */
const NAME = /^(?:\S+|(?:\S+\s+){1,5}(?:PROGRAM|WAIVER|PLAN|POLICY|CARD|MEMBERSHIP))$/
const IN_A_SENTENCE = /\b(?:THIS|THE|YOUR|INCLUDES?|HAS|HAVE|IN|WITH|NO|NOT|SEE|CALL)\b/

/** True when a text is the name of a program that covers none of the services: "FAMILY PLANNING BENEFIT PROGRAM", "QDWI". */
function isProgram(text: string, services: readonly string[]): boolean {
  return text.split(' - ').some((part) => isProgramAlone(part.replace(LABEL, '').replace(CODE, '').trim(), services))
}

/** Of a state's list, before the name: "ME code 89 Uninsured Women's Health Services", "8H - Family PACT". */
const CODE = /^\W*(?:\d{1,3}[A-Z]?|[A-Z]\d{1,2}[A-Z]?)[ :-]+(?=[A-Z]{3})/

function isProgramAlone(name: string, services: readonly string[]): boolean {
  if (IN_A_SENTENCE.test(name)) return false
  const program = programOfName(name)
  if (!program || coversOneOf(program.services, services)) return false
  return NAME.test(name) || (!KINDS_OF_COVERAGE.includes(program) && isWholly(name, program))
}

/** True when a text is nothing but the name of a program of a state: "TAKE CHARGE PLUS". A kind of coverage may be one of several: "PRESCRIPTION DRUGS". */
function isWholly(text: string, { names = [] }: Program): boolean {
  return names.some((pattern) => {
    const found = pattern.exec(text)
    return found?.index === 0 && OF_PROGRAM.test(text.slice(found[0].length))
  })
}

const OF_PROGRAM = /^(?: (?:BENEFITS?|COVERAGE|GROUP|PROGRAM|SERVICES|WAIVER))*$/

const NAMED = PROGRAMS.flatMap(({ words, services }) => {
  return words === undefined ? [] : [{ services, pattern: new RegExp(`\\b(?:${words})\\b`) }]
})

/** True when a program in the text covers one of the services. */
function namesOneOf(text: string, services: readonly string[]): boolean {
  return NAMED.some((program) => coversOneOf(program.services, services) && program.pattern.test(text))
}

/** Few texts have one of these, and none is about one accident without. */
const RELATED = /\bRELATED?\b|\bONLY\b|\b(?:ACCEPTED|ALLOWED|COMPENSABLE)\b/
/** The same for other countries. */
const COUNTRY = /\b(?:USA?|UNITED STATES|COUNTRY|ABROAD|OVERSEAS)\b/

function limitsTo(sentence: string, services: readonly string[]): boolean {
  if (
    states(NO_INSURANCE, sentence) ||
    (COUNTRY.test(sentence) && states(ABROAD, sentence)) ||
    (RELATED.test(sentence) && states(ONE_CAUSE, sentence))
  )
    return true
  const group = [ALL_BUT, LIMITED_TO, NARROW_CATEGORY].find((each) => states(each, sentence))
  if (!group || (group === LIMITED_TO && isOfService(sentence))) return false
  const limits = group.says.map((pattern) => pattern instanceof RegExp && pattern.exec(sentence)?.[0])
  return !namesOneOf(limits.find((limit) => typeof limit === 'string') || '', services)
}
