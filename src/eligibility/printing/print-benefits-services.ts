import { levelNames, whoseFigure } from '../../contract/plan-accounts.ts'
import { PLAN_SERVICE, serviceTypeName } from '../../x12/codes/service-types.ts'
import type {
  CoverageBenefits,
  CoverageDetails,
  CoverageValue,
  ServiceCoverage,
  ServiceCoverageDetails,
} from '../answers/wire.ts'
import { saysMoreThanUsage, usageNamed } from '../answers/words/figures/usage.ts'
import { nameAccumulator } from './print-benefits-figures.ts'
import { columns, dollars, nameNetworks, type PrintOptions, plain, ROW, styled, wrap } from './print-benefits-layout.ts'

const WIDTHS = [46, 26, 26]
const ONE_COLUMN = [46, 52]

/** A service type in words; the code itself when it has no name. */
export function serviceName(code: string): string {
  return code === PLAN_SERVICE ? 'The plan in general' : (serviceTypeName(code) ?? `Service ${code}`)
}

/**
 * What the plan leaves to pay for each service, in and out of network side by side. Services that cost the same share a row. `isForbidden`: the
 * patient may not be billed for it.
 */
export function printServices(
  services: readonly ServiceCoverage[] | undefined,
  isForbidden: boolean,
  options: PrintOptions,
): string[] {
  const rows = new Map<string, { names: string[]; service: ServiceCoverage }>()
  for (const service of services ?? []) {
    const { service_code, ...costs } = service
    const key = JSON.stringify(costs)
    const row = rows.get(key) ?? { names: [], service }
    rows.set(key, row)
    row.names.push(serviceName(service_code))
  }
  const lines = [...rows.values()].flatMap(({ names, service }) => printService(names.join(', '), service, options))
  if (lines.length === 0) return []
  const title = isForbidden ? 'Costs in the plan: do not bill (QMB)' : 'What the patient pays, and limits'
  const [heading = ''] = columns([[''], ['in network'], ['out of network']], WIDTHS, 2, options)
  const start = options.marksCells ? ROW : ''
  return [start + styled(title, 'title', options) + heading.slice(start.length + title.length), ...lines]
}

function printService(name: string, service: ServiceCoverage, options: PrintOptions): string[] {
  const inside = listCosts(service.in_network, service.in_network_flat)
  const outside = listCosts(service.out_of_network, service.out_of_network_flat)
  const variants = listVariants(service)
  if (inside.length + outside.length + variants.length === 0) return []
  // Costs that apply to both networks are printed once.
  const isSame = inside.length > 0 && inside.join('\n') === outside.join('\n')
  const costs = isSame ? [inside.map((text) => `${text}, either network`)] : [inside, outside]
  return [
    ...columns([[name], ...costs], isSame ? ONE_COLUMN : WIDTHS, 2, options),
    ...variants.flatMap((text) => wrap(text, 4, '- ')),
  ]
}

/** A cell is not left empty when the payer states several prices with conditions: it refers to them. */
function listCosts(details: ServiceCoverageDetails | undefined, flat: readonly CoverageDetails[] = []): string[] {
  const costs = listPlainCosts(details, flat)
  const depends = flat.some(({ type }) => type === 'COPAY' || type === 'COINSURANCE')
  return costs.length === 0 && depends ? ['varies, see below'] : costs
}

function listPlainCosts(details: ServiceCoverageDetails | undefined, flat: readonly CoverageDetails[]): string[] {
  if (!details) return []
  const { copay, coinsurance, visits, visits_remaining } = details
  const costs = [
    ...eachLevel(copay, (value) => `${dollars(value)} copay${describePeriodOf(flat, 'COPAY', value)}`),
    ...eachLevel(coinsurance, (value) => `${value} % coinsurance`),
  ]
  if (!visits) return [...costs, ...eachLevel(visits_remaining, (value) => `${value} visits left`)]
  const allowed = eachLevel(visits, (value, level) => {
    const left = visits_remaining?.[level]
    return left === undefined ? `${value} visits` : `${left} of ${value} visits left`
  })
  return [...costs, ...allowed]
}

