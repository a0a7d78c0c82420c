// COPY over a connection, in both directions, as streams: the driver knows its messages but has no query for them.
// Source: PostgreSQL manual, 54.2.7 "COPY Operations".
import { once } from 'node:events'
import type { Duplex } from 'node:stream'
import type pg from 'pg'

/** What of the driver's connection a query may use. */
interface Wire {
  stream: Duplex
  query(sql: string): void
  sendCopyFromChunk(chunk: Buffer): void
  endCopyFrom(): void
  sendCopyFail(reason: string): void
}

/** More than this is waiting: the database is told to wait, too. */
const AHEAD_BYTES = 1024 * 1024
/** Rows come one by one; they go on in pieces of about this size. */
const PIECE_BYTES = 64 * 1024

/** What `copy … to stdout` writes, in pieces of any length. @throws what the database says. */
export async function* copyOut(client: pg.Client, sql: string): AsyncGenerator<Buffer> {
  let waiting: Buffer[] = []
  let waitingBytes = 0
  let wire: Wire | undefined
  let ended: { error?: Error } | undefined
  let wake = () => {}
  const end = (error?: Error) => {
    ended ??= error ? { error } : {}
    wake()
  }
  client.query({
    submit(connection: unknown) {
      wire = connection as Wire
      wire.query(sql)
    },
    handleCopyData({ chunk }: { chunk: Buffer }) {
      // The driver writes the next message over it.
      waiting.push(Buffer.from(chunk))
      waitingBytes += chunk.length
      if (waitingBytes > AHEAD_BYTES) wire?.stream.pause()
      if (waitingBytes > PIECE_BYTES) wake()
    },
    handleCommandComplete() {},
    handleReadyForQuery: () => end(),
    handleError: end,
  } as pg.Submittable)
  try {
    for (;;) {
      if (waitingBytes <= PIECE_BYTES && !ended) {
        await new Promise<void>((resolve) => {
          wake = resolve
        })
      }
      if (ended?.error) throw ended.error
      const piece = Buffer.concat(waiting)
      waiting = []
      waitingBytes = 0
      wire?.stream.resume()
      if (piece.length > 0) yield piece
      if (ended && waitingBytes === 0) return
    }
  } finally {
    // Whoever stops listening ends the connection; until then nothing may be stuck.
    wire?.stream.resume()
  }
}

/** Feeds `copy … from stdin` and returns the number of rows. @throws what the source throws, else what the database says. */
export async function copyIn(client: pg.Client, sql: string, source: AsyncIterable<Buffer>): Promise<number> {
  let rows = 0
  let isOver = false
  let sourceError: Error | undefined
  const feed = async (wire: Wire) => {
    try {
      for await (const piece of source) {
        if (isOver) return
        wire.sendCopyFromChunk(piece)
        if (wire.stream.writableNeedDrain) await Promise.race([once(wire.stream, 'drain'), once(wire.stream, 'close')])
      }
      wire.endCopyFrom()
    } catch (error) {
      sourceError = error as Error
      if (!isOver) wire.sendCopyFail('the source broke off')
    }
  }
  await new Promise<void>((resolve, reject) => {
    client.query({
      submit: (connection: unknown) => (connection as Wire).query(sql),
      handleCopyInResponse: (connection: Wire) => void feed(connection),
      handleCommandComplete({ text }: { text: string }) {
        rows = Number(/^COPY (\d+)/.exec(text)?.[1] ?? 0)
      },
      handleReadyForQuery() {
        isOver = true
        resolve()
      },
      handleError(error: Error) {
        isOver = true
        reject(sourceError ?? error)
      },
    } as unknown as pg.Submittable)
  })
  return rows
}
