// Reads JSON from outside without trusting its types: a value of an unexpected type counts as missing.

import { isObject } from '../contract/is-object.ts'
import { excessOf, type JsonBounds, JsonScan } from '../platform/json-scan.ts'
import { countNames, parseWithRepeatedNames } from './repeated-names.ts'

export type JsonObject = Record<string, unknown>

/**
 * Answers nest about ten levels deep; much deeper nesting could exhaust the stack when written again. The longest documents are pages of
 * some hundred answers with a thousand values each.
 */
const BOUNDS: JsonBounds = { depth: 200, nodes: 200_000 }

/**
 * The text as an object; `cut` when it begins like one but is truncated, `other` when it is not an object, nests too deeply or is too
 * large.
 */
export function readJsonObject(whole: string): JsonObject | 'cut' | 'other' {
  // The byte order mark, which no JSON has by RFC 8259 and which some programs write.
  const text = whole.startsWith('\uFEFF') ? whole.slice(1) : whole
  if (!/^\s*\{/.test(text)) return 'other'
  const scan = new JsonScan(BOUNDS)
  scan.read(text)
  if (scan.excess) return 'other'
  try {
    const value = clean(text)
    return (countNames(value) === scan.keys ? value : wellFormed(parseWithRepeatedNames(text))) as JsonObject
  } catch {
    return 'cut'
  }
}

/** The value of a JSON text; undefined when it is none, nests too deeply or is too large. */
export function readJson(text: string): unknown {
  if (excessOf(text, BOUNDS)) return undefined
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** PostgreSQL stores neither NUL nor lone surrogates in JSON, and payers never send them on purpose. */
function clean(text: string): unknown {
  const value: unknown = JSON.parse(text)
  return /\\u(?:0000|[dD][89a-fA-F])/.test(text) ? wellFormed(value) : value
}

const wellFormed = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value), (_, each) =>
    typeof each === 'string' ? each.replaceAll('\0', ' ').toWellFormed() : each,
  )

/** Text that is not blank, also as the only one in a list; numbers are converted to text. */
export function textOf(value: unknown): string | undefined {
  if (typeof value === 'number') return String(value)
  if (Array.isArray(value)) {
    const texts = textsOf(value)
    return texts.length === 1 ? texts[0] : undefined
  }
  return typeof value === 'string' && value.trim() !== '' ? value : undefined
}

/** The members of an object, or of all objects in a list, of which the first has precedence; empty for any other value. */
export function objectOf(value: unknown): JsonObject {
  if (isObject(value)) return value
  const listed = Array.isArray(value) ? objectsOf(value) : []
  if (listed.length <= 1) return listed[0] ?? {}
  const joined: JsonObject = {}
  for (const each of listed.toReversed()) Object.assign(joined, each)
  return joined
}

/** The objects in a list, and in lists within it; other entries are left out. A list of one may be its entry alone: relays that convert from XML write it so. */
export function objectsOf(value: unknown): JsonObject[] {
  if (Array.isArray(value)) return flat(value).filter(isObject)
  return isObject(value) && Object.keys(value).length > 0 ? [value] : []
}

/** The number of objects in lists, at any depth. */
export function countListed(value: unknown): number {
  let count = 0
  const open = isBranch(value) ? [value] : []
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (Array.isArray(next)) count += objectsOf(next).length
    for (const child of Object.values(next as object)) if (isBranch(child)) open.push(child)
  }
  return count
}

const isBranch = (value: unknown) => typeof value === 'object' && value !== null

/** The texts in a list, and in lists within it, or the text alone. */
export function textsOf(value: unknown): string[] {
  const list = Array.isArray(value) ? flat(value) : [value]
  return list.map(textOf).filter((text) => text !== undefined)
}

/** The entries of a list and of the lists within it. Most have none. */
export const flat = (list: readonly unknown[]): readonly unknown[] =>
  list.some(Array.isArray) ? list.flat(Infinity) : list

/** All texts of a value in whose words the payer may state anything: in lists and objects at any depth, of an object those under the keys for words, if it has them. */
export function wordsOf(value: unknown, keys: readonly string[]): string[] {
  const words: string[] = []
  collectWords(value, keys, words)
  return words
}

/** Visits each value once, however the lists and objects are nested. */
function collectWords(value: unknown, keys: readonly string[], words: string[]): void {
  if (Array.isArray(value)) for (const entry of value) collectWords(entry, keys, words)
  else if (isObject(value)) {
    const before = words.length
    for (const key of keys) collectWords(value[key], keys, words)
    if (words.length > before) return
    for (const [key, entry] of Object.entries(value)) if (!keys.includes(key)) collectWords(entry, keys, words)
  } else {
    const text = textOf(value)
    if (text !== undefined) words.push(text)
  }
}

/** What a form writes as true or false, also as a text; undefined for every other value. */
export function truthOf(value: unknown): boolean | undefined {
  if (typeof value === 'boolean') return value
  const text = typeof value === 'string' ? value.trim() : ''
  if (/^(?:true|yes|y)$/i.test(text)) return true
  return /^(?:false|no|n)$/i.test(text) ? false : undefined
}
