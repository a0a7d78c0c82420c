// Converts what a client sent, in a body or a query, into what a record may contain: unknown keys are removed, `null`
// for an optional field counts as absent, date-times are converted to UTC with milliseconds, ids to lower case, text is composed
// (NFC) and loses invisible characters, and text that PostgreSQL's jsonb cannot store is refused by field. Source: rules.md 1.3.

import type { TSchema } from 'typebox'
import { badRequest } from '../../contract/errors.ts'
import { canonicalDateTime, isUuid } from '../../contract/formats.ts'
import { isBlank } from '../../contract/invisible-characters.ts'
import { isObject } from '../../contract/is-object.ts'
import { hasMarksInARow, isPlain, withoutInvisible } from './text.ts'

interface JsonSchema {
  type?: string
  enum?: unknown[]
  properties?: Record<string, JsonSchema>
  required?: string[]
  items?: JsonSchema
  maxItems?: number
  anyOf?: JsonSchema[]
  patternProperties?: Record<string, JsonSchema>
  additionalProperties?: unknown
  const?: unknown
  format?: string
  minLength?: number
  'x-secret'?: boolean
  'x-record-id'?: boolean
}

/** The current position in the value. It is formatted only for a message, because most values are fine. */
type Place = (string | number)[]

/**
 * A copy of `value` with only the keys of `schema`. A closed object keeps its other keys, so that validation can name them. Values that
 * validation will refuse stay unchanged: those of a wrong type, and lists that are too long.
 * @throws BadRequestError for text with a NUL or a lone surrogate.
 */
export function cleanInput(schema: TSchema, value: unknown): unknown {
  return clean(schema as JsonSchema, value, [])
}

function clean(schema: JsonSchema | undefined, value: unknown, place: Place): unknown {
  if (typeof value === 'string') return cleanText(schema, value, place)
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return cleanList(schema, value, place)
  if (!mayBe('object', schema)) return value
  const shape = schema?.anyOf ? variantOf(schema.anyOf, value as Record<string, unknown>) : schema
  return shape?.properties
    ? cleanObject(shape, value as Record<string, unknown>, place)
    : cleanMap(shape, value as Record<string, unknown>, place)
}

/**
 * The published client of Ruby (1.30.0) cannot write `false`: it leaves out an optional field and writes `{}` for a
 * required one. Without this it could not store a coverage that is not verified.
 */
function isRubysFalse(schema: JsonSchema, value: unknown): boolean {
  return schema.type === 'boolean' && isObject(value) && Object.keys(value).length === 0
}

/** A schema without a type accepts any type. */
function mayBe(type: 'object' | 'array', schema: JsonSchema | undefined): boolean {
  if (schema?.anyOf) return schema.anyOf.some((member) => mayBe(type, member))
  if (schema?.type !== undefined) return schema.type === type
  return schema?.enum === undefined && schema?.const === undefined
}

function cleanList(schema: JsonSchema | undefined, value: unknown[], place: Place): unknown {
  const shape = schema?.anyOf ? schema.anyOf.find((member) => mayBe('array', member)) : schema
  if (!mayBe('array', schema) || value.length > (shape?.maxItems ?? Infinity)) return value
  return value.map((item, index) => within(place, index, () => clean(shape?.items, item, place)))
}

function cleanObject(shape: JsonSchema, value: Record<string, unknown>, place: Place): unknown {
  const isClosed = shape.additionalProperties === false
  const result: Record<string, unknown> = isClosed ? { ...value } : {}
  for (const [key, property] of Object.entries(shape.properties ?? {})) {
    if (!Object.hasOwn(value, key)) continue
    const item = value[key]
    const isRequired = shape.required?.includes(key) ?? false
    if (item === null && !isRequired) {
      delete result[key]
      continue
    }
    result[key] =
      isRequired && isRubysFalse(property, item) ? false : within(place, key, () => clean(property, item, place))
  }
  return result
}

function cleanMap(shape: JsonSchema | undefined, value: Record<string, unknown>, place: Place): unknown {
  const items = shape?.patternProperties && Object.values(shape.patternProperties)[0]
  const entries = Object.entries(value).map(([key, item]) => {
    // A key of a free-form map is the client's own text, so the message names only the map.
    refuseUnstorable(key, place)
    return [key, clean(items, item, place)]
  })
  return Object.fromEntries(entries)
}

function within<Result>(place: Place, step: string | number, act: () => Result): Result {
  place.push(step)
  const result = act()
  place.pop()
  return result
}

function cleanText(schema: JsonSchema | undefined, sent: string, place: Place): string {
  const isAscii = isPlain(sent)
  if (!isAscii) refuseUnstorable(sent, place)
  // Free-form data and secrets stay as they are.
  const isText = schema?.type === 'string' && !schema['x-secret']
  const text = isText && !isAscii ? withoutInvisible(sent) : sent
  // The marks on both sides of what was removed are now one run.
  if (text !== sent) refuseUnstorable(text, place)
  // Blanks do not fill what must not be empty; validation refuses it.
  if ((schema?.minLength ?? 0) > 0 && isBlank(text)) return ''
  if (schema?.format === 'uuid' || schema?.['x-record-id']) return isUuid(text) ? text.toLowerCase() : text
  if (schema?.format === 'date-time') return canonicalDateTime(text) ?? text
  // Python's clients write `True` into a query. In a body a text is never a boolean.
  if (schema?.type === 'boolean' && /^\s*(true|false)\s*$/i.test(text)) return text.trim().toLowerCase()
  // A letter and its combining mark are one character, regardless of the caller's keyboard
  // (decisions/0023-text-beyond-ascii.md).
  return isAscii ? text : text.normalize('NFC')
}

/**
 * The time to compose a letter grows with the square of its marks. No language needs more than 30 on one letter.
 * Source: Unicode Standard Annex 15, 13 (Stream-Safe Text Format).
 */
const MARKS_MAX = 30

function refuseUnstorable(text: string, place: Place): void {
  if (text.includes('\0')) throw badRequest(`${nameOf(place)} holds a NUL character`)
  if (!text.isWellFormed()) throw badRequest(`${nameOf(place)} holds half of a surrogate pair`)
  if (hasMarksInARow(text, MARKS_MAX))
    throw badRequest(`${nameOf(place)} holds more than ${MARKS_MAX} combining marks in a row`)
}

/** `homes[1].city` */
function nameOf(place: Place): string {
  const path = place.map((step) => (typeof step === 'number' ? `[${step}]` : `.${step}`)).join('')
  return path === '' ? 'the body' : path.replace(/^\./, '')
}

/** The union member that the value's constant fields select, otherwise all members combined. */
function variantOf(variants: JsonSchema[], value: Record<string, unknown>): JsonSchema {
  const tagged = variants.find((variant) => {
    const tags = Object.entries(variant.properties ?? {}).filter(([, property]) => property.const !== undefined)
    return tags.length > 0 && tags.every(([key, property]) => property.const === value[key])
  })
  return tagged ?? { properties: Object.assign({}, ...variants.map((variant) => variant.properties)) }
}
