// Rows may be of any size: rows beyond a limit are dropped as they arrive, and are never in memory together.
import pg from 'pg'
import type { TextRow, TextRows } from './database.ts'

/** A row as the driver received it; pg does not export its type. */
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

/** The first rows of a query: those that start within `maxBytes`. */
export function queryWithin(client: pg.ClientBase, config: pg.QueryArrayConfig, maxBytes: number): Promise<TextRows> {
  const query = new BoundedQuery(config, maxBytes)
  return new Promise((resolve, reject) => {
    // The driver calls back through these methods of the query.
    Object.assign(query, {
      callback: (error: Error | null, result: { rows: TextRow[] }) =>
        error ? reject(error) : resolve(query.isCut ? Object.assign(result.rows, { isCut: true }) : result.rows),
    })
    client.query(query)
  })
}
