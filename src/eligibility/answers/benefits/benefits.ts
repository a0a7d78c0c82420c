import { isServiceTypeCode, type ServiceTypeCode } from '../../../contract/wire-codes.ts'
import { isPlanRow } from '../../../x12/benefit-row.ts'
import { DEDUCTIBLE, EXCLUSIONS, NON_COVERED, OUT_OF_POCKET } from '../../../x12/codes/benefits.ts'
import { PLAN_SERVICE, serviceTypeName } from '../../../x12/codes/service-types.ts'
import type { BenefitRow } from '../../../x12/model.ts'
import type { MedicareFacts } from '../coverage/medicare.ts'
import { isOfAnotherPlan, type Plans, readPlans } from '../coverage/plan-rows.ts'
import type { Judgment } from '../coverage/status.ts'
import type {
  CoverageBenefits,
  CoverageDetails,
  CoverageLevel,
  CoverageValue,
  NonCoveredDetail,
  PlanCoverage,
  PlanSlot,
  ServiceCoverage,
  ServiceSlot,
} from '../wire.ts'
import { type BenefitFigure, readBenefitFigures, readNonCovered } from './benefit-figures.ts'
import { describeConditions, describeFigure, isOfProcedureAlone } from './benefit-notes.ts'
import {
  coverageLevelOf,
  type LevelsOfOthers,
  levelKeyOf,
  type Network,
  networksOf,
  rankRow,
  SlotCollector,
} from './benefit-slots.ts'
import { gatherNotes } from './gather-notes.ts'
import { findRelatedEntities, knownServiceTypeCodes } from './related-entities.ts'
import { restrictionsOf } from './row-labels.ts'
import { statedLevel } from './stated-level.ts'
import { isOfDay } from './stated-time.ts'

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

/** Of one plan or service. More than the total of all MSG that the guide allows under one EB. */
export const NOTES_MAX_CHARACTERS = 4_000

/**
 * Converts a patient's EB rows to benefits: structured slots for the plan and each service, flat lists with every number that the payer
 * sent, non-covered services, related entities and notes. Money is in dollars, shares are percent 0..100, the rest are counts. Nothing is
 * computed beyond what the payer stated. Undefined when there are no benefits. Source: x12-271.md 7.
 */
