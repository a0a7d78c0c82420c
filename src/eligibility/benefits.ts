import { serviceTypeName } from '../x12/codes/service-types.ts'
import type { BenefitRow } from '../x12/model.ts'
import { type BenefitFigure, readBenefitFigures, readNonCovered } from './benefit-figures.ts'
import {
  describeDate,
  describeFigure,
  describeInWords,
  describeRow,
  type RowOptions,
  toCaution,
} from './benefit-notes.ts'
import {
  coverageLevelOf,
  labelsOf,
  levelKeyOf,
  type Network,
  networksOf,
  rankRow,
  SlotCollector,
} from './benefit-slots.ts'
import type { MedicareFacts } from './medicare.ts'
import { isQualifiedBeneficiary, QUALIFIED_BENEFICIARY_CAUTION } from './qualified-beneficiary.ts'
import { findRelatedEntities, knownServiceTypeCodes } from './related-entities.ts'
import { isActiveRow, isInactiveRow, isPlanRow, type Judgement, PLAN_SERVICE } from './status.ts'
import type {
  CoverageBenefits,
  CoverageDetails,
  CoverageValue,
  NonCoveredDetail,
  PlanCoverage,
  PlanSlot,
  ServiceCoverage,
  ServiceSlot,
} from './wire.ts'
import { isServiceTypeCode, type ServiceTypeCode } from './wire-codes.ts'

const PLAN_SLOTS: readonly PlanSlot[] = [
  'deductible',
  'deductible_contract',
  'deductible_remaining',
  'deductible_year_to_date',
  'oop_max',
  'oop_max_contract',
  'oop_max_remaining',
  'oop_max_year_to_date',
]

const SERVICE_SLOTS: readonly ServiceSlot[] = ['copay', 'coinsurance', 'visits', 'visits_remaining']

/** Plan rows whose MSG texts become the notes: coverage itself, coverage basis, description, limitation, disclaimer, contact. */
const NOTED_CODES: ReadonlySet<string> = new Set(['1', '2', '3', '4', '5', '6', '7', '8', 'D', 'F', 'P', 'U', 'CB'])

/**
 * A row of many services and numbers is told once for each of them, so hostile input could grow a thousandfold. Real
 * answers have hundreds of rows, most of them about one service.
 */
const FIGURES_MAX = 10_000

/** More than all MSG that a guide allows under one EB would fill. */
const NOTES_MAX_CHARACTERS = 4_000

/**
 * Turns a patient's EB rows into benefits: structured slots for the plan and each service, flat lists with every number
 * the payer sent, what is not covered, related entities and notes. Money is dollars, shares are percent 0..100, the
 * rest counts. Nothing is computed that the payer did not say. Undefined when there is nothing to tell.
 * Source: x12-271.md 7.
 */
export function decodeBenefits(
  rows: readonly BenefitRow[],
  judgement: Judgement,
  medicare: MedicareFacts = { cautions: [], parts: [] },
): CoverageBenefits | undefined {
  const plans = { ...readPlans(rows, judgement.chosen), label: medicare.label }
  const plan = collectCoverage()
  const services = new Map<ServiceTypeCode, Coverage>()
  const nonCovered: NonCoveredDetail[] = []
  const told = new Set<BenefitRow>()
  for (const row of rows) {
    if (row.code === 'I' || row.code === 'E') {
      nonCovered.push(toNonCovered(row, plans))
      told.add(row)
    }
    const figures = readBenefitFigures(row)
    if (figures.length > 0 && addFigures(row, figures, plans, plan, services)) told.add(row)
  }
  const benefits: CoverageBenefits = {}
  const planCoverage: PlanCoverage = settleCoverage(plan, PLAN_SLOTS)
  if (Object.keys(planCoverage).length > 0) benefits.plan_coverage = planCoverage
  if (services.size > 0) benefits.service_specific_coverage = settleServices(services)
  const entities = findRelatedEntities(rows)
  if (entities.length > 0) benefits.benefits_related_entities = entities
  if (nonCovered.length > 0) benefits.non_covered_details = nonCovered
  const notes = gatherNotes(rows, told, judgement, plans, medicare)
  if (notes !== '') benefits.notes = notes
  return Object.keys(benefits).length > 0 ? benefits : undefined
}

/** Which plan the structured slots speak of when the payer answers about several. */
interface Plans {
  chosen: string | undefined
  /** True when active plan rows bear different names (EB05): then only rows of the chosen plan may fill slots. */
  several: boolean
  inactive: ReadonlySet<string>
  /** Medicare answers with Part A and Part B rows for the same slots; Part B is the professional one. */
  hasPartB: boolean
  /** Whose figures these are, where they are not the patient's: then they fill no slots. */
  label?: string | undefined
  /** How many numbers the lists still take. */
  figuresLeft: number
}