/** The periods of a price that is not that of a visit. */
const OWED_BY: ReadonlyMap<string, string> = new Map([
  ['Hour', ' an hour'],
  ['Day', ' a day'],
  ['24 Hours', ' a day'],
  ['Week', ' a week'],
  ['Episode', ' an episode'],
  ['Admission', ' a stay'],
])

/** The period of a price, if every entry with this price has the same. */
function describePeriodOf(flat: readonly CoverageDetails[], type: CoverageDetails['type'], value: number): string {
  const periods = flat
    .filter((entry) => entry.type === type && entry.value === value)
    .map(({ additional_notes = '' }) => OWED_BY.get(additional_notes.split('; ')[0] ?? '') ?? '')
  return new Set(periods).size === 1 ? (periods[0] ?? '') : ''
}

function eachLevel(
  value: CoverageValue | undefined,
  describe: (value: number, level: keyof CoverageValue) => string,
): string[] {
  if (!value) return []
  const levels = Object.keys(value) as (keyof CoverageValue)[]
  return levels.map(
    (level) => `${describe(value[level]!, level)}${level === 'individual' ? '' : ` (${levelNames[level]})`}`,
  )
}

/**
 * What the payer states beyond the plain figures: specialists, places, procedures, limits. Text that is the same in both networks is
 * printed once, and figures with the same note share a line.
 */
function listVariants(service: ServiceCoverage): string[] {
  const variants = new Map<string, { variant: Variant; networks: Set<string> }>()
  const add = (network: string, details: ServiceCoverageDetails | undefined, list: readonly CoverageDetails[] = []) => {
    for (const entry of list) {
      if (isPlainCost(details, entry)) continue
      const variant = describeVariant(entry)
      const key = `${variant.amount}: ${variant.notes}`
      const known = variants.get(key) ?? { variant, networks: new Set() }
      known.networks.add(network)
      variants.set(key, known)
    }
  }
  add('in network', service.in_network, service.in_network_flat)
  add('out of network', service.out_of_network, service.out_of_network_flat)
  const lines = new Map<string, { variant: Variant; where: string; amounts: string[] }>()
  for (const { variant, networks } of variants.values()) {
    const where = networks.size > 1 ? '' : `${nameNetworks(networks)}: `
    const key = `${where}${variant.notes}`
    const line = lines.get(key) ?? { variant, where, amounts: [] }
    line.amounts.push(variant.amount)
    lines.set(key, line)
  }
  return [...lines.values()].map(({ variant: { notes }, where, amounts }) => {
    return `${where}${amounts.join(', ')}${notes === '' ? '' : `: ${notes}`}`
  })
}

function isPlainCost(details: ServiceCoverageDetails | undefined, entry: CoverageDetails): boolean {
  const { type, unit, value, additional_notes } = entry
  if (type === 'LIMITATION' && unit === 'COUNT') return isVisits(details, entry)
  if (type !== 'COPAY' && type !== 'COINSURANCE') return false
  if (additional_notes !== undefined && !(type === 'COPAY' && OWED_BY.has(additional_notes))) return false
  const slot = type === 'COPAY' ? details?.copay : details?.coinsurance
  return Object.values(slot ?? {}).includes(value)
}

/** A count of visits that the table shows already, with no further information except its period. */
function isVisits(details: ServiceCoverageDetails | undefined, { value, additional_notes }: CoverageDetails): boolean {
  const shown = [...Object.values(details?.visits ?? {}), ...Object.values(details?.visits_remaining ?? {})]
  return shown.includes(value) && /^Visits(, (Remaining|Calendar Year))?$/.test(additional_notes ?? '')
}

const AGES: ReadonlyMap<string, string> = new Map([
  ['Age, High Value', 'up to age'],
  ['Age, Low Value', 'from age'],
])

interface Variant {
  amount: string
  /** The conditions of the figure, in the payer's words. */
  notes: string
}

function describeVariant(entry: CoverageDetails): Variant {
  const { type, unit, value } = entry
  const notes = plain(entry.additional_notes ?? '')
  const whose = whoseFigure(entry.coverageLevel)
  if (unit === 'COUNT') return describeCount(value, notes, whose)
  const amount = unit === 'PERCENT' ? `${value} %` : dollars(value)
  if (type === 'LIMITATION') return describeLimit(amount, notes, whose)
  if (type === 'COPAY') return { amount: `${amount} copay${whose}`, notes }
  if (type === 'COINSURANCE') return { amount: `${amount} coinsurance${whose}`, notes }
  return { amount: `${nameAccumulator(entry)}${whose}`, notes }
}