export function decodeBenefits(
  rows: readonly BenefitRow[],
  judgment: Judgment,
  medicare: MedicareFacts = { alerts: [], parts: [] },
  others?: LevelsOfOthers,
): CoverageBenefits | undefined {
  const plans = readPlans(rows, judgment.chosen, medicare.label)
  const plan = collectCoverage()
  const services = new Map<ServiceTypeCode, Coverage>()
  const nonCovered: NonCoveredDetail[] = []
  const unlisted: BenefitRow[] = []
  for (const row of rows) {
    const isNonCovered = row.code === NON_COVERED || row.code === EXCLUSIONS
    if (isNonCovered) nonCovered.push(toNonCovered(row, plans))
    const figures = readBenefitFigures(row)
    const isListed =
      figures.length > 0 && addFigures({ row, figures, day: judgment.day, others }, plans, plan, services)
    if (!isNonCovered && !isListed) unlisted.push(row)
  }
  const benefits: CoverageBenefits = {}
  const planCoverage: PlanCoverage = settleCoverage(plan, PLAN_SLOTS)
  if (Object.keys(planCoverage).length > 0) benefits.plan_coverage = planCoverage
  if (services.size > 0) benefits.service_specific_coverage = settleServices(services)
  const { entities, areMore } = findRelatedEntities(rows)
  if (entities.length > 0) benefits.benefits_related_entities = entities
  if (nonCovered.length > 0) benefits.non_covered_details = nonCovered
  const notes = gatherNotes(unlisted, { rows, judgment, plans, medicare, namesMore: areMore })
  if (notes !== '') benefits.notes = notes
  return Object.keys(benefits).length > 0 ? benefits : undefined
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

interface StatedFigures {
  row: BenefitRow
  figures: readonly BenefitFigure[]
  /** If the row's own dates exclude it, the figures fill no slots: Medicare states the deductible of each year. */
  day: string | undefined
  /** The figures of rows for other people fill no slots either. */
  others: LevelsOfOthers | undefined
}

function addFigures(
  { row, figures, day, others }: StatedFigures,
  plans: Plans,
  plan: Coverage,
  services: Map<ServiceTypeCode, Coverage>,
): boolean {
  const coverages = coveragesOf(row, plan, services)
  const isForeign = plans.label !== undefined || !isOfPlanOn(day, row, plans)
  const remarks = joinRemarks(describeConditions(row, plans.options))
  const stated = statedLevel(row, plans.chosen)
  const level = levelKeyOf(stated, others)
  const coverageLevel = coverageLevelOf(stated)
  const rank = rankRow(row, plans.hasPartB)
  const restrictions = restrictionsOf(row, plans.chosen)
  const networks = networksOf(row)
  for (const figure of figures) {
    const described = describeFigure(figure, row)
    const notes = joinNotes(described, remarks)
    const details = toDetails(coverageLevel, figure, notes)
    const offer = { rank, restrictions, value: figure.value, isPart: figure.isPart }
    for (const coverage of coverages) {
      for (const network of networks) {
        if (plans.figuresLeft <= 0 || plans.charactersLeft <= 0) return coverages.length > 0
        plans.figuresLeft -= 1
        plans.charactersLeft -= notes.length
        coverage[network].flat.push(details)
        if (figure.slot && level && !isForeign) coverage[network].slots.offer(figure.slot, level, offer)
      }
    }
  }
  return coverages.length > 0
}

const isAccumulator = ({ code }: BenefitRow) => code === DEDUCTIBLE || code === OUT_OF_POCKET

/** Where the figures of a row are listed: with the plan or under its service 30, and under each other service that it names. */
function coveragesOf(row: BenefitRow, plan: Coverage, services: Map<ServiceTypeCode, Coverage>): Coverage[] {
  const coverages: Coverage[] = []
  if (isPlanRow(row)) coverages.push(isAccumulator(row) ? plan : coverageOf(services, PLAN_SERVICE))
  for (const code of knownServiceTypeCodes(row)) {
    if (code !== PLAN_SERVICE) coverages.push(coverageOf(services, code))
  }
  return coverages
}

/** True for the figures of the chosen plan that hold on the day: those of other rows are listed, and fill no slot. */
function isOfPlanOn(day: string | undefined, row: BenefitRow, plans: Plans): boolean {
  if (day !== undefined && !isOfDay(row, day)) return false
  // Part A's deductible is that of a stay: it is not the plan's beside Part B, which pays for visits.
  if (isAccumulator(row) && plans.hasPartB && row.insuranceType === 'MA') return false
  // A figure of one procedure is listed with the plan's, because it has no service, and is not the plan's own.
  return !isOfAnotherPlan(row, plans) && !isOfProcedureAlone(row)
}

function joinRemarks(remarks: readonly string[]): string {
  const joined = remarks.length > 1 ? remarks.join('; ') : (remarks[0] ?? '')
  return joined.slice(0, NOTES_MAX_CHARACTERS)
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

function toDetails(coverageLevel: CoverageLevel, { type, unit, value }: BenefitFigure, notes: string): CoverageDetails {
  return notes === ''
    ? { type, coverageLevel, unit, value }
    : { type, coverageLevel, unit, value, additional_notes: notes }
}

function toNonCovered(row: BenefitRow, plans: Plans): NonCoveredDetail {
  const { unit, value } = readNonCovered(row)
  const notes = describeConditions(row, plans.options)
  const unknown = row.serviceTypeCodes.filter((code) => !isServiceTypeCode(code))
  if (unknown.length > 0) notes.unshift(unknown.map((code) => serviceTypeName(code) ?? code).join(', '))
  if (row.networkIndicator === 'Y') notes.unshift('In network')
  if (row.networkIndicator === 'N') notes.unshift('Out of network')
  const details: NonCoveredDetail = {
    type: 'NON_COVERED',
    coverageLevel: coverageLevelOf(row.coverageLevel),
    unit,
    value,
  }
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
  const codes = [...services.keys()].sort()
  return codes.map((code) => ({ service_code: code, ...settleCoverage(services.get(code)!, SERVICE_SLOTS) }))
}
