// A list of joined records, read in two steps: first the ids of a page by filters and sort, then everything that the
// page shows.
import type { Readable } from 'node:stream'
import type { Actor } from '../../contract/actor.ts'
import type { Deps } from '../../deps.ts'
import { type Filter, parseFilters } from '../../platform/http/filters.ts'
import { type Condition, haveOnePlan, readConditions } from '../../records/conditions.ts'
import type { Listing, Sort } from '../../records/listing.ts'
import { liveCount, liveCountColumn } from '../../records/live-count.ts'
import { readPage, withoutDefaults } from '../../records/page.ts'
import { NEVER_AGAIN, type ReadPage } from '../../records/page-cache.ts'
import { type Paths, recordOfChange } from '../../records/paths.ts'
import { similarNameIn, sortBy } from '../../records/sort.ts'
import { areFew, nearestNames, RESEMBLES, RESEMBLES_ON_WALK, similarity } from '../patients/similar-names.ts'
import type { ListQuery } from './list.schema.ts'
import { type Bind, type Joins, joinsOf, type Moment } from './related-records.ts'

type Needs = Pick<Deps, 'database' | 'vault' | 'now' | 'pageCache'>

/** A list as its resource declares it. */
export interface List<Query extends ListQuery> {
  operation: string
  /** The record type whose rows are listed; joins neither add nor remove rows. */
  table: 'patient' | 'appointment'
  paths: Paths
  joins: Joins
  defaultSort: string
  /** The conditions of the query, including its flags. */
  narrow(filters: Filter[], query: Query, asking: Asking): Promise<Condition[]>
  /** A condition for the few rows that the query excludes, if it excludes any. */
  hides?(query: Query): string | undefined
  /** The pages have no total. */
  isUncounted?: boolean
  /** A sort by similarity leaves out the patients whose name does not resemble the given one. */
  hidesUnlike?: boolean
  /** The last instant at which the items of this page are the same without a write; absent where they do not depend on the time. */
  sameUntil?(page: string): number
  /** The items with these ids, in order, as JSON texts. */
  readItems(deps: Needs, actor: Actor, ids: string[], query: Query): Promise<string[]>
}

/** Translates the filters of one request into SQL. */
export interface Asking {
  /** Uses the paths of the list unless others are given. @throws BadRequestError, as `readConditions` does. */
  conditionsOf(filters: Filter[], paths?: Paths): Promise<Condition[]>
  bind: Bind
}

/** One page as JSON text. @throws BadRequestError for an invalid filter, sort or page token. */
export function readListPage<Query extends ListQuery>(
  deps: Needs,
  actor: Actor,
  list: List<Query>,
  query: Query,
): Promise<string | Readable> {
  return deps.pageCache.read(deps, actor, query, () => readNewPage(deps, actor, list, query))
}

async function readNewPage<Query extends ListQuery>(
  deps: Needs,
  actor: Actor,
  list: List<Query>,
  query: Query,
): Promise<ReadPage> {
  const { listing, dependsOnTime } = await listingOf(deps, actor, list, query)
  const answer = await readPage(deps, listing, query)
  if (dependsOnTime) return { answer, until: NEVER_AGAIN }
  return { answer, ...(list.sameUntil && typeof answer === 'string' && { until: list.sameUntil(answer) }) }
}

/** The rows that the query selects, in its order, and whether they depend on the current time. */
async function listingOf<Query extends ListQuery>(
  deps: Needs,
  actor: Actor,
  list: List<Query>,
  query: Query,
): Promise<{ listing: Listing; dependsOnTime: boolean }> {
  const { organizationId } = actor
  const values: unknown[] = [organizationId]
  const bind: Bind = (value, type) => `$${values.push(value)}::${type}`
  const conditions = await list.narrow(parseFilters(query.filters), query, {
    conditionsOf: (filters, paths = list.paths) => readConditions(deps, organizationId, filters, paths, values),
    bind,
  })
  const moment = momentOf(deps.now(), bind)
  const filtered = conditions.map(({ root }) => root)
  const isFiltered = filtered.length > 0
  // A filter on a part that a row lacks never holds.
  const filtering = joinsOf(list.joins, filtered, { ...moment, isNeeded: true })
  const where = [...standing(list, query), ...conditions.map(({ sql }) => sql)].join(' and ')
  const matching: Matching = { from: `from ${list.table} ${filtering.sql} where ${where}`, values: [...values] }
  const { sort, token, root, wanted, near, few } = sortOf(list, query, bind)
  const like = list.hidesUnlike && sort === similarity ? `and ${RESEMBLES}` : ''
  const onWalk = like && areFew(query) ? `and ${RESEMBLES_ON_WALK}` : ''
  const sorted = (isNeeded: boolean, by = root) => {
    const { sql } = joinsOf(list.joins, [by], { ...moment, joined: filtering.roots, isNeeded })
    return `from ${list.table} ${filtering.sql} ${sql} ${wanted} where ${where} ${like}`
  }
  const request = withoutDefaults(query, { sort_field: list.defaultSort, sort_direction: 'asc', filters: '' })
  const listing: Listing = {
    from: `${sorted(false)} ${onWalk}`,
    ...near?.(sorted(true)),
    ...(isFiltered
      ? { few: { from: sorted(false, few.root), value: few.sql, hasOnePlan: haveOnePlan(conditions) } }
      : { isWalked: true }),
    values,
    columns: `${list.table}.id`,
    sort,
    id: `${list.table}.id`,
    // All bound values follow from the query, except the current time, which changes between pages.
    request: { ...request, operation: list.operation, values: [organizationId], ...token },
    // The first column is the id; a total may follow it.
    toTexts: (rows) =>
      list.readItems(
        deps,
        actor,
        rows.map(([id = '']) => id),
        query,
      ),
    ...(!isFiltered && !near && !list.isUncounted && { totalColumn: totalColumnOf(list, query) }),
    isUncounted: list.isUncounted,
    total: () => (isFiltered ? count(deps, matching) : countAll(deps, actor, list, query)),
  }
  return { listing, dependsOnTime: moment.isBound() }
}

