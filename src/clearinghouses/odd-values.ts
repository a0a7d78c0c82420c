// Single values of JSON in the shapes in which other programs write them. decisions/0215-odd-shapes-and-odd-transport.md

import { isObject } from '../contract/is-object.ts'
import { readDecimal, readPercent } from '../x12/decimals.ts'
import { flat, type JsonObject, readJson, truthOf, wordsOf } from './json-values.ts'
import { type Choice, type Kind, plainName } from './shape.ts'

/** The value as its kind is read; undefined when it cannot be. */
export const READERS: Readonly<Partial<Record<Kind, (text: string) => unknown>>> = {
  text: (value) => value,
  code: (value) => (value.length <= MOST_OF_CODE ? value.toUpperCase() : value),
  day: dayOf,
  truth: (value) => truthOf(value),
  amount: (value) => numberIn(value, readDecimal),
  count: (value) => numberIn(value, readDecimal),
  percent: (value) => numberIn(value, readPercent),
  figure: (value) => numberIn(value, readDecimal) ?? numberIn(value, readPercent),
}

/** The number as it is read in X12; two digits after a comma are not thousands, and other programs write exponents. */
function numberIn(value: string, read: (text: string) => number | undefined): string | undefined {
  if (read(value) !== undefined) return value
  // A code or a word in the place of a number is the payer's, as in X12.
  if (!/\d/.test(value)) return value
  if (/^[+-]?\d{1,9},\d{2}$/.test(value)) return value.replace(',', '.')
  return /^[+-]?\d{1,15}(?:\.\d{1,15})?e[+-]?\d{1,2}$/i.test(value) ? plainNumber(Number(value)) : undefined
}

/** The day that begins at this time of Unix. */
const midnight = (time: number) => (time % DAY_MS === 0 ? new Date(time).toISOString().slice(0, 10) : undefined)
const DAY_MS = 86_400_000

/** The code that a value is, or whose name it is. */
export function codeOf(value: unknown, names: Choice['names']): string | undefined {
  if (typeof value !== 'string') return undefined
  const upper = value.toUpperCase()
  if (Object.hasOwn(names, upper)) return upper
  let codes = codesByPlainName.get(names)
  if (codes === undefined) {
    codes = new Map(Object.entries(names).map(([code, name]) => [plainName(name), code]))
    codesByPlainName.set(names, codes)
  }
  return codes.get(plainName(value))
}

const codesByPlainName = new WeakMap<Choice['names'], ReadonlyMap<string, string>>()

/** A word of an enumeration; other texts are the payer's, as in X12. */
export const WORD = /^\p{L}[\p{L} _()/-]*$/u

/** Codes of X12 have three characters at most. */
export const MOST_OF_CODE = 3

/**
 * YYYY-MM-DD of a day in the notations of the three forms and of other programs; a time of day behind it says nothing. Other text is returned unchanged; undefined for a moment of which nobody
 * says where it was a new day.
 */
function dayOf(value: string): string | undefined {
  const [, year = '', month = '', day = ''] =
    /^(\d{4})(\d{2})(\d{2})$/.exec(value) ?? /^(\d{4})[-/](\d{1,2})[-/](\d{1,2})(?:[T ]\d{2}:.*)?$/.exec(value) ?? []
  if (year !== '') return `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`
  const [, first = '', second = '', last] = /^(\d{1,2})\/(\d{1,2})\/(\d{4})$/.exec(value) ?? []
  if (/^\d{9,11}$|^\d{13}$/.test(value)) return midnight(Number(value) * (value.length > 11 ? 1 : 1000))
  return last === undefined ? value : `${last}-${first.padStart(2, '0')}-${second.padStart(2, '0')}`
}

export const isBlank = (value: unknown): boolean =>
  value === null || value === undefined || value === '' || (typeof value === 'string' && value.trim() === '')

