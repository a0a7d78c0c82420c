// When a connection is read and parsed. Node has no interface for this, but uses all of it itself (lib/_http_server.js, lib/_http_incoming.js). Where one
// of them is missing, a connection is read as it comes. decisions/0176-reading-in-turns.md
import type { Socket } from 'node:net'

interface Parser {
  readonly constructor: { readonly kOnExecute: number; readonly kOnBody: number }
  /** What it calls for each kind of event. */
  [event: number]: ((...results: unknown[]) => unknown) | null | undefined
  /** Called for each request; 2 is the answer for a request after which something other than HTTP follows. */
  onIncoming: ((...request: unknown[]) => number) | null
}

interface Handle {
  /** Whether Node wants to read. */
  reading: boolean
  readStart(): void
  readStop(): void
}

const internalsOf = (socket: Socket) =>
  socket as unknown as { readonly parser?: Parser | null; readonly _handle?: Handle | null }

/** Calls back when a piece of what the connection has sent was parsed, and the requests in it have begun. */
export function afterEachRead(socket: Socket, callBack: () => void): void {
  const { parser } = internalsOf(socket)
  const { kOnExecute } = parser?.constructor ?? {}
  const parsed = kOnExecute === undefined ? undefined : parser?.[kOnExecute]
  if (!parser || kOnExecute === undefined || !parsed) return
  parser[kOnExecute] = (...results) => {
    parsed(...results)
    callBack()
  }
}

/** Nothing is read until `startReading`. */
export function stopReading(socket: Socket): void {
  internalsOf(socket)._handle?.readStop()
}

/** Reads again, unless Node has stopped for its own reasons: it starts again itself then. */
export function startReading(socket: Socket): void {
  const { _handle } = internalsOf(socket)
  if (_handle?.reading) _handle.readStart()
}

/**
 * Discards what has been read from a connection that is being closed. Node would process it to the end: two thousand requests, or ten thousand chunks
 * that it copies one by one.
 */
export function dropWhatWasRead(socket: Socket): void {
  const { parser } = internalsOf(socket)
  const { kOnBody } = parser?.constructor ?? {}
  if (!parser || kOnBody === undefined) return
  const takeBody = parser[kOnBody]
  parser[kOnBody] = undefined
  parser.onIncoming = () => 2
  // Node reuses its parsers for other connections, and resets only onIncoming.
  socket.once('close', () => {
    parser[kOnBody] = takeBody
  })
}
