// Changes of the shape of an answer in JSON that change nothing of what it says, as programs between a payer and us make them.
import type { JsonObject } from '../../src/clearinghouses/json-values.ts'

/** Where a value stands: names and positions. */
type Path = readonly (string | number)[]

export interface Oddity {
  name: string
  /** The value in its odd shape; undefined where the change does not apply. */
  change(value: unknown, key: string): unknown
}

const isText = (value: unknown): value is string => typeof value === 'string' && value !== ''
const isList = Array.isArray
const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const only =
  <Value>(applies: (value: unknown, key: string) => value is Value & unknown, change: (value: Value) => unknown) =>
  (value: unknown, key: string) =>
    applies(value, key) ? change(value) : undefined

const isSingle = (value: unknown): value is string | number => isText(value) || typeof value === 'number'
const isFigure = (value: unknown, key: string): value is string =>
  isText(value) && /^\d*\.?\d+$/.test(value) && /amount|percent|total|remaining|quantity|^value$/i.test(key)
const isAmount = (value: unknown, key: string): value is string =>
  isText(value) && /^\d*\.?\d+$/.test(value) && /amount/i.test(key)
const isPercent = (value: unknown, key: string): value is string =>
  isText(value) && /^0?\.\d+$/.test(value) && /percent/i.test(key)
const isDay = (value: unknown): value is string =>
  isText(value) && /^(?:(?:19|20)\d{2}-\d{2}-\d{2}(?:T00:00:00\.000\+0000)?|(?:19|20)\d{6})$/.test(value)
const isRange = (value: unknown): value is string => isText(value) && /^(?:19|20)\d{6}-(?:19|20|99)\d{6}$/.test(value)
const isCode = (value: unknown, key: string): value is string =>
  isText(value) && value.length <= 3 && /^[A-Z]+\d?$/.test(value) && /code/i.test(key)
const isListed = (value: unknown): value is unknown[] => isList(value) && value.length > 0
const isOne = (value: unknown): value is [unknown] => isList(value) && value.length === 1
const isFilled = (value: unknown): value is JsonObject => isObject(value) && Object.keys(value).length > 0
const isCodes = (value: unknown, key: string): value is string[] =>
  isListed(value) && value.every((each) => isText(each) && /^\w{1,3}$/.test(each)) && /codes/i.test(key)
const isTrue = (value: unknown): value is true => value === true

const digits = (day: string) => day.slice(0, 10).replaceAll('-', '')
const iso = (day: string) => digits(day).replace(/(\d{4})(\d{2})(\d{2})/, '$1-$2-$3')
const american = (day: string) => digits(day).replace(/(\d{4})(\d{2})(\d{2})/, '$2/$3/$1')
const snake = (name: string) => name.replace(/[A-Z]+/g, (letters) => `_${letters.toLowerCase()}`)
const rename = (change: (name: string) => string) => (value: JsonObject) =>
  Object.fromEntries(Object.entries(value).map(([key, each]) => [change(key), each]))

