// Pages by position and not by offset: an unchanged row is neither skipped nor repeated while other rows come and go.

import type { Readable } from 'node:stream'
import { type TSchema, Type } from 'typebox'
import type { Deps } from '../deps.ts'
import type { TextRow, TextRows } from '../platform/database/database.ts'
import { type PageContext, type PagePosition, readPageToken, writePageToken } from '../platform/http/page-token.ts'
import { readFewRows, readRows } from './page-rows.ts'
import { answerOf, readByIds } from './read-all.ts'

type Needs = Pick<Deps, 'database' | 'vault'>

/** The query parameters of every paged operation. */
export const pageQuery = {
  limit: Type.Optional(Type.Integer({ minimum: 0 })),
  page_token: Type.Optional(Type.String()),
}

/** A page of items on the wire: `total` counts over all pages. Source: rules.md 1.7. */
export function pageOf(item: TSchema) {
  return Type.Object({ ...uncountedPageOf(item).properties, total: Type.Integer() })
}

/** A page of an operation that is not in the published interface, of a listing that `isUncounted`. */
export function uncountedPageOf(item: TSchema) {
  return Type.Object({
    items: Type.Array(item),
    next_page_token: Type.Optional(Type.String()),
    prev_page_token: Type.Optional(Type.String()),
  })
}

export const PAGE_LIMIT = 100
export const PAGE_LIMIT_MAX = 1000

/** The rows of a list and their order. The SQL is written in this program; values from clients are in `values` only. */
interface Rows {
  /** `from … where …`, with every condition except the position. */
  from: string
  /** Bound to $1, $2, …; the page adds its own values after them. */
  values: unknown[]
  /** The select list; its rows are passed to `toText` or `toTexts`. */
  columns: string
  /** Rows with equal values are ordered by `id`. */
  sort: Sort
  /** The column of the id, unique in the list. */
  id: string
  /** The SQL type of the id: a UUID, unless the rows are not records. */
  idType?: 'uuid' | 'text'
  /**
   * The total as an expression in the statement of the first page. Used where finding a page visits every row anyway,
   * or where callers wait for the total, which must not count rows that were added after the page was read.
   */
  totalColumn?: string | undefined
  /**
   * The rows that come first in ascending order, where finding them is far cheaper than ordering all rows. Not together
   * with a `totalColumn`.
   */
  near?: Near | undefined
  /** Where filters narrow the list: how its rows are found if they are few. */
  few?: Few | undefined
  /** True where an index has all rows of the list in their order: no filter narrows it. */
  isWalked?: boolean
  /**
   * The request that the page token is bound to, besides the sort and, unless the request has `values`, the values
   * above.
   */
  request: PageContext
  /** Returns the total, where it need not be counted over `from`. */
  total?(): Promise<number>
  /** The page has no total: counting the matches of a search would take longer than finding the first. */
  isUncounted?: boolean | undefined
}

/**
 * A part of a list whose rows all come before the other rows in ascending order. A page that this part fills is
 * complete.
 */
export interface Near {
  /** `from … where …`, as the list's but narrower; it uses the list's values. */
  from: string
  /** All sort values in it are lower than this. Absent: it holds every row that has a value. */
  below?: number
}

/**
 * The same list without the joins that only serve its order: if it has few rows, they are read and sorted at once, in one statement
 * with their number. decisions/0084-lists-without-statistics.md
 */
interface Few {
  /** `from … where …`; it uses the list's values. */
  from: string
  /** The value that the list is sorted by. */
  value: string
  /** The table of the columns, where they show more than the id. */
  table?: string
}

/** A list whose rows contain everything that its items show. */
export interface PlainListing extends Rows {
  /** One row as JSON text. */
  toText(row: TextRow): string
}

/** A list whose items show more than their rows contain: the rest is read for the page that was found. */
interface JoinedListing extends Rows {
  /**
   * Renders the first rows as JSON texts, in order: all of them, or as many as make about a megabyte. It is then called
   * again with the others.
   */
  toTexts(rows: TextRow[]): Promise<string[]>
}

/** A list that can be read in pages. */
export type Listing = PlainListing | JoinedListing

