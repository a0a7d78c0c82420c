// The statements that find the rows of a page.
import type { Deps } from '../deps.ts'
import type { TextRows } from '../platform/database/database.ts'
import type { PagePosition } from '../platform/http/page-token.ts'
import type { Listing, Near } from './listing.ts'
import { CHUNK_BYTES } from './read-all.ts'

type Needs = Pick<Deps, 'database'>

/**
 * A filtered list up to this long is read and sorted at once for its first page, which needs their number anyway. The rows of a
 * longer one are read for nothing: fewer than counting its total reads.
 */
const FEW = 6000
/** The same for the pages after it, which know the total: a walk from their position is then less work. */
const FEW_AGAIN = 1000

/** A direction through the list, from its first row or from a position on. */
interface Walk {
  position: PagePosition | undefined
  isAscending: boolean
  limit: number
}

/**
 * The rows of a page of a filtered list that has few rows, with their number; undefined for a list that has many, or may have. The
 * planner cannot choose an order of joins that reads more: it knows nothing about a table that was not analyzed yet, and would walk
 * the whole organization in the list's order. Without these joins and with the number in the same statement it is also less work.
 */
export async function readFewRows(
  deps: Needs,
  listing: Listing,
  position: PagePosition | undefined,
  limit: number,
): Promise<{ rows: TextRows; total: number } | undefined> {
  const { few, id, columns, values } = listing
  const most = position ? FEW_AGAIN : FEW
  if (!few || (position && position.total > most)) return undefined
  const isAscending = isAscendingFrom(listing, position)
  const { sort, ...shown } = { ...listing, sort: { ...listing.sort, sql: 'few.value', isJoined: false }, id: 'few.id' }
  const beyond = position ? `where ${beyondPosition({ ...shown, sort }, position, isAscending)}` : ''
  const table = few.table
  const row =
    table && `cross join lateral (select * from ${table} where organization_id = $1 and id = page.id limit 1) ${table}`
  // It is read as far as this asks, the same rows both times. The plan of the list does not know of the limit, which would make it read
  // rows in the order of the table until so many match.
  const fewRows = `(select value, id from found limit ${most + 1}) few`
  const text = `with found as materialized (select ${few.value} as value, ${id} as id ${few.from}),
    page as (select value, id from ${fewRows} ${beyond} order by ${orderOf('value', 'id', isAscending)} limit ${limit})
    select value, page.id, ${table ? columns : 'page.id'}, (select count(*) from ${fewRows}) from page ${row ?? ''}
    order by ${orderOf('value', 'page.id', isAscending)}`
  const statement = { text, maxBytes: CHUNK_BYTES, hasOnePlan: few.hasOnePlan ?? false }
  const rows = await deps.database.rows(statement, [...values, ...boundOf(position)])
  const total = Number(rows[0]?.at(-1) ?? 0)
  if (total > most) return undefined
  for (const each of rows) each.pop()
  return { rows, total }
}

/** The rows after or before a position, or the first ones: at most `limit`. */
export async function readRows(
  deps: Needs,
  listing: Listing,
  position: PagePosition | undefined,
  limit: number,
): Promise<TextRows> {
  const isAscending = isAscendingFrom(listing, position)
  const { near } = listing
  if (near && isWithin(near, position, isAscending)) {
    const found = { ...listing, from: near.from, sort: { ...listing.sort, isAlwaysSet: true } }
    const rows = await readBeyond(deps, found, { position, isAscending, limit })
    // In descending order, only rows of the near part come below a row of the near part.
    if (rows.isCut || rows.length === limit || !isAscending) return rows
  }
  return readBeyond(deps, listing, { position, isAscending, limit })
}

function isAscendingFrom({ sort }: Listing, position: PagePosition | undefined): boolean {
  return (sort.direction === 'asc') === (position?.direction !== 'prev')
}

function orderOf(value: string, id: string, isAscending: boolean): string {
  return isAscending ? `${value} asc nulls last, ${id} asc` : `${value} desc nulls first, ${id} desc`
}

/** The values that `beyondPosition` refers to, after those of the list. */
function boundOf(position: PagePosition | undefined): string[] {
  if (!position) return []
  return position.value === null ? [position.id] : [position.value, position.id]
}

function isWithin({ below = Infinity }: Near, position: PagePosition | undefined, isAscending: boolean): boolean {
  if (!position) return isAscending
  return position.value !== null && (below === Infinity || Number(position.value) < below)
}

async function readBeyond(deps: Needs, listing: Listing, { position, isAscending, limit }: Walk): Promise<TextRows> {
  const { sort, id, values } = listing
  const beyond = position ? `and ${beyondPosition(listing, position, isAscending)}` : ''
  const counted = listing.totalColumn && !position ? `, ${listing.totalColumn}` : ''
  const text = `select ${sort.sql}, ${id}, ${listing.columns}${counted} ${listing.from} ${withinBounds(listing)} ${beyond}
    order by ${orderOf(sort.sql, id, isAscending)} limit ${limit}`
  // An index has the rows of a walked list in their order, whatever the position.
  const hasOnePlan = listing.near === undefined && (listing.isWalked === true || listing.hasOnePlan === true)
  return deps.database.rows({ text, maxBytes: CHUNK_BYTES, hasOnePlan }, [...values, ...boundOf(position)])
}

/**
 * A condition that always holds. It makes the index in the list's order the only one that has a condition on each of its first
 * columns: the planner, which expects few rows of an organization as long as the table was not analyzed, would else read and sort all.
 */
function withinBounds({ isWalked, sort }: Listing): string {
  if (!isWalked || !sort.isAlwaysSet || !sort.bounds) return ''
  return sort.bounds.map((bound, index) => `and ${sort.sql} ${index === 0 ? '>=' : '<='} '${bound}'`).join(' ')
}

/**
 * Rows without a value come last in ascending order, so the condition for the rows beyond a position depends on whether
 * the row there has a value.
 */
function beyondPosition(
  { sort, id, idType = 'uuid', values }: Listing,
  position: PagePosition,
  isAscending: boolean,
): string {
  const operator = isAscending ? '>' : '<'
  const first = values.length + 1
  if (position.value === null) {
    const sameEnd = `(${sort.sql} is null and ${id} ${operator} $${first}::${idType})`
    return isAscending ? sameEnd : `(${sort.sql} is not null or ${sameEnd})`
  }
  const value = `$${first}::${sort.type}`
  const bound = sort.isJoined ? `${sort.sql} ${operator}= ${value} and ` : ''
  const beyond = `${bound}(${sort.sql}, ${id}) ${operator} (${value}, $${first + 1}::${idType})`
  return isAscending && !sort.isAlwaysSet ? `(${beyond} or ${sort.sql} is null)` : beyond
}
