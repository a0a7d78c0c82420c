// Lists and objects of JSON in the shapes in which other programs write them. decisions/0215-odd-shapes-and-odd-transport.md

import { isObject } from '../contract/is-object.ts'
import type { JsonObject } from './json-values.ts'
import { mayBeJson, openText } from './odd-values.ts'
import { type ObjectShape, plainName, type Shape } from './shape.ts'

/** The entries of a list, of lists within it, and of objects that stand in its place. */
export function entriesOf(value: unknown, shape: Shape): readonly unknown[] {
  const opened = openText(value)
  const ofObjects = typeof shape === 'object' && 'members' in shape ? shape : undefined
  if (Array.isArray(opened)) return entriesIn(opened, ofObjects)
  if (isObject(opened) && ofObjects !== undefined && !isDescribed(opened, ofObjects)) {
    const held = Object.values(opened)
    const isContainer = held.length > 0 && held.every((each) => typeof openText(each) === 'object')
    if (isContainer) return held.flatMap((each) => entriesOf(each, shape))
  }
  return [opened]
}

function entriesIn(list: readonly unknown[], shape: ObjectShape | undefined): readonly unknown[] {
  if (shape?.hasParts && isParts(list)) return [joinMembers(list)]
  if (list.every(isPlain)) return list
  return list.flatMap((entry) => {
    const opened = openText(entry)
    return Array.isArray(opened) ? entriesIn(opened, shape) : [opened]
  })
}

/** Neither a list nor a text of JSON. */
const isPlain = (entry: unknown) => !Array.isArray(entry) && !(typeof entry === 'string' && mayBeJson(entry))

/** Whether a list holds the members of one object, each in an object of its own. */
function isParts(list: readonly unknown[]): list is JsonObject[] {
  if (list.length < 2) return false
  const names = new Set<string>()
  for (const each of list) {
    const keys = isObject(each) ? Object.keys(each) : []
    if (keys.length !== 1 || names.has(keys[0]!)) return false
    names.add(keys[0]!)
  }
  return true
}

/** The codes of a list, also of those that are strung together. */
export function codesIn(list: readonly unknown[]): readonly unknown[] {
  if (!list.some(isStrung)) return list
  return list.flatMap((entry) => (isStrung(entry) ? entry.trim().split(/[^\w]+/) : [entry]))
}

const isStrung = (entry: unknown): entry is string =>
  typeof entry === 'string' && entry.length > 2 && STRUNG.test(entry.trim())

const STRUNG = /^\w{1,3}(?:\s{0,9}[,;|/^]\s{0,9}\w{1,3}){1,200}$/

/** Whether an object has any member of the description. */
const isDescribed = (json: JsonObject, { names }: ObjectShape): boolean =>
  Object.keys(json).some((key) => names.has(plainName(key)))

/** The members under the names of the description. A value under two names is both. */
export function canonical(json: JsonObject, { members, names }: ObjectShape): JsonObject {
  const keys = Object.keys(json)
  if (keys.every((key) => members.has(key))) return json
  return joinMembers(
    keys.map((key) => {
      const name = members.has(key) ? key : (names.get(plainName(key)) ?? key)
      return { [name]: json[key] }
    }),
  )
}

/** The members of all objects; values under one name are a list. `__proto__` would replace what every object inherits. */
export function joinMembers(parts: readonly JsonObject[]): JsonObject {
  const joined = new Map<string, unknown[]>()
  for (const part of parts)
    for (const [key, value] of Object.entries(part)) {
      const name = key === '__proto__' ? 'proto' : key
      const values = joined.get(name)
      if (values) values.push(value)
      else joined.set(name, [value])
    }
  return Object.fromEntries([...joined].map(([name, values]) => [name, values.length === 1 ? values[0] : values]))
}
