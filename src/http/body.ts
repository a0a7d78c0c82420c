// From what a client sent, in a body or a query, to what a record may hold: unknown keys go, `null` for an optional field equals leaving it
// out, date-times become milliseconds in UTC, text is composed (NFC), and text that PostgreSQL's jsonb cannot hold is refused by field.
// Source: rules.md 1.3.
import type { TSchema } from 'typebox'
import { badRequest } from '../errors.ts'
import { canonicalDateTime } from './formats.ts'

interface JsonSchema {
  properties?: Record<string, JsonSchema>
  required?: string[]
  items?: JsonSchema
  anyOf?: JsonSchema[]
  patternProperties?: Record<string, JsonSchema>
  const?: unknown
  format?: string
}

/**
 * A copy of `value` that holds only what `schema` knows. Validation follows: this keeps values of a wrong type as they are.
 * @throws BadRequestError for text with a NUL or a lone surrogate.
 */
export function cleanInput(schema: TSchema, value: unknown): unknown {
  return clean(schema as JsonSchema, value, '')
}

function clean(schema: JsonSchema | undefined, value: unknown, path: string): unknown {
  if (typeof value === 'string') return cleanText(schema, value, path)
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) {
    return value.map((item, index) => clean(schema?.items, item, `${path}[${index}]`))
  }
  const shape = schema?.anyOf ? variantOf(schema.anyOf, value as Record<string, unknown>) : schema
  return shape?.properties
    ? cleanObject(shape, value as Record<string, unknown>, path)
    : cleanMap(shape, value as Record<string, unknown>, path)
}

function cleanObject(shape: JsonSchema, value: Record<string, unknown>, path: string): unknown {
  const result: Record<string, unknown> = {}
  for (const [key, property] of Object.entries(shape.properties ?? {})) {
    if (!Object.hasOwn(value, key)) continue
    const item = value[key]
    if (item === null && !shape.required?.includes(key)) continue
    result[key] = clean(property, item, path ? `${path}.${key}` : key)
  }
  return result
}

function cleanMap(shape: JsonSchema | undefined, value: Record<string, unknown>, path: string): unknown {
  const items = shape?.patternProperties && Object.values(shape.patternProperties)[0]
  const entries = Object.entries(value).map(([key, item]) => {
    // A key of a free-form map is the client's own text, so the message names the map alone.
    refuseUnstorable(key, path)
    return [key, clean(items, item, path)]
  })
  return Object.fromEntries(entries)
}

function cleanText(schema: JsonSchema | undefined, text: string, path: string): string {
  refuseUnstorable(text, path)
  if (schema?.format === 'date-time') return canonicalDateTime(text) ?? text
  // A letter and its mark are one character, however the caller's keyboard writes them (decisions/0023-text-beyond-ascii.md).
  return text.normalize('NFC')
}

function refuseUnstorable(text: string, path: string): void {
  if (text.includes('\0')) throw badRequest(`${path || 'the body'} holds a NUL character`)
  if (!text.isWellFormed()) throw badRequest(`${path || 'the body'} holds half of a surrogate pair`)
}

/** The union member that the value's constant fields point to, else all of them together. */
function variantOf(variants: JsonSchema[], value: Record<string, unknown>): JsonSchema {
  const tagged = variants.find((variant) => {
    const tags = Object.entries(variant.properties ?? {}).filter(([, property]) => property.const !== undefined)
    return tags.length > 0 && tags.every(([key, property]) => property.const === value[key])
  })
  return tagged ?? { properties: Object.assign({}, ...variants.map((variant) => variant.properties)) }
}