export function mayBeJson(value: string): boolean {
  const first = value.charCodeAt(0)
  const isDigit = first >= 0x30 && first <= 0x39
  const isCapital = first >= 0x41 && first <= 0x5a
  // Most values begin with one of these, so that they need no pattern.
  return !isDigit && !isCapital && /^\s*[[{"]/.test(value)
}

/** What a text of JSON holds; every other value unchanged. */
export function openText(value: unknown): unknown {
  if (typeof value !== 'string' || !mayBeJson(value)) return value
  return readJson(value) ?? value
}

/** The same without blanks around it and without attributes. */
export function openWords(value: unknown): unknown {
  if (typeof value === 'string') return mayBeJson(value) ? openedWords(value) : value.trim()
  if (Array.isArray(value)) return flat(value).map(openWords)
  if (!isObject(value)) return value
  const said = Object.entries(value).filter(([key]) => !isAttribute(key))
  return Object.fromEntries(said.map(([key, each]) => [key, openWords(each)]))
}

function openedWords(value: string): unknown {
  const opened = openText(value)
  return typeof opened === 'string' ? opened.trim() : openWords(opened)
}

/** Members that hold the value of an object, the one that says most first; and those that only name or describe it. */
const VALUES = ['value', 'text', 'content', 'code', 'date', 'amount', 'percent', 'number', '', 't']
const DESCRIPTIONS: ReadonlySet<string> = new Set(
  'description name display displayname definition label system codesystem currency'.split(' '),
)
/** Attributes of XML, as programs write them in JSON. */
const isAttribute = (key: string) =>
  key.startsWith('@') || key === '$' || key.startsWith('xsi:') || key.startsWith('xmlns')

/** The single values that stand in place of one; undefined when an object says more than one value. */
export function scalarsIn(value: unknown, kind: Kind): string[] | undefined {
  if (typeof value === 'string') {
    const opened = openText(value)
    return typeof opened === 'string' ? [opened.trim()] : scalarsIn(opened, kind)
  }
  if (typeof value === 'number') return [plainNumber(value)]
  if (typeof value === 'boolean') return kind === 'truth' || value ? [String(value)] : []
  if (Array.isArray(value)) return gathered(flat(value), kind)
  return isObject(value) ? scalarsOfObject(value, kind) : []
}

function gathered(values: readonly unknown[], kind: Kind): string[] | undefined {
  const texts: string[] = []
  for (const each of values) {
    const found = scalarsIn(each, kind)
    if (found === undefined) return undefined
    texts.push(...found)
  }
  return texts
}

function scalarsOfObject(json: JsonObject, kind: Kind): string[] | undefined {
  const stated = Object.entries(json).filter(([key, each]) => !isBlank(each) && !isAttribute(key))
  if (stated.length <= 1) return scalarsIn(stated[0]?.[1], kind)
  for (const name of VALUES) {
    const found = stated.find(([key]) => plainName(key) === name)
    if (!found) continue
    const others = stated.filter((each) => each !== found)
    if (!others.every(([key]) => DESCRIPTIONS.has(plainName(key)))) return undefined
    // A name says more than its code where the description has a text.
    return scalarsIn(name === 'code' && kind === 'text' ? others[0]?.[1] : found[1], kind)
  }
  return undefined
}

/** Without an exponent, and without what computing in binary adds. */
function plainNumber(value: number): string {
  const written = String(value)
  if (!/e/.test(written)) return /\.\d{8,}$/.test(written) ? String(Number(value.toFixed(7))) : written
  return Math.abs(value) < 1 ? '0' : BigInt(Math.trunc(value)).toString()
}

const STARTS = ['start', 'from', 'begin', 'startdate', 'begindate', 'fromdate', 'effective', 'effectivedate']
const ENDS = ['end', 'to', 'through', 'thru', 'enddate', 'todate', 'termination', 'terminationdate', 'expirationdate']

/** The values under names for a first and a last day. */
export function bounds(json: JsonObject): [start: unknown, end: unknown] | undefined {
  const find = (names: readonly string[]) => Object.entries(json).find(([key]) => names.includes(plainName(key)))?.[1]
  const found: [unknown, unknown] = [find(STARTS), find(ENDS)]
  return found.some((each) => !isBlank(each)) ? found : undefined
}

/** Texts of several words. A single word is a code or an id. */
export function statementsIn(value: unknown, words: string[]): void {
  for (const said of wordsOf(openWords(value), []))
    if (/\p{L}\s+\p{L}/u.test(said) && words.length < STATEMENTS_MAX) words.push(said)
}

/** As many as an EB has texts in the longest known answers. */
const STATEMENTS_MAX = 1_000
