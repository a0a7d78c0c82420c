// A statement as this service sends it to PostgreSQL through the driver. decisions/0106-what-a-read-costs.md
import pg from 'pg'
import { prepareValue } from 'pg/lib/utils.js'
import { LONG_BYTES, takeTurn } from '../../event-loop.ts'
import type { Statement, TextRow, TextRows } from '../database.ts'
import { isStalePlan } from '../errors.ts'

/** What the driver's own query uses of a connection; its types do not have it. */
interface Connection {
  stream: { writable: boolean; write(bytes: Buffer): void }
  parsedStatements: Record<string, string>
  submittedNamedStatements: Record<string, string>
}

/** A row as the driver received it. */
interface DataRow {
  fields: TextRow
  length: number
}

/**
 * Sends a statement in one write and takes its rows as they arrive, as text. The driver's own query writes four messages one by one,
 * asks PostgreSQL to describe every column, which is not needed here, and copies every row. It is never made, but it is the prototype: on a
 * pipelined connection the driver accepts no other.
 */
class TextQuery {
  /** The driver records a statement of this name as prepared. */
  name: string
  readonly text: string
  readonly query_timeout: number | undefined
  /** Wrapped by the driver, which sets a time limit. */
  callback: (error: Error | null, rows: TextRows) => void
  private readonly values: readonly unknown[]
  private readonly found: TextRows = []
  private bytes = 0
  private readonly maxBytes: number

  constructor(
    { name = '', text, timeoutMs, maxBytes = Number.POSITIVE_INFINITY }: Statement,
    values: readonly unknown[],
    callback: TextQuery['callback'],
  ) {
    this.name = name
    this.text = text
    this.query_timeout = timeoutMs
    this.callback = callback
    this.values = values
    this.maxBytes = maxBytes
  }

  /** @returns why it was not sent. */
  submit({ stream, parsedStatements, submittedNamedStatements }: Connection): Error | null {
    const { name, text } = this
    const beingPrepared = submittedNamedStatements[name]
    const known = parsedStatements[name] ?? beingPrepared ?? text
    if (known !== text) return new Error(`the statement ${name} has two texts`)
    // While another one prepares it, it goes without a name: if that one fails, this one must not fail with it.
    if (beingPrepared !== undefined) this.name = ''
    const isPrepared = parsedStatements[this.name] !== undefined
    let bytes: Buffer
    try {
      bytes = messagesOf(this.name, isPrepared ? undefined : text, this.values)
    } catch (error) {
      return error as Error
    }
    if (!isPrepared && this.name !== '') submittedNamedStatements[this.name] = text
    if (stream.writable) stream.write(bytes)
    return null
  }

  handleDataRow({ fields, length }: DataRow): void {
    // Rows may be of any size: those beyond the limit are dropped as they arrive, and are never in memory together.
    if (this.bytes < this.maxBytes) this.found.push(fields)
    else this.found.isCut = true
    this.bytes += length
  }

  get isLong(): boolean {
    return this.bytes > LONG_BYTES
  }

  handleCommandComplete(): void {}
  handleEmptyQuery(): void {}

  handleError(error: Error, { parsedStatements }: Connection): void {
    if (isStalePlan(error)) delete parsedStatements[this.name]
    this.callback(error, [])
  }

  handleReadyForQuery(): void {
    this.callback(null, this.found)
  }
}
Object.setPrototypeOf(TextQuery.prototype, pg.Query.prototype)

/**
 * The rows of a statement with values or a name. Long ones are handed on in a turn of their organization, which $1 names: whoever asked for them renders
 * them now, and the answers to many calls arrive together.
 */
export function queryText(client: pg.ClientBase, statement: Statement, values: readonly unknown[]): Promise<TextRows> {
  return new Promise((resolve, reject) => {
    const query = new TextQuery(statement, values, (error, rows) => {
      if (error) reject(error)
      else if (query.isLong) void takeTurn(lineOf(values)).then(() => resolve(rows))
      else resolve(rows)
    })
    client.query(query as unknown as pg.Query)
  })
}

const lineOf = ([first]: readonly unknown[]) => (typeof first === 'string' ? first : '')

/** The stack of an error of PostgreSQL leads to the socket: where it is caught, those who wait for the statement are known. */
export function rethrow(error: Error): never {
  Error.captureStackTrace(error)
  throw error
}

const [CLOSE, STATEMENT, PARSE, BIND] = [0x43, 0x53, 0x50, 0x42]
/** Execute without a limit on rows, and Sync. */
const EXECUTE_AND_SYNC = Buffer.from([0x45, 0, 0, 0, 9, 0, 0, 0, 0, 0, 0x53, 0, 0, 0, 4])
const NULL_LENGTH = -1
const [IS_TEXT, IS_BINARY] = [0, 1]

/**
 * Close and Parse (when a text is given), Bind, Execute and Sync. Close, because PostgreSQL may still have a statement of this name whose plan is
 * stale; without one it does nothing. Source: PostgreSQL manual, 54.2.3 (extended query), 54.7 (message formats).
 */
function messagesOf(name: string, text: string | undefined, values: readonly unknown[]): Buffer {
  const sent: (string | Buffer | null)[] = values.map((value) =>
    typeof value === 'string' ? value : prepareValue(value),
  )
  const sizes = sent.map((value) => (value === null ? NULL_LENGTH : Buffer.byteLength(value)))
  const nameSize = Buffer.byteLength(name)
  const closeSize = 4 + 1 + nameSize + 1
  const parseSize = text === undefined ? 0 : 4 + nameSize + 1 + Buffer.byteLength(text) + 1 + 2
  const preparingSize = text === undefined ? 0 : 1 + closeSize + 1 + parseSize
  let bindSize = 4 + 1 + nameSize + 1 + 2 + 2 * sent.length + 2 + 4
  for (const size of sizes) bindSize += 4 + Math.max(size, 0)

  const bytes = Buffer.allocUnsafe(preparingSize + 1 + bindSize + EXECUTE_AND_SYNC.length)
  let at = 0
  const addText = (part: string) => {
    at += bytes.write(part, at)
    bytes[at++] = 0
  }
  if (text !== undefined) {
    bytes[at++] = CLOSE
    at = bytes.writeInt32BE(closeSize, at)
    bytes[at++] = STATEMENT
    addText(name)
    bytes[at++] = PARSE
    at = bytes.writeInt32BE(parseSize, at)
    addText(name)
    addText(text)
    // No types of parameters are stated.
    at = bytes.writeInt16BE(0, at)
  }
  bytes[at++] = BIND
  at = bytes.writeInt32BE(bindSize, at)
  addText('')
  addText(name)
  at = bytes.writeUInt16BE(sent.length, at)
  for (const value of sent) at = bytes.writeInt16BE(value instanceof Buffer ? IS_BINARY : IS_TEXT, at)
  at = bytes.writeUInt16BE(sent.length, at)
  for (const [index, value] of sent.entries()) {
    at = bytes.writeInt32BE(sizes[index] as number, at)
    if (value !== null) at += typeof value === 'string' ? bytes.write(value, at) : value.copy(bytes, at)
  }
  // All columns as text.
  at = bytes.writeInt16BE(1, at)
  at = bytes.writeInt16BE(IS_TEXT, at)
  EXECUTE_AND_SYNC.copy(bytes, at)
  return bytes
}
