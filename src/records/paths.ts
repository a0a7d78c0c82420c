// The paths that a list can be filtered and sorted by: every scalar of its item's schema, in camelCase. The schema is
// the only source, and the SQL of a path contains only its keys. Source: rules.md 2.
import type { TObject } from 'typebox'
import { baseFields } from './base-fields.ts'

/** How the values of a path compare, and which operators a filter may use on it. */
export type PathKind = 'text' | 'enum' | 'uuid' | 'number' | 'boolean' | 'date' | 'instant'

export interface Path {
  /** The table (or alias) that the query must contain for this path. */
  root: string
  kind: PathKind
  /** SQL of one value: of the record, or of one element `each.value` where the path leads through an array. */
  sql: string
  /** The SQL type of `sql` and of the values bound for comparison. */
  type: 'text' | 'uuid' | 'numeric' | 'timestamptz'
  /** The only legal values. */
  values?: readonly string[]
  /** True where every row of the root has a value. */
  isAlwaysSet?: boolean
  /** True where an index serves searches for a part of the text. */
  isSearched?: boolean
  /** Where the path leads through an array: SQL for its values, a set of jsonb. Such a path cannot be sorted by. */
  elements?: string
  /** True for a text that is an id of this service, which is stored in lower case. */
  isId?: boolean
  /** True where the array contains the values themselves: `contains` then looks for a member, not for a part of one. */
  isList?: boolean
  /** SQL for the jsonb array, where the list can be compared as a whole. */
  array?: string
}

/**
 * Paths of the body, such as `name.family`, whose values the database also keeps in columns of the head table
 * (`name_family`).
 */
export type RecordColumns = Readonly<Record<string, 'text' | 'uuid' | 'jsonb'>>

/** Every path of a list's items. */
export type Paths = Pick<ReadonlyMap<string, Path>, 'get' | 'has' | 'keys' | 'values' | typeof Symbol.iterator>

/** The parts of a record declaration that its paths depend on. */
interface ListedRecord {
  name: string
  wire: TObject
  encrypts?: readonly string[]
  columns?: RecordColumns
  searched?: readonly string[]
}

/** A part of a list's item that shows a record. */
export interface PathRoot {
  record: ListedRecord
  /** The table, or its alias, in the query; the record's name by default. */
  table?: string
  /** The first key of the paths: `patient` for `patient.mrn`. Absent: the item is the record itself. */
  key?: string
  /** True where the item shows the body alone: base fields are then not paths. */
  isBody?: boolean
  /** True where a row of the list may lack this part. */
  isOptional?: boolean
}

/**
 * The expression that texts are ordered by: the order that people expect, regardless of the database's locale
 * (migrations/0046_text_beyond_ascii.sql).
 */
export function textOrder(sql: string): string {
  return `(sort_key(${sql}) collate "C")`
}

/**
 * The paths of a list's items, part by part. Encrypted fields have no path, because they can be neither compared nor
 * ordered.
 */
export function pathsOf(...roots: PathRoot[]): Paths {
  return lazyPaths(() => roots.flatMap(rootPaths))
}

/** Paths that are computed at first use: computing all would take a tenth of a start, and most processes need few. */
export function lazyPaths(make: () => Iterable<readonly [string, Path]>): Paths {
  let made: ReadonlyMap<string, Path> | undefined
  const all = () => {
    made ??= new Map(make())
    return made
  }
  return {
    get: (name) => all().get(name),
    has: (name) => all().has(name),
    keys: () => all().keys(),
    values: () => all().values(),
    [Symbol.iterator]: () => all()[Symbol.iterator](),
  }
}

/** The time of a record's last change, for lists that join the change feed (`changeJoin`): an index has it in order. */
export function changePath(table: string): Path {
  const root = `${table}_change`
  return { root, kind: 'instant', sql: `${root}.at`, type: 'timestamptz', isAlwaysSet: true }
}

/** The record whose changes a root of `changePath` has; each has the time of its last change itself (`updated_at`). */
export function recordOfChange(root: string): string | undefined {
  return /^(.+)_change$/.exec(root)?.[1]
}

/** The same paths under another name: `aliases(paths, 'nextAppointment', 'appointment')`. */
export function aliases(paths: Paths, key: string, alias: string): [string, Path][] {
  return [...paths]
    .filter(([path]) => path.startsWith(`${key}.`))
    .map(([path, field]) => [alias + path.slice(key.length), field])
}

function rootPaths(root: PathRoot): [string, Path][] {
  const { record, table = record.name, key } = root
  const hidden = new Set(['id', 'created_at', ...Object.keys(baseFields), ...(record.encrypts ?? [])])
  const required = new Set((record.wire as { required?: string[] }).required)
  const body = Object.entries(record.wire.properties)
    .filter(([name]) => !hidden.has(name))
    .flatMap(([name, schema]) => {
      const isSet = required.has(name) && !root.isOptional
      return pathsIn({ record, table, keys: [name], isSet }, schema as Schema)
    })
  const columns = root.isBody ? [] : columnPaths(table, !root.isOptional)
  return [...columns, ...body].map(([path, field]) => [key === undefined ? path : `${key}.${path}`, field])
}

