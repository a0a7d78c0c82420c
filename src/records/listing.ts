// A list as its SQL: what page.ts reads page by page, and read-all.ts at once.
import type { TextRow } from '../platform/database/database.ts'
import type { PageContext } from '../platform/http/page-token.ts'

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
  /** True where the rows are found in the same way for all values, other than by an index in the list's order. */
  hasOnePlan?: boolean
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
  /** True where the rows are found in the same way for all values. */
  hasOnePlan?: boolean
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