function momentOf(now: Date, bind: Bind): Pick<Moment, 'now'> & { isBound(): boolean } {
  let place: string | undefined
  return {
    now: () => {
      place ??= bind(now.toISOString(), 'text')
      return place
    },
    isBound: () => place !== undefined,
  }
}

/** The conditions that hold for every row of the list, independent of filters. */
function standing<Query extends ListQuery>(list: List<Query>, query: Query): string[] {
  const hidden = list.hides?.(query)
  return [...present(list, query), ...(hidden === undefined ? [] : [`not ${hidden}`])]
}

function present<Query extends ListQuery>(list: List<Query>, query: Query): string[] {
  const active = query.include_deactivated ? [] : [`not ${list.table}.deactivated`]
  return [`${list.table}.organization_id = $1`, ...active]
}

interface Matching {
  from: string
  values: unknown[]
}

async function count(deps: Needs, { from, values }: Matching): Promise<number> {
  const row = await deps.database.row(`select count(*) ${from}`, values)
  return Number(row?.[0])
}

/** The number of all rows, where it need not be counted: in the statement of the page, which is one statement fewer. */
function totalColumnOf<Query extends ListQuery>(list: List<Query>, query: Query): string | undefined {
  if (list.hides?.(query) !== undefined) return undefined
  return liveCountColumn(list.table, { includeDeactivated: query.include_deactivated ?? false })
}

/** Without filters only the excluded rows need to be counted. */
async function countAll<Query extends ListQuery>(
  deps: Needs,
  { organizationId }: Actor,
  list: List<Query>,
  query: Query,
): Promise<number> {
  const hidden = list.hides?.(query)
  const where = [...present(list, query), hidden].join(' and ')
  const [live, left] = await Promise.all([
    liveCount(deps, organizationId, list.table, { includeDeactivated: query.include_deactivated ?? false }),
    hidden === undefined ? 0 : count(deps, { from: `from ${list.table} where ${where}`, values: [organizationId] }),
  ])
  return live - left
}

interface Order {
  sort: Sort
  /** The table that the query needs for the sort. */
  root: string
  /** What a page token is bound to, where that is not the SQL of the sort. */
  token?: { sort: [sql: string, direction: string] }
  /** Joins the name to compare with, for a sort by similarity, or the value of a part. */
  wanted: string
  /** The rows that come first; `from` selects the rows that have a sort value. */
  near?(from: string): Pick<Listing, 'near'>
  /** The same value without the change feed, whose index has it in order: the record has it, too. */
  few: { root: string; sql: string }
}

function sortOf<Query extends ListQuery>(list: List<Query>, query: Query, bind: Bind): Order {
  const { sort_field: field = list.defaultSort, sort_direction: direction } = query
  const name = similarNameIn(field)
  if (name !== undefined) {
    const wanted = `cross join (select trigram_text(${bind(name, 'text')}) as name) wanted`
    return {
      sort: similarity,
      root: 'patient',
      wanted,
      near: (from) => nearestNames(from, name, list.hidesUnlike && areFew(query)),
      few: { root: 'patient', sql: similarity.sql },
    }
  }
  const { root, ...path } = sortBy(list.paths, { field, direction })
  const value = list.joins[root]?.value?.(path.sql)
  if (value !== undefined) {
    const sort = { ...path, sql: 'sorted.value', isJoined: true }
    return {
      sort,
      token: { sort: [path.sql, path.direction] },
      root: list.table,
      wanted: value,
      few: { root: list.table, sql: sort.sql },
    }
  }
  const sort = { ...path, isJoined: root !== list.table }
  const record = recordOfChange(root)
  const few = record === undefined ? { root, sql: sort.sql } : { root: record, sql: `${record}.updated_at` }
  if (!list.joins[root]?.having) return { sort, root, wanted: '', few }
  return { sort, root, wanted: '', few, near: (from) => ({ near: { from: `${from} and ${sort.sql} is not null` } }) }
}
