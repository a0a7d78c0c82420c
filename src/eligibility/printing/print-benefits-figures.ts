import type { CoverageDetails, CoverageValue, PlanCoverage, PlanCoverageDetails } from '../answers/wire.ts'
import {
  bar,
  CELL,
  columns,
  dollars,
  nameNetworks,
  type PrintOptions,
  padTo,
  plain,
  ROW,
  styled,
  wrap,
} from './print-benefits-layout.ts'

type Level = keyof CoverageValue

const LEVELS: ReadonlyMap<Level, string> = new Map([
  ['individual', 'individual'],
  ['family', 'family'],
  ['employeeAndSpouse', 'employee and spouse'],
  ['employeeAndChildren', 'employee and children'],
])

/** The flat list's names of the same levels. */
const LEVEL_OF: Readonly<Record<CoverageDetails['coverageLevel'], Level>> = {
  INDIVIDUAL: 'individual',
  EMPLOYEE_ONLY: 'individual',
  FAMILY: 'family',
  EMPLOYEE_AND_SPOUSE: 'employeeAndSpouse',
  EMPLOYEE_AND_CHILDREN: 'employeeAndChildren',
}

const ACCUMULATORS = [
  { slot: 'deductible', type: 'DEDUCTIBLE', name: 'Deductible' },
  { slot: 'oop_max', type: 'OOP_MAX', name: 'Out-of-pocket maximum' },
] as const

const WIDTHS = [34, 12, 12, 12]

/** One amount: total, met and remaining, as far as known. */
interface Account {
  label: string
  total?: number | undefined
  met?: number | undefined
  remaining?: number | undefined
  /** The one of the three that the payer did not state and that follows from the other two. */
  computed?: 'total' | 'met' | 'remaining'
}

/** Deductible and out-of-pocket maximum: total, met and remaining with a bar, for each network and level. */
export function printAccounts(coverage: PlanCoverage | undefined, options: PrintOptions): string[] {
  if (!coverage) return []
  const inside = listAccounts(coverage.in_network, coverage.in_network_flat)
  const outside = listAccounts(coverage.out_of_network, coverage.out_of_network_flat)
  const isSame = JSON.stringify(inside) === JSON.stringify(outside)
  const networks: [string, Account[]][] = isSame
    ? [['In and out of network', inside]]
    : [
        ['In network', inside],
        ['Out of network', outside],
      ]
  const lines = networks.flatMap(([title, accounts]) => printNetwork(title, accounts, options))
  const others = printOthers(coverage)
  if (lines.length === 0 && others.length === 0) return []
  const hasComputed = [...inside, ...outside].some(({ computed }) => computed !== undefined)
  const [title, ...headings] = ['Deductible and out-of-pocket', 'total', 'met', 'remaining']
  const isTable = lines.length > 0
  const [start, between] = isTable && options.marksCells ? [ROW, CELL] : ['', '']
  const heading = isTable ? headings.map((name, index) => between + name.padEnd(WIDTHS[index + 1] ?? 0)).join('') : ''
  return [
    (start + styled(title!.padEnd(WIDTHS[0]! + 4), 'title', options) + heading).trimEnd(),
    ...lines,
    ...(hasComputed ? ['  * computed from the other two, not stated by the payer'] : []),
    ...others,
  ]
}

function printNetwork(title: string, accounts: readonly Account[], options: PrintOptions): string[] {
  if (accounts.length === 0) return []
  return [`  ${title}`, ...accounts.flatMap((account) => printAccount(account, options))]
}

function printAccount(account: Account, options: PrintOptions): string[] {
  const { label, total, met, computed } = account
  const amount = (name: 'total' | 'met' | 'remaining') => {
    const value = account[name]
    return [value === undefined ? '' : dollars(value) + (computed === name ? '*' : '')]
  }
  const [line = '', ...more] = columns(
    [[label], amount('total'), amount('met'), amount('remaining')],
    WIDTHS,
    4,
    options,
  )
  const between = options.marksCells ? CELL : ''
  if (total === 0) return [`${padTo(line, reach)}${between}  nothing to meet`, ...more]
  return total !== undefined && met !== undefined
    ? [`${padTo(line, reach)}${between}  ${bar(met, total)}`, ...more]
    : [line, ...more]
}

const reach = WIDTHS.reduce((sum, width) => sum + width, 0) + 4 - 2

function listAccounts(details: PlanCoverageDetails | undefined, flat: readonly CoverageDetails[] = []): Account[] {
  const accounts: Account[] = []
  for (const { slot, type, name } of ACCUMULATORS) {
    for (const [level, words] of LEVELS) {
      const account: Account = {
        label: `${name}, ${words}${describePeriod(flat, type, level, details?.[slot]?.[level])}`,
        total: details?.[slot]?.[level],
        met: details?.[`${slot}_year_to_date`]?.[level],
        remaining: details?.[`${slot}_remaining`]?.[level],
      }
      const contract = details?.[`${slot}_contract`]?.[level]
      const label = `${name} of the contract year, ${words}`
      const all = contract === undefined ? [account] : withContract(account, { label, total: contract })
      accounts.push(...all.filter(({ total, met, remaining }) => (total ?? met ?? remaining) !== undefined))
    }
  }
  for (const account of accounts) complete(account)
  return accounts
}

