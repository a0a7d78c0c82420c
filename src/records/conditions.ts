// Filters as SQL. The schema type of a path decides which operators and values are legal. Values are bound and never
// become part of the SQL text. A path through an array matches when any element matches. Source: rules.md 2.1.

import { badRequest } from '../contract/errors.ts'
import { canonicalDateTime, isDate, isUuid, spellings, withSeconds } from '../contract/formats.ts'
import type { Deps } from '../deps.ts'
import { takeTurn } from '../platform/event-loop.ts'
import { FILTER_OPERATORS, FILTER_PATH, type Filter, type FilterOperator, valuesOf } from '../platform/http/filters.ts'
import { nearestTo } from '../platform/http/nearest.ts'
import { type DayStarts, readDayStarts } from './calendar.ts'
import { type Path, type PathKind, type Paths, textOrder } from './paths.ts'

/** One condition on a row; the query must contain the table `root`. */
export interface Condition {
  root: string
  sql: string
  /**
   * True where few rows match, whatever the value: a text, an id or a date of the record is compared for equality, or an instant with a
   * day. The planner need not know the value then.
   */
  isSelective?: boolean
}

/**
 * Translates filters into conditions that must all hold; their values are bound after those in `values`. A date without
 * a time means the whole day in the organization's time zone.
 * @throws BadRequestError that names the path: the list does not have it, the operator does not apply to it, or the
 * value does not parse.
 */
export async function readConditions(
  deps: Pick<Deps, 'database'>,
  organizationId: string,
  filters: Filter[],
  paths: Paths,
  values: unknown[],
): Promise<Condition[]> {
  const asked: CheckedFilter[] = []
  for (const [index, filter] of filters.entries()) {
    // One with two thousand values is long work.
    await takeTurn(organizationId)
    asked.push(checkFilter(filter, index, paths))
  }
  const days = asked.flatMap(({ path, items }) => (path.kind === 'instant' ? items.filter(isDate) : []))
  const dayStarts = await readDayStarts(deps, organizationId, days)
  const bind = (value: unknown, type: string) => `$${values.push(value)}::${type}`
  const conditions: Condition[] = []
  for (const filter of asked) {
    await takeTurn(organizationId)
    const sql = conditionOf(filter, { bind, dayStarts })
    conditions.push({ root: filter.path.root, sql, isSelective: isSelective(filter) })
  }
  return conditions
}

/**
 * Suggests the paths that were likely meant. Only names that are as short as a path are compared with the known ones.
 */
export function nearestPaths(path: string, known: string[]): string {
  const nearest = FILTER_PATH.test(path) ? nearestTo(path, known) : []
  if (nearest.length > 0) return `the nearest are ${nearest.join(', ')}`
  return `paths begin with ${[...new Set(known.map((each) => each.split('.', 1)[0]))].join(', ')}`
}

interface CheckedFilter {
  path: Path
  operator: FilterOperator
  items: string[]
}

function checkFilter({ path: name, operator, value }: Filter, index: number, paths: Paths): CheckedFilter {
  const path = paths.get(name)
  if (!path) {
    const fault = FILTER_PATH.test(name) ? `filters: unknown path ${name}` : `filters[${index}] does not name a path`
    throw badRequest(`${fault}; ${nearestPaths(name, [...paths.keys()])}`)
  }
  const operators = FILTER_OPERATORS.filter((each) => suits(path, each))
  if (!operators.includes(operator)) throw badRequest(`filters: ${name} takes the operators ${operators.join(', ')}`)
  const items = valuesOf({ path: name, operator, value }).map((item) => meantBy(path, item))
  const isLegal = legalValues(path, operator)
  const wrong = items.find((item) => !isLegal(item))
  if (wrong !== undefined) throw badRequest(`filters: the value of ${name} must be ${valueName(path, wrong)}`)
  return { path, operator, items }
}

/**
 * Surrounding blanks are significant in text values only; booleans are accepted in any case and date-times without
 * seconds, because clients write them as their language does. Stored ids are in lower case.
 */
function meantBy({ kind, isId }: Path, value: string): string {
  if (kind === 'text') return isId && isUuid(value.trim()) ? value.trim().toLowerCase() : value
  if (kind === 'boolean') return value.trim().toLowerCase()
  return kind === 'instant' ? withSeconds(value.trim()) : value.trim()
}

function suits(path: Path, operator: FilterOperator): boolean {
  return operator in comparisons[path.kind] || (operator === 'contains' && path.isList === true)
}