function readPlans(rows: readonly BenefitRow[], chosen: BenefitRow | undefined): Plans {
  const active = new Set<string>()
  const inactive = new Set<string>()
  let hasPartB = false
  for (const row of rows) {
    if (row.insuranceType === 'MB') hasPartB = true
    const name = planNameOf(row)
    if (name === undefined || !isPlanRow(row)) continue
    if (isActiveRow(row)) active.add(name)
    if (isInactiveRow(row)) inactive.add(name)
  }
  const several = active.size > 1
  return { chosen: chosen && planNameOf(chosen), several, inactive, hasPartB, figuresLeft: FIGURES_MAX }
}

function planNameOf(row: BenefitRow): string | undefined {
  return row.planDescription?.trim().toUpperCase() || undefined
}

function isOfAnotherPlan(row: BenefitRow, plans: Plans): boolean {
  const name = planNameOf(row)
  if (name === undefined || name === plans.chosen) return false
  return plans.several || plans.inactive.has(name)
}

interface NetworkCoverage {
  slots: SlotCollector
  flat: CoverageDetails[]
}

type Coverage = Record<Network, NetworkCoverage>

function collectCoverage(): Coverage {
  return {
    in_network: { slots: new SlotCollector(), flat: [] },
    out_of_network: { slots: new SlotCollector(), flat: [] },
  }
}

function addFigures(
  row: BenefitRow,
  figures: readonly BenefitFigure[],
  plans: Plans,
  plan: Coverage,
  services: Map<ServiceTypeCode, Coverage>,
): boolean {
  const isPlan = isPlanRow(row)
  const isAccumulator = row.code === 'C' || row.code === 'G'
  const coverages: Coverage[] = []
  if (isPlan) coverages.push(isAccumulator ? plan : coverageOf(services, PLAN_SERVICE))
  for (const code of knownServiceTypeCodes(row)) {
    if (code !== PLAN_SERVICE) coverages.push(coverageOf(services, code))
  }
  const foreign = plans.label !== undefined || isOfAnotherPlan(row, plans)
  const remarks = joinRemarks(describeRow(row, optionsOf(plans)))
  const level = levelKeyOf(row)
  const rank = rankRow(row, plans.hasPartB)
  const labels = labelsOf(row, plans.chosen)
  for (const figure of figures) {
    const described = describeFigure(figure)
    const details = toDetails(row, figure, joinNotes(described, remarks))
    for (const coverage of coverages) {
      for (const network of networksOf(row)) {
        if (plans.figuresLeft <= 0) return coverages.length > 0
        plans.figuresLeft -= 1
        coverage[network].flat.push(details)
        if (figure.slot && !foreign) {
          coverage[network].slots.offer(figure.slot, level, { rank, labels, value: figure.value })
        }
      }
    }
  }
  return coverages.length > 0
}

const optionsOf = ({ chosen, hasPartB, label }: Plans): RowOptions => ({ plan: chosen, namesPartA: hasPartB, label })

function joinRemarks(remarks: readonly string[]): string {
  return remarks.length === 0 ? '' : remarks.join('; ').slice(0, NOTES_MAX_CHARACTERS)
}

function joinNotes(described: string | undefined, remarks: string): string {
  if (described === undefined) return remarks
  return remarks === '' ? described : `${described}; ${remarks}`
}

function coverageOf(services: Map<ServiceTypeCode, Coverage>, code: ServiceTypeCode): Coverage {
  let coverage = services.get(code)
  if (!coverage) {
    coverage = collectCoverage()
    services.set(code, coverage)
  }
  return coverage
}

function toDetails(row: BenefitRow, { type, unit, value }: BenefitFigure, notes: string): CoverageDetails {
  const coverageLevel = coverageLevelOf(row)
  return notes === ''
    ? { type, coverageLevel, unit, value }
    : { type, coverageLevel, unit, value, additional_notes: notes }
}

function toNonCovered(row: BenefitRow, plans: Plans): NonCoveredDetail {
  const { unit, value } = readNonCovered(row)
  const notes = describeRow(row, optionsOf(plans))
  const unknown = row.serviceTypeCodes.filter((code) => !isServiceTypeCode(code))
  if (unknown.length > 0) notes.unshift(unknown.map((code) => serviceTypeName(code) ?? code).join(', '))
  if (row.networkIndicator === 'Y') notes.unshift('In network')
  if (row.networkIndicator === 'N') notes.unshift('Out of network')
  const details: NonCoveredDetail = { type: 'NON_COVERED', coverageLevel: coverageLevelOf(row), unit, value }
  if (notes.length > 0) details.additional_notes = joinRemarks(notes)
  const codes = knownServiceTypeCodes(row)
  if (codes.length > 0) details.service_type_codes = codes
  return details
}

type Settled<Name extends string> = {
  [network in Network]?: { [name in Name]?: CoverageValue }
} & { [list in `${Network}_flat`]?: CoverageDetails[] }

