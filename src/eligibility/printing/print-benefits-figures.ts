import {
  type Amounts,
  accountsOf,
  coverageLevelNames,
  figureNames,
  type Level,
  levelNames,
  levelOf,
  USUAL_PERIOD,
} from '../../contract/plan-accounts.ts'
import type { CoverageDetails, PlanCoverage, PlanCoverageDetails } from '../answers/wire.ts'
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

const WIDTHS = [34, 12, 12, 12]

interface Account extends Amounts {
  label: string
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
  return accountsOf(details).map(({ kind, name, isOfContractYear, level, ...amounts }) => {
    const period = isOfContractYear ? '' : describePeriod(flat, kind.toUpperCase(), level, amounts.total)
    return { ...amounts, label: `${name}, ${levelNames[level]}${period}` }
  })
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
      each.type === type && levelOf[each.coverageLevel] === level && each.value === total && PLAIN_PERIODS.has(period)
    )
  })
  const period = entry?.additional_notes
  return period === undefined || period === USUAL_PERIOD ? '' : ` (${period.toLowerCase()})`
}

/** A deductible or out-of-pocket figure in words, e.g. `deductible remaining $20`. */
export function nameAccumulator({ type, unit, value }: CoverageDetails): string {
  return `${figureNames[type] ?? type.toLowerCase()} ${unit === 'PERCENT' ? `${value} %` : dollars(value)}`
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
    const where = `(${nameNetworks(networks)}, ${coverageLevelNames[entry.coverageLevel]})`
    const key = notes === '' ? where : `${where}: ${notes}`
    const amounts = lines.get(key) ?? []
    amounts.push(nameAccumulator(entry))
    lines.set(key, amounts)
  }
  if (lines.size === 0) return []
  return ['  Also stated', ...[...lines].flatMap(([key, amounts]) => wrap(`${amounts.join(', ')} ${key}`, 4, '- '))]
}

/** Periods that a plan's figure has by default. */
const PLAIN_PERIODS: ReadonlySet<string> = new Set([USUAL_PERIOD, 'Service Year', 'Years', 'Month'])

/** A figure with a note of the payer does not fit into the table and is listed with its note. */
function isInTable(details: PlanCoverageDetails | undefined, entry: CoverageDetails): boolean {
  if (entry.additional_notes !== undefined && !PLAIN_PERIODS.has(entry.additional_notes)) return false
  const slot = entry.type.toLowerCase() as keyof PlanCoverageDetails
  const value = details?.[slot]
  return typeof value === 'object' && value[levelOf[entry.coverageLevel]] === entry.value && entry.unit === 'CURRENCY'
}