/** The base fields are columns. `createdAt` is not part of a wire type but can be sorted by (rules.md 2.2). */
function columnPaths(table: string, isAlwaysSet: boolean): [string, Path][] {
  const uuid = (column: string): Path => ({
    root: table,
    kind: 'uuid',
    sql: `${table}.${column}`,
    type: 'uuid',
    isAlwaysSet,
  })
  const instant = (column: string): Path => ({ ...uuid(column), kind: 'instant', type: 'timestamptz' })
  return [
    ['id', uuid('id')],
    ['organizationId', uuid('organization_id')],
    ['deactivated', { ...uuid('deactivated'), kind: 'boolean', sql: `${table}.deactivated::text`, type: 'text' }],
    ['version', { ...uuid('version'), kind: 'number', type: 'numeric' }],
    ['updatedAt', instant('updated_at')],
    ['updatingUserId', uuid('updating_user_id')],
    ['createdAt', instant('created_at')],
  ]
}

/** The same field where a column holds its value. A column of ids holds nothing else. */
function inColumn(field: Path, { record, table, keys }: Place): Path {
  const type = record.columns?.[keys.join('.')]
  const column = `${table}.${keys.join('_')}`
  if (type === undefined) return field
  if (type === 'jsonb') return { ...field, array: column }
  return { ...field, ...(type === 'uuid' && { kind: type }), sql: column, type }
}

interface Schema {
  type?: string
  format?: string
  enum?: readonly string[]
  'x-record-id'?: boolean
  properties?: Record<string, Schema>
  required?: string[]
  items?: Schema
}

/** The position of the walk through a schema. */
interface Place {
  record: ListedRecord
  table: string
  /** The keys as the body spells them. */
  keys: string[]
  /** True where every body has a value at this position. */
  isSet: boolean
  /** The number of keys that lead to the first array on the way. */
  arrayAt?: number
}

/** Wire types nest a few levels deep and are never recursive. */
function pathsIn(place: Place, schema: Schema): [string, Path][] {
  if (schema.properties) {
    return Object.entries(schema.properties).flatMap(([key, each]) => {
      const isSet = place.isSet && (schema.required?.includes(key) ?? false)
      return pathsIn({ ...place, keys: [...place.keys, key], isSet }, each)
    })
  }
  if (schema.items) {
    const arrayAt = place.arrayAt ?? place.keys.length
    const inner = pathsIn({ ...place, isSet: false, arrayAt }, schema.items)
    return schema.items.properties ? inner : inner.map(([path, field]) => [path, inColumn(asList(field, place), place)])
  }
  const kind = kindOf(schema)
  if (!kind) return []
  const name = place.keys.map(toCamelCase).join('.')
  const field = place.arrayAt === undefined ? valuePath(place, kind, schema) : elementPath(place, kind, schema)
  return [[name, schema['x-record-id'] ? { ...field, isId: true } : field]]
}

function kindOf({ type, format, enum: values }: Schema): PathKind | undefined {
  if (values) return 'enum'
  if (type === 'boolean') return 'boolean'
  if (type === 'integer' || type === 'number') return 'number'
  if (type !== 'string') return undefined
  return ({ uuid: 'uuid', date: 'date', 'date-time': 'instant' } as const)[format ?? ''] ?? 'text'
}

function valuePath(place: Place, kind: PathKind, schema: Schema): Path {
  const { record, table, keys, isSet } = place
  const field: Path = {
    ...(record.searched?.includes(keys.join('.')) && { isSearched: true }),
    root: table,
    kind,
    ...typed(`(${jsonAt(table, keys, '->>')})`, kind),
    ...(schema.enum && { values: schema.enum }),
    isAlwaysSet: isSet,
  }
  return inColumn(field, place)
}

function elementPath({ table, keys, arrayAt = 0 }: Place, kind: PathKind, schema: Schema): Path {
  // A path in lax mode unwraps arrays automatically and skips missing keys.
  const within = keys.slice(arrayAt).map((key) => `."${key}"`)
  return {
    root: table,
    kind,
    ...typed('each.value', kind),
    ...(schema.enum && { values: schema.enum }),
    elements: `jsonb_path_query(${jsonAt(table, keys.slice(0, arrayAt), '->')}, 'lax $[*]${within.join('')}[*]')`,
  }
}

function asList(field: Path, { table, keys, arrayAt }: Place): Path {
  return { ...field, isList: true, ...(arrayAt === undefined && { array: `(${jsonAt(table, keys, '->')})` }) }
}

/**
 * Numbers compare as numbers. Date-times are stored in one fixed-width form, so their text order is their time order.
 */
function typed(sql: string, kind: PathKind): Pick<Path, 'sql' | 'type'> {
  if (kind === 'number') return { sql: `${sql}::numeric`, type: 'numeric' }
  return { sql: kind === 'instant' ? `(${sql} collate "C")` : sql, type: 'text' }
}

/** `patient.body -> 'name' ->> 'family'`: the form that the expression indexes use. */
function jsonAt(table: string, keys: string[], last: '->' | '->>'): string {
  const steps = keys.map((key, index) => `${index === keys.length - 1 ? last : '->'} '${key}'`)
  return [`${table}.body`, ...steps].join(' ')
}

/** `tag_ids` becomes `tagIds`; a key that is a code (`MD_Visit`) stays unchanged, and a question mark is dropped. */
export function toCamelCase(key: string): string {
  return key.replaceAll(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase()).replace('?', '')
}