/** Changes of one value. */
export const ODDITIES: readonly Oddity[] = [
  { name: 'a list of one', change: only(isSingle, (value) => [value]) },
  { name: 'a list with a null', change: only(isSingle, (value) => [null, value]) },
  { name: 'a list within a list', change: only(isSingle, (value) => [[value]]) },
  { name: 'an object with a value', change: only(isSingle, (value) => ({ value })) },
  { name: 'an element of XML', change: only(isSingle, (value) => ({ '#text': value, '@type': 'string' })) },
  { name: 'an element of another converter', change: only(isSingle, (value) => ({ _: value, $: { nil: 'false' } })) },
  { name: 'the same twice', change: only(isSingle, (value) => [value, value]) },
  { name: 'padded', change: only(isText, (value) => `  ${value}\t`) },
  { name: 'a list of one as JSON text', change: only(isSingle, (value) => JSON.stringify([value])) },
  { name: 'a text for a number', change: only((value): value is number => typeof value === 'number', String) },
  { name: 'a number for a text', change: only(isFigure, Number) },
  { name: 'with a currency', change: only(isAmount, (value) => `$${value}`) },
  { name: 'with two decimals', change: only(isAmount, (value) => Number(value).toFixed(2)) },
  { name: 'with a decimal comma', change: only(isAmount, (value) => Number(value).toFixed(2).replace('.', ',')) },
  { name: 'with an exponent', change: only(isAmount, (value) => Number(value).toExponential()) },
  { name: 'with a sign', change: only(isAmount, (value) => `+${value}`) },
  { name: 'with its unit', change: only(isAmount, (value) => `${value} USD`) },
  { name: 'an object with its currency', change: only(isAmount, (value) => ({ amount: value, currency: 'USD' })) },
  { name: 'in percent', change: only(isPercent, (value) => `${Math.round(Number(value) * 10_000) / 100}%`) },
  { name: 'a fraction as a number', change: only(isPercent, Number) },
  { name: 'eight digits', change: only(isDay, digits) },
  { name: 'eight digits as a number', change: only(isDay, (day) => Number(digits(day))) },
  { name: 'a day with hyphens', change: only(isDay, iso) },
  { name: 'a day at midnight', change: only(isDay, (day) => `${iso(day)}T00:00:00Z`) },
  { name: 'a day at an offset', change: only(isDay, (day) => `${iso(day)}T00:00:00.000-05:00`) },
  { name: 'an American day', change: only(isDay, american) },
  { name: 'an epoch', change: only(isDay, (day) => Date.parse(iso(day))) },
  { name: 'an object with a day', change: only(isDay, (date) => ({ date })) },
  {
    name: 'an object with two days',
    change: only(isRange, (range) => ({ start: iso(range.slice(0, 8)), end: iso(range.slice(9)) })),
  },
  { name: 'a range with a slash', change: only(isRange, (range) => range.split('-').map(iso).join('/')) },
  { name: 'in small letters', change: only(isCode, (value) => value.toLowerCase()) },
  { name: 'a code with its description', change: only(isCode, (code) => ({ code, description: 'As described' })) },
  { name: 'codes in one text', change: only(isCodes, (codes) => codes.join(', ')) },
  {
    name: 'codes as objects',
    change: only(isCodes, (codes) => codes.map((code) => ({ code, description: 'Service' }))),
  },
  { name: 'true as Y', change: only(isTrue, () => 'Y') },
  { name: 'true as 1', change: only(isTrue, () => 1) },
  { name: 'true as a text', change: only(isTrue, () => 'TRUE') },
  { name: 'its only entry', change: only(isOne, ([entry]) => entry) },
  { name: 'a list with a null before', change: only(isListed, (list) => [null, ...list]) },
  { name: 'a list with a blank', change: only(isListed, (list) => [...list, '']) },
  { name: 'a list in a list', change: only(isListed, (list) => [list]) },
  { name: 'entries in lists', change: only(isListed, (list) => list.map((each) => [each])) },
  { name: 'an object of an element', change: only(isListed, (list) => ({ item: list })) },
  { name: 'an object by position', change: only(isListed, (list) => ({ ...list })) },
  { name: 'a list as JSON text', change: only(isListed, (list) => JSON.stringify(list)) },
  { name: 'entries as JSON text', change: only(isListed, (list) => list.map((each) => JSON.stringify(each))) },
  { name: 'an object in a list', change: only(isFilled, (value) => [value]) },
  { name: 'an object as JSON text', change: only(isFilled, (value) => JSON.stringify(value)) },
  {
    name: 'a list of its members',
    change: only(isFilled, (value) => Object.entries(value).map(([key, each]) => ({ [key]: each }))),
  },
  { name: 'names in snake case', change: only(isFilled, rename(snake)) },
  {
    name: 'names in capitals',
    change: only(
      isFilled,
      rename((name) => name.toUpperCase()),
    ),
  },
  {
    name: 'names in small letters',
    change: only(
      isFilled,
      rename((name) => name.toLowerCase()),
    ),
  },
  {
    name: 'names with a capital',
    change: only(
      isFilled,
      rename((name) => name.slice(0, 1).toUpperCase() + name.slice(1)),
    ),
  },
  {
    name: 'a prototype',
    change: only(isFilled, (value) => Object.fromEntries([...Object.entries(value), ['__proto__', { code: '1' }]])),
  },
]