/** The value that a list is sorted by. */
export interface Sort {
  sql: string
  type: 'text' | 'timestamptz' | 'numeric' | 'real' | 'uuid'
  direction: 'asc' | 'desc'
  /** True where every row has a value: a page then starts at a position in an index, without visiting earlier rows. */
  isAlwaysSet?: boolean
  /**
   * True where the value belongs to another table than the id: using an index then takes a bound on the value alone.
   */
  isJoined?: boolean
  /** The lowest and the highest value that `sql` can have, where it is always set. */
  bounds?: readonly [lowest: string, highest?: string]
}

/** The page that a client requests. A limit above the cap becomes the cap. */
export interface PageRequest {
  limit?: number
  page_token?: string
}

/**
 * One page as JSON, streamed where its items are large: a thousand of them may be a gigabyte. The total is counted on
 * the first page and carried in the page tokens.
 * @throws BadRequestError for a page token that this service did not issue or that belongs to another request.
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
  const [found, counted] = await readRowsAndTotal(deps, listing, position, limit)
  const isBackward = position?.direction === 'prev'
  // The rows of the page are fixed before the first is sent; those that do not fit into memory are then read by their
  // ids.
  const rows = found.isCut ? await readRows(deps, { ...listing, columns: 'null' }, position, limit + 1) : found
  const hasMore = rows.length > limit
  // When the first page is the whole list, its length is the total, regardless of concurrent writes.
  const total = isFirst && !hasMore ? rows.length : (counted ?? Number(found[0]?.at(-1)))
  const page = rows.slice(0, limit)
  if (isBackward) page.reverse()

  const token = (direction: PagePosition['direction'], row: TextRow | undefined) => {
    const at = row ? { value: row[0] ?? null, id: row[1] ?? '' } : position
    return at && writePageToken(deps.vault, request, { direction, value: at.value, id: at.id, total })
  }
  const next = (isBackward ? page.length > 0 : hasMore) ? token('next', page.at(-1)) : undefined
  const prev = (isBackward ? hasMore : position !== undefined) ? token('prev', page[0]) : undefined
  const counts = listing.isUncounted ? {} : { total }
  const after = JSON.stringify({ items: 0, next_page_token: next, prev_page_token: prev, ...counts }).slice(
    ITEMS.length,
  )
  const chunks = found.isCut
    ? readByIds(
        deps,
        listing,
        page.map((row) => row[1] ?? ''),
      )
    : [page.map((row) => row.slice(2))]
  return answerOf(textsOf(listing, chunks), { before: '{"items":[', after: `]${after}` })
}

/** The beginning of a page's JSON, whose number stands for the items. */
const ITEMS = '{"items":0'

/** The rows of the page, one more if there is one, and the total, unless the rows contain it. */
async function readRowsAndTotal(
  deps: Needs,
  listing: Listing,
  position: PagePosition | undefined,
  limit: number,
): Promise<[TextRows, number | undefined]> {
  // A list without a total ends its search with the page.
  const few = limit > 0 && !listing.isUncounted ? await readFewRows(deps, listing, position, limit + 1) : undefined
  if (few) return [few.rows, position?.total ?? few.total]
  const isCountedByRows = position === undefined && limit > 0 && listing.totalColumn !== undefined
  return Promise.all([
    limit === 0 ? ([] as TextRows) : readRows(deps, listing, position, limit + 1),
    position?.total ??
      (listing.isUncounted ? 0 : isCountedByRows ? undefined : listing.total ? listing.total() : count(deps, listing)),
  ])
}

async function* textsOf(
  listing: Listing,
  chunks: Iterable<TextRow[]> | AsyncIterable<TextRow[]>,
): AsyncGenerator<string[]> {
  for await (const rows of chunks) {
    if (!('toTexts' in listing)) yield rows.map(listing.toText)
    else {
      // Of large items few make a chunk: the database would read those beyond in vain, again for each chunk.
      for (let from = 0, most = rows.length; from < rows.length; ) {
        const texts = await listing.toTexts(rows.slice(from, from + most))
        if (texts.length === 0) break
        yield texts
        from += texts.length
        most = 2 * texts.length
      }
    }
  }
}

async function count(deps: Needs, listing: Listing): Promise<number> {
  const row = await deps.database.row(`select count(*) ${listing.from}`, listing.values)
  return Number(row?.[0])
}
