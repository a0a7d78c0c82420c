import { INT32_MAX } from '../../../contract/common.schema.ts'
import { money } from '../../../contract/money.ts'
import { isActiveRow, isPlanRow, textsOf } from '../../../x12/benefit-row.ts'
import { coverageLevelNames } from '../../../x12/codes/coverage-levels.ts'
import { placeOfServiceNames } from '../../../x12/codes/places-of-service.ts'
import {
  OFFICE_VISIT,
  PHYSICIAN,
  PLAN_SERVICE,
  serviceTypeName,
  serviceTypeNames,
} from '../../../x12/codes/service-types.ts'
import type { BenefitRow } from '../../../x12/model.ts'
import { levelsOfOthers } from '../coverage/covered-people.ts'
import { explainOutOfForce } from '../coverage/in-force.ts'
import type { PatientAnswer } from '../coverage/other-coverage.ts'
import { type Plans, planNameOf, readPlans } from '../coverage/plan-rows.ts'
import { isQualifiedBeneficiary } from '../coverage/qualified-beneficiary.ts'
import { partsOf, sentencesOfAll } from '../payer-text.ts'
import type { CoverageValue } from '../wire.ts'
import { COPAY_AMOUNT, COPAY_WAIVED, SOME_DAYS, SOME_PROVIDERS, SPECIALISTS } from '../words/figures/figures.ts'
import { COPAY_EXEMPT, SHARE_NOT_COLLECTED } from '../words/figures/kinds-of-visits.ts'
import { states } from '../words/phrase-group.ts'
import { withFullStops } from '../words/sentences/full-stops.ts'
import { isOwedByStay, readBenefitFigures } from './benefit-figures.ts'
import { levelKeyOf, networksOf, rankRow, toCents } from './benefit-slots.ts'
import { anySaysProviderIsOut } from './gather-notes.ts'
import { isAtOtherPlace, labelsOf, providersOf } from './row-labels.ts'
import { statedLevel } from './stated-level.ts'
import { statedNetwork } from './stated-network.ts'
import { isOfDay } from './stated-time.ts'

/** The levels whose copay applies to the patient, the most specific first. */
const LEVELS = ['individual', 'employeeAndSpouse', 'employeeAndChildren', 'family'] as const

/** Maximum number of other rows to name; only the payer knows which of them applies. */
const MAX_OTHERS = 3

interface StatedCopay {
  row: BenefitRow
  dollars: number
}

interface Estimate {
  /** Cents. */
  structured_response: number
  exposition: string
}

/**
 * The in-network price of the visit for the patient, in cents, with a sentence that names the rows: the copay of service type 98, else the
 * plan's; of a visit for other services, which an office visit does not price, the one copay of all of them. Undefined without active
 * coverage, when the payer states no copay, and when it states several, none of which applies to every provider (primary care and
 * specialists, tiers): a wrong amount at the desk is worse than none. Source: rules.md 13.8; x12-271.md 7, corrected.
 */
export function estimateCopay(answer: PatientAnswer, requested: readonly string[] = []): Estimate | undefined {
  if (answer.parsed.eligibility_status !== 'ACTIVE') return undefined
  const plans = plansOf(answer)
  const others = requested.filter((code) => code !== PLAN_SERVICE)
  if (others.length === 0 || others.some((code) => OF_OFFICE.has(code)))
    return estimateFor(answer, plans, [OFFICE_VISIT, PLAN_SERVICE])
  const estimates = others.map((service) => estimateFor(answer, plans, [service]))
  const areEqual = new Set(estimates.map((each) => each?.structured_response)).size === 1
  return areEqual ? estimates[0] : undefined
}

/** X12 1365 codes of what an office visit is for. */
const OF_OFFICE: ReadonlySet<string> = new Set(['1', PHYSICIAN, OFFICE_VISIT, 'BY', 'BZ'])

/** By the first of the services that has a copay. */
function estimateFor(answer: PatientAnswer, plans: Plans, services: readonly string[]): Estimate | undefined {
  for (const service of services) {
    const stated = statedCopays(answer, plans, service)
    if (stated.length === 0) continue
    const copay = inNetworkCopay(answer, service)
    if (!copay || !isUnambiguous(copay, stated) || isNotOwed(answer)) return undefined
    if (services.includes(OFFICE_VISIT) && differsForSpecialists(answer, plans, copay)) return undefined
    if (differsForFirstVisits(answer, service, copay)) return undefined
    const cents = toCents(copay.dollars)
    // Not a copay, and one such value would break the page of clients that read 32 bits.
    return cents > INT32_MAX ? undefined : { structured_response: cents, exposition: explain(stated, service, copay) }
  }
  return undefined
}