/** Built once per filter, because the list of values and the list of legal values can both be long. */
function legalValues({ kind, values = [], isList }: Path, operator: FilterOperator): (value: string) => boolean {
  if (kind !== 'enum') return isValue[kind]
  if (operator === 'contains' && !isList) return () => true
  const fold = (text: string) => (operator === 'ieq' ? text.toLowerCase() : text)
  const legal = new Set(values.map(fold))
  return (value) => legal.has(fold(value))
}

const isValue: Record<Exclude<PathKind, 'enum'>, (value: string) => boolean> = {
  text: () => true,
  // Clients treat ids as strings. A value that cannot be an id matches no record, instead of being an error.
  uuid: () => true,
  number: (value) => /^-?\d{1,100}(\.\d{1,100})?(e[+-]?\d{1,2})?$/i.test(value),
  boolean: (value) => value === 'true' || value === 'false',
  date: isDate,
  instant: (value) => isDate(value) || canonicalDateTime(value) !== undefined,
}

const valueNames: Record<Exclude<PathKind, 'enum'>, string> = {
  text: 'a text',
  uuid: 'an id',
  number: 'a number',
  boolean: 'true or false',
  date: 'a date (YYYY-MM-DD)',
  instant: 'a date (YYYY-MM-DD) or a date-time with an offset',
}

function valueName({ kind, values = [] }: Path, wrong: string): string {
  if (kind !== 'enum') return valueNames[kind]
  if (values.length <= 10) return `one of ${values.join(', ')}`
  const nearest = nearestTo(wrong, values)
  return `one of its ${values.length} values${nearest.length > 0 ? `; the nearest are ${nearest.join(', ')}` : ''}`
}

function isSelective({ path: { kind, elements }, operator }: CheckedFilter): boolean {
  const isOfFew = kind === 'text' || kind === 'uuid' || kind === 'date' || kind === 'instant'
  return isOfFew && elements === undefined && (operator === 'eq' || operator === 'ieq')
}

/**
 * Whether rows are found in the same way for all values of these filters: a selective one finds the records themselves. What is joined by an
 * id in a body may be found in several ways.
 */
export function haveOnePlan(conditions: Condition[]): boolean {
  const isOfRecord = ({ root }: Condition) => root === 'patient' || root === 'appointment'
  return conditions.every(isOfRecord) && conditions.some(({ isSelective }) => isSelective)
}

interface Binding {
  bind(value: unknown, type: string): string
  dayStarts: DayStarts
}

function conditionOf({ path, operator, items }: CheckedFilter, binding: Binding): string {
  const isMembership = path.isList && (operator === 'contains' || operator === 'eq' || operator === 'in')
  if (isMembership && path.array && path.type === 'text' && path.kind !== 'instant') {
    const members = path.kind === 'uuid' ? items.map((item) => item.toLowerCase()) : alike(items)
    return `${path.array} ?| ${binding.bind(members, 'text[]')}`
  }
  const compare = comparisons[path.kind][path.isList && operator === 'contains' ? 'eq' : operator]
  if (!compare) throw new Error('the operator was checked before')
  const condition = compare(path, items, binding)
  return path.elements
    ? `exists (select from (select element #>> '{}' as value from ${path.elements} as element (element)) each where ${condition})`
    : condition
}

type Comparison = (path: Path, values: string[], binding: Binding) => string

const comparing =
  (operator: '=' | '<' | '>'): Comparison =>
  ({ sql, type }, [value], { bind }) =>
    `${sql} ${operator} ${bind(value, type)}`

const among: Comparison = ({ sql, type }, values, { bind }) => `${sql} = any(${bind(values, `${type}[]`)})`

const comparingCase: Comparison = (path, [value = ''], { bind }) => {
  const texts = withAndWithoutBlanks(value)
  const list = bind(texts, 'text[]')
  const equals = texts.map((_, index) => `${searched(path)} = ${searched({ ...path, sql: `(${list})[${index + 1}]` })}`)
  return `(${equals.join(' or ')})`
}

/** A blank after a comma or a semicolon does not matter: texts are equal with or without it. */
const withAndWithoutBlanks = (value: string) => [...new Set([value, value.trim()])]

function alike(values: string[]): string[] {
  return [...new Set(values.flatMap(withAndWithoutBlanks).flatMap(spellings))]
}

