import { FAMILY, INDIVIDUAL } from '../../../x12/codes/coverage-levels.ts'
import type { BenefitRow } from '../../../x12/model.ts'
import type { CoverageLevel, CoverageValue } from '../wire.ts'
import { isOwedByStay } from './benefit-figures.ts'
import type { Restrictions } from './row-labels.ts'
import { statedNetwork } from './stated-network.ts'

/** Distance between the ranks of rows that state their network and those that do not. */
const NETWORK_STEP = 60_000

/** The networks whose lists and slots a row fills. */
export type Network = 'in_network' | 'out_of_network'

const BOTH: readonly Network[] = ['in_network', 'out_of_network']
const IN: readonly Network[] = ['in_network']
const OUT: readonly Network[] = ['out_of_network']

/** In, out or both. A row that states no network means both, too, but yields to rows that state one. Source: x12-271.md 7. */
export function networksOf(row: BenefitRow): readonly Network[] {
  const network = statedNetwork(row)
  if (network === 'Y') return IN
  return network === 'N' ? OUT : BOTH
}

/** A level (EB02) as the interface's; every level that it lacks is INDIVIDUAL. */
export function coverageLevelOf(level: string | undefined): CoverageLevel {
  switch (level) {
    case FAMILY:
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

type LevelKey = keyof CoverageValue

/** Levels of a row (EB02) that are not those of the patient. Source: 005010X279A1 2110C EB02. */
export type LevelsOfOthers = ReadonlySet<string | undefined>

/** The member of a structured value that a row of this level (`statedLevel`) fills; none when it is for other people than the patient. */
export function levelKeyOf(level: string | undefined, others: LevelsOfOthers = NO_OTHERS): LevelKey | undefined {
  switch (level) {
    case FAMILY:
      return 'family'
    case 'ESP':
      return 'employeeAndSpouse'
    case 'ECH':
      return 'employeeAndChildren'
    default:
      return others.has(level) ? undefined : 'individual'
  }
}

const NO_OTHERS: LevelsOfOthers = new Set()

/**
 * How well a row represents its slot, lower is better. A stated network ranks before an unstated one; then the row with the fewest
 * qualifiers (a tier, a specialist or a place of service is an exception and not the plan's figure); then in or out before both; then a
 * stated level before a blank one. Our choice: a share owed per day or per stay counts as qualified, and among stated levels IND represents
 * `individual` before EMP, CHD and the like. Source: x12-271.md 7, "several rows for one slot".
 */
export function rankRow(row: BenefitRow, hasPartB: boolean): number {
  const indicator = statedNetwork(row)
  const unstatedNetwork = indicator === undefined ? 1 : 0
  const yieldsToPartB = hasPartB && row.insuranceType === 'MA' ? 1 : 0
  const qualifiers =
    row.messages.length +
    2 * row.additionalInformation.length +
    (row.procedure ? 2 : 0) +
    (isOwedByStay(row) ? 2 : 0) +
    yieldsToPartB
  const bothNetworks = indicator === 'W' ? 1 : 0
  const level =
    row.coverageLevel === undefined ? 2 : row.coverageLevel === INDIVIDUAL || row.coverageLevel === FAMILY ? 0 : 1
  return unstatedNetwork * NETWORK_STEP + (Math.min(qualifiers, 9_999) * 2 + bothNetworks) * 3 + level
}

/** Candidates beyond this number are ignored; the bound keeps hostile input cheap. */
const MAX_CANDIDATES = 64

/** A row's value for a slot. */
interface Offer {
  rank: number
  value: number
  restrictions: Restrictions
  /** One of several parts of the price, which fills no slot. */
  isPart?: boolean
}

/** Slots of counts: the broadest row has the count; of two equally broad rows, the larger count. */
const COUNTS: ReadonlySet<string> = new Set(['visits', 'visits_remaining'])

/** An answer has dozens of these, and a map costs four times as much. */
type ByLevel<Item> = Record<LevelKey, Item[] | undefined>

const noLevels = (): ByLevel<never> => ({
  family: undefined,
  individual: undefined,
  employeeAndSpouse: undefined,
  employeeAndChildren: undefined,
})

/** The structured values of one plan or service in one network, collected row by row. */
export class SlotCollector {
  /** Most services have slots in one network only. */
  #slots: Map<string, ByLevel<Offer>> | undefined

  /** Offers a row's value for a slot. */
  offer(name: string, level: LevelKey, offer: Offer): void {
    this.#slots ??= new Map()
    let levels = this.#slots.get(name)
    if (!levels) {
      levels = noLevels()
      this.#slots.set(name, levels)
    }
    const offers = levels[level]
    if (!offers) levels[level] = [offer]
    else if (offers.length < MAX_CANDIDATES) offers.push(offer)
  }

  /** The filled slots, or undefined when no row fits any. */
  settle<Name extends string>(names: readonly Name[]): { [name in Name]?: CoverageValue } | undefined {
    const slots = this.#slots
    if (!slots) return undefined
    const sums = addUp(slots, names)
    const settled: { [name in Name]?: CoverageValue } = {}
    let filled = false
    for (const name of names) {
      const levels = slots.get(name)
      const value = levels && toCoverageValue(sums?.get(name) ?? chooseEach(name, levels))
      if (!value) continue
      filled = true
      settled[name] = value
    }
    return filled ? settled : undefined
  }
}

/** The wanted slots whose rows must be consistent with those of other slots; undefined when there are none. */
function addUp(slots: ReadonlyMap<string, ByLevel<Offer>>, names: readonly string[]): Map<string, Chosen> | undefined {
  let chosen: Map<string, Chosen> | undefined
  for (const sum of SUMS) {
    if (!names.includes(sum[0]) || !sum.every((name) => slots.has(name))) continue
    chosen ??= new Map()
    for (const name of sum) chosen.set(name, chooseEach(name, slots.get(name)!))
    reconcile(chosen, sum)
  }
  return chosen
}

/** Triples of slots: the first minus the second equals the third. */
const SUMS = [
  ['deductible', 'deductible_year_to_date', 'deductible_remaining'],
  ['oop_max', 'oop_max_year_to_date', 'oop_max_remaining'],
] as const

/** Values of equally good rows in file order, by level; none for a level without a representative row. */
type Chosen = ByLevel<number>

function chooseEach(name: string, levels: ByLevel<Offer>): Chosen {
  const isCount = COUNTS.has(name)
  const chosen: Chosen = noLevels()
  for (const level of LEVEL_KEYS) {
    const offers = levels[level]
    if (!offers || offers.every(({ isPart }) => isPart)) continue
    // Most slots have one row.
    const isSole = offers.length === 1
    const values = isSole ? choose(offers) : isCount ? chooseCount(offers) : choose(inBestNetwork(offers))
    if (values.length > 0) chosen[level] = isCount ? [Math.max(...values)] : values
  }
  return chosen
}

/** Beside a limit that a text makes narrower ("ADDITIONAL BENEFIT"), the broader one is that of the service. Source: x12-271.md 7, corrected. */
function chooseCount(offers: readonly Offer[]): number[] {
  const broad = offers.filter(({ restrictions }) => !restrictions.isNarrow)
  return choose(broad.length > 0 ? broad : offers)
}

/**
 * The unrestricted rows, the best rank first. A text in every row (FAMILY AMOUNT, say) restricts none, unless it is a tier or the like, for
 * which alone the figure holds. When all rows are restricted (tiers, primary care and specialists, parts of a stay), a row marked as standard
 * represents them, else one with no more than a notice, else only a value that all share, unless all are of some of the service ("drugs" and
 * "injections" are not all that a hospital gives). Source: x12-271.md 7, corrected. Rows of preventive visits and the like are none of
 * the service.
 */
function choose(all: readonly Offer[]): number[] {
  const offers = all.some(({ restrictions }) => restrictions.isOfOtherVisits)
    ? all.filter(({ restrictions }) => !restrictions.isOfOtherVisits)
    : all
  const [first] = offers
  if (!first) return []
  if (offers.length === 1) return first.isPart || first.restrictions.isNarrow ? [] : [first.value]
  const common = [...first.restrictions.labels].filter((label) => {
    return offers.every(({ restrictions }) => restrictions.labels.has(label))
  })
  // All labels of such a row are common: it has no more than these.
  const plain = offers.filter(({ restrictions, isPart }) => !isPart && restrictions.labels.size === common.length)
  if (plain.length > 0) return bestOf(plain.filter(({ restrictions }) => !restrictions.isNarrow))
  const whole = offers.filter(({ isPart }) => !isPart)
  const isAny = (key: 'isStandard' | 'isNotice') => whole.filter(({ restrictions }) => restrictions[key])
  const representative = [isAny('isStandard'), isAny('isNotice')].find(({ length }) => length > 0)
  if (!representative && offers.every(({ restrictions }) => restrictions.isOfSome)) return []
  const values = (representative ?? offers).map(({ value }) => value)
  return new Set(values).size === 1 && whole.length > 0 ? values.slice(0, 1) : []
}

/** The values of the best rank. */
function bestOf(offers: readonly Offer[]): number[] {
  const best = Math.min(...offers.map(({ rank }) => rank))
  return offers.filter(({ rank }) => rank === best).map(({ value }) => value)
}

/** The offers that state their network, if there are any. */
function inBestNetwork(offers: readonly Offer[]): readonly Offer[] {
  const named = offers.filter(({ rank }) => rank < NETWORK_STEP)
  return named.length > 0 ? named : offers
}

/** Among equally good rows, selects those whose base minus year to date equals the remainder. */
function reconcile(slots: ReadonlyMap<string, Chosen>, [base, met, left]: (typeof SUMS)[number]): void {
  const [wholes, spents, remainders] = [slots.get(base), slots.get(met), slots.get(left)]
  if (!wholes || !spents || !remainders) return
  for (const level of LEVEL_KEYS) {
    const [whole, spent, rest] = [wholes[level], spents[level], remainders[level]]
    if (whole && spent && rest) agree(whole, spent, rest)
  }
}

/** Moves the first consistent combination to the front of each list. */
function agree(wholes: number[], spents: number[], remainders: number[]): void {
  const byCents = new Map<number, number>()
  for (const remainder of remainders) {
    const cents = toCents(remainder)
    if (!byCents.has(cents)) byCents.set(cents, remainder)
  }
  for (const whole of wholes) {
    for (const spent of spents) {
      const remainder = byCents.get(toCents(whole) - toCents(spent))
      if (remainder === undefined) continue
      wholes[0] = whole
      spents[0] = spent
      remainders[0] = remainder
      return
    }
  }
}

export function toCents(dollars: number): number {
  return Math.round(dollars * 100)
}

const LEVEL_KEYS: readonly LevelKey[] = ['family', 'individual', 'employeeAndSpouse', 'employeeAndChildren']

/** Undefined when no level has a value. */
function toCoverageValue(levels: Chosen): CoverageValue | undefined {
  let value: CoverageValue | undefined
  for (const key of LEVEL_KEYS) {
    const first = levels[key]?.[0]
    if (first === undefined) continue
    value ??= {}
    value[key] = first
  }
  return value
}