/** Nothing may be collected from a QMB for what Medicare leaves to pay, and a provider who is out of network has another price. */
function isNotOwed({ patient: { benefits }, dateOfService }: PatientAnswer): boolean {
  return (
    isQualifiedBeneficiary(benefits, dateOfService) ||
    benefits.some((row) => isPlanRow(row) && forbidsCollection(row, dateOfService)) ||
    benefits.some(({ messages }) => anySaysProviderIsOut(messages))
  )
}

/**
 * Two indistinguishable rows with different amounts give no estimate, nor does a single one for a kind of provider, a tier or a place. Rows
 * for different kinds with one amount do.
 */
function isUnambiguous({ level, dollars }: Copay, stated: readonly StatedCopay[]): boolean {
  const ofLevel = stated.filter(({ row }) => levelKeyOf(statedLevel(row)) === level)
  // As in the slot, a row that states no network yields to those that state one.
  const stating = ofLevel.filter(({ row }) => statedNetwork(row) !== undefined)
  const alike = (stating.length > 0 ? stating : ofLevel).filter(({ row }) => labelsOf(row, undefined).length === 0)
  const named = alike.filter(({ row }) => statedNetwork(row) === 'Y')
  if (!(named.length > 0 ? named : alike).every((each) => each.dollars === dollars)) return false
  const rows = ofLevel.filter((each) => each.dollars === dollars).map(({ row }) => row)
  if (rows.some((row) => isContradicted(row, dollars))) return false
  // Another price at some provider, who may be the one of the visit.
  if (ofLevel.some((each) => each.dollars !== dollars && providersOf(each.row).length > 0)) return false
  return rows.some((row) => !isNarrowed(row)) || new Set(rows.map(({ messages }) => messages.join())).size > 1
}

/** A text about the plan by which nothing is collected from the patient. */
function forbidsCollection({ messages, amount, percent, dates, networkIndicator }: BenefitRow, day: string): boolean {
  if (messages.length === 0 || (amount ?? percent ?? networkIndicator) !== undefined) return false
  if (explainOutOfForce(dates, day) !== undefined) return false
  return sentencesOfAll(messages).some((sentence) => states(SHARE_NOT_COLLECTED, sentence))
}

/** The payer's text states another copay than its figure, or that none is owed. */
function isContradicted(row: BenefitRow, dollars: number): boolean {
  return partsOfTexts(row).some((text) => {
    if (dollars > 0 && [COPAY_WAIVED, COPAY_EXEMPT, SHARE_NOT_COLLECTED].some((group) => states(group, text)))
      return true
    const [, amount] = COPAY_AMOUNT.exec(text) ?? []
    return amount !== undefined && Number(amount) !== dollars
  })
}

/** Payers that state the copay of primary care for an office visit state that of specialists for physicians. */
function differsForSpecialists(answer: PatientAnswer, plans: Plans, { dollars }: Copay): boolean {
  return statedCopays(answer, plans, PHYSICIAN).some((each) => {
    return each.dollars !== dollars && each.row.messages.some((text) => states(SPECIALISTS, text))
  })
}

/** Another price of the first visits, of which nobody here knows whether this is one. */
function differsForFirstVisits(
  { patient, dateOfService }: PatientAnswer,
  service: string,
  { dollars }: Copay,
): boolean {
  const isOfSomeVisits = (text: string) => VISITS.test(text) && states(SOME_DAYS, text)
  return patient.benefits.some(
    (row) =>
      row.messages.some(isOfSomeVisits) &&
      isAbout(row, service) &&
      networksOf(row).includes('in_network') &&
      isOfDay(row, dateOfService) &&
      readBenefitFigures(row).some(({ isPart, unit, value }) => isPart && unit === 'CURRENCY' && value !== dollars),
  )
}

const VISITS = /\bVISITS?\b/i

function isNarrowed(row: BenefitRow): boolean {
  if (isOwedByStay(row) || providersOf(row).length > 0 || row.procedure || isAtOtherPlace(row)) return true
  return partsOfTexts(row).some((text) => states(SOME_PROVIDERS, text))
}

