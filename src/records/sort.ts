// What a record can be sorted by: every scalar field, by its path in camelCase. Source: rules.md 2.2.
import type { TSchema } from 'typebox'
import { badRequest } from '../errors.ts'
import type { Sort } from './page.ts'
import { baseFields, type VersionedRecord } from './record.ts'

/** A path such as `name.family` or `updatedAt` as the SQL that sorts by it. */
export type SortFields = ReadonlyMap<string, Omit<Sort, 'direction'>>

/** The sortable fields of a record that the query calls by its own name; sealed fields have no order. */
export function sortFieldsOf(record: VersionedRecord): SortFields {
  const table = record.name
  const columns: [string, Omit<Sort, 'direction'>][] = [
    ['id', { sql: `${table}.id`, type: 'uuid', isAlwaysSet: true }],
    ['organizationId', { sql: `${table}.organization_id`, type: 'uuid', isAlwaysSet: true }],
    ['deactivated', { sql: `${table}.deactivated::text`, type: 'text', isAlwaysSet: true }],
    ['version', { sql: `${table}.version`, type: 'numeric', isAlwaysSet: true }],
    ['updatedAt', { sql: `${table}.updated_at`, type: 'timestamptz', isAlwaysSet: true }],
    ['updatingUserId', { sql: `${table}.updating_user_id`, type: 'uuid', isAlwaysSet: true }],
    ['createdAt', { sql: `${table}.created_at`, type: 'timestamptz', isAlwaysSet: true }],
  ]
  const hidden = new Set(['id', 'created_at', ...Object.keys(baseFields), ...(record.seals ?? [])])
  const body = Object.entries(record.wire.properties).filter(([key]) => !hidden.has(key))
  return new Map([...columns, ...body.flatMap(([key, schema]) => scalarsOf(table, [key], schema))])
}

/** The sort that a client asks for, ascending by default. @throws BadRequestError for a field that is not there or has no order. */
export function sortBy(fields: SortFields, wish: { field: string; direction?: 'asc' | 'desc' | undefined }): Sort {
  const field = fields.get(wish.field)
  if (!field) throw badRequest('sort_field must be a field of the record that holds one value')
  return { ...field, direction: wish.direction ?? 'asc' }
}

function scalarsOf(table: string, path: string[], schema: TSchema): [string, Omit<Sort, 'direction'>][] {
  const { type, properties } = schema as { type?: string; properties?: Record<string, TSchema> }
  if (properties) return Object.entries(properties).flatMap(([key, each]) => scalarsOf(table, [...path, key], each))
  const isScalar = 'enum' in schema || ['string', 'boolean', 'integer', 'number'].includes(type ?? '')
  if (!isScalar) return []
  const text = `(${table}.body #>> '{${path.join(',')}}')`
  const isNumber = type === 'integer' || type === 'number'
  return [
    [
      path.map(toCamelCase).join('.'),
      isNumber ? { sql: `${text}::numeric`, type: 'numeric' } : { sql: text, type: 'text' },
    ],
  ]
}

function toCamelCase(name: string): string {
  return name.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase())
}
