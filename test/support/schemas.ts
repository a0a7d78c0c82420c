// Bodies that are invalid in one place, created from the schema that declares them.
import { randomUUID } from 'node:crypto'
import { UNIQUE_TEXT } from './bodies.ts'

/** The part of a JSON schema that the tests use. */
export interface Schema {
  type?: string
  enum?: unknown[]
  const?: unknown
  format?: string
  properties?: Record<string, Schema>
  required?: string[]
  items?: Schema
  anyOf?: Schema[]
  patternProperties?: Record<string, Schema>
  additionalProperties?: unknown
}

/** One place in a body: its path, its schema and whether it is required. */
export interface Place {
  path: (string | number)[]
  schema: Schema
  isRequired: boolean
}

/** `value` with all missing optional fields filled in, so that every place of the schema exists. */
export function filled(schema: Schema, value: unknown, unfillable: readonly string[] = []): unknown {
  if (schema.anyOf)
    return filled(schema.anyOf.find((each) => each.type === 'object') ?? schema.anyOf[0] ?? {}, value, unfillable)
  if (schema.enum) return value ?? schema.enum[0]
  if (schema.const !== undefined) return schema.const
  switch (schema.type) {
    case 'object':
      return filledObject(schema, (value ?? {}) as Record<string, unknown>, unfillable)
    case 'array': {
      const items = (value ?? []) as unknown[]
      const elements = items.length > 0 ? items : [undefined]
      return elements.map((item) => filled(schema.items ?? {}, item, unfillable))
    }
    case 'string':
      return value ?? SAMPLES[schema.format ?? ''] ?? (schema.format === 'uuid' ? randomUUID() : UNIQUE_TEXT)
    case 'integer':
    case 'number':
      return value ?? 7
    case 'boolean':
      return value ?? true
    default:
      return value ?? { free: 'form' }
  }
}

const SAMPLES: Record<string, string> = { date: '2024-02-29', 'date-time': '2024-02-29T10:00:00.000Z' }

function filledObject(schema: Schema, value: Record<string, unknown>, unfillable: readonly string[]): unknown {
  if (!schema.properties)
    return { ...value, sample: filled(Object.values(schema.patternProperties ?? {})[0] ?? {}, undefined) }
  const fields = Object.entries(schema.properties).map(([key, property]) =>
    unfillable.includes(key) ? [key, value[key]] : [key, filled(property, value[key], unfillable)],
  )
  return Object.fromEntries(fields.filter(([, field]) => field !== undefined))
}

/** Every place of `value` that the schema declares. */
export function placesOf(schema: Schema, value: unknown, path: Place['path'] = []): Place[] {
  if (schema.anyOf) {
    return placesOf(schema.anyOf.find((each) => each.type === 'object') ?? {}, value, path)
  }
  if (Array.isArray(value)) {
    return value.flatMap((item, index) => {
      const place = { path: [...path, index], schema: schema.items ?? {}, isRequired: true }
      return [place, ...placesOf(place.schema, item, place.path)]
    })
  }
  if (typeof value !== 'object' || value === null || !schema.properties) return []
  return Object.entries(schema.properties).flatMap(([key, property]) => {
    if (!Object.hasOwn(value, key)) return []
    const place = { path: [...path, key], schema: property, isRequired: schema.required?.includes(key) ?? false }
    return [place, ...placesOf(property, (value as Record<string, unknown>)[key], place.path)]
  })
}

/** A copy of `body` with another value at one place; `undefined` removes it. */
export function withValue(body: unknown, path: Place['path'], value: unknown): unknown {
  const [step, ...rest] = path
  if (step === undefined) return value
  if (Array.isArray(body)) return body.map((item, index) => (index === step ? withValue(item, rest, value) : item))
  const fields = { ...(body as Record<string, unknown>) }
  const changed = withValue(fields[step], rest, value)
  if (changed === undefined) delete fields[step]
  else fields[step] = changed
  return fields
}

/** A path in the form of error messages: `contacts[0].name.family`. */
export function fieldOf(path: Place['path']): string {
  return path.map((step, index) => (typeof step === 'number' ? `[${step}]` : index === 0 ? step : `.${step}`)).join('')
}
