// What an answer states besides the bars and the services, and what is shown nowhere else: other figures of the plan, and services that are not covered.

import { levelOf, USUAL_PERIOD } from '../../../src/contract/plan-accounts.ts'
import { PLAN_SERVICE } from '../../../src/x12/codes/service-types.ts'
import type { CoverageBenefits, CoverageDetails, PlanCoverage, PlanCoverageDetails } from '../api/generated.ts'
import { type Cost, costOf, networkWords } from './benefits.ts'
import { serviceTypeName } from './service-types.ts'

interface StatedFigure extends Cost {
  /** "In network", "Out of network", or both. */
  where: string
}

/**
 * Figures of the plan that no bar shows, or that have a condition: tiers, other plans, periods other than the calendar year, what a deductible includes.
 * Equal ones of both networks once.
 */
export function othersOf(plan: PlanCoverage | undefined): StatedFigure[] {
  const figures = new Map<string, { entry: CoverageDetails; networks: string[] }>()
  const add = (where: string, details: PlanCoverageDetails | undefined, list: readonly CoverageDetails[] = []) => {
    for (const entry of list) {
      if (isInBar(details, entry)) continue
      const key = JSON.stringify(entry)
      const figure = figures.get(key) ?? { entry, networks: [] }
      if (!figure.networks.includes(where)) figure.networks.push(where)
      figures.set(key, figure)
    }
  }
  add(networkWords.in, plan?.in_network, plan?.in_network_flat)
  add(networkWords.out, plan?.out_of_network, plan?.out_of_network_flat)
  return [...figures.values()].map(({ entry, networks }) => ({
    ...costOf(entry),
    where: networks.length > 1 ? 'In and out of network' : (networks[0] ?? ''),
  }))
}

function isInBar(details: PlanCoverageDetails | undefined, entry: CoverageDetails): boolean {
  const { type, unit, value, coverageLevel, additional_notes: note = USUAL_PERIOD } = entry
  if (note !== USUAL_PERIOD || unit !== 'CURRENCY') return false
  const slot = details?.[type.toLowerCase() as keyof PlanCoverageDetails]
  return typeof slot === 'object' && slot[levelOf[coverageLevel]] === value
}

interface Uncovered {
  services: string
  note: string | undefined
}

/** Services that the payer does not cover, or excludes; each text once, with all of its services. */
export function uncoveredOf(details: CoverageBenefits['non_covered_details']): Uncovered[] {
  const services = new Map<string, Set<string>>()
  for (const { service_type_codes: codes = [], additional_notes: note = '', unit, value } of details ?? []) {
    const amount =
      unit === 'COUNT'
        ? ''
        : costOf({ type: 'COPAY', coverageLevel: 'INDIVIDUAL', unit, value }).text.replace(/ copay$/, '')
    const text = [amount, note].filter(Boolean).join('; ')
    const names = services.get(text) ?? new Set()
    for (const code of codes) names.add(code === PLAN_SERVICE ? 'The plan in general' : serviceTypeName(code))
    services.set(text, names)
  }
  return [...services].map(([note, names]) => ({
    services: [...names].join(', ') || 'A service that the response does not name',
    note: note || undefined,
  }))
}
