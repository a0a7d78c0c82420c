// The roster's notation for benefits: one line per benefit, so that people can read and extend a plan.
//
//   98,UC copay individual in 25 per visit: PRIMARY CARE
//   ^     ^     ^          ^  ^  ^          ^
//   |     |     level      |  |  period     MSG
//   |     what             |  amount
//   service types          network
//
// Words after the first two may stand in any order. All are optional except the amount of a benefit that has one. `met 600` (or `used 4`)
// adds a second row with the remaining amount. `authorization` sets EB11. A line that starts with a segment id is X12, with segments
// separated by `~`, for benefits that the notation cannot express.
import { REMAINING } from '../../x12/codes/time-qualifiers.ts'
import { composite, type ElementContent, type SegmentContent } from '../../x12/interchange-writer.ts'

interface BenefitLine {
  /** Empty for X12 lines without EB03, which are always part of the answer. */
  serviceTypes: string[]
  /** The segments of the line for the requested ones of its service types. */
  segments(serviceTypes: string[]): SegmentContent[]
}

interface PlanNaming {
  name: string
  /** EB04. */
  insuranceType?: string
}

interface Benefit {
  what: What
  level?: string
  network?: string
  period?: string
  amount?: number
  met?: number
  authorization?: boolean
}

interface What {
  code: string
  amount: 'none' | 'dollars' | 'percent' | 'count'
  /** EB06 when the line states no period. */
  period?: string
  /** EB09 of a count. */
  unit?: string
}

const whats: Readonly<Record<string, What>> = {
  active: { code: '1', amount: 'none' },
  inactive: { code: '6', amount: 'none' },
  'not-covered': { code: 'I', amount: 'none' },
  deductible: { code: 'C', amount: 'dollars', period: '23' },
  'out-of-pocket': { code: 'G', amount: 'dollars', period: '23' },
  copay: { code: 'B', amount: 'dollars', period: '27' },
  coinsurance: { code: 'A', amount: 'percent', period: '27' },
  maximum: { code: 'F', amount: 'dollars', period: '23' },
  visits: { code: 'F', amount: 'count', period: '23', unit: 'VS' },
  days: { code: 'F', amount: 'count', period: '23', unit: 'DY' },
}

const levels: Readonly<Record<string, string>> = { individual: 'IND', family: 'FAM', children: 'CHD', spouse: 'SPO' }
const networks: Readonly<Record<string, string>> = { in: 'Y', out: 'N', any: 'W' }
const periods: Readonly<Record<string, string>> = {
  visit: '27',
  day: '7',
  month: '34',
  year: '23',
  contract: '25',
  episode: '26',
  admission: '36',
  lifetime: '32',
}
/** MSG01. Source: 005010X279A1 2110C MSG. */
const MESSAGE_MAX = 264

/**
 * Reads one benefit line of a plan or member.
 * @throws Error that quotes the word it does not understand; rosters hold invented people only.
 */
export function readBenefitLine(line: string, plan: PlanNaming): BenefitLine {
  if (/^[A-Z][A-Z0-9]{1,2}\*/.test(line)) return readX12Line(line)
  const colon = line.indexOf(':')
  const words = (colon === -1 ? line : line.slice(0, colon)).trim().split(/\s+/)
  const message = colon === -1 ? undefined : line.slice(colon + 1).trim()
  if (message !== undefined && message.length > MESSAGE_MAX)
    throw new Error(`the text after the colon is longer than ${MESSAGE_MAX} characters`)
  const [services = '', whatWord = '', ...rest] = words
  const what = whats[whatWord]
  if (!what) throw new Error(`"${whatWord}" is not a benefit: one of ${Object.keys(whats).join(', ')}`)
  const benefit = readWords(what, rest)
  if (what.amount !== 'none' && benefit.amount === undefined) throw new Error(`${whatWord} needs an amount`)
  return {
    serviceTypes: services.split(','),
    segments: (serviceTypes) => [
      ...rowsOf(benefit, plan, serviceTypes).flatMap((row) => (message ? [row, ['MSG', message] as const] : [row])),
    ],
  }
}

function readWords(what: What, words: string[]): Benefit {
  const benefit: Benefit = { what }
  for (let i = 0; i < words.length; i++) {
    const word = words[i] ?? ''
    const next = words[i + 1] ?? ''
    if (levels[word]) benefit.level = levels[word]
    else if (networks[word]) benefit.network = networks[word]
    else if (word === 'authorization') benefit.authorization = true
    else if (word === 'per' && periods[next]) benefit.period = periods[words[++i] ?? '']
    else if (word === 'met' || word === 'used') benefit.met = readNumber(words[++i] ?? '')
    else benefit.amount = readNumber(word)
  }
  return benefit
}

function readNumber(word: string): number {
  if (!/^\$?\d{1,9}(\.\d{1,2})?%?$/.test(word)) throw new Error(`"${word}" is neither an amount nor a known word`)
  return Number(word.replace(/[$%]/g, ''))
}

function rowsOf(benefit: Benefit, plan: PlanNaming, serviceTypes: string[]): SegmentContent[] {
  const { what, amount = 0, met } = benefit
  const full = rowOf(benefit, plan, serviceTypes, benefit.period ?? what.period, amount)
  if (met === undefined) return [full]
  return [full, rowOf(benefit, plan, serviceTypes, REMAINING, Math.max(0, amount - met))]
}

function rowOf(
  benefit: Benefit,
  plan: PlanNaming,
  serviceTypes: string[],
  period: string | undefined,
  amount: number,
): SegmentContent {
  const { what } = benefit
  const isCount = what.amount === 'count'
  return [
    'EB',
    what.code,
    benefit.level,
    serviceTypes,
    plan.insuranceType,
    // EB05 names the plan where its status is stated.
    what.amount === 'none' ? plan.name : undefined,
    period,
    what.amount === 'dollars' ? decimal(amount) : undefined,
    what.amount === 'percent' ? decimal(amount / 100) : undefined,
    isCount ? what.unit : undefined,
    isCount ? decimal(amount) : undefined,
    benefit.authorization ? 'Y' : undefined,
    benefit.network,
  ]
}

/** X12 decimals have no superfluous zeros: `.2`, `25`, `12.5`. */
function decimal(value: number): string {
  return String(Math.round(value * 10_000) / 10_000).replace(/^0\./, '.')
}

function readX12Line(line: string): BenefitLine {
  const segments = line.split('~').flatMap((text): SegmentContent[] => {
    const [id, ...elements] = text.trim().split('*')
    return id ? [[id, ...elements.map(readX12Element)]] : []
  })
  const benefit = segments.find(([id]) => id === 'EB')
  const serviceTypes = benefit?.[3]
  return {
    serviceTypes: Array.isArray(serviceTypes) ? serviceTypes : serviceTypes ? [String(serviceTypes)] : [],
    segments: () => segments,
  }
}

function readX12Element(text: string): ElementContent {
  if (text.includes('^')) return text.split('^')
  return text.includes(':') ? composite(...text.split(':')) : text
}
