// The filters and sorts of rules.md 2 in plain JavaScript, over items as a list shows them.
import type { FilterOperator } from '../../src/platform/http/filters.ts'
import { type Field, inCamelCase } from './schema-fields.ts'

export type Item = Record<string, unknown>

export interface AskedFilter {
  field: Field
  operator: FilterOperator
  values: string[]
}

/** The items for which every filter holds. */
export function answerBy(items: Item[], filters: AskedFilter[], timeZone: string): Item[] {
  return items.filter((item) => filters.every((filter) => holds(item, filter, timeZone)))
}

function holds(item: Item, { field, operator, values }: AskedFilter, timeZone: string): boolean {
  const [value = ''] = values
  return valuesAt(item, field.path).some((stored) => {
    if (operator === 'eq' || operator === 'in') return values.some((each) => isEqual(stored, each, field, timeZone))
    if (operator === 'gt') return compare(stored, value, field, timeZone) > 0
    if (operator === 'lt') return compare(stored, value, field, timeZone) < 0
    if (operator === 'ieq') return [value, value.trim()].some((each) => folded(String(stored)) === folded(each))
    return field.isList ? isEqual(stored, value, field, timeZone) : folded(String(stored)).includes(folded(value))
  })
}

function isEqual(stored: unknown, value: string, field: Field, timeZone: string): boolean {
  const composed = value.normalize('NFC')
  return field.kind === 'text'
    ? stored === composed || stored === composed.trim() || (field.isId && stored === lowerUuid(composed.trim()))
    : compare(stored, value, field, timeZone) === 0
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

const lowerUuid = (text: string) => (UUID.test(text) ? text.toLowerCase() : text)

function compare(stored: unknown, value: string, { kind }: Field, timeZone: string): number {
  if (kind === 'number') return Number(stored) - Number(value)
  if (kind === 'text') return bytes(plain(String(stored)), plain(value))
  if (kind === 'uuid') return bytes(String(stored), value.toLowerCase())
  if (kind !== 'instant') return bytes(String(stored), value)
  if (value.length === 10) return bytes(dayOf(String(stored), timeZone), value)
  return Date.parse(String(stored)) - Date.parse(value)
}

/** Letters are equal when they differ in case only, each on its own: ß is one letter, and so are both sigmas. */
function folded(text: string): string {
  return [...text.normalize('NFC')].map(foldedLetter).join('')
}

function foldedLetter(letter: string): string {
  const upper = [...letter.toUpperCase()].length === 1 ? letter.toUpperCase() : letter
  if (upper === 'İ') return 'i'
  const lower = upper.toLowerCase()
  return lower === 'ς' ? 'σ' : lower
}

/** What text is ordered by: without case, marks and typographic apostrophes (decisions/0023-text-beyond-ascii.md). */
function plain(text: string): string {
  const letters = [...text.normalize('NFKD')].map(foldedLetter).join('')
  const unmarked = letters
    .replaceAll(
      /([a-zα-ω])[\u0300-\u036f]+|[\u0591-\u05bd\u05bf-\u05c7\u0640\u064b-\u065f\u0670\u00ad\u200b-\u200f\ufeff]/g,
      '$1',
    )
    .normalize('NFC')
  const same: Record<string, string> = {
    ł: 'l',
    ø: 'o',
    đ: 'd',
    ħ: 'h',
    ı: 'i',
    ð: 'd',
    þ: 't',
    æ: 'a',
    œ: 'o',
    ß: 's',
    ё: 'е',
    '’': "'",
    ʼ: "'",
  }
  return [...unmarked]
    .map((letter) => same[letter] ?? letter)
    .join('')
    .slice(0, 200)
}

function bytes(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b))
}

const calendars = new Map<string, Intl.DateTimeFormat>()

/** YYYY-MM-DD in a time zone. */
function dayOf(instant: string, timeZone: string): string {
  const calendar = calendars.get(timeZone) ?? new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short' })
  calendars.set(timeZone, calendar)
  return calendar.format(new Date(instant)).padStart(10, '0')
}

/** Items without a value come last in ascending order; items with equal values are ordered by id. */
export function inOrder(items: Item[], field: Field, direction: 'asc' | 'desc', idOf: (item: Item) => string): Item[] {
  const sign = direction === 'asc' ? 1 : -1
  const placed = items.map((item) => ({ item, id: idOf(item), value: valuesAt(item, field.path)[0] }))
  const order = (a: unknown, b: unknown) => {
    if (a === undefined || b === undefined) return Number(a === undefined) - Number(b === undefined)
    if (field.kind === 'number') return Number(a) - Number(b)
    return field.kind === 'text' ? bytes(plain(String(a)), plain(String(b))) : bytes(String(a), String(b))
  }
  return placed.sort((a, b) => sign * (order(a.value, b.value) || bytes(a.id, b.id))).map(({ item }) => item)
}

/** Every value at a camelCase path, including the items of arrays on the path. */
export function valuesAt(value: unknown, path: string): unknown[] {
  if (value === undefined || value === null) return []
  if (Array.isArray(value)) return value.flatMap((each) => valuesAt(each, path))
  if (path === '') return [value]
  const [name, ...rest] = path.split('.')
  const key = Object.keys(value).find((each) => inCamelCase(each) === name)
  return key === undefined ? [] : valuesAt((value as Item)[key], rest.join('.'))
}