/** The period of a total, unless it is the usual one. */
function describePeriod(
  flat: readonly CoverageDetails[],
  type: string,
  level: Level,
  total: number | undefined,
): string {
  const entry = flat.find((each) => {
    const { additional_notes: period = '' } = each
    return (
      each.type === type && LEVEL_OF[each.coverageLevel] === level && each.value === total && PLAIN_PERIODS.has(period)
    )
  })
  const period = entry?.additional_notes
  return period === undefined || period === USUAL_PERIOD ? '' : ` (${period.toLowerCase()})`
}

/**
 * EB06 24 and 29 do not state of which period they are the used and the remaining part: of the contract year (25) if it has the only total, or
 * the one that they add up to.
 */
function withContract({ label, total, met, remaining }: Account, contract: Account): Account[] {
  const sum = met !== undefined && remaining !== undefined ? cents(met + remaining) : (met ?? remaining)
  const fits = sum !== undefined && (sum === contract.total || (total === undefined && sum <= (contract.total ?? 0)))
  if (!fits || sum === total) return [{ label, total, met, remaining }, contract]
  return [
    { label, total },
    { ...contract, met, remaining },
  ]
}

/** Fills in the one of the three that follows from the other two, in whole cents and never below zero. */
function complete(account: Account): void {
  const { total, met, remaining } = account
  if (total !== undefined && met === undefined && remaining !== undefined && remaining <= total) {
    account.met = cents(total - remaining)
    account.computed = 'met'
  } else if (total !== undefined && met !== undefined && remaining === undefined && met <= total) {
    account.remaining = cents(total - met)
    account.computed = 'remaining'
  } else if (total === undefined && met !== undefined && remaining !== undefined) {
    account.total = cents(met + remaining)
    account.computed = 'total'
  }
}

function cents(value: number): number {
  return Math.round(value * 100) / 100
}

const NAMES: Partial<Record<CoverageDetails['type'], string>> = {
  DEDUCTIBLE: 'deductible',
  DEDUCTIBLE_CONTRACT: 'deductible of the contract year',
  DEDUCTIBLE_REMAINING: 'deductible remaining',
  DEDUCTIBLE_YEAR_TO_DATE: 'deductible met',
  OOP_MAX: 'out-of-pocket maximum',
  OOP_MAX_CONTRACT: 'out-of-pocket maximum of the contract year',
  OOP_MAX_REMAINING: 'out-of-pocket remaining',
  OOP_MAX_YEAR_TO_DATE: 'out-of-pocket met',
}

/** A deductible or out-of-pocket figure in words, e.g. `deductible remaining $20.00`. */
export function nameAccumulator({ type, unit, value }: CoverageDetails): string {
  return `${NAMES[type] ?? type.toLowerCase()} ${unit === 'PERCENT' ? `${value} %` : dollars(value)}`
}

/** Figures of other tiers, plans and periods that do not fit into the table; those with the same text share a line. */
function printOthers(coverage: PlanCoverage): string[] {
  const figures = new Map<string, { entry: CoverageDetails; networks: Set<string> }>()
  const add = (network: string, details: PlanCoverageDetails | undefined, list: readonly CoverageDetails[] = []) => {
    for (const entry of list) {
      if (isInTable(details, entry)) continue
      const key = JSON.stringify(entry)
      const figure = figures.get(key) ?? { entry, networks: new Set() }
      figure.networks.add(network)
      figures.set(key, figure)
    }
  }
  add('in network', coverage.in_network, coverage.in_network_flat)
  add('out of network', coverage.out_of_network, coverage.out_of_network_flat)
  const lines = new Map<string, string[]>()
  for (const { entry, networks } of figures.values()) {
    const notes = plain(entry.additional_notes ?? '')
    const where = `(${nameNetworks(networks)}, ${LEVELS.get(LEVEL_OF[entry.coverageLevel])})`
    const key = notes === '' ? where : `${where}: ${notes}`
    const amounts = lines.get(key) ?? []
    amounts.push(nameAccumulator(entry))
    lines.set(key, amounts)
  }
  if (lines.size === 0) return []
  return ['  Also stated', ...[...lines].flatMap(([key, amounts]) => wrap(`${amounts.join(', ')} ${key}`, 4, '- '))]
}

/** Periods that a plan's figure has by default. */
const USUAL_PERIOD = 'Calendar Year'
const PLAIN_PERIODS: ReadonlySet<string> = new Set([USUAL_PERIOD, 'Service Year', 'Years', 'Month'])

/** A figure with a note of the payer does not fit into the table and is listed with its note. */
function isInTable(details: PlanCoverageDetails | undefined, entry: CoverageDetails): boolean {
  if (entry.additional_notes !== undefined && !PLAIN_PERIODS.has(entry.additional_notes)) return false
  const slot = entry.type.toLowerCase() as keyof PlanCoverageDetails
  const value = details?.[slot]
  return typeof value === 'object' && value[LEVEL_OF[entry.coverageLevel]] === entry.value && entry.unit === 'CURRENCY'
}
