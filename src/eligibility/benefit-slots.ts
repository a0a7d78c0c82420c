import type { BenefitRow } from '../x12/model.ts'
import { isOwedByStay } from './benefit-figures.ts'
import type { CoverageLevel, CoverageValue } from './wire.ts'

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
  return ((unstatedNetwork * 10_000 + Math.min(qualifiers, 9_999)) * 2 + bothNetworks) * 3 + level
}

/** Equally good candidates beyond this many are never better than the first; the bound keeps hostile input cheap. */
const MAX_CANDIDATES = 8

interface Slot {
  rank: number
  /** Values of equally good rows in file order. */
  values: number[]
}

/** The structured values of one plan or service in one network, collected row by row. */
export class SlotCollector {
  readonly #slots = new Map<string, Map<LevelKey, Slot>>()

  /** Offers a row's value; the best rank wins, file order decides between equals. */
  offer(name: string, level: LevelKey, rank: number, value: number): void {
    const levels = this.#slots.get(name) ?? new Map<LevelKey, Slot>()
    this.#slots.set(name, levels)
    const slot = levels.get(level)
    if (!slot || rank < slot.rank) levels.set(level, { rank, values: [value] })
    else if (rank === slot.rank && slot.values.length < MAX_CANDIDATES) slot.values.push(value)
  }

  /** The filled slots, or undefined when no row fitted any. */
  settle<Name extends string>(names: readonly Name[]): { [name in Name]?: CoverageValue } | undefined {
    this.#reconcile('deductible')
    this.#reconcile('oop_max')
    const settled: { [name in Name]?: CoverageValue } = {}
    let filled = false
    for (const name of names) {
      const levels = this.#slots.get(name)
      if (!levels) continue
      filled = true
      settled[name] = toCoverageValue(levels)
    }
    return filled ? settled : undefined
  }

  /** Between equally good rows, takes those whose base less year to date equals what remains. */
  #reconcile(base: 'deductible' | 'oop_max'): void {
    const wholes = this.#slots.get(base)
    if (!wholes) return
    const spents = this.#slots.get(`${base}_year_to_date`)
    const remainders = this.#slots.get(`${base}_remaining`)
    if (!spents || !remainders) return
    for (const [level, whole] of wholes) {
      const spent = spents.get(level)
      const rest = remainders.get(level)
      if (spent && rest) agree(whole.values, spent.values, rest.values)
    }
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

function toCoverageValue(levels: ReadonlyMap<LevelKey, Slot>): CoverageValue {
  const value: CoverageValue = {}
  for (const key of LEVEL_KEYS) {
    const slot = levels.get(key)
    if (slot?.values[0] !== undefined) value[key] = slot.values[0]
  }
  return value
}