const comparingText: Comparison = (path, values, binding) => {
  const all = alike(values)
  return all.length === 1 ? comparing('=')(path, all, binding) : among(path, all, binding)
}

const comparingOrder =
  (operator: '<' | '>'): Comparison =>
  ({ sql }, [value], { bind }) =>
    `${textOrder(sql)} ${operator} ${textOrder(bind(value, 'text'))}`

/**
 * Ignores case, in the form that a trigram index supports where there is one (migrations/0046_text_beyond_ascii.sql).
 */
function searched({ sql, isSearched }: Path): string {
  return `${isSearched ? 'search_text' : 'caseless'}(${sql})`
}

/** Escapes a text for a LIKE pattern. */
export const asLikeText = (text: string): string => text.replaceAll(/[\\%_]/g, '\\$&')

/** Every string can be searched for a part: also an id, and a value of an enumeration. */
const containing: Comparison = ({ sql, ...path }, [value = ''], { bind }) => {
  const pattern = bind(`%${asLikeText(value)}%`, 'text')
  const text = path.type === 'uuid' ? `${sql}::text` : sql
  return `${searched({ ...path, sql: text })} like ${searched({ ...path, sql: pattern })}`
}

/** Stored ids are in lower case. */
const comparingIds: Comparison = ({ sql, type }, values, { bind }) => {
  const lowered = values.map((value) => value.toLowerCase())
  const ids = type === 'uuid' ? lowered.filter(isUuid) : lowered
  return ids.length === 1 ? `${sql} = ${bind(ids[0], type)}` : `${sql} = any(${bind(ids, `${type}[]`)})`
}

const comparisons: Record<PathKind, Partial<Record<FilterOperator, Comparison>>> = {
  text: {
    eq: comparingText,
    gt: comparingOrder('>'),
    lt: comparingOrder('<'),
    contains: containing,
    ieq: comparingCase,
    in: comparingText,
  },
  enum: { eq: comparing('='), contains: containing, ieq: comparingCase, in: among },
  uuid: { eq: comparingIds, contains: containing, ieq: comparingIds, in: comparingIds },
  number: { eq: comparing('='), gt: comparing('>'), lt: comparing('<'), in: among },
  boolean: { eq: comparing('='), in: among },
  date: { eq: comparing('='), gt: comparing('>'), lt: comparing('<'), in: among },
  instant: {
    eq: during,
    gt: ({ sql, type }, [value = ''], { bind, dayStarts }) =>
      isDate(value)
        ? `${sql} >= ${bind(dayStarts(value).next, type)}`
        : `${sql} > ${bind(canonicalDateTime(value), type)}`,
    lt: ({ sql, type }, [value = ''], { bind, dayStarts }) =>
      `${sql} < ${bind(isDate(value) ? dayStarts(value).start : canonicalDateTime(value), type)}`,
    in: (path, values, binding) => (values.length > FEW ? duringAny : duringFew)(path, values, binding),
  },
}

/** Up to this many ranges are looked up in an index one by one. */
const FEW = 8

function duringFew(path: Path, values: string[], binding: Binding): string {
  return `(${values.map((value) => during(path, [value], binding)).join(' or ')})`
}

/** Finds the one day that may hold a value by bisection: thousands of ranges would be compared with each row. */
function duringAny({ sql, type }: Path, values: string[], { bind, dayStarts }: Binding): string {
  const days = [...new Set(values.filter(isDate))].sort().map(dayStarts)
  const instants = values.filter((value) => !isDate(value)).map(canonicalDateTime)
  const list = (each: unknown[]) => bind(each, `${type}[]`)
  const compared = type === 'text' ? `(${sql} collate "C")` : sql
  const day = () => `width_bucket(${compared}, ${list(days.map(({ start }) => start))})`
  const isWithin = () => `${compared} < (${list(days.map(({ next }) => next))})[${day()}]`
  const isAt = () => `${sql} = any(${list(instants)})`
  return `(${[...(days.length > 0 ? [isWithin()] : []), ...(instants.length > 0 ? [isAt()] : [])].join(' or ')})`
}

/** True on a day, or at an instant. */
function during({ sql, type }: Path, [value = '']: string[], { bind, dayStarts }: Binding): string {
  if (!isDate(value)) return `${sql} = ${bind(canonicalDateTime(value), type)}`
  const { start, next } = dayStarts(value)
  return `(${sql} >= ${bind(start, type)} and ${sql} < ${bind(next, type)})`
}
