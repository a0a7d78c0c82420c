// EB loops by the grammar of 2110 and 2120, derived from a seed. Each text, id and number occurs once, so that it can be found again, and a
// figure can be traced to its row. Source: 005010X279A1 2110C, 2115C, 2120C.
import { type Dice, pick } from './damage.ts'

/** A row as it was written: its segments, and every value that a person must be able to find again. */
export interface WrittenRow {
  segments: string[]
  code: string
  level: string
  services: string[]
  plan: string | undefined
  period: string
  network: string
  procedure: string | undefined
  amount: string | undefined
  percent: string | undefined
  /** As they are read: numbers in decimal notation, percent of 100, dates as YYYY-MM-DD. */
  values: string[]
}

const CODES = 'A A B B B C C C F F F G G D E H I J K L M MC N O P Q R S U W X Y CB'.split(' ')
const LEVELS = ['', 'IND', 'IND', 'FAM', 'EMP', 'ESP', 'ECH', 'CHD', 'DEP', 'SPC', 'SPO']
const SERVICES = ['30', '30', '', '98', '98', '33', '47', '88', 'MH', '98^33', '30^98', 'PT']
const TYPES = ['', '', '', 'PR', 'HM', 'C1', 'GP']
const PERIODS = ['', '23', '23', '29', '29', '24', '22', '25', '27', '26', '32', '33', '7', '34', '36', '21', '6', '35']
const QUANTITIES = ['VS', 'VS', 'DY', 'HS', 'MN', 'YY', 'P6', 'CA', 'LA', 'DB', 'S7', 'S8', 'M2', 'QA']
const NETWORKS = ['', 'Y', 'Y', 'N', 'W', 'U']
const REFERENCES = ['18', '1L', '1W', '49', '6P', '9F', 'ALS', 'CLI', 'F6', 'FO', 'G1', 'IG', 'N6', 'NQ', 'M7']
const DATES = ['292', '348', '349', '304', '472', '435', '193', '290', '636']
const ENTITIES = [
  'P3',
  '1P',
  '13',
  'FA',
  '73',
  'PR',
  'PRP',
  'SEP',
  'TTP',
  'VN',
  'X3',
  'Y2',
  'P5',
  'GP',
  'I3',
  '1I',
  'LR',
  '36',
]
const CONTACTS = ['TE', 'FX', 'EM', 'UR', 'WP']