/** Changes of the whole answer. */
export const WHOLE: Readonly<Record<string, (json: JsonObject) => unknown>> = {
  'within data': (data) => ({ data }),
  'within result.response': (response) => ({ status: 200, result: { response } }),
  'as JSON text in body': (json) => ({ statusCode: 200, body: JSON.stringify(json) }),
  'all single values in lists': (json) => everywhere(json, (value) => (isSingle(value) ? [value] : value)),
  'all single values in objects': (json) => everywhere(json, (value) => (isSingle(value) ? { value } : value)),
  'all texts padded': (json) => everywhere(json, (value) => (isText(value) ? ` ${value} ` : value)),
  'all lists of one alone': (json) => everywhere(json, (value) => (isOne(value) ? value[0] : value)),
  'all names in snake case': (json) => everywhere(json, (value) => (isObject(value) ? rename(snake)(value) : value)),
  'all names with a capital': (json) =>
    everywhere(json, (value) =>
      isObject(value) ? rename((name) => name.slice(0, 1).toUpperCase() + name.slice(1))(value) : value,
    ),
  'all days at midnight': (json) => everywhere(json, (value) => (isDay(value) ? `${iso(value)}T00:00:00Z` : value)),
}

function everywhere(value: unknown, change: (value: unknown) => unknown): unknown {
  if (isList(value)) return change(value.map((each) => everywhere(each, change)))
  if (!isObject(value)) return change(value)
  return change(Object.fromEntries(Object.entries(value).map(([key, each]) => [key, everywhere(each, change)])))
}

/** Every place of a value, with the name that it stands under. */
export function placesIn(value: unknown, key = '', path: Path = []): { path: Path; key: string; value: unknown }[] {
  const inner = isList(value)
    ? value.flatMap((each, index) => placesIn(each, key, [...path, index]))
    : isObject(value)
      ? Object.entries(value).flatMap(([name, each]) => placesIn(each, name, [...path, name]))
      : []
  return path.length === 0 ? inner : [{ path, key, value }, ...inner]
}

/** The same answer with another value at this place. */
export function withValueAt(json: unknown, [step, ...rest]: Path, value: unknown): unknown {
  if (step === undefined) return value
  if (isList(json)) return json.map((each, index) => (index === step ? withValueAt(each, rest, value) : each))
  const object = json as JsonObject
  return Object.fromEntries(
    Object.entries(object).map(([key, each]) => [key, key === step ? withValueAt(each, rest, value) : each]),
  )
}

/** JSON text in which each list of an object stands under its name twice, first with its first entry and then with the others, or each object with its members. */
export function withNamesTwice(value: unknown): string {
  if (isList(value)) return `[${value.map(withNamesTwice).join(',')}]`
  if (!isObject(value)) return JSON.stringify(value)
  const members = Object.entries(value).flatMap(([key, each]) => {
    const parts =
      isList(each) && each.length > 1
        ? [each.slice(0, 1), each.slice(1)]
        : isObject(each) && Object.keys(each).length > 1
          ? [Object.fromEntries(Object.entries(each).slice(0, 1)), Object.fromEntries(Object.entries(each).slice(1))]
          : [each]
    return parts.map((part) => `${JSON.stringify(key)}:${withNamesTwice(part)}`)
  })
  return `{${members.join(',')}}`
}
