// Brings an answer whose parts have other shapes than the description says into the described ones, before anything is read from it.
// decisions/0215-odd-shapes-and-odd-transport.md

import { isObject } from '../contract/is-object.ts'
import { emptyRow } from '../x12/benefit-row.ts'
import { BENEFIT_DESCRIPTION } from '../x12/codes/benefits.ts'
import { PLAN_SERVICE } from '../x12/codes/service-types.ts'
import type { BenefitRow, PatientResponse } from '../x12/model.ts'
import { flat, type JsonObject, wordsOf } from './json-values.ts'
import { canonical, codesIn, entriesOf, joinMembers } from './odd-lists.ts'
import {
  bounds,
  codeOf,
  isBlank,
  MOST_OF_CODE,
  mayBeJson,
  openText,
  openWords,
  READERS,
  scalarsIn,
  statementsIn,
  WORD,
} from './odd-values.ts'
import { type Choice, type Kind, type ListShape, type ObjectShape, plainName, type Shape } from './shape.ts'

export interface Fitted {
  /** The answer in the described shapes. */
  json: JsonObject
  /** The places of what could not be brought into its shape: names of the description and positions, never values. */
  unread: string[]
  /** What the payer says under names that the description has not, outside of any benefit. */
  strays: string[]
}

/**
 * The answer in the described shape. A part that fits costs little more than a look at it, and is the given one. `rows` are the members that hold what the payer states, which are
 * also read within members that the description has not. Never throws.
 */
export function fitShape(json: JsonObject, shape: ObjectShape, rows: readonly string[]): Fitted {
  const fitting = new Fitting()
  const fitted = fitting.object(hoisted(json, shape, rows), shape, undefined, fitting.strays)
  return { json: fitted ?? {}, unread: [...fitting.unread], strays: fitting.strays }
}

/** What could not be read of an answer, and a row with what the payer says outside of any benefit, as parts of the patient's answer. */
export function beyondRows({ unread, strays }: Fitted): Pick<PatientResponse, 'unread'> & { stray: BenefitRow[] } {
  const stray = strays.length === 0 ? [] : [{ ...emptyRow(BENEFIT_DESCRIPTION, [PLAN_SERVICE]), messages: strays }]
  return { ...(unread.length > 0 && { unread }), stray }
}

/** More places say no more. */
const UNREAD_MAX = 20

/** A place in the answer, the last step first. */
interface Place {
  within: Place | undefined
  step: string | number
}

function nameOf(place: Place | undefined): string {
  const steps: (string | number)[] = []
  for (let each = place; each !== undefined; each = each.within) steps.push(each.step)
  return steps.reverse().join('.')
}

/** Another value of a member, or none. The object is copied with the first change: most parts fit, and are taken as they are. */
function withMember(fitted: JsonObject, given: JsonObject, name: string, value: unknown): JsonObject {
  const copy = fitted === given ? { ...given } : fitted
  if (value === undefined) delete copy[name]
  else copy[name] = value
  return copy
}

class Fitting {
  readonly unread = new Set<string>()
  readonly strays: string[] = []

  fit(value: unknown, shape: Shape, place: Place | undefined, words: string[]): unknown {
    if (value === null || value === undefined) return undefined
    if (typeof shape === 'string') return this.single(value, shape, place)
    return 'list' in shape ? this.list(value, shape, place, words) : this.object(value, shape, place, words)
  }

  object(value: unknown, shape: ObjectShape, place: Place | undefined, words: string[]): JsonObject | undefined {
    const opened = openText(value)
    if (isBlank(opened)) return undefined
    if (Array.isArray(opened)) return this.#joined(opened, shape, place, words)
    if (isObject(opened)) return this.#members(opened, shape, place, words)
    // A text in place of a benefit may state anything.
    if (shape.alone === undefined || shape.alone === shape.words) this.#give(place, undefined)
    if (shape.alone === undefined) return undefined
    return this.#members({ [shape.alone]: opened }, shape, place, words)
  }