function settleCoverage<Name extends string>(coverage: Coverage, names: readonly Name[]): Settled<Name> {
  const settled: Settled<Name> = {}
  const inNetwork = coverage.in_network.slots.settle(names)
  if (inNetwork) settled.in_network = inNetwork
  if (coverage.in_network.flat.length > 0) settled.in_network_flat = coverage.in_network.flat
  const outOfNetwork = coverage.out_of_network.slots.settle(names)
  if (outOfNetwork) settled.out_of_network = outOfNetwork
  if (coverage.out_of_network.flat.length > 0) settled.out_of_network_flat = coverage.out_of_network.flat
  return settled
}

function settleServices(services: ReadonlyMap<ServiceTypeCode, Coverage>): ServiceCoverage[] {
  return [...services]
    .sort(([left], [right]) => (left < right ? -1 : 1))
    .map(([code, coverage]) => ({ service_code: code, ...settleCoverage(coverage, SERVICE_SLOTS) }))
}

/**
 * What has no place among the figures, one fact a line, each once: the texts about the whole plan as the payer wrote them, the
 * plans beside the chosen one, and every other row in words, so that nothing is lost. Source: x12-271.md 7, corrected.
 */
function gatherNotes(
  rows: readonly BenefitRow[],
  told: ReadonlySet<BenefitRow>,
  judgement: Judgement,
  plans: Plans,
  medicare: MedicareFacts,
): string {
  const notes = new Set<string>()
  if (isQualifiedBeneficiary(rows, judgement.day)) notes.add(toCaution(QUALIFIED_BENEFICIARY_CAUTION))
  if (judgement.caution !== undefined) notes.add(toCaution(judgement.caution))
  for (const row of rows) {
    for (const message of row.messages)
      if (OUT_OF_NETWORK.test(message)) notes.add(toCaution(`the payer says: ${message}`))
  }
  for (const caution of medicare.cautions) notes.add(toCaution(caution))
  for (const part of medicare.parts) notes.add(part)
  for (const row of rows) {
    if (told.has(row) || isToldByEntity(row)) continue
    const other = isPlanRow(row) && judgement.status === 'ACTIVE' ? describeOtherPlan(row, judgement.chosen) : undefined
    if (other !== undefined) notes.add(other)
    if (!isPlanRow(row) || !NOTED_CODES.has(row.code)) notes.add(describeInWords(row, optionsOf(plans)))
    else if (saysMore(row, judgement.chosen, other !== undefined))
      notes.add(describeInWords({ ...row, messages: [] }, optionsOf(plans)))
    if (isPlanRow(row)) for (const message of row.messages) notes.add(message)
  }
  if (plans.figuresLeft <= 0) notes.add('The answer holds more figures than are listed here.')
  return [...notes].join('\n')
}

/** What EB12 does not say and a message may: that the provider who asks is not in the network. Source: x12-271.md 4, EB12. */
const OUT_OF_NETWORK =
  /\bPROVIDER\b.{0,40}\b(?:OUT[ -](?:OF[ -])?NETWORK|NOT (?:IN|PARTICIPATING|CONTRACTED|A PARTICIPATING)|NON[ -]?PAR)/i

/** Rows whose messages say it all, and the row of the status, which the plan's own fields tell. */
const SPEAKING_CODES: ReadonlySet<string> = new Set(['D', 'P', 'F'])

function saysMore(row: BenefitRow, chosen: BenefitRow | undefined, isNamed: boolean): boolean {
  const hangs = row.references.length + row.deliveries.length + row.additionalInformation.length + row.entities.length
  const qualified = row.procedure ?? row.amount ?? row.percent ?? row.quantity ?? row.authorizationIndicator
  if (hangs > 0 || qualified !== undefined || row.networkIndicator === 'N') return true
  if (SPEAKING_CODES.has(row.code)) return row.messages.length === 0 || row.dates.length > 0
  if (isNamed) return false
  return row.dates.length > 0 || (row !== chosen && (row.insuranceType !== chosen?.insuranceType || !isActiveRow(row)))
}

/** A row that names a primary care provider and nothing else: it stands among the related entities. */
function isToldByEntity({ code, entities, messages, dates, references }: BenefitRow): boolean {
  return code === 'L' && entities.length > 0 && messages.length + dates.length + references.length === 0
}

/** A second active plan or a former, inactive one beside the chosen. Source: x12-271.md 5, rule 1. */
function describeOtherPlan(row: BenefitRow, chosen: BenefitRow | undefined): string | undefined {
  const inactive = isInactiveRow(row)
  if (row === chosen || !(inactive || isActiveRow(row))) return undefined
  if (!inactive && (row.planDescription === undefined || planNameOf(row) === (chosen && planNameOf(chosen))))
    return undefined
  const dates = row.dates.map(describeDate).join(', ')
  const label = `${inactive ? 'Inactive' : 'Also active'}: ${row.planDescription ?? 'another plan'}`
  return dates === '' ? label : `${label} (${dates})`
}
