// Turns the schemas used for validation into the named components of the API description.
import type { TSchema } from 'typebox'

/** A schema as JSON Schema 2020-12, the dialect of OpenAPI 3.1. */
export interface JsonSchema {
  [keyword: string]: unknown
  $ref?: string
  type?: string
  format?: string
  description?: string
  enum?: unknown[]
  const?: unknown
  required?: string[]
  properties?: Record<string, JsonSchema>
  additionalProperties?: JsonSchema | boolean
  patternProperties?: Record<string, JsonSchema>
  items?: JsonSchema
  anyOf?: JsonSchema[]
}

export interface Components {
  /** The schema in the description: a reference when it has a name, otherwise written out. */
  refer(schema: TSchema): JsonSchema
  nameOf(schema: TSchema): string | undefined
  /** Every named schema that was referred to, ordered by name. */
  schemas(): Record<string, JsonSchema>
}

/** Collects the components of one description. `named` provides the names; strings and numbers are never components. */
export function collectComponents(named: Readonly<Record<string, TSchema>>): Components {
  const names = new Map<object, string>()
  for (const [name, schema] of Object.entries(named)) {
    const shape = shapeOf(schema)
    if (shape) names.set(shape, name)
  }
  const components: Record<string, JsonSchema> = {}
  const nameOf = (schema: TSchema) => names.get(shapeOf(schema) ?? schema) ?? pageName(schema)

  function pageName(schema: TSchema): string | undefined {
    const { items, total } = ((schema as JsonSchema).properties ?? {}) as Record<string, JsonSchema>
    const name = total && items?.items && nameOf(items.items)
    return name && `${name}Page`
  }

  function refer(schema: TSchema): JsonSchema {
    const name = nameOf(schema)
    if (name === undefined) return expand(schema as JsonSchema)
    if (!components[name]) {
      components[name] = {}
      components[name] = expand(schema as JsonSchema)
    }
    return { $ref: `#/components/schemas/${name}` }
  }

  function expand({ properties, items, anyOf, patternProperties, ...rest }: JsonSchema): JsonSchema {
    const values = Object.values(patternProperties ?? {})[0]
    return {
      // Enumerations of texts have no type in the source schema.
      ...(rest.enum?.every((value) => typeof value === 'string') && { type: 'string' }),
      ...rest,
      ...(properties && {
        properties: Object.fromEntries(Object.entries(properties).map(([key, each]) => [key, refer(each)])),
      }),
      ...(values && { additionalProperties: Object.keys(values).length > 0 ? refer(values) : true }),
      ...(items && { items: refer(items) }),
      ...(anyOf && { anyOf: anyOf.map(refer) }),
    }
  }

  return {
    refer,
    nameOf,
    schemas: () => Object.fromEntries(Object.entries(components).sort(([a], [b]) => (a < b ? -1 : 1))),
  }
}

/** The part that an optional copy of a schema still shares with the named schema. */
function shapeOf(schema: TSchema): object | undefined {
  const { properties, enum: values, anyOf } = schema as JsonSchema
  return properties ?? values ?? anyOf
}
