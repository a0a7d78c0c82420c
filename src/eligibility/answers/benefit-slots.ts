import type { BenefitRow } from '../../x12/model.ts'
import { isOwedByStay } from './benefit-figures.ts'
import type { CoverageLevel, CoverageValue } from './wire.ts'

/** Ranks of rows that name their network and of those that do not lie so far apart. */
const NETWORK_STEP = 60_000

/** Which lists and slots a row fills. Source: EB12. */
export type Network = 'in_network' | 'out_of_network'

const BOTH: readonly Network[] = ['in_network', 'out_of_network']
const IN: readonly Network[] = ['in_network']
const OUT: readonly Network[] = ['out_of_network']

/** EB12 Y in, N out, W both; U and blank speak of both too, but yield to rows that say so. Source: x12-271.md 7. */
export function networksOf(row: BenefitRow): readonly Network[] {
  if (row.networkIndicator === 'Y') return IN
  if (row.networkIndicator === 'N') return OUT
  return BOTH
}

/** EB02 in the interface's words; every level it has no word for is INDIVIDUAL. */
export function coverageLevelOf(row: BenefitRow): CoverageLevel {
  switch (row.coverageLevel) {
    case 'FAM':
      return 'FAMILY'
    case 'ESP':
      return 'EMPLOYEE_AND_SPOUSE'
    case 'ECH':
      return 'EMPLOYEE_AND_CHILDREN'
    case 'EMP':
      return 'EMPLOYEE_ONLY'
    default:
      return 'INDIVIDUAL'
  }
}

export type LevelKey = keyof CoverageValue

/** The member of a structured value that a row speaks of. */
export function levelKeyOf(row: BenefitRow): LevelKey {
  switch (row.coverageLevel) {
    case 'FAM':
      return 'family'
    case 'ESP':
      return 'employeeAndSpouse'
    case 'ECH':
      return 'employeeAndChildren'
    default:
      return 'individual'
  }
}

/**
 * How well a row stands for its slot, lower is better: a stated network before an unstated one, then the row with the
 * fewest qualifiers (a tier, a specialist or a place of service is the exception and not the plan's figure), then in or
 * out before both, then a stated level before a blank one.
 * Our choice: a share owed by the day or the stay is qualified too, and among stated levels IND stands for `individual`
 * before EMP, CHD and the like.
 * Source: x12-271.md 7, "several rows for one slot".
 */
export function rankRow(row: BenefitRow, hasPartB: boolean): number {
  const indicator = row.networkIndicator
  const unstatedNetwork = indicator === 'Y' || indicator === 'N' || indicator === 'W' ? 0 : 1
  const yieldsToPartB = hasPartB && row.insuranceType === 'MA' ? 1 : 0
  const qualifiers =
    row.messages.length +
    2 * row.additionalInformation.length +
    (row.procedure ? 2 : 0) +
    (isOwedByStay(row) ? 2 : 0) +
    yieldsToPartB
  const bothNetworks = indicator === 'W' ? 1 : 0
  const level = row.coverageLevel === undefined ? 2 : row.coverageLevel === 'IND' || row.coverageLevel === 'FAM' ? 0 : 1
  return unstatedNetwork * NETWORK_STEP + (Math.min(qualifiers, 9_999) * 2 + bothNetworks) * 3 + level
}

/** Candidates beyond this many are never looked at; the bound keeps hostile input cheap. */
const MAX_CANDIDATES = 64

/** A row's value for a slot. */
interface Offer {
  rank: number
  value: number
  /** What narrows the row: its messages, places, procedures; a share owed by the stay. */
  labels: readonly string[]
}

/** What narrows a row to less than its service. EB05 counts where it names no plan that the slots speak of. */
export function labelsOf(row: BenefitRow, plan: string | undefined): readonly string[] {
  const { messages, additionalInformation, procedure, planDescription } = row
  const name = plan === undefined || planDescription === undefined ? '' : planDescription.trim().toUpperCase()
  const isLabelled = name !== '' && name !== plan
  if (messages.length + additionalInformation.length === 0 && !procedure && !isLabelled && !isOwedByStay(row))
    return NO_LABELS
  const places = additionalInformation.map(({ qualifier, code, text }) => [qualifier, code, text].join(':'))
  return [
    ...messages,
    ...places,
    ...(procedure ? [procedure.join(':')] : []),
    ...(isLabelled ? [name] : []),
    ...(isOwedByStay(row) ? ['by the stay'] : []),
  ]
}

const NO_LABELS: readonly string[] = []

/** A payer that marks one of its tiers so means the figure that applies unless something else does. */
const STANDARD = /\bSTANDARD\b/i

/** Slots of counts: the broadest row has the count, and of two equally broad ones the larger. */
const COUNTS: ReadonlySet<string> = new Set(['visits', 'visits_remaining'])

/** The structured values of one plan or service in one network, collected row by row. */
export class SlotCollector {
  readonly #slots = new Map<string, Map<LevelKey, Offer[]>>()

