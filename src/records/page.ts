// Pages by position, not by offset: a row that did not change is neither skipped nor repeated while others come and go.

import type { Readable } from 'node:stream'
import { type TSchema, Type } from 'typebox'
import type { Deps } from '../deps.ts'
import type { TextRow, TextRows } from '../platform/database/database.ts'
import { type PageContext, type PagePosition, readPageToken, writePageToken } from '../platform/http/page-token.ts'
import { answerOf, CHUNK_BYTES, readByIds } from './read-all.ts'

type Needs = Pick<Deps, 'database' | 'vault'>

/** The query parameters of every paged operation. */
export const pageQuery = {
  limit: Type.Optional(Type.Integer({ minimum: 0 })),
  page_token: Type.Optional(Type.String()),
}

/** A page of items on the wire: `total` counts over all pages. Source: rules.md 1.7. */
export function pageOf(item: TSchema) {
  return Type.Object({
    items: Type.Array(item),
    next_page_token: Type.Optional(Type.String()),
    prev_page_token: Type.Optional(Type.String()),
    total: Type.Integer(),
  })
}

export const PAGE_LIMIT = 100
export const PAGE_LIMIT_MAX = 1000

/** The rows of a list and their order. The SQL is written in this program; what a client sent is in `values` only. */
interface Rows {
  /** `from … where …`, with every condition but the position. */
  from: string
  /** Bound to $1, $2, …; the page's own follow. */
  values: unknown[]
  /** The select list; its rows go to `toText` or `toTexts`. */
  columns: string
  /** Rows that share a value follow in the order of `id`. */
  sort: Sort
  /** The id's column, unique in the list. */
  id: string
  /** What the id is to PostgreSQL: a UUID, unless the rows are no records. */
  idType?: 'uuid' | 'text'
  /**
   * The total as an expression of the first page's own statement: where finding a page finds every row anyway, or where callers wait
   * for the total, which must not count what came after the page was read.
   */
  totalColumn?: string | undefined
  /** The rows that come first in ascending order, where finding them is far cheaper than ordering all; not with a `totalColumn`. */
  near?: Near | undefined
  /** What the page token is bound to beside the sort and, unless it names `values` of its own, the values. */
  request: PageContext
  /** The total, where it need not be counted over `from`. */
  total?(): Promise<number>
}

/** A part of a list: whatever lies in it comes before whatever does not, in ascending order. A page that it fills is the page. */
interface Near {
  /** `from … where …`, as the list's own, narrowed; bound to the list's values. */
  from: string
  /** The sort values in it are lower than this; without it: every row that has a value. */
  below?: number
}

/** A list whose rows hold all that their items show. */
export interface PlainListing extends Rows {
  /** One row as JSON text. */
  toText(row: TextRow): string
}

/** A list whose items show more than their rows hold: it is read for the page that was found. */
interface JoinedListing extends Rows {
  /** The first rows as JSON texts, in their order: all of them, or as many as make about a megabyte; then it is asked for the others. */
  toTexts(rows: TextRow[]): Promise<string[]>
}

/** A list that can be read page by page. */
export type Listing = PlainListing | JoinedListing

/** What a list is sorted by. */
export interface Sort {
  sql: string
  type: 'text' | 'timestamptz' | 'numeric' | 'real' | 'uuid'
  direction: 'asc' | 'desc'
  /** True where every row has a value: pages then begin where an index says, without a look at what lies before. */
  isAlwaysSet?: boolean
  /** True where the value is of another table than the id: an index then needs a bound of the value alone. */
  isJoined?: boolean
}

/** What a client asks of a page. A limit above the cap is the cap. */
export interface PageRequest {
  limit?: number
  page_token?: string
}

/**
 * One page as JSON, streamed where its items are large: a thousand of them may be a gigabyte. The total is counted on the first page and
 * travels in the tokens.
 * @throws BadRequestError for a page token that is not ours or belongs to another request.
 */
