// The filter language of lists: `path|operator|value`, joined by commas, all of them to hold. Source: rules.md 2.1.
import { badRequest } from '../errors.ts'
import { canonicalDateTime, isDate, isUuid } from './formats.ts'
import { nearestTo } from './nearest.ts'

export const FILTER_OPERATORS = ['eq', 'gt', 'lt', 'contains', 'ieq', 'in'] as const
export type FilterOperator = (typeof FILTER_OPERATORS)[number]

export interface Filter {
  path: string
  operator: FilterOperator
  value: string
}

/** What a path of a list stands for: SQL written in this program, and how values compare with it. */
export interface FilterField {
  sql: string
  type: 'text' | 'uuid' | 'number' | 'boolean' | 'instant'
}

/** More say nothing that fewer do not; each costs the database a comparison a row. */
const MAX_FILTERS = 100
/** What may be repeated in a message: the spelling of a path, and nothing that looks like text. */
const PATH = /^[A-Za-z][A-Za-z0-9_.]{0,99}$/

/**
 * The filters of a request, none where it has none. The first two pipes separate, so a value may hold more of them.
 * @throws BadRequestError for a filter that has not three parts and for an unknown operator.
 */
export function parseFilters(text: string | undefined): Filter[] {
  if (!text) return []
  const parts = text.split(',')
  if (parts.length > MAX_FILTERS) throw badRequest(`filters must not be more than ${MAX_FILTERS}`)
  return parts.map(parseFilter)
}

function parseFilter(text: string, index: number): Filter {
  const first = text.indexOf('|')
  const second = text.indexOf('|', first + 1)
  if (first === -1 || second === -1) throw badRequest(`filters[${index}] must read path|operator|value`)
  const path = text.slice(0, first)
  const operator = FILTER_OPERATORS.find((each) => each === text.slice(first + 1, second))
  if (!operator) {
    const where = PATH.test(path) ? ` (${path})` : ''
    throw badRequest(`filters[${index}]${where} must have one of the operators ${FILTER_OPERATORS.join(', ')}`)
  }
  return { path, operator, value: text.slice(second + 1) }
}

/**
 * The filters as SQL conditions; their values are bound after those in `values`, where $1 is the organization.
 * @throws BadRequestError that names the path: one the list does not have, an operator that does not suit it, a value that
 * does not parse.
 */
export function toConditions(
  filters: Filter[],
  fields: Readonly<Record<string, FilterField>>,
  values: unknown[],
): string[] {
  return filters.map(({ path, operator, value }, index) => {
    if (!Object.hasOwn(fields, path)) throw unknownPath(path, index, Object.keys(fields))
    const { sql, type } = fields[path] as FilterField
    const compare = comparisons[type][operator]
    if (!compare) {
      throw badRequest(`filters: ${path} takes the operators ${Object.keys(comparisons[type]).join(', ')}`)
    }
    const items = operator === 'in' ? value.split(';') : [value]
    if (!items.every(isValueOf[type])) throw badRequest(`filters: the value of ${path} must be ${valueNames[type]}`)
    const bind = (bound: unknown, as: string) => `$${values.push(bound)}::${as}`
    return compare(sql, items, bind)
  })
}

function unknownPath(path: string, index: number, known: string[]) {
  if (!PATH.test(path)) return badRequest(`filters[${index}] names no path; there are ${known.join(', ')}`)
  return badRequest(`filters: there is no path ${path}; the nearest are ${nearestTo(path, known).join(', ')}`)
}

type Bind = (value: unknown, as: string) => string
type Comparison = (sql: string, values: string[], bind: Bind) => string

const isNumber = (value: string) => /^-?\d{1,15}(\.\d{1,15})?$/.test(value)

const isValueOf: Record<FilterField['type'], (value: string) => boolean> = {
  text: () => true,
  uuid: isUuid,
  number: isNumber,
  boolean: (value) => value === 'true' || value === 'false',
  instant: (value) => isDate(value) || canonicalDateTime(value) !== undefined,
}

const valueNames: Record<FilterField['type'], string> = {
  text: 'a text',
  uuid: 'a UUID',
  number: 'a number',
  boolean: 'true or false',
  instant: 'a date (YYYY-MM-DD) or a date-time with an offset',
}

const comparing =
  (operator: '=' | '<' | '>', as: string): Comparison =>
  (sql, [value], bind) =>
    `${sql} ${operator} ${bind(value, as)}`

const among =
  (as: string): Comparison =>
  (sql, values, bind) =>
    `${sql} = any(${bind(values, `${as}[]`)})`

const comparisons: Record<FilterField['type'], Partial<Record<FilterOperator, Comparison>>> = {
  text: {
    eq: comparing('=', 'text'),
    gt: comparing('>', 'text'),
    lt: comparing('<', 'text'),
    contains: (sql, [value], bind) => `position(lower(${bind(value, 'text')}) in lower(${sql})) > 0`,
    ieq: (sql, [value], bind) => `lower(${sql}) = lower(${bind(value, 'text')})`,
    in: among('text'),
  },
  uuid: { eq: comparing('=', 'uuid'), ieq: comparing('=', 'uuid'), in: among('uuid') },
  number: {
    eq: comparing('=', 'numeric'),
    gt: comparing('>', 'numeric'),
    lt: comparing('<', 'numeric'),
    in: among('numeric'),
  },
  boolean: { eq: comparing('=', 'boolean') },
  instant: {
    eq: (sql, [value = ''], bind) => onDay(sql, value, bind) ?? `${sql} = ${bind(value, 'timestamptz')}`,
    gt: (sql, [value = ''], bind) =>
      isDate(value) ? `${sql} >= ${midnight(value, bind, 1)}` : `${sql} > ${bind(value, 'timestamptz')}`,
    lt: (sql, [value = ''], bind) =>
      isDate(value) ? `${sql} < ${midnight(value, bind)}` : `${sql} < ${bind(value, 'timestamptz')}`,
    in: (sql, values, bind) =>
      `(${values.map((value) => onDay(sql, value, bind) ?? `${sql} = ${bind(value, 'timestamptz')}`).join(' or ')})`,
  },
}

/** A date alone means the whole day; undefined for an instant. */
function onDay(sql: string, value: string, bind: Bind): string | undefined {
  return isDate(value) ? `(${sql} >= ${midnight(value, bind)} and ${sql} < ${midnight(value, bind, 1)})` : undefined
}

/** Where a calendar day of the organization begins. */
function midnight(day: string, bind: Bind, daysLater = 0): string {
  const zone = '(select time_zone from organization where id = $1)'
  return `((${bind(day, 'date')} + ${daysLater})::timestamp at time zone ${zone})`
}
