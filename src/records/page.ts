// Pages by position and not by offset: an unchanged row is neither skipped nor repeated while other rows come and go.

import type { Readable } from 'node:stream'
import { type TSchema, Type } from 'typebox'
import { PAGE_LIMIT_MAX } from '../contract/limits.ts'
import type { Deps } from '../deps.ts'
import type { TextRow, TextRows } from '../platform/database/database.ts'
import { type PagePosition, readPageToken, writePageToken } from '../platform/http/page-token.ts'
import type { Listing } from './listing.ts'
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

/** The page that a client requests. A limit above the cap becomes the cap. */
export interface PageRequest {
  limit?: number
  page_token?: string
}

/**
 * What the page tokens of a query are bound to: all of it but the size of the page, in which a default that is stated is the same as one that is
 * not. A flag is off by default. Source: rules.md 1.7.
 */
export function withoutDefaults(
  query: PageRequest & object,
  defaults: Record<string, unknown>,
): Record<string, unknown> {
  const { limit: _limit, page_token: _token, ...request } = query
  const stated = Object.entries(request).filter(
    ([name, value]) => value !== (name in defaults ? defaults[name] : false),
  )
  return Object.fromEntries(stated)
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

/** The beginning of a page's JSON; the number is a placeholder for the items. */
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
      // A few large items fill a chunk: the database would read those beyond it for nothing, again for each chunk.
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
  const { from, values, hasOnePlan = false } = listing
  const row = await deps.database.row({ text: `select count(*) ${from}`, hasOnePlan }, values)
  return Number(row?.[0])
}
