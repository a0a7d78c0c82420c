import type { FastifyInstance } from 'fastify'
import { atCallEnd } from '../http/call-end.ts'
import { type RequestContext, runInContext } from './request-context.ts'
import type { ActiveSpan, Tracing } from './tracing.ts'

/**
 * Gives every call its context and its span, and returns the request id to the caller. It runs after `auditRequests`,
 * which creates the id.
 */
export function followRequests(app: FastifyInstance, tracing: Tracing): void {
  app.decorateRequest('callContext', null)
  app.addHook('onRequest', (request, reply, done) => {
    const { operation } = request.routeOptions.config
    const parent = request.headers.traceparent
    const span =
      operation === undefined ? undefined : tracing.begin(operation, typeof parent === 'string' ? parent : undefined)
    const requestId = request.auditContext?.requestId
    if (requestId !== undefined) reply.header('x-request-id', requestId)
    // Without traces the context is not used, and following it through every promise costs a read a fifth of its time.
    if (!span) return done()
    request.callContext = { requestId, traceparent: span.traceparent, span }
    runInContext(request.callContext, done)
  })
  // The body arrives in the context of its connection, so the context of the call is entered again.
  app.addHook('preValidation', (request, _reply, done) => {
    if (request.callContext) runInContext(request.callContext, done)
    else done()
  })
  atCallEnd(app, (request, reply) => {
    request.callContext?.span.end(
      { 'http.request.method': request.method, 'http.response.status_code': reply.statusCode },
      reply.statusCode >= 500,
    )
  })
}

declare module 'fastify' {
  interface FastifyRequest {
    callContext: (RequestContext & { span: ActiveSpan }) | null
  }
}
