// The fields of an operation's answer and random bodies, both taken from the published description (openapi.json) alone.
import { readFileSync } from 'node:fs'

interface Schema {
  $ref?: string
  type?: string
  format?: string
  enum?: string[]
  properties?: Record<string, Schema>
  required?: string[]
  items?: Schema
  minItems?: number
  minimum?: number
  'x-record-id'?: boolean
}

const description = JSON.parse(readFileSync(new URL('../../openapi.json', import.meta.url), 'utf8'))

function resolved(schema: Schema): Schema {
  if (!schema.$ref) return schema
  return resolved(description.components.schemas[schema.$ref.split('/').at(-1) ?? ''])
}

type Kind = 'text' | 'enum' | 'uuid' | 'number' | 'boolean' | 'date' | 'instant'

/** A field of a list's items with a single type, by its camelCase path. */
export interface Field {
  path: string
  kind: Kind
  /** Those of an enum. */
  values: readonly string[]
  /** True where the path ends in an array. */
  isList: boolean
  /** True where the path leads through an array. */
  isMany: boolean
  /** True for a text that is an id of this service: it is stored in lower case and found in capitals. */
  isId: boolean
}

/** Every scalar field of the items that `GET path` returns, except those whose path stands for two keys (`code` and `code?`). */
export function fieldsOf(path: string): Field[] {
  const answer = resolved(description.paths[path].get.responses['200'].content['application/json'].schema)
  const items = answer.items ?? resolved(answer.properties?.items ?? {}).items ?? {}
  const all = walk(items, [], { isMany: false, isList: false })
  return all.filter((each) => all.filter(({ path }) => path === each.path).length === 1)
}

function walk(reference: Schema, keys: string[], at: { isMany: boolean; isList: boolean }): Field[] {
  const schema = resolved(reference)
  if (schema.properties) {
    const inner = { ...at, isList: false }
    return Object.entries(schema.properties).flatMap(([key, each]) => walk(each, [...keys, key], inner))
  }
  if (schema.items) return walk(schema.items, keys, { isMany: true, isList: true })
  const kind = kindOf(schema)
  const path = keys.map(inCamelCase).join('.')
  if (!kind) return []
  const isId = schema['x-record-id'] === true
  return [{ path, kind: RECORD_IDS.test(path) ? 'uuid' : kind, values: schema.enum ?? [], isId, ...at }]
}

/** Ids that the service gives to a record itself; the description declares them as plain strings (rules.md 1.3). */
const RECORD_IDS =
  /^((patient|appointment|nextAppointment)\.)?(id|organizationId|updatingUserId)$|^(appointment|nextAppointment)\.patientId$/

/** The name of a key in a path: `tag_ids` becomes `tagIds`, and a question mark is dropped. */
export function inCamelCase(key: string): string {
  return key.replaceAll(/_([a-z0-9])/g, (_, letter) => letter.toUpperCase()).replace('?', '')
}

function kindOf({ type, format, enum: values }: Schema): Kind | undefined {
  if (values) return 'enum'
  if (type === 'boolean') return 'boolean'
  if (type === 'integer' || type === 'number') return 'number'
  if (type !== 'string') return undefined
  return ({ uuid: 'uuid', date: 'date', 'date-time': 'instant' } as const)[format ?? ''] ?? 'text'
}

export type Pools = Record<Exclude<Kind, 'enum'>, readonly unknown[]>

/** A body of the named type with random values of `pools`; about half of its optional fields are missing. */
export function randomBody(name: string, pools: Pools, random: () => number): Record<string, unknown> {
  const pick = <T>(values: readonly T[]) => values[Math.floor(random() * values.length)]
  const randomValue = (reference: Schema): unknown => {
    const schema = resolved(reference)
    if (schema.properties) {
      const chosen = Object.entries(schema.properties)
        .filter(([key]) => schema.required?.includes(key) || random() < 0.5)
        .map(([key, each]) => [key, randomValue(each)])
      return Object.fromEntries(chosen.filter(([, value]) => value !== undefined))
    }
    const { items } = schema
    if (items)
      return Array.from({ length: (schema.minItems ?? 0) + Math.floor(random() * 3) }, () => randomValue(items))
    const kind = kindOf(schema)
    if (kind === 'enum') return pick(schema.enum ?? [])
    return kind && pick(pools[kind])
  }
  return randomValue({ $ref: name }) as Record<string, unknown>
}
