// Unpaged lists in bounded memory. Source: decisions/0020-bounded-work.md.
import type { Readable } from 'node:stream'
import type { Deps } from '../deps.ts'
import type { TextRow, TextRows } from '../platform/database/database.ts'
import { ARRAY, type Around, enclosed, listStream } from '../platform/http/answer-stream.ts'
import type { Listing, PlainListing } from './listing.ts'

type Needs = Pick<Deps, 'database'>

/** How much of a list is in memory at a time: at most this many rows, and this many bytes plus the last row. */
const CHUNK_ROWS = 500
export const CHUNK_BYTES = 1024 * 1024
const FIRST_ROWS = 100
const UUID_BYTES = 16

/**
 * Every row of a list as a JSON array. The rows and their order are fixed at the start and kept as 16 bytes per row.
 * Each row is shown as it is when its chunk is read, and is left out if it has left the list by then. The list holds no
 * connection between its chunks.
 */
export async function readAll(deps: Needs, listing: PlainListing): Promise<string | Readable> {
  const ids = await readIds(deps, listing)
  return answerOf(textsOf(readByIds(deps, listing, ids), listing.toText))
}

/**
 * Joins the texts of a list, chunk by chunk, into a JSON array or between other texts: a string when there is one
 * chunk, otherwise a stream.
 */
export async function answerOf(chunks: AsyncGenerator<string[]>, around: Around = ARRAY): Promise<string | Readable> {
  const first = await chunks.next()
  const second = first.done ? first : await chunks.next()
  const texts = first.done ? [] : first.value
  if (second.done) return enclosed(around.before, texts, around.after)
  return listStream([texts, second.value], chunks, around)
}

export async function* textsOf(
  chunks: AsyncIterable<TextRow[]>,
  toText: (row: TextRow) => string,
): AsyncGenerator<string[]> {
  for await (const rows of chunks) yield rows.map(toText)
}

/**
 * Reads chunk after chunk and keeps none longer than needed. `read` gets the start and the most rows to read, and
 * returns where the next chunk starts, unless it was the last.
 */
export async function* inChunks<Item>(
  read: (from: number, rows: number) => Promise<{ items: Item[]; next: number | undefined }>,
): AsyncGenerator<Item[]> {
  let rows = FIRST_ROWS
  for (let from: number | undefined = 0; from !== undefined; ) {
    const { items, next }: { items: Item[]; next: number | undefined } = await read(from, rows)
    yield items
    // Few large rows fit into a chunk: the database would read the rows beyond them for nothing.
    if (next !== undefined) rows = Math.max(1, Math.min(2 * (next - from), CHUNK_ROWS))
    from = next
  }
}

/** Reads rows by their position in an order that never changes, such as versions. */
export function readByPlace(read: (from: number, rows: number) => Promise<TextRows>): AsyncGenerator<TextRow[]> {
  return inChunks(async (from, rows) => {
    const items = await read(from, rows)
    const isLast = !items.isCut && items.length < rows
    return { items, next: isLast ? undefined : from + items.length }
  })
}

interface Ids {
  length: number
  slice(from: number, to: number): string[]
}

async function readIds(deps: Needs, { from, values, sort, id }: PlainListing): Promise<Ids> {
  const order = `${sort.sql} ${sort.direction === 'asc' ? 'asc nulls last' : 'desc nulls first'}, ${id} ${sort.direction}`
  const sql = `select encode(string_agg(uuid_send(${id}), ''::bytea order by ${order}), 'hex') ${from}`
  const bytes = Buffer.from((await deps.database.row(sql, values))?.[0] ?? '', 'hex')
  return {
    length: bytes.length / UUID_BYTES,
    slice: (start, end) => uuidsOf(bytes.subarray(start * UUID_BYTES, end * UUID_BYTES)),
  }
}

/** The rows with these ids that are still in the list, in the order of the ids. */
export function readByIds(deps: Needs, listing: Listing, ids: Ids): AsyncGenerator<TextRow[]> {
  const { from, values, columns, id, idType = 'uuid' } = listing
  const wanted = `$${values.length + 1}::${idType}[]`
  const text = `select ${id}, ${columns} ${from} and ${id} = any(${wanted}) order by array_position(${wanted}, ${id})`
  return inChunks(async (start, rows) => {
    const chunk = ids.slice(start, start + rows)
    const statement = { text, maxBytes: CHUNK_BYTES }
    const found: TextRows = chunk.length > 0 ? await deps.database.rows(statement, [...values, chunk]) : []
    const next = start + (found.isCut ? chunk.indexOf(found.at(-1)?.[0] ?? '') + 1 : chunk.length)
    return { items: found.map((row) => row.slice(1)), next: next < ids.length ? next : undefined }
  })
}

/** In the form in which PostgreSQL writes UUIDs. */
function uuidsOf(bytes: Buffer): string[] {
  return Array.from({ length: bytes.length / UUID_BYTES }, (_, index) =>
    bytes
      .toString('hex', index * UUID_BYTES, (index + 1) * UUID_BYTES)
      .replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-'),
  )
}