/** What is left of a limit, or used of it, is not the limit: by its period, or by the payer's label of the amount. */
function describeLimit(amount: string, notes: string, whose: string): Variant {
  const parts = notes.split('; ')
  const usage = parts.find((part) => USAGE_PERIODS.test(part)) ?? parts.find((part) => usageNamed(part) !== undefined)
  if (usage === undefined) return { amount: `limit of ${amount}${whose}`, notes }
  const others = parts.filter((part) => part !== usage || saysMoreThanUsage(part))
  return { amount: `${amount} ${wordOfUsage(usage)}${whose}`, notes: others.join('; ') }
}

/** The word for what a period or a label makes of a limit. */
const wordOfUsage = (part: string) => usageNamed(part) ?? (/remain/i.test(part) ? 'remaining' : 'used')

const USAGE_PERIODS = /^(?:Lifetime Remaining|Remaining|Year to Date)$/

/** What is left or used of a limit is not a limit. */
const COUNT_USAGE = [
  [', lifetime remaining', 'remaining, lifetime'],
  [', remaining', 'remaining'],
  [', year to date', 'used'],
] as const

/** EB09 99: what is used of a limit is not a limit. */
const USED = 'quantity used'

/** `visits, month` as `visits a month`, `per 12 month` as `per 12 months`. */
const spellPeriod = (words: string) =>
  words
    .replace(/, (day|month|week)$/, ' a $1')
    .replace(/, (admission|episode|hour|visit)$/, ' per $1')
    .replace(/\bper 1 /, 'per ')
    .replace(/\b(per \d+ (?:calendar |service )?(?:day|hour|month|visit|week|year))$/, '$1s')

/** The notes of a count begin with its unit: `12 Visits`, `up to age 18`. */
function describeCount(value: number, notes: string, whose: string): Variant {
  const [counted = '', ...rest] = notes.split('; ')
  const label = rest.find((part) => usageNamed(part) !== undefined)
  const behind = rest.filter((part) => part !== label || saysMoreThanUsage(part)).join('; ')
  for (const [words, age] of AGES) {
    if (counted.startsWith(words)) return { amount: `${age} ${value}${counted.slice(words.length)}`, notes: behind }
  }
  const words = spellPeriod(counted.toLowerCase().replace(/^number of /, '')).replace(/^month\b/, 'months')
  if (words.startsWith(USED)) return { amount: `${value} used${words.slice(USED.length)}${whose}`, notes: behind }
  const usage = COUNT_USAGE.find(([end]) => words.endsWith(end))
  if (usage) return { amount: `${value} ${words.slice(0, -usage[0].length)} ${usage[1]}${whose}`, notes: behind }
  if (label !== undefined) {
    const [unit, ...period] = words.split(', ')
    return { amount: [`${value} ${unit} ${wordOfUsage(label)}`, ...period].join(', ') + whose, notes: behind }
  }
  const what = value === 1 ? words.replace(/^(visit|day|hour|unit|month|year)s\b/, '$1') : words
  return { amount: `limit of ${value} ${what}`.trimEnd() + whose, notes: behind }
}

/** Exclusions, each text once with the services it is about. */
export function printNotCovered(details: CoverageBenefits['non_covered_details'], options: PrintOptions): string[] {
  const texts = new Map<string, Set<string>>()
  for (const { service_type_codes, additional_notes, unit, value } of details ?? []) {
    const amount = unit === 'CURRENCY' ? dollars(value) : unit === 'PERCENT' ? `${value} %` : ''
    const text = [amount, plain(additional_notes ?? '')].filter((part) => part !== '').join('; ')
    const names = texts.get(text) ?? new Set()
    for (const code of service_type_codes ?? []) names.add(serviceName(code))
    texts.set(text, names)
  }
  if (texts.size === 0) return []
  const lines = [...texts].flatMap(([text, names]) => {
    const services = [...names].join(', ') || 'A service that the answer does not name'
    return wrap(text === '' ? services : `${services}: ${text}`, 2, '- ')
  })
  return [styled('Not covered', 'title', options), ...lines]
}