/** Of a long text, any part may say when the copay is another. */
const partsOfTexts = (row: BenefitRow): string[] => textsOf(row).map(withFullStops).flatMap(partsOf)

const SUBJECTS: ReadonlyMap<string, string> = new Map([
  [OFFICE_VISIT, 'an office visit'],
  [PLAN_SERVICE, 'the plan, as none is stated for an office visit'],
])

interface Copay {
  dollars: number
  level: keyof CoverageValue
}

function inNetworkCopay({ parsed }: PatientAnswer, service: string): Copay | undefined {
  const coverage = parsed.benefits?.service_specific_coverage?.find((each) => each.service_code === service)
  const stated = coverage?.in_network?.copay
  for (const level of LEVELS) {
    const dollars = stated?.[level]
    if (dollars !== undefined && dollars >= 0) return { dollars, level }
  }
  return undefined
}

function explain(all: readonly StatedCopay[], service: string, { dollars, level }: Copay): string {
  const stated = all.filter(({ row }) => levelKeyOf(statedLevel(row)) === level)
  const used = stated.find((each) => each.dollars === dollars)
  const others = stated.filter((each) => each.dollars !== dollars).slice(0, MAX_OTHERS)
  const subject = SUBJECTS.get(service) ?? serviceTypeName(service) ?? service
  const source = used ? `, by its row ${nameRow(used.row, service)}` : ''
  const besides = others.map((other) => `${money(other.dollars)} by ${nameRow(other.row, service)}`)
  const rest = besides.length > 0 ? `; it also states ${besides.join(' and ')}` : ''
  return `The payer states an in-network copay of ${money(dollars)} for ${subject}${source}${rest}.`
}

/** The plans of the answer, that of the slots by its name. */
function plansOf({ patient: { benefits }, parsed }: PatientAnswer): Plans {
  const name = parsed.plan_metadata?.plan_name
  return readPlans(
    benefits,
    benefits.find((row) => isActiveRow(row) && row.planDescription === name),
  )
}

/** The rows that may have filled the slot, the representative one first. */
function statedCopays(
  { patient, dateOfService }: PatientAnswer,
  { chosen, inactive, hasPartB }: Plans,
  service: string,
): StatedCopay[] {
  const others = levelsOfOthers(patient, dateOfService)
  const isOfEndedPlan = (row: BenefitRow) => {
    const plan = planNameOf(row)
    return plan !== undefined && plan !== chosen && inactive.has(plan)
  }
  return patient.benefits
    .filter((row) => isAbout(row, service) && networksOf(row).includes('in_network') && isOfDay(row, dateOfService))
    .filter((row) => !isOfEndedPlan(row) && levelKeyOf(statedLevel(row, chosen), others) !== undefined)
    .flatMap((row) => {
      return readBenefitFigures(row)
        .filter(({ slot, isPart }) => slot === 'copay' && !isPart)
        .map(({ value }) => ({ row, dollars: value }))
    })
    .toSorted((a, b) => rankRow(a.row, hasPartB) - rankRow(b.row, hasPartB))
}

function isAbout({ serviceTypeCodes, procedure }: BenefitRow, service: string): boolean {
  return serviceTypeCodes.includes(service) || (service === PLAN_SERVICE && serviceTypeCodes.length === 0 && !procedure)
}

/** The elements that identify a row: `EB*B*IND*98 (Office Visit, Individual, SPECIALIST)`. */
function nameRow(row: BenefitRow, service: string): string {
  const { code, coverageLevel, planDescription, messages, additionalInformation } = row
  const words = [
    serviceTypeNames[service],
    coverageLevel === undefined ? undefined : coverageLevelNames[coverageLevel],
    planDescription,
    ...additionalInformation.slice(0, 1).map(({ code: place, text }) => text ?? placeOfServiceNames[place ?? '']),
    ...messages.slice(0, 1),
  ]
  const described = words.filter((word) => word !== undefined).map((word) => word.slice(0, MAX_WORDS))
  return `EB*${code}*${coverageLevel ?? ''}*${service} (${described.join(', ')})`
}

/** A message may have 264 characters (005010X279A1 MSG01); several of them would not make a readable sentence. */
const MAX_WORDS = 120
