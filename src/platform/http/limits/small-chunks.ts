import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { limitChunks } from '../../chunk-limit.ts'
import { refuseUnreadable } from '../client-errors.ts'
import { dropWhatWasRead } from './connection-reading.ts'

/** Closes a connection whose request arrives in more chunks than may be, whether or not anybody reads the body. */
export function refuseSmallChunks(server: Server): void {
  // Before the listener that reads, since the first chunks may have arrived together with the headers.
  server.prependListener('request', (request: IncomingMessage, response: ServerResponse) => {
    if (request.headers['transfer-encoding'] === undefined) return
    const push = request.push
    const mayGoOn = limitChunks()
    let isRefused = false
    request.push = (chunk, encoding) => {
      // Node continues with what it has already read.
      if (isRefused) return false
      if (mayGoOn(chunk?.length ?? 0)) return push.call(request, chunk, encoding)
      isRefused = true
      refuse(request, response)
      return false
    }
  })
}

function refuse({ socket }: IncomingMessage, { headersSent }: ServerResponse): void {
  if (headersSent || socket.writableEnded) socket.destroy()
  else refuseUnreadable(Object.assign(new Error('too many small chunks'), { code: 'SMALL_CHUNKS' }), socket)
  dropWhatWasRead(socket)
  socket.destroySoon()
}
