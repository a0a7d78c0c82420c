import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Actor } from '../../contract/actor.ts'
import { forbidden, insufficientScope, invalidToken, unauthorized } from '../../contract/errors.ts'
import { permits, type Scopes } from './scopes.ts'
import { type BrowserSessions, UNATTENDED_HEADER } from './session-cookie.ts'

// The scheme is case-insensitive. Source: RFC 9110 11.1; RFC 6750 2.1.
const BEARER = /^Bearer +([A-Za-z0-9\-._~+/]+=*)$/i
const BEARER_OF_ANYTHING = /^Bearer\s+\S/i

/** The authenticated caller, and what it may currently do. */
export interface Admission {
  actor: Actor
  scopes: Scopes
  /** True for a person who was given a password and must choose a new one first. */
  mustChangePassword?: boolean
}

/** Verifies a credential; `recall` answers immediately for one that was just verified. */
interface CredentialVerifier {
  recall(token: string): Admission | undefined
  /**
   * The organization of a credential that was verified before, whether or not it is still valid: whose places and turns the request takes while
   * it is verified again.
   */
  organizationOf(token: string): string | undefined
  /** `isUse`: whether this is a new call, and not one that continues. */
  verify(token: string, isUse?: boolean): Promise<Admission>
}

/** The two kinds of credentials: an access token, or the session of a person in a browser. */
interface Verifiers {
  tokens: CredentialVerifier
  sessions: CredentialVerifier
  browser: BrowserSessions
}

interface Credential {
  verifier: CredentialVerifier
  token: string
  isSession: boolean
}

/**
 * Sets `request.actor` at once for a credential that was verified a moment ago, and `request.countsFor` for any that was verified before, so that
 * the request counts for its organization from the start. Otherwise one call every few seconds of each client would wait among strangers.
 */
export function recognizeClients(app: FastifyInstance, verifiers: Verifiers): void {
  app.decorateRequest('actor')
  app.decorateRequest('countsFor')
  app.decorateRequest('scopes')
  app.decorateRequest('credential')
  app.decorateRequest('mustChangePassword', false)
  app.decorateRequest('verifyAgain', function verifyAgain(this: FastifyRequest) {
    const credential = credentialOf(this, verifiers)
    return credential ? credential.verifier.verify(credential.token, false) : Promise.reject(refuse(this))
  })
  app.addHook('onRequest', (request, _reply, done) => {
    if (!isGuarded(request)) return done()
    const credential = credentialOf(request, verifiers)
    request.credential = credential
    const recalled = credential?.verifier.recall(credential.token)
    if (recalled) enter(request, recalled)
    request.countsFor = recalled?.actor.organizationId ?? credential?.verifier.organizationOf(credential.token)
    done()
  })
}

/** Sets `request.actor` from the credential before a body is read; operations declared public pass without one. */
export function authenticateRequests(app: FastifyInstance, verifiers: Verifiers): void {
  app.addHook('onRequest', (request, _reply, done) => {
    if (!isGuarded(request)) return done()
    const { credential } = request
    if (!credential) return done(refuse(request))
    const { verifier, token, isSession } = credential
    const admit = () => (isSession ? refusalOf(() => verifiers.browser.requireOwnPage(request, token)) : undefined)
    if (request.actor) return done(admit())
    verifier.verify(token, isUse(request)).then((admission) => {
      enter(request, admission)
      done(admit() ?? request.admitAsClient())
    }, done)
  })
}

/** Whether a person has made the call, as far as the page knows. */
const isUse = ({ routeOptions, headers }: FastifyRequest) =>
  routeOptions.config.prolongsSession !== false && headers[UNATTENDED_HEADER] === undefined

const isGuarded = ({ is404, routeOptions }: FastifyRequest) =>
  !is404 && routeOptions.config.access !== undefined && routeOptions.config.access !== 'public'

/** A request with an Authorization header is authenticated by that header alone: its cookie is ignored. */
function credentialOf(request: FastifyRequest, { tokens, sessions, browser }: Verifiers): Credential | undefined {
  const isOfSession = request.routeOptions.config.access === 'session'
  if (request.headers.authorization !== undefined) {
    const token = bearerToken(request)
    return token === undefined || isOfSession ? undefined : { verifier: tokens, token, isSession: false }
  }
  const token = browser.read(request)
  return token === undefined ? undefined : { verifier: sessions, token, isSession: true }
}

function refusalOf(check: () => void): Error | undefined {
  try {
    check()
    return undefined
  } catch (error) {
    return error as Error
  }
}

const bearerToken = ({ headers }: FastifyRequest) => BEARER.exec(headers.authorization ?? '')?.[1]

function enter(request: FastifyRequest, { actor, scopes, mustChangePassword = false }: Admission) {
  request.actor = actor
  request.scopes = scopes
  request.mustChangePassword = mustChangePassword
}

/** Refuses operations whose scope the client lacks, before a body is read; `authenticateRequests` has run. */
export function authorizeRequests(app: FastifyInstance): void {
  app.addHook('onRequest', (request, _reply, done) => {
    const { scope } = request.routeOptions.config
    if (request.is404 || scope === undefined || permits(request.scopes, scope)) return done()
    done(request.mustChangePassword ? passwordFirst() : insufficientScope(scope))
  })
}

export const passwordFirst = () => forbidden('choose a new password first')

/** Without an error code when no token was sent. Source: RFC 6750 3.1. */
function refuse({ headers, routeOptions }: FastifyRequest): Error {
  if (routeOptions.config.access === 'session')
    return unauthorized('sign in: this operation is for users, not for API clients')
  const message = 'send an access token: Authorization: Bearer <token>'
  return BEARER_OF_ANYTHING.test(headers.authorization ?? '') ? invalidToken(message) : unauthorized(message)
}

declare module 'fastify' {
  interface FastifyRequest {
    /** The organization whose places and turns it takes; undefined for a stranger. */
    countsFor: string | undefined
    scopes: Scopes
    /** What the caller is authenticated by, for operations that are not public. */
    credential: Credential | undefined
    mustChangePassword: boolean
    /** Whether the caller is still authenticated, and what it may do by now. @throws UnauthorizedError */
    verifyAgain(): Promise<Admission>
  }
}
