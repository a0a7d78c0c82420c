import type { FastifyInstance } from 'fastify'
import { isUuid } from './formats.ts'

/**
 * One line a request: which operation, which record, who, with which outcome. Never a body, a query or an address as the
 * client wrote it: an MRN is a path parameter here.
 */
export function auditRequests(app: FastifyInstance): void {
  app.addHook('onResponse', (request, reply, done) => {
    done()
    const { operation } = request.routeOptions.config
    const id = (request.params as { id?: string } | undefined)?.id
    request.log.info({
      operation: operation ?? 'unknown',
      method: request.method,
      status: reply.statusCode,
      ms: Math.round(reply.elapsedTime * 10) / 10,
      record: id !== undefined && isUuid(id) ? id : undefined,
      organization: request.actor?.organizationId,
      client: request.actor?.clientId,
    })
  })
}
