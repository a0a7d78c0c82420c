// What the service changes in undici's reader of answers: a partner, which may be an organization's own, must not hold up others with what it sends.
import type { Socket } from 'node:net'
import type { Client } from 'undici'
import { type TakeTurn, takeTurn } from '../event-loop.ts'

/** undici's reader, one for each connection. Source: lib/dispatcher/client-h1.js of undici 7. */
export interface AnswerParser {
  readonly client: Client
  readonly socket: Socket
  readonly paused: boolean
  /** Null once the connection has closed. */
  readonly ptr: unknown
  /** Reads all that has arrived. */
  readMore(): void
  execute(chunk: Buffer): void
  onBody(bytes: Buffer): number
  onMessageComplete(): number
  /** A name, or a part of one. The parser continues unless the result is -1. */
  onHeaderField(text: Buffer): number
  onHeaderValue(text: Buffer): number
  /** Counts the bytes of a name or value; beyond the limit it destroys the connection. */
  trackHeader(length: number): void
  onHeadersComplete(status: number, ...rest: unknown[]): number
}

const STOP = -1
const CONTINUE = 100
/** Another response before the answer, which undici passes on as it is. */
const PROCESSING = 102

/**
 * "100 Continue" is read like other interim responses. undici takes it for a fault and ends the connection (its issue 197), but servers send it
 * unasked to every POST, old ones of Microsoft among them. Source: RFC 9110, 15.2: "A client MUST be able to parse one or more 1xx responses
 * received prior to a final response, even if the client does not expect one."
 */
export function acceptContinue(prototype: Partial<AnswerParser>): void {
  const { onHeadersComplete } = prototype
  if (typeof onHeadersComplete !== 'function') return
  prototype.onHeadersComplete = function (status, ...rest) {
    return onHeadersComplete.call(this, status === CONTINUE ? PROCESSING : status, ...rest)
  }
}

/** What a name or a value counts beside its bytes, because it takes far more memory than its text. Source: RFC 9113, 6.5.2, which has 32 for both. */
const OVERHEAD_BYTES = 16

/**
 * Headers and trailers end with the limit of their size. undici keeps what follows in the same piece, and makes an error of each name and value of it.
 */
export function endWithTooManyHeaders(prototype: Partial<AnswerParser>): void {
  const { onHeaderField, onHeaderValue, trackHeader } = prototype
  if (typeof onHeaderField !== 'function' || typeof onHeaderValue !== 'function' || typeof trackHeader !== 'function')
    return
  prototype.onHeaderField = function (text) {
    return this.socket?.destroyed ? STOP : onHeaderField.call(this, text)
  }
  prototype.onHeaderValue = function (text) {
    return this.socket?.destroyed ? STOP : onHeaderValue.call(this, text)
  }
  prototype.trackHeader = function (length) {
    trackHeader.call(this, length + OVERHEAD_BYTES)
  }
}

/** Far more than the framing of any answer that is read to its end: its headers, interim responses, and what is around chunks (chunk-limit.ts). */
const FRAMING_MAX_BYTES = 1024 * 1024

/**
 * An answer ends when that much of it is neither headers with a limit nor body: a status line or the extension of a chunk without an end takes
 * processor time for as long as its sender likes, and the reader tells nobody of it.
 */
export function endWithTooMuchFraming(prototype: Partial<AnswerParser>): void {
  const { execute, onBody, onMessageComplete } = prototype
  if (typeof execute !== 'function' || typeof onBody !== 'function' || typeof onMessageComplete !== 'function') return
  const framing = new WeakMap<AnswerParser, number>()
  const count = (parser: AnswerParser, bytes: number) => framing.set(parser, (framing.get(parser) ?? 0) + bytes)

  prototype.execute = function (chunk) {
    const { socket } = this as AnswerParser
    const waiting = socket.readableLength
    execute.call(this, chunk)
    // A reader that pauses puts the rest back.
    count(this as AnswerParser, chunk.length - (socket.readableLength - waiting))
    if ((framing.get(this as AnswerParser) ?? 0) > FRAMING_MAX_BYTES) socket.destroy(new TooMuchFraming())
  }
  prototype.onBody = function (bytes) {
    count(this as AnswerParser, -bytes.length)
    return onBody.call(this, bytes)
  }
  prototype.onMessageComplete = function () {
    framing.delete(this as AnswerParser)
    return onMessageComplete.call(this)
  }
}

class TooMuchFraming extends Error {
  readonly code = 'UND_ERR_RES_EXCEEDED_MAX_SIZE'
}

/** As long work takes of a turn (event-loop.ts). */
const READ_MS = 5
/** Some 3,000 headers or chunks, which take a few milliseconds to read. */
const PIECE_BYTES = 16 * 1024

/**
 * Reads what has arrived in pieces, until reading the answers of all partners has taken `READ_MS` of a turn of the event loop; the rest in turns
 * with other long work, those of each address. undici reads all that has arrived of all connections in one turn. decisions/0184-what-partners-send.md
 */
export function readInTurns(
  prototype: Partial<AnswerParser>,
  { inTurn = takeTurn as TakeTurn, readMs = READ_MS } = {},
): void {
  if (typeof prototype.readMore !== 'function' || typeof prototype.execute !== 'function') return
  const waiting = new WeakSet<AnswerParser>()

  const wait = (parser: AnswerParser) => {
    waiting.add(parser)
    void inTurn(parser.socket.remoteAddress ?? '').then(() => {
      waiting.delete(parser)
      if (readPiece(parser)) parser.readMore()
    })
  }
  prototype.readMore = function () {
    while (!waiting.has(this as AnswerParser)) {
      // What arrives before it is asked for ends the connection, which must not take another inquiry meanwhile.
      if (reading.milliseconds >= readMs && mayWait(this as AnswerParser)) wait(this as AnswerParser)
      else if (!readPiece(this as AnswerParser)) return
    }
  }
}

/** False when there is nothing to read. */
function readPiece(parser: AnswerParser): boolean {
  const { socket, ptr, paused } = parser
  if (paused || !ptr || socket.destroyed) return false
  const chunk = socket.read(socket.readableLength > PIECE_BYTES ? PIECE_BYTES : undefined)
  if (chunk === null) return false
  reading.measure(() => parser.execute(chunk))
  return true
}

const mayWait = ({ client, socket }: AnswerParser) => client.stats.running > 0 && socket.readableLength > 0

/** How long answers have been read in this turn of the event loop. */
const reading = {
  milliseconds: 0,
  measure(read: () => void): void {
    if (this.milliseconds === 0)
      setImmediate(() => {
        this.milliseconds = 0
      })
    const began = performance.now()
    read()
    this.milliseconds += performance.now() - began
  },
}