export async function readPage(
  deps: Needs,
  listing: Listing,
  asked: PageRequest,
  defaultLimit = PAGE_LIMIT,
): Promise<string | Readable> {
  const limit = Math.min(asked.limit ?? defaultLimit, PAGE_LIMIT_MAX)
  const request = { values: listing.values, sort: [listing.sort.sql, listing.sort.direction], ...listing.request }
  const position = asked.page_token === undefined ? undefined : readPageToken(deps.vault, request, asked.page_token)
  const isFirst = position === undefined && limit > 0
  const isCountedByRows = isFirst && listing.totalColumn !== undefined
  const [found, counted] = await Promise.all([
    limit === 0 ? ([] as TextRows) : readRows(deps, listing, position, limit + 1),
    position?.total ?? (isCountedByRows ? undefined : listing.total ? listing.total() : count(deps, listing)),
  ])
  const isBackward = position?.direction === 'prev'
  // Which rows they are is decided before the first is shown; those that do not fit into memory are then read by their ids.
  const rows = found.isCut ? await readRows(deps, { ...listing, columns: 'null' }, position, limit + 1) : found
  const hasMore = rows.length > limit
  // A first page that is the whole list is what was counted, whoever wrote meanwhile.
  const total = isFirst && !hasMore ? rows.length : (counted ?? Number(found[0]?.at(-1)))
  const page = rows.slice(0, limit)
  if (isBackward) page.reverse()

  const token = (direction: PagePosition['direction'], row: TextRow | undefined) => {
    const at = row ? { value: row[0] ?? null, id: row[1] ?? '' } : position
    return at && writePageToken(deps.vault, request, { direction, value: at.value, id: at.id, total })
  }
  const next = (isBackward ? page.length > 0 : hasMore) ? token('next', page.at(-1)) : undefined
  const prev = (isBackward ? hasMore : position !== undefined) ? token('prev', page[0]) : undefined
  const after = JSON.stringify({ next_page_token: next, prev_page_token: prev, total }).slice(1)
  const chunks = found.isCut
    ? readByIds(
        deps,
        listing,
        page.map((row) => row[1] ?? ''),
      )
    : [page.map((row) => row.slice(2))]
  return answerOf(textsOf(listing, chunks), { before: '{"items":[', after: `],${after}` })
}

async function* textsOf(
  listing: Listing,
  chunks: Iterable<TextRow[]> | AsyncIterable<TextRow[]>,
): AsyncGenerator<string[]> {
  for await (const rows of chunks) {
    if (!('toTexts' in listing)) yield rows.map(listing.toText)
    else {
      for (let from = 0; from < rows.length; ) {
        const texts = await listing.toTexts(from === 0 ? rows : rows.slice(from))
        if (texts.length === 0) break
        yield texts
        from += texts.length
      }
    }
  }
}

async function count(deps: Needs, listing: Listing): Promise<number> {
  const row = await deps.database.row(`select count(*) ${listing.from}`, listing.values)
  return Number(row?.[0])
}

async function readRows(
  deps: Needs,
  listing: Listing,
  position: PagePosition | undefined,
  limit: number,
): Promise<TextRows> {
  const isForward = position?.direction !== 'prev'
  const isAscending = (listing.sort.direction === 'asc') === isForward
  const near = listing.near ?? (position && withValues(listing))
  if (near && isWithin(near, position, isAscending)) {
    const found = { ...listing, from: near.from, sort: { ...listing.sort, isAlwaysSet: true } }
    const rows = await readBeyond(deps, found, { position, isAscending, limit })
    // Downwards nothing but what is near lies below what is near.
    if (rows.isCut || rows.length === limit || !isAscending) return rows
  }
  return readBeyond(deps, listing, { position, isAscending, limit })
}

/** Rows that have a value begin where an index says; those that may have none would all be looked at. */
function withValues({ sort, from }: Listing): Near | undefined {
  return sort.isAlwaysSet ? undefined : { from: `${from} and ${sort.sql} is not null` }
}

function isWithin({ below = Infinity }: Near, position: PagePosition | undefined, isAscending: boolean): boolean {
  if (!position) return isAscending
  return position.value !== null && (below === Infinity || Number(position.value) < below)
}

async function readBeyond(
  deps: Needs,
  listing: Listing,
  { position, isAscending, limit }: { position: PagePosition | undefined; isAscending: boolean; limit: number },
): Promise<TextRows> {
  const { sort, id, values } = listing
  const order = isAscending ? 'asc nulls last' : 'desc nulls first'
  const bound = position ? (position.value === null ? [position.id] : [position.value, position.id]) : []
  const beyond = position ? `and ${beyondPosition(listing, position, isAscending)}` : ''
  const counted = listing.totalColumn && !position ? `, ${listing.totalColumn}` : ''
  const text = `select ${sort.sql}, ${id}, ${listing.columns}${counted} ${listing.from} ${beyond}
    order by ${sort.sql} ${order}, ${id} ${isAscending ? 'asc' : 'desc'} limit ${limit}`
  return deps.database.rows({ text, maxBytes: CHUNK_BYTES }, [...values, ...bound])
}

/** Rows without a value stand last in ascending order, so what lies beyond a row depends on whether it has one. */
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
