import type { FastifyInstance } from 'fastify'
import { insufficientScope, invalidToken, unauthorized } from '../errors.ts'
import type { Actor } from './endpoint.ts'
import { permits, type Scopes } from './scopes.ts'

// The scheme's case does not matter. Source: RFC 9110 11.1; RFC 6750 2.1.
const BEARER = /^Bearer +([A-Za-z0-9\-._~+/]+=*)$/i
const BEARER_OF_ANYTHING = /^Bearer\s+\S/i

/** Who was let in, and what the client may do at present. */
export interface Admission {
  actor: Actor
  scopes: Scopes
}

/** What authentication needs of the token issuer; `recall` answers at once for a token that was just verified. */
export interface TokenVerifier {
  recall(token: string): Admission | undefined
  verify(token: string): Promise<Admission>
}

/** Sets `request.actor` from the access token before a body is read; operations declared public pass without one. */
export function authenticateRequests(app: FastifyInstance, tokens: TokenVerifier): void {
  app.decorateRequest('actor')
  app.decorateRequest('scopes')
  app.addHook('onRequest', (request, _reply, done) => {
    if (request.is404 || request.routeOptions.config.access !== 'client') return done()
    const authorization = request.headers.authorization ?? ''
    const token = BEARER.exec(authorization)?.[1]
    if (token === undefined) return done(refuseWithoutToken(authorization))
    const enter = ({ actor, scopes }: Admission) => {
      request.actor = actor
      request.scopes = scopes
      done()
    }
    const recalled = tokens.recall(token)
    if (recalled) enter(recalled)
    else tokens.verify(token).then(enter, done)
  })
}

/** Refuses what the client has no scope for, before a body is read; `authenticateRequests` has run. */
export function authoriseRequests(app: FastifyInstance): void {
  app.addHook('onRequest', (request, _reply, done) => {
    const { scope } = request.routeOptions.config
    if (request.is404 || scope === undefined || permits(request.scopes, scope)) return done()
    done(insufficientScope(scope))
  })
}

/** No error code where nothing that could be a token was sent. Source: RFC 6750 3.1. */
function refuseWithoutToken(authorization: string): Error {
  const message = 'send an access token: Authorization: Bearer <token>'
  return BEARER_OF_ANYTHING.test(authorization) ? invalidToken(message) : unauthorized(message)
}

declare module 'fastify' {
  interface FastifyRequest {
    scopes: Scopes
  }
}
