// Requests that a client sends on one connection without waiting for the answers. Source: RFC 9112 9.3.2.
import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { dropWhatWasRead } from './connection-reading.ts'

/** Clients that pipeline at all send a few; Node reads and keeps whatever is sent. */
const WAITING_MAX = 16

/**
 * Begins a request when the one before it on the same connection is answered, and none when the connection has ended. Node itself
 * begins all at once, keeps their answers in memory until the first is read, and does not report to any but the first that the
 * connection has ended: their work and answers would stay. A connection on which more are waiting is closed.
 */
export function answerInTurn(app: FastifyInstance, waitingMax = WAITING_MAX): void {
  const lines = new WeakMap<Socket, (() => void)[]>()

  function endTurn(socket: Socket, line: (() => void)[]) {
    const begin = socket.writable ? line.shift() : undefined
    if (begin) begin()
    else lines.delete(socket)
  }

  app.addHook('onRequest', ({ raw: { socket } }, reply, done) => {
    const waiting = lines.get(socket)
    const line = waiting ?? []
    const begin = () => {
      reply.raw.once('close', () => endTurn(socket, line))
      done()
    }
    if (!waiting) {
      lines.set(socket, line)
      begin()
    } else if (line.length < waitingMax) line.push(begin)
    else {
      dropWhatWasRead(socket)
      socket.destroy()
    }
  })
}
