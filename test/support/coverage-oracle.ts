// Whether the text of a 271 permits ACTIVE for a person on a day. Written only from x12-271.md 3, 5 and 9, with its own segment
// parser: it shares no code with the decoder under test. In doubt it permits ACTIVE.

export interface AskedAbout {
  firstName: string
  lastName: string
  /** CCYYMMDD. */
  birthDate: string
  memberId: string
  isDependent: boolean
  /** CCYYMMDD. */
  day: string
}

interface Level {
  kind: string
  name?: string[]
  birthDate?: string
  announced?: boolean
  refused: boolean
  dates: string[][]
  rows: { code: string; services: string; dates: string[][] }[]
}

const LEAVES_COVER = new Set('33 53 54 55 69 70 98 AA AE AF AG AO CI E8 IA MA'.split(' '))
const BEGINS = new Set(['346', '348', '356', '539'])
const ENDS = new Set(['341', '347', '349', '357', '540'])
const RANGES = new Set(['291', '292', '307'])

/** True unless the rules forbid ACTIVE for the person by this text. */
export function allowsActive(text: string, asked: AskedAbout): boolean {
  return readPeople(text).some(({ above, own, inherited }) => {
    if ([...above, own].some(({ refused }) => refused) || !mayBe(own, asked)) return false
    const rows = own.rows.length > 0 ? own.rows : (inherited?.rows ?? [])
    if (own.dates.some(([qualifier, , raw = '']) => qualifier === '442' && isDay(raw) && raw < asked.day)) return false
    if (!rules(own.dates, asked.day)) return false
    const active = rows.filter(({ code }) => /^[1-5]$/.test(code))
    return active.some(({ dates }) => rules(dates, asked.day))
  })
}

interface Person {
  own: Level
  above: Level[]
  /** The subscriber's level, whose rows a dependent inherits. */
  inherited?: Level | undefined
}

/** Every person in the text, with the levels above them: by HL03 in sequence, and by NM1 if HL03 differs. */
function readPeople(text: string): Person[] {
  const people: Person[] = []
  let [source, receiver, subscriber]: (Level | undefined)[] = []
  let level = emptyLevel('')
  let early = level
  let row: Level['rows'][number] | undefined
  let isInside2120 = false
  const begin = (kind: string) => {
    level = emptyLevel(kind)
    row = undefined
    isInside2120 = false
    const above = [early, source, receiver].filter((each) => each !== undefined)
    if (kind === '20') [source, receiver, subscriber] = [level, undefined, undefined]
    if (kind === '21') [receiver, subscriber] = [level, undefined]
    if (kind === '22') {
      subscriber = level
      people.push({ own: level, above })
    }
    if (kind === '23')
      people.push({ own: level, above: subscriber ? [...above, subscriber] : above, inherited: subscriber })
  }
  for (const elements of text.split('~').map((segment) => segment.trim().split('*'))) {
    const [id, first = '', second = '', third = '', fourth = ''] = elements
    if (id === 'ST') {
      early = emptyLevel('')
      ;[source, receiver, subscriber, level, row] = [undefined, undefined, undefined, early, undefined]
    }
    if (id === 'HL') begin(third.trim())
    if (id === 'LS') isInside2120 = true
    if (id === 'LE') isInside2120 = false
    if (id === 'NM1' && !isInside2120 && PEOPLE.has(first.trim())) {
      const isNext = level.name !== undefined || (level.kind !== '22' && level.kind !== '23')
      if (isNext && !(row && first.trim() === 'IL')) begin(first.trim() === 'IL' ? '22' : '23')
      if (!row) level.name = [third, fourth, elements[9] ?? '']
    }
    if (id === 'EB') {
      row = { code: first.trim(), services: third, dates: [] }
      isInside2120 = false
      level.rows.push(row)
    }
    if (id === 'DMG') level.birthDate = second
    if (id === 'INS') level.announced = third === '001' && fourth === '25'
    if (id === 'AAA' && !row && !LEAVES_COVER.has(third.trim())) level.refused = true
    if (id === 'DTP' && !isInside2120) (row ? row.dates : level.dates).push([first.trim(), second, third.trim()])
  }
  return people
}

const PEOPLE = new Set(['IL', '03', 'QC'])

function emptyLevel(kind: string): Level {
  return { kind, refused: false, dates: [], rows: [] }
}

/** The nicknames among the names of the mutations. */
const NICKNAMES = [
  ['ROBERT', 'BOB'],
  ['JON', 'JOHN', 'JOHNNY'],
]

/** False if birth date and first name both contradict, or one of them does beyond a permitted correction. */
function mayBe({ name = [], birthDate = '', announced }: Level, asked: AskedAbout): boolean {
  const [, first = '', memberId = ''] = name
  const [one, other] = [plain(first), plain(asked.firstName)]
  const knowsBirth = isDay(birthDate)
  const isBirth = birthDate === asked.birthDate
  const isNickname = NICKNAMES.some((pair) => pair.includes(one) && pair.includes(other))
  const resembles =
    isNickname ||
    one.startsWith(other) ||
    other.startsWith(one) ||
    lettersApart(one, other) <= (Math.min(one.length, other.length) >= 6 ? 2 : 1)
  if (one !== '' && !resembles) return isBirth && announced === true
  if (one === '') return isBirth && !asked.isDependent
  if (!knowsBirth || !isDay(asked.birthDate) || isBirth) return true
  if (announced) return true
  const isSameId = asked.isDependent || plain(memberId) === plain(asked.memberId)
  return isSameId && wrongDigits(birthDate, asked.birthDate) <= 4
}

function rules(dates: string[][], day: string): boolean {
  const byKind = new Map<string, boolean[]>()
  for (const [kind = '', , raw = ''] of dates) {
    const [start = '', end = ''] = raw.split('-')
    let holds: boolean | undefined
    if (ENDS.has(kind) && isDay(end || start)) holds = (end || start) >= day
    if (BEGINS.has(kind) && isDay(start)) holds = start <= day
    if (RANGES.has(kind) && isDay(start) && isDay(end) && !(kind === '307' && start === end))
      holds = start <= day && end >= day
    if (holds !== undefined) byKind.set(kind, [...(byKind.get(kind) ?? []), holds])
  }
  return [...byKind.values()].every((each) => each.includes(true))
}

function isDay(text: string): boolean {
  if (!/^\d{8}$/.test(text)) return false
  const iso = `${text.slice(0, 4)}-${text.slice(4, 6)}-${text.slice(6)}`
  const time = Date.parse(iso)
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(iso)
}

const plain = (text: string) => text.toUpperCase().replace(/[^A-Z0-9]/g, '')

function wrongDigits(one: string, other: string): number {
  return [...one].filter((digit, index) => digit !== other[index]).length
}

function lettersApart(one: string, other: string): number {
  const line = [...other, ''].map((_, index) => index)
  for (let row = 1; row <= one.length; row += 1) {
    let corner = line[0]!
    line[0] = row
    for (let column = 1; column <= other.length; column += 1) {
      const change = corner + Number(one[row - 1] !== other[column - 1])
      corner = line[column]!
      line[column] = Math.min(change, corner + 1, line[column - 1]! + 1)
    }
  }
  return line[other.length]!
}
