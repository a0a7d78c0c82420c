import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { badRequest } from '../../contract/errors.ts'

/** What a connection sent that is not an HTTP request, as Node names it, and what it is answered. Everything else is 400. */
const REFUSALS: Record<string, { status: number; message: string }> = {
  HPE_HEADER_OVERFLOW: { status: 431, message: 'the headers are too large' },
  ERR_HTTP_REQUEST_TIMEOUT: { status: 408, message: 'the request took too long to arrive' },
}

/**
 * Answers in the envelope what never becomes a request, and closes the connection: the `clientError` of a server.
 * Source: rules.md 1.5, 20.1.
 */
export function refuseUnreadable(
  error: Error & { code?: string },
  socket: Pick<Socket, 'writable' | 'end' | 'destroy'>,
): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy()
    return
  }
  const { status, message } = REFUSALS[error.code ?? ''] ?? { status: 400, message: 'malformed HTTP request' }
  const { errorName, content } = badRequest(message)
  const body = JSON.stringify({ errorName, content })
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    'content-type: application/json; charset=utf-8',
    `content-length: ${Buffer.byteLength(body)}`,
    'connection: close',
  ]
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`)
}

/**
 * Ends a connection whose request says that its body comes in a way which nobody here reads: Node would take the body for the next
 * request, and a proxy before it perhaps not. Source: RFC 9112 6.3.
 */
export function refuseUnknownFraming(app: FastifyInstance): void {
  app.addHook('onRequest', (request, reply, done) => {
    const encoding = request.headers['transfer-encoding']
    if (encoding === undefined || encoding.toLowerCase() === 'chunked') return done()
    reply.hijack()
    refuseUnreadable(new Error('the transfer encoding is unknown'), request.raw.socket)
  })
}
