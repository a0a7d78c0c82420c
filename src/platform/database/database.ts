/** A statement with a name is prepared once per connection; its text never changes. */
export interface Statement {
  name?: string
  text: string
  /** For a statement that may take longer than those of a request. */
  timeoutMs?: number
  /**
   * Rows beyond this many bytes are left out, because rows of a list may be of any size; the first row is always
   * returned.
   */
  maxBytes?: number
  /** One plan is good for all values. The text is prepared by a name of its own where it is sent often (prepared-forms.ts). */
  hasOnePlan?: boolean
}

/**
 * The database as the rest of the service sees it: the rows of one organization, which $1 of a statement names. A
 * statement that names no organization finds no rows (row-level-security.ts). Timestamps, JSON and numbers arrive as
 * the text that PostgreSQL wrote: stored JSON is passed on unparsed, and each caller knows its own columns.
 *
 * `gone` is for statements that only read (while-waited-for.ts): once it is aborted, those that wait for a connection are not sent, and
 * those that run are cancelled.
 */
export interface Database {
  /** Rows as arrays of text columns, in the order of the select list. */
  rows(statement: Statement | string, values?: unknown[], gone?: AbortSignal): Promise<TextRows>
  /** The first row, if there is one. */
  row(statement: Statement | string, values?: unknown[], gone?: AbortSignal): Promise<TextRow | undefined>
  /**
   * The first row of a statement that reads by key and never waits for a lock: it shares its connection with others.
   */
  rowByKey(statement: Statement, values: unknown[]): Promise<TextRow | undefined>
  /** The same for all rows of a statement that finds a few short ones. */
  rowsByKey(statement: Statement, values: unknown[]): Promise<TextRows>
  /** Runs `work` in one transaction on one connection; rolls back when it throws. */
  transaction<T>(work: (database: Database) => Promise<T>, gone?: AbortSignal): Promise<T>
}

/**
 * The database without row-level security, for work that belongs to no organization or to all
 * (test/laws/across-organizations.test.ts).
 */
export interface SystemDatabase extends Database {
  readonly reach: 'every organization'
}

export interface PoolUsage {
  pool: 'application' | 'system' | 'authentication' | 'probe' | 'position' | 'replica'
  total: number
  idle: number
  waiting: number
  max: number
}

/**
 * A column is text or null. Callers wrote the select list themselves and know which columns are never null, so the type
 * says text.
 */
export type TextRow = string[]

/** `isCut` is set when rows were left out because of `maxBytes`. */
export type TextRows = TextRow[] & { isCut?: boolean }