  /** Offers a row's value for a slot. */
  offer(name: string, level: LevelKey, offer: Offer): void {
    const levels = this.#slots.get(name) ?? new Map<LevelKey, Offer[]>()
    this.#slots.set(name, levels)
    const offers = levels.get(level)
    if (!offers) levels.set(level, [offer])
    else if (offers.length < MAX_CANDIDATES) offers.push(offer)
  }

  /** The filled slots, or undefined when no row fitted any. */
  settle<Name extends string>(names: readonly Name[]): { [name in Name]?: CoverageValue } | undefined {
    if (this.#slots.size === 0) return undefined
    const sums = this.#addUp()
    const settled: { [name in Name]?: CoverageValue } = {}
    let filled = false
    for (const name of names) {
      const levels = this.#slots.get(name)
      const value = levels && toCoverageValue(sums?.get(name) ?? chooseEach(name, levels))
      if (!value) continue
      filled = true
      settled[name] = value
    }
    return filled ? settled : undefined
  }

  /** The slots whose rows must agree with those of others; undefined where there are none. */
  #addUp(): Map<string, Chosen> | undefined {
    let chosen: Map<string, Chosen> | undefined
    for (const sum of SUMS) {
      if (!sum.every((name) => this.#slots.has(name))) continue
      chosen ??= new Map()
      for (const name of sum) chosen.set(name, chooseEach(name, this.#slots.get(name)!))
      reconcile(chosen, sum)
    }
    return chosen
  }
}

/** Slots of which the first less the second is the third. */
const SUMS = [
  ['deductible', 'deductible_year_to_date', 'deductible_remaining'],
  ['oop_max', 'oop_max_year_to_date', 'oop_max_remaining'],
] as const

/** Values of equally good rows in file order, by level; a level on which no row stands for the others is left out. */
type Chosen = ReadonlyMap<LevelKey, number[]>

function chooseEach(name: string, levels: ReadonlyMap<LevelKey, Offer[]>): Chosen {
  const chosen = new Map<LevelKey, number[]>()
  for (const [level, offers] of levels) {
    const isCount = COUNTS.has(name)
    const values = offers.length === 1 ? [offers[0]!.value] : choose(isCount ? offers : inBestNetwork(offers))
    if (values.length > 0) chosen.set(level, isCount ? [Math.max(...values)] : values)
  }
  return chosen
}

/**
 * The rows that nothing narrows, the best-ranking first. What every row says (FAMILY AMOUNT, say) narrows none. Where all are
 * narrowed (tiers, primary care and specialists) one that is marked as standard stands for them, else only what all agree on.
 * Source: x12-271.md 7, corrected.
 */
function choose(offers: readonly Offer[]): number[] {
  const [first] = offers
  if (!first) return []
  if (offers.length === 1) return [first.value]
  const common = first.labels.filter((label) => offers.every(({ labels }) => labels.includes(label)))
  const plain = offers.filter(({ labels }) => labels.every((label) => common.includes(label)))
  if (plain.length > 0) return bestOf(plain)
  const standard = offers.filter(({ labels }) => labels.some((label) => STANDARD.test(label)))
  const values = (standard.length > 0 ? standard : offers).map(({ value }) => value)
  return new Set(values).size === 1 ? values.slice(0, 1) : []
}

/** The values of the best rank. */
function bestOf(offers: readonly Offer[]): number[] {
  const best = Math.min(...offers.map(({ rank }) => rank))
  return offers.filter(({ rank }) => rank === best).map(({ value }) => value)
}

/** Those that name their network, where any does. */
function inBestNetwork(offers: readonly Offer[]): readonly Offer[] {
  const named = offers.filter(({ rank }) => rank < NETWORK_STEP)
  return named.length > 0 ? named : offers
}

/** Between equally good rows, takes those whose base less year to date equals what remains. */
function reconcile(slots: ReadonlyMap<string, Chosen>, [base, met, left]: (typeof SUMS)[number]): void {
  const [wholes, spents, remainders] = [slots.get(base), slots.get(met), slots.get(left)]
  if (!wholes || !spents || !remainders) return
  for (const [level, whole] of wholes) {
    const spent = spents.get(level)
    const rest = remainders.get(level)
    if (spent && rest) agree(whole, spent, rest)
  }
}

/** Moves the first combination that adds up to the front of each list. */
function agree(wholes: number[], spents: number[], rests: number[]): void {
  for (const whole of wholes) {
    for (const spent of spents) {
      const rest = rests.find((candidate) => toCents(whole) - toCents(spent) === toCents(candidate))
      if (rest === undefined) continue
      wholes[0] = whole
      spents[0] = spent
      rests[0] = rest
      return
    }
  }
}

function toCents(dollars: number): number {
  return Math.round(dollars * 100)
}

const LEVEL_KEYS: readonly LevelKey[] = ['family', 'individual', 'employeeAndSpouse', 'employeeAndChildren']

/** Undefined where no level has a value. */
function toCoverageValue(levels: Chosen): CoverageValue | undefined {
  if (levels.size === 0) return undefined
  const value: CoverageValue = {}
  for (const key of LEVEL_KEYS) {
    const first = levels.get(key)?.[0]
    if (first !== undefined) value[key] = first
  }
  return value
}
