import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { CHUNKS_MAX, limitChunks } from '../../chunk-limit.ts'
import { recentlyUsed } from '../../recently-used.ts'
import { callerSite } from '../caller-address.ts'
import { refuseUnreadable } from '../client-errors.ts'
import { dropWhatWasRead } from './connection-reading.ts'

/** Reading as many chunks as are otherwise permitted takes 10 ms. */
const CHUNKS_OF_A_SUSPECT = 256
const SUSPECT_MS = 60_000
const SUSPECTS_MAX = 1000

/**
 * Closes a connection whose request arrives in more chunks than are permitted, whether or not the body is read. For a minute afterwards, bodies from
 * the same site may have fewer, unless the site is a proxy of many callers.
 */
export function refuseSmallChunks(server: Server, isProxy: (address: string) => boolean): void {
  const refusedAt = recentlyUsed<number>(SUSPECTS_MAX)
  const isSuspect = (site: string) => performance.now() - (refusedAt.get(site) ?? Number.NEGATIVE_INFINITY) < SUSPECT_MS

  // Before the listener that reads, since the first chunks may have arrived together with the headers.
  server.prependListener('request', (request: IncomingMessage, response: ServerResponse) => {
    if (request.headers['transfer-encoding'] === undefined) return
    const { push, socket } = request
    const { remoteAddress = '' } = socket
    const site = callerSite(remoteAddress)
    const mayGoOn = limitChunks(isSuspect(site) ? CHUNKS_OF_A_SUSPECT : CHUNKS_MAX)
    let isRefused = false
    request.push = (chunk, encoding) => {
      // Node continues with what it has already read.
      if (isRefused) return false
      if (mayGoOn(chunk?.length ?? 0)) return push.call(request, chunk, encoding)
      isRefused = true
      if (!isProxy(remoteAddress)) refusedAt.set(site, performance.now())
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
