// Lists without pages, in bounded memory. Source: decisions/0020-bounded-work.md.
import type { Readable } from 'node:stream'
import type { TextRow } from '../database/database.ts'
import type { Deps } from '../deps.ts'
import { arrayStream } from '../http/answer-stream.ts'
import type { PlainListing } from './page.ts'

type Needs = Pick<Deps, 'database'>

/** How much of a list is in memory at a time: no more rows than this, and about so many characters. */
const CHUNK_ROWS = 500
const CHUNK_CHARACTERS = 1024 * 1024
/** The first chunk is smaller, as nobody knows yet how long its rows are. */
const FIRST_ROWS = 100
const UUID_BYTES = 16

/**
 * Every row of a list as a JSON array. Which rows and in which order is decided once, at the start, and kept as 16 bytes a row; each row is
 * as it is when its chunk is read, and left out when it has left the list by then. Between its chunks a list holds no connection.
 */
export async function readAll(deps: Needs, listing: PlainListing): Promise<string | Readable> {
  const ids = await readIds(deps, listing)
  return answerOf(readChunks(deps, listing, ids))
}

/** Chunks as a JSON array: text when the first is all, else a stream. Errors of the first chunk are thrown. */
export async function answerOf(chunks: AsyncGenerator<Chunk>): Promise<string | Readable> {
  const first = await chunks.next()
  const { texts, isLast } = first.done ? { texts: [], isLast: true } : first.value
  return isLast ? `[${texts.join(',')}]` : arrayStream(texts, chunks)
}

export interface Chunk {
  /** Rows as JSON texts. */
  texts: string[]
  isLast: boolean
}

/** Reads chunk after chunk: `read` gets where to begin and how many rows to read at most, and gives as many unless there are no more. */
export async function* inChunks(
  read: (from: number, rows: number) => Promise<{ texts: string[]; isLast: boolean }>,
): AsyncGenerator<Chunk> {
  let rows = FIRST_ROWS
  for (let from = 0; ; ) {
    const chunk = await read(from, rows)
    yield chunk
    if (chunk.isLast) return
    from += rows
    const characters = chunk.texts.reduce((sum, { length }) => sum + length, 0)
    const fitting = Math.floor((rows * CHUNK_CHARACTERS) / Math.max(1, characters))
    rows = Math.max(1, Math.min(CHUNK_ROWS, fitting))
  }
}

async function readIds(deps: Needs, { from, values, sort, id }: PlainListing): Promise<Buffer> {
  const order = `${sort.sql} ${sort.direction === 'asc' ? 'asc nulls last' : 'desc nulls first'}, ${id} ${sort.direction}`
  const sql = `select encode(string_agg(uuid_send(${id}), ''::bytea order by ${order}), 'hex') ${from}`
  return Buffer.from((await deps.database.row(sql, values))?.[0] ?? '', 'hex')
}

function readChunks(deps: Needs, listing: PlainListing, ids: Buffer): AsyncGenerator<Chunk> {
  const { from, values, columns, id, toText } = listing
  const wanted = `$${values.length + 1}::uuid[]`
  const sql = `select ${columns} ${from} and ${id} = any(${wanted}) order by array_position(${wanted}, ${id})`
  return inChunks(async (start, rows) => {
    const chunk = ids.subarray(start * UUID_BYTES, (start + rows) * UUID_BYTES)
    const found: TextRow[] = chunk.length > 0 ? await deps.database.rows(sql, [...values, uuidsOf(chunk)]) : []
    return { texts: found.map(toText), isLast: (start + rows) * UUID_BYTES >= ids.length }
  })
}

function uuidsOf(bytes: Buffer): string[] {
  return Array.from({ length: bytes.length / UUID_BYTES }, (_, index) =>
    bytes.toString('hex', index * UUID_BYTES, (index + 1) * UUID_BYTES),
  )
}