  /** A list of objects in place of one has the members of all of them. */
  #joined(
    list: readonly unknown[],
    shape: ObjectShape,
    place: Place | undefined,
    words: string[],
  ): JsonObject | undefined {
    const objects = flat(list).map(openText)
    const parts = objects.filter(isObject)
    const others = objects.filter((each) => !isObject(each) && !isBlank(each))
    if (parts.length === 0 && others.length === 1) return this.object(others[0], shape, place, words)
    if (others.length > 0) this.#give(place, undefined)
    if (parts.length === 0) return undefined
    return this.#members(parts.length === 1 ? parts[0]! : joinMembers(parts), shape, place, words)
  }

  #members(json: JsonObject, shape: ObjectShape, place: Place | undefined, outer: string[]): JsonObject {
    const own = shape.words === undefined ? outer : []
    const named = canonical(json, shape)
    let fitted = named
    for (const name of Object.keys(named)) {
      const given = named[name]
      const kind = shape.members.get(name)
      if (kind === 'known') continue
      if (kind === undefined) statementsIn(given, own)
      const value = kind === undefined ? undefined : this.fit(given, kind, { within: place, step: name }, own)
      if (value === undefined || value !== given) fitted = withMember(fitted, named, name, value)
    }
    for (const [name, choice] of shape.choices) {
      const chosen = this.#choose(fitted, name, choice, place)
      if (chosen !== fitted[name]) fitted = withMember(fitted, named, name, chosen)
    }
    if (shape.words !== undefined && own.length > 0) {
      const stated = fitted[shape.words]
      fitted = withMember(fitted, named, shape.words, stated === undefined ? own : [stated, own])
    }
    return fitted
  }

  /** A code in the place of its name and the reverse, and a known one of the two beside an unknown one. */
  #choose(json: JsonObject, name: string, { names, as, beside, isStrict }: Choice, place: Place | undefined): unknown {
    const [stated, named] = [json[name], beside === undefined ? undefined : json[beside]]
    if (stated === undefined && named === undefined) return undefined
    if (typeof stated === 'string' && as === 'code' && Object.hasOwn(names, stated)) return stated
    const code = codeOf(stated, names) ?? codeOf(named, names)
    if (code !== undefined) return as === 'code' ? code : names[code]
    const isWord = (each: unknown) => typeof each === 'string' && each.length > MOST_OF_CODE && WORD.test(each)
    if (isStrict && (isWord(stated) || isWord(named))) this.#give({ within: place, step: name }, undefined)
    return stated
  }

  list(value: unknown, { list: shape }: ListShape, place: Place | undefined, words: string[]): readonly unknown[] {
    const listed = entriesOf(value, shape)
    const entries = shape === 'code' ? codesIn(listed) : listed
    let fitted: unknown[] | undefined
    for (let index = 0; index < entries.length; index++) {
      const entry = entries[index]
      const each = isBlank(entry) ? undefined : this.fit(entry, shape, { within: place, step: index }, words)
      if (fitted === undefined && each !== undefined && each === entry) continue
      fitted ??= entries.slice(0, index)
      if (each !== undefined) fitted.push(each)
    }
    return fitted ?? entries
  }

  single(value: unknown, kind: Kind, place: Place | undefined): unknown {
    if (kind === 'words') return openWords(value)
    if (kind === 'truth' && typeof value === 'boolean') return value
    if (kind === 'period') return this.#period(value, place)
    if (typeof value === 'string' && !mayBeJson(value)) return this.#read(value.trim(), kind, place)
    const texts = scalarsIn(value, kind)
    if (texts === undefined) return this.#give(place, undefined)
    const stated = [...new Set(texts.filter((text) => text !== ''))]
    return stated.length > 1 ? this.#give(place, undefined) : this.#read(stated[0] ?? '', kind, place)
  }

  #read(text: string, kind: Kind, place: Place | undefined): unknown {
    return text === '' ? undefined : (READERS[kind]?.(text) ?? this.#give(place, text))
  }

  /** Two days in an object are one period; several days of one kind in a list are not said to be one. */
  #period(value: unknown, place: Place | undefined): unknown {
    if (typeof value === 'string' && !mayBeJson(value)) return value.trim() || undefined
    if (typeof value === 'number') return this.single(value, 'day', place)
    const opened = openText(value)
    const parts = isObject(opened) ? bounds(opened) : undefined
    if (parts) {
      const [start, end] = parts.map((part) => this.single(part, 'day', place))
      if (start === undefined && end !== undefined) return this.#give(place, end)
      return end === undefined ? start : `${start}-${end}`
    }
    const days = scalarsIn(value, 'period')
    const stated = [...new Set((days ?? []).filter((day) => day !== ''))]
    return days === undefined || stated.length > 1 ? this.#give(place, wordsOf(value, [])) : stated[0]
  }

  #give<Value>(place: Place | undefined, value: Value): Value {
    if (this.unread.size < UNREAD_MAX) this.unread.add(nameOf(place))
    return value
  }
}

/** An answer within other objects (`data`, `result`) has its members beside theirs; beside an answer, only rows count: a request is often repeated. */
function hoisted(json: JsonObject, shape: ObjectShape, rows: readonly string[]): JsonObject {
  const entries = Object.entries(json)
  const isKnown = ([key]: [string, unknown]) => shape.names.has(plainName(key))
  if (entries.every(isKnown)) return json
  const isAnswer = entries.some(
    (entry) => isKnown(entry) && typeof openText(entry[1]) === 'object' && entry[1] !== null,
  )
  const names = isAnswer ? new Set(rows.map(plainName)) : new Set(shape.names.keys())
  const own: JsonObject = {}
  const within: JsonObject[] = []
  for (const entry of entries) {
    const found = isKnown(entry) ? [] : envelopesIn(entry[1], names, 0)
    within.push(...found)
    // The envelope states the success of its own call under names that the answer has as well.
    if (found.length === 0 && (isAnswer || !saysSuccess(entry[1])))
      own[entry[0] === '__proto__' ? 'proto' : entry[0]] = entry[1]
  }
  return within.length === 0 ? json : joinMembers([own, ...within])
}

/** What an envelope says of its own call. */
const SUCCESS = /^(?:2\d\d|ok|success|completed?)$/i
const saysSuccess = (value: unknown) =>
  (typeof value === 'string' || typeof value === 'number') && SUCCESS.test(String(value))

/** Programs put an answer into three objects at most. */
const ENVELOPES_MAX = 3

/** The members of these names. */
function envelopesIn(value: unknown, names: ReadonlySet<string>, depth: number): JsonObject[] {
  const opened = openText(value)
  const objects = (Array.isArray(opened) ? flat(opened).slice(0, 10) : [opened]).filter(isObject)
  return objects.flatMap((each) => {
    const found = Object.entries(each).filter(([key]) => names.has(plainName(key)))
    if (found.length > 0) return [Object.fromEntries(found)]
    return depth < ENVELOPES_MAX ? Object.values(each).flatMap((inner) => envelopesIn(inner, names, depth + 1)) : []
  })
}
