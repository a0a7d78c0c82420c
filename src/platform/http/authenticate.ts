import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Actor } from '../../contract/actor.ts'
import { insufficientScope, invalidToken, unauthorized } from '../../contract/errors.ts'
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

/** Sets `request.actor` at once for a token that was verified a moment ago, so that the request counts for its organization from the first. */
export function recogniseClients(app: FastifyInstance, tokens: TokenVerifier): void {
  app.decorateRequest('actor')
  app.decorateRequest('scopes')
  app.addHook('onRequest', (request, _reply, done) => {
    const token = isForClients(request) && bearerToken(request)
    const recalled = token ? tokens.recall(token) : undefined
    if (recalled) enter(request, recalled)
    done()
  })
}

/** Sets `request.actor` from the access token before a body is read; operations declared public pass without one. */
export function authenticateRequests(app: FastifyInstance, tokens: TokenVerifier): void {
  app.addHook('onRequest', (request, _reply, done) => {
    if (!isForClients(request) || request.actor) return done()
    const token = bearerToken(request)
    if (token === undefined) return done(refuseWithoutToken(request.headers.authorization ?? ''))
    tokens.verify(token).then((admission) => {
      enter(request, admission)
      done(request.admitAsClient())
    }, done)
  })
}

const isForClients = (request: FastifyRequest) => !request.is404 && request.routeOptions.config.access === 'client'

export const bearerToken = ({ headers }: FastifyRequest) => BEARER.exec(headers.authorization ?? '')?.[1]

function enter(request: FastifyRequest, { actor, scopes }: Admission) {
  request.actor = actor
  request.scopes = scopes
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
