// Examples of request and response bodies, composed from a few written ones.
import type { TSchema } from 'typebox'
import type { JsonSchema } from './openapi-schemas.ts'

export interface ExampleSource {
  /** Complete examples by the name of their schema. */
  schemas: Readonly<Record<string, unknown>>
  /** Values of fields by their key, for schemas without a written example. */
  fields: Readonly<Record<string, unknown>>
}

/**
 * An example of a schema: the written one if there is one, otherwise its required fields and the optional ones in
 * `fields`. A record shows the content of its body's example (`Note`: `MutableNote`). Undefined when a text has no
 * sample value.
 */
export function exampleOf(
  schema: TSchema,
  source: ExampleSource,
  nameOf: (schema: TSchema) => string | undefined,
): unknown {
  function compose(schema: JsonSchema, key = ''): unknown {
    const name = nameOf(schema)
    if (name !== undefined && Object.hasOwn(source.schemas, name)) return source.schemas[name]
    if (Array.isArray(schema.examples)) return schema.examples[0]
    if (schema.properties) return composeObject(schema, name)
    if (schema.items) return composeList(schema.items, key)
    if (schema.anyOf) return compose(schema.anyOf[0] ?? {}, key)
    if (schema.const !== undefined) return schema.const
    const sample = source.fields[key]
    if (schema.enum) return schema.enum.includes(sample) ? sample : schema.enum[0]
    return sample ?? PLAIN[schema.format ?? schema.type ?? '']
  }

  function composeList(items: JsonSchema, key: string): unknown {
    const sample = source.fields[key]
    if (Array.isArray(sample)) return sample
    const item = compose(items, key)
    return item === undefined ? undefined : [item]
  }

  function composeObject({ properties = {}, required = [] }: JsonSchema, name?: string): unknown {
    const body = source.schemas[`Mutable${name}`] as Record<string, unknown> | undefined
    const fields = Object.entries(properties)
      .filter(([key]) => required.includes(key) || Object.hasOwn(body ?? source.fields, key))
      .map(([key, property]) => [key, body?.[key] ?? compose(property, key)] as const)
    return fields.some(([, value]) => value === undefined) ? undefined : Object.fromEntries(fields)
  }

  return compose(schema as JsonSchema)
}

const PLAIN: Record<string, unknown> = {
  integer: 1,
  number: 1,
  boolean: false,
  object: {},
  date: '2026-03-02',
  'date-time': '2026-03-02T14:30:00.000Z',
  uuid: '0197a2c4-5b1e-7c3a-9d42-6f0e8b1a7c55',
}
