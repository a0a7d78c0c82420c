import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import {
  badRequest,
  databaseBusy,
  internal,
  invalidContentType,
  methodNotAllowed,
  notFound,
  unavailable,
  WireError,
} from '../../contract/errors.ts'
import { DatabaseBusy, isConnectionFailure, isTransientDatabaseError } from '../database/errors.ts'
import { describeFailure, isFileFailure } from '../known-failure.ts'
import { CALLER_GONE_STATUS, CallerGone } from './caller-gone.ts'

const UNAVAILABLE = 503

/** Every failure is sent in the declared envelope with a JSON content type, also for unknown routes and methods. */
export function renderErrors(app: FastifyInstance): void {
  const allowedMethods = methodsByPath(app)

  app.setErrorHandler((error: FastifyError | Error, request, reply) => {
    if (error instanceof CallerGone) return reply.code(CALLER_GONE_STATUS).send()
    const wire = toWireError(error)
    // Refusals for lack of room have no cause: there is nothing to investigate, and there may be very many.
    if (wire.status >= 500 && wire.cause !== undefined) {
      const line = { operation: request.routeOptions.config.operation, error: trace(originOf(error)) }
      // An error is a defect of this program; that the database or a storage is unavailable is not.
      if (wire.status === UNAVAILABLE) request.log.warn(line, wire.message)
      else request.log.error(line, wire.message)
    }
    return send(reply, wire)
  })
  const refusalOf = ({ url }: FastifyRequest) => {
    const allowed = allowedMethods(url)
    return allowed.length > 0 ? methodNotAllowed(allowed) : notFound('address')
  }
  app.setNotFoundHandler((request: FastifyRequest, reply) => send(reply, refusalOf(request)))
  // Before anything is read or counted.
  app.addHook('onRequest', (request, _reply, done) => done(request.is404 ? refusalOf(request) : undefined))
}

/** Sends the envelope as bytes, for errors that never reach a route (a malformed URL). */
export function send(reply: FastifyReply, error: WireError) {
  const body = JSON.stringify({ errorName: error.errorName, content: error.content })
  return reply
    .code(error.status)
    .headers(error.headers)
    .header('content-type', 'application/json; charset=utf-8')
    .send(body)
}

/** What a caller gets for any error: 503 when the database is unavailable or busy, 500 for an unexpected one. The cause is kept for the log. */
export function toWireError(error: Error & { statusCode?: number }): WireError {
  if (error instanceof WireError) return error
  if (error instanceof DatabaseBusy) return databaseBusy(error)
  // Files have the same codes as connections.
  if (isFileFailure(error)) return unavailable('a file of the service cannot be used: try again', error)
  if (isConnectionFailure(error)) return unavailable('the database is unavailable: try again', error)
  if (isTransientDatabaseError(error)) return unavailable('the database cannot process this now: try again', error)
  const status = error.statusCode
  // Fastify's own refusals: an invalid content type, a malformed URL, a bad content-length, an aborted body.
  if (status === 415) return invalidContentType('the content type is malformed')
  if (status !== undefined && status >= 400 && status < 500) return badRequest('the request is malformed', error)
  return internal(error)
}

/** What a 503 of the service was made from: a full disk, descriptors that are used up. */
const originOf = (error: Error): Error =>
  error instanceof WireError && error.cause instanceof Error ? originOf(error.cause) : error

/** Names and positions, not messages: a driver's message can quote the value that it refused. */
function trace(error: Error & { constraint?: string }): object {
  const places = error.stack?.split('\n').filter((line) => line.trimStart().startsWith('at '))
  return {
    type: error.name,
    ...describeFailure(error),
    constraint: error.constraint,
    at: places?.slice(0, 8).map((line) => line.trim()),
  }
}

function methodsByPath(app: FastifyInstance): (url: string) => string[] {
  const routes: { pattern: RegExp; method: string }[] = []
  app.addHook('onRoute', ({ url, method }) => {
    const pattern = new RegExp(`^${url.replaceAll('.', '\\.').replaceAll(/:\w+/g, '[^/]+')}$`)
    for (const each of [method].flat()) if (each !== 'HEAD') routes.push({ pattern, method: each })
  })
  return (url) => {
    const path = url.split('?', 1)[0] ?? ''
    return [...new Set(routes.filter((route) => route.pattern.test(path)).map((route) => route.method))]
  }
}
