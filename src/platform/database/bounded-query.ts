// Rows may be of any size: what a statement finds beyond a bound is dropped as it comes, and never in memory at once.
import pg from 'pg'
import type { TextRow, TextRows } from './database.ts'

/** A row as it came over the wire. Its type is not among those that pg publishes. */
interface DataRow {
  length: number
}

class BoundedQuery extends pg.Query {
  isCut = false
  private left: number

  constructor(config: pg.QueryArrayConfig, maxBytes: number) {
    super(config)
    this.left = maxBytes
  }

  handleDataRow(row: DataRow): void {
    if (this.left > 0) Object.getPrototypeOf(BoundedQuery.prototype).handleDataRow.call(this, row)
    else this.isCut = true
    this.left -= row.length
  }
}

/** The first rows of a query: those that begin within so many bytes. */
export function queryWithin(client: pg.ClientBase, config: pg.QueryArrayConfig, maxBytes: number): Promise<TextRows> {
  const query = new BoundedQuery(config, maxBytes)
  return new Promise((resolve, reject) => {
    // The client calls back through what the query holds.
    Object.assign(query, {
      callback: (error: Error | null, result: { rows: TextRow[] }) =>
        error ? reject(error) : resolve(query.isCut ? Object.assign(result.rows, { isCut: true }) : result.rows),
    })
    client.query(query)
  })
}
