// A list answered without a database: every item in memory, filtered, sorted and paged only by the text of rules.md 2.
import type { Filter } from '../../src/platform/http/filters.ts'

export type Item = Record<string, unknown>

/** A path for a test: the type of its values, and whether it ends in an array. */
export interface NaivePath {
  kind: 'text' | 'enum' | 'uuid' | 'number' | 'boolean' | 'date' | 'instant'
  isList?: boolean
}

export interface NaiveQuery {
  filters: Filter[]
  sort: { path: string; direction: 'asc' | 'desc' }
}

/** The items that pass every filter, in the requested order; items with equal values are in the order of `idOf`. */
export function answerNaively(
  items: Item[],
  query: NaiveQuery,
  list: { paths: Record<string, NaivePath>; idOf(item: Item): string; timeZone: string },
): Item[] {
  const { path, direction } = query.sort
  const inOrder = list.paths[path]?.kind === 'text' ? orderOfTexts : order
  const passing = items.filter((item) => query.filters.every((filter) => passes(item, filter, list)))
  const placed = passing.map((item) => ({ item, value: valuesAt(item, path)[0], id: list.idOf(item) }))
  const compare = (a: (typeof placed)[number], b: (typeof placed)[number]) => {
    if (a.value === undefined || b.value === undefined) {
      if (a.value !== b.value) return a.value === undefined ? 1 : -1
      return order(a.id, b.id)
    }
    return inOrder(a.value, b.value) || order(a.id, b.id)
  }
  return placed.sort(direction === 'asc' ? compare : (a, b) => compare(b, a)).map(({ item }) => item)
}

function passes(
  item: Item,
  { path, operator, value }: Filter,
  { paths, timeZone }: { paths: Record<string, NaivePath>; timeZone: string },
): boolean {
  const { kind, isList } = paths[path] ?? { kind: 'text' }
  const compare = (stored: unknown, asked: string) => compareTo(stored, asked, kind, timeZone)
  const isEqual = (stored: unknown, asked: string) =>
    kind === 'text' ? stored === asked : compare(stored, asked) === 0
  return valuesAt(item, path).some((stored) => {
    if (operator === 'eq') return isEqual(stored, value)
    if (operator === 'gt') return compare(stored, value) > 0
    if (operator === 'lt') return compare(stored, value) < 0
    if (operator === 'in') return value.split(';').some((each) => isEqual(stored, each))
    if (operator === 'ieq') return String(stored).toLowerCase() === value.toLowerCase()
    return isList ? stored === value : String(stored).toLowerCase().includes(value.toLowerCase())
  })
}

function compareTo(stored: unknown, asked: string, kind: NaivePath['kind'], timeZone: string): number {
  if (kind === 'number') return Number(stored) - Number(asked)
  if (kind === 'uuid') return order(stored, asked.toLowerCase())
  if (kind === 'text') return orderOfTexts(stored, asked)
  if (kind !== 'instant') return order(String(stored), asked)
  const isDay = asked.length === 10
  return isDay ? order(dayOf(String(stored), timeZone), asked) : Date.parse(String(stored)) - Date.parse(asked)
}

const calendars = new Map<string, Intl.DateTimeFormat>()

/** YYYY-MM-DD in a time zone. */
function dayOf(instant: string, timeZone: string): string {
  const calendar = calendars.get(timeZone) ?? new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short' })
  calendars.set(timeZone, calendar)
  return calendar.format(new Date(instant))
}

/** Texts in code point order, like UTF-8; booleans as text. */
function order(a: unknown, b: unknown): number {
  if (a === b) return 0
  if (typeof a === 'number' && typeof b === 'number') return a - b
  return Buffer.compare(Buffer.from(String(a)), Buffer.from(String(b)))
}

/** Ignores case and marks (decisions/0023-text-beyond-ascii.md). */
function orderOfTexts(a: unknown, b: unknown): number {
  return order(plain(String(a)), plain(String(b)))
}

const plainTexts = new Map<string, string>()

function plain(text: string): string {
  const known = plainTexts.get(text)
  if (known !== undefined) return known
  const letters = text.normalize('NFKD').toLowerCase()
  const made = letters.replaceAll(/([a-zα-ω])[\u0300-\u036f]+/g, '$1').normalize('NFC')
  plainTexts.set(text, made)
  return made
}

const spellings = new Map<string, string>()

function inCamelCase(key: string): string {
  const spelling = spellings.get(key) ?? key.replaceAll(/_([a-z0-9])/g, (_, letter) => letter.toUpperCase())
  spellings.set(key, spelling)
  return spelling
}

/** Every value at a camelCase path, including the items of arrays on the path. */
function valuesAt(value: unknown, path: string): unknown[] {
  const [name, ...rest] = path === '' ? [] : path.split('.')
  if (value === undefined || value === null) return []
  if (Array.isArray(value)) return value.flatMap((each) => valuesAt(each, path))
  if (name === undefined) return [value]
  const key = Object.keys(value).find((each) => inCamelCase(each) === name)
  return key === undefined ? [] : valuesAt((value as Item)[key], rest.join('.'))
}

/** The trigram distance of two names, 0 to 1, in the single precision of pg_trgm. Source: rules.md 2.2. */
export function trigramDistance(a: Set<string>, b: Set<string>): number {
  const shared = [...a].filter((each) => b.has(each)).length
  const all = a.size + b.size - shared
  return Math.fround(1 - (all === 0 ? 0 : Math.fround(shared / all)))
}
