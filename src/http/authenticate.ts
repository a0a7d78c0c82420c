import type { FastifyInstance } from 'fastify'
import { unauthorized } from '../errors.ts'
import type { Actor } from './endpoint.ts'

// The scheme's case does not matter. Source: RFC 9110 11.1; RFC 6750 2.1.
const BEARER = /^Bearer +([A-Za-z0-9\-._~+/]+=*)$/i

/** What authentication needs of the token issuer; `recall` answers at once for a token that was just verified. */
export interface TokenVerifier {
  recall(token: string): Actor | undefined
  verify(token: string): Promise<Actor>
}

/** Sets `request.actor` from the access token before a body is read; operations declared public pass without one. */
export function authenticateRequests(app: FastifyInstance, tokens: TokenVerifier): void {
  app.decorateRequest('actor')
  app.addHook('onRequest', (request, _reply, done) => {
    if (request.is404 || request.routeOptions.config.access !== 'client') return done()
    const token = BEARER.exec(request.headers.authorization ?? '')?.[1]
    if (token === undefined) return done(unauthorized('send an access token: Authorization: Bearer <token>'))
    const enter = (actor: Actor) => {
      request.actor = actor
      done()
    }
    const recalled = tokens.recall(token)
    if (recalled) enter(recalled)
    else tokens.verify(token).then(enter, done)
  })
}
