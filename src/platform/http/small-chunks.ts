// Bodies in very many small chunks (RFC 9112 7.1). Node reads a chunk in 2 to 3 µs and keeps it in some 100 bytes, even if it holds one: thirty connections
// that sent nothing else kept all other callers waiting for seconds (decisions/0020-bounded-work.md).
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { refuseUnreadable } from './client-errors.ts'

/** A client that sends each word of its JSON by itself has 40 kB in as many. */
const CHUNKS_MAX = 4096
/** Of this size each, a chunk costs little more than its bytes, and there may be any number. */
const BYTES_A_CHUNK = 128

/** Closes a connection whose request arrives in more chunks than that, whether or not anybody reads the body. */
export function refuseSmallChunks(server: Server): void {
  // Before the listener that reads, since the first chunks may have arrived together with the headers.
  server.prependListener('request', (request: IncomingMessage, response: ServerResponse) => {
    if (request.headers['transfer-encoding'] === undefined) return
    const push = request.push
    let [chunks, bytes, isRefused] = [0, 0, false]
    request.push = (chunk, encoding) => {
      // Node goes on with what it has read already.
      if (isRefused) return false
      chunks++
      bytes += chunk?.length ?? 0
      if (chunks <= CHUNKS_MAX + bytes / BYTES_A_CHUNK) return push.call(request, chunk, encoding)
      isRefused = true
      refuse(request, response)
      return false
    }
  })
}

function refuse({ socket }: IncomingMessage, { headersSent }: ServerResponse): void {
  if (headersSent || socket.writableEnded) socket.destroy()
  else refuseUnreadable(Object.assign(new Error('too many small chunks'), { code: 'SMALL_CHUNKS' }), socket)
  socket.destroySoon()
}
