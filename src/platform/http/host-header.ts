import type { FastifyInstance } from 'fastify'
import { badRequest, invalidContentType } from '../../contract/errors.ts'
import { HEADERS_MAX } from './limits/connection-limits.ts'
import { hasTooManyParameters, PARAMETERS_MAX } from './paths.ts'

/** A name or an IP address, an IPv6 address in brackets, and a port. */
const HOST = /^(?:[\w.-]{1,255}|\[[\da-f:.]{2,45}\])(?::\d{1,5})?$/i

/** Whether the text has the form of a Host header. Source: RFC 9110 7.2. */
export const isHost = (text: string): boolean => HOST.test(text)

/**
 * Refuses a request that names its host twice, not at all or in an invalid form, because a proxy and this service could
 * disagree on the host. HTTP/1.0 may omit it. Also refuses one with so many headers that Node would drop some. Source: RFC 9112 3.2.
 */
export function requireOneHost(app: FastifyInstance): void {
  app.addHook('onRequest', (request, reply, done) => {
    const { rawHeaders, httpVersion } = request.raw
    // Node keeps this many and hides the others, such as a second Host.
    if (rawHeaders.length >= 2 * HEADERS_MAX) {
      reply.header('connection', 'close')
      return done(badRequest(`a request must have fewer than ${HEADERS_MAX} headers`))
    }
    const { host } = request.headers
    const isRight = host === undefined ? httpVersion === '1.0' : countOf('host', rawHeaders) === 1 && isHost(host)
    if (isRight) return done()
    // Further requests on this connection cannot be trusted either.
    reply.header('connection', 'close')
    done(badRequest('a request must have exactly one valid Host header'))
  })
}

/** Node passes on only the first of these headers, while a proxy may have decided by the last. */
const SINGLE = ['authorization', 'content-type'] as const

/** Refuses a request that names its caller or its content type twice, a body that is compressed, and a URL of too many parameters. */
export function requirePlainRequests(app: FastifyInstance): void {
  app.addHook('onRequest', (request, _reply, done) => {
    const { rawHeaders } = request.raw
    if (hasTooManyParameters(request.originalUrl))
      return done(badRequest(`a URL has at most ${PARAMETERS_MAX} parameters`))
    const repeated = SINGLE.find((name) => countOf(name, rawHeaders) > 1)
    if (repeated) return done(badRequest(`a request must have only one ${repeated} header`))
    const encoding = request.headers['content-encoding']?.trim().toLowerCase()
    if (encoding !== undefined && encoding !== '' && encoding !== 'identity') {
      return done(invalidContentType('the body must not be compressed (Content-Encoding)'))
    }
    done()
  })
}

function countOf(name: string, rawHeaders: readonly string[]): number {
  let count = 0
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const each = rawHeaders[index] as string
    if (each.length === name.length && each.toLowerCase() === name) count++
  }
  return count
}
