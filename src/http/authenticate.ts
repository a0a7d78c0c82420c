import type { FastifyInstance } from 'fastify'
import { unauthorized } from '../errors.ts'
import type { Actor } from './endpoint.ts'

// The scheme's case does not matter. Source: RFC 9110 11.1; RFC 6750 2.1.
const BEARER = /^Bearer +([A-Za-z0-9\-._~+/]+=*)$/i

/** Sets `request.actor` from the access token before a body is read; operations declared public pass without one. */
export function authenticateRequests(app: FastifyInstance, verify: (token: string) => Promise<Actor>): void {
  app.decorateRequest('actor')
  app.addHook('onRequest', async (request) => {
    if (request.is404 || request.routeOptions.config.access !== 'client') return
    const token = BEARER.exec(request.headers.authorization ?? '')?.[1]
    if (token === undefined) throw unauthorized('send an access token: Authorization: Bearer <token>')
    request.actor = await verify(token)
  })
}
