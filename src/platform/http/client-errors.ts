import { type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { badRequest } from '../../contract/errors.ts'

/** The response to bytes that are not an HTTP request, by the code of the error. All other codes get 400. */
const REFUSALS: Record<string, { status: number; message: string }> = {
  HPE_HEADER_OVERFLOW: { status: 431, message: 'the headers are too large' },
  SMALL_CHUNKS: { status: 400, message: 'the body is sent in too many small chunks' },
  ERR_HTTP_REQUEST_TIMEOUT: { status: 408, message: 'the request took too long to arrive' },
}

type Unreadable = Error & { code?: string }
type Connection = Pick<Socket, 'writable' | 'end' | 'destroy'> & { _httpMessage?: ServerResponse | null }

/**
 * Answers malformed requests with the error envelope, and closes the connection: the `clientError` handler of a server. What follows a whole
 * request is answered after it: as its answer it would say that nothing was done. Source: rules.md 1.5, 20.1; RFC 9112 9.3.2.
 */
export function refuseUnreadable(error: Unreadable, socket: Connection, own?: ServerResponse): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy()
    return
  }
  const earlier = dueBefore(socket, own)
  if (earlier) {
    refuseAfter(earlier, socket, error, own)
    return
  }
  const { status, message } = REFUSALS[error.code ?? ''] ?? { status: 400, message: 'malformed HTTP request' }
  endWith(socket, status, message)
}

/** Those on which an answer is due before that to unreadable bytes. */
const waiting = new WeakSet<Connection>()

function refuseAfter(earlier: ServerResponse, socket: Connection, error: Unreadable, own?: ServerResponse): void {
  // More of them, a body that comes too slowly or in too many chunks: the connection ends without a word, which promises nothing.
  if (waiting.has(socket) || !(own ?? error.code?.startsWith('HPE_'))) {
    socket.destroy()
    return
  }
  waiting.add(socket)
  earlier.once('close', () => {
    waiting.delete(socket)
    refuseUnreadable(error, socket, own)
  })
}

/** The next answer on a connection, if its request has arrived whole. Node's own handler uses this property as well. */
function dueBefore({ _httpMessage: next }: Connection, own?: ServerResponse): ServerResponse | undefined {
  return next && next !== own && next.req.complete ? next : undefined
}

function endWith(socket: Pick<Socket, 'end'>, status: number, message: string): void {
  const body = envelopeOf(message)
  const headers = Object.entries(headersOf(body)).map(([name, value]) => `${name}: ${value}`)
  socket.end(`${[`HTTP/1.1 ${status} ${STATUS_CODES[status]}`, ...headers].join('\r\n')}\r\n\r\n${body}`)
}

function envelopeOf(message: string): string {
  const { errorName, content } = badRequest(message)
  return JSON.stringify({ errorName, content })
}

const headersOf = (body: string) => ({
  'content-type': 'application/json; charset=utf-8',
  'content-length': Buffer.byteLength(body),
  connection: 'close',
})

/**
 * Answers in the error envelope what Node answers without a body: an expectation other than 100-continue, and CONNECT, which only a proxy
 * serves. Source: RFC 9110 9.3.6, 10.1.1.
 */
export function refuseProxyRequests(server: Server): void {
  server.on('checkExpectation', (_request, response) => {
    const body = envelopeOf('the Expect header is not supported')
    response.writeHead(417, headersOf(body)).end(body)
  })
  server.on('connect', ({ socket }) => {
    // The server's own handlers and time limits no longer apply to the connection.
    socket.on('error', () => socket.destroy())
    endWith(socket, 400, 'CONNECT is not supported')
    socket.destroySoon()
  })
}

/** Node's parser also reads HTTP/0.9 and HTTP/2.0 in this form, which they do not have. */
const VERSIONS = ['1.1', '1.0']

/**
 * Closes a connection whose request is of another version of HTTP, or uses an unknown transfer encoding, or one that its version does not have: Node
 * would read the body as the next request, or as chunks, and a proxy in front of it perhaps not. Source: RFC 9110 2.5; RFC 9112 6.1, 6.3.
 */
export function refuseUnknownFraming(app: FastifyInstance): void {
  app.addHook('onRequest', (request, reply, done) => {
    if (hasKnownFraming(request.raw)) return done()
    reply.code(400).hijack()
    refuseUnreadable(new Error('the framing is not supported'), request.raw.socket, reply.raw)
  })
}

function hasKnownFraming({ httpVersion, headers }: IncomingMessage): boolean {
  const encoding = headers['transfer-encoding']
  if (encoding === undefined) return VERSIONS.includes(httpVersion)
  return encoding.toLowerCase() === 'chunked' && httpVersion === '1.1'
}