/** Values that occur once in an answer. */
class Values {
  #last = 0
  #next = () => (this.#last += 1)
  word(): string {
    return `Q${[...String(10_000 + this.#next())].map((digit) => 'BCDFGHJKLM'[Number(digit)]).join('')}Z`
  }
  number(): string {
    return String(31_000 + this.#next())
  }
  /** EB08, and the percent that it means. */
  share(): [string, string] {
    const hundredths = 1_111 + this.#next()
    return [`.${hundredths}`, String(hundredths / 100)]
  }
  /** CCYYMMDD, and the same in ISO form. */
  day(): [string, string] {
    const day = new Date(Date.UTC(2026, 0, 1) - this.#next() * 86_400_000).toISOString().slice(0, 10)
    return [day.replaceAll('-', ''), day]
  }
}

/** Rows of one answer, and the values that they share. `mayBeBoth`: whether EB07 and EB08 may stand in one row. */
export function writeRows(random: Dice, count: number, plans: readonly string[] = []): WrittenRow[] {
  const values = new Values()
  return Array.from({ length: count }, () => writeRow(random, values, plans))
}

function writeRow(random: Dice, unique: Values, plans: readonly string[]): WrittenRow {
  const values: string[] = []
  const said = (value: string) => {
    values.push(value)
    return value
  }
  const oneIn = (sides: number) => random(sides) === 0
  const code = pick(CODES, random)
  const level = pick(LEVELS, random)
  const services = pick(SERVICES, random)
  const plan = plans.length > 0 && oneIn(3) ? pick(plans, random) : oneIn(8) ? said(unique.word()) : undefined
  const period = pick(PERIODS, random)
  const [share, percent] = unique.share()
  const hasShare = code === 'A' ? !oneIn(6) : oneIn(8)
  const amount = (code === 'A' ? oneIn(8) : !oneIn(5)) ? said(unique.number()) : undefined
  if (hasShare) said(percent)
  const quantity = oneIn(5) ? [pick(QUANTITIES, random), said(unique.number())] : ['', '']
  const network = pick(NETWORKS, random)
  const procedure = oneIn(10) ? said(unique.word()) : undefined
  const element = [code, level, services, pick(TYPES, random), plan ?? '', period, amount ?? '', hasShare ? share : '']
  const rest = [...quantity, pick(['', '', 'Y', 'N', 'U'], random), network, procedure ? `HC:${procedure}` : '']
  const segments = [`EB*${[...element, ...rest].join('*')}`.replace(/\*+$/, '')]
  for (let left = random(4) === 0 ? 1 + random(2) : 0; left > 0; left -= 1) {
    const pieces = [
      pick(['VS', 'DY', 'HS', 'FL', 'MN'], random),
      said(unique.number()),
      pick(['', 'WK', 'MO', 'DA'], random),
    ]
    segments.push(`HSD*${[...pieces, '', pick(['', '23', '29', '34', '22'], random), '1'].join('*')}`)
  }
  if (oneIn(4)) segments.push(`REF*${pick(REFERENCES, random)}*${said(unique.word())}*${said(unique.word())}`)
  for (let left = random(3) === 0 ? 1 + random(2) : 0; left > 0; left -= 1) {
    const [[first, from], [second, to]] = [unique.day(), unique.day()]
    said(from)
    if (oneIn(2)) segments.push(`DTP*${pick(DATES, random)}*D8*${first}`)
    else segments.push(`DTP*${pick(DATES, random)}*RD8*${second}-${first}`) && said(to)
  }
  // A label, which restricts its figure, or a sentence, which does not (plain-labels.ts).
  for (let left = random(3); left > 0; left -= 1)
    segments.push(`MSG*${pick(['', 'CALL ', 'CALL '], random)}${said(unique.word())} ${said(unique.word())}`)
  if (oneIn(6))
    segments.push(oneIn(2) ? `III*ZZ*${pick(['11', '22', '02', '21'], random)}` : `III***44*${said(unique.word())}`)
  if (oneIn(3)) segments.push(...writeEntities(random, unique, said))
  return {
    segments,
    code,
    level,
    services: services.split('^').filter(Boolean),
    plan,
    period,
    network,
    procedure,
    amount,
    percent: hasShare ? percent : undefined,
    values,
  }
}

function writeEntities(random: Dice, unique: Values, said: (value: string) => string): string[] {
  const segments = ['LS*2120']
  for (let left = 1 + random(2); left > 0; left -= 1) {
    const code = pick(ENTITIES, random)
    const isPerson = code === 'P3' || code === '73' || random(6) === 0
    const names = isPerson
      ? ['1', said(unique.word()), said(unique.word()), said(unique.word())]
      : ['2', said(unique.word()), '', '']
    const id = random(2) === 0 ? ['', '', pick(['XX', 'PI', 'SV', 'FI'], random), said(unique.number())] : []
    segments.push(`NM1*${[code, ...names, ...id].join('*')}`.replace(/\*+$/, ''))
    if (random(3) === 0)
      segments.push(
        `N3*${said(unique.number())} ${said(unique.word())}`,
        `N4*${said(unique.word())}*ME*${said(unique.number())}`,
      )
    if (random(2) === 0)
      segments.push(
        `PER*IC*${random(2) === 0 ? said(unique.word()) : ''}*${pick(CONTACTS, random)}*${said(unique.number())}*${pick(CONTACTS, random)}*${said(unique.word())}`,
      )
  }
  return [...segments, 'LE*2120']
}
