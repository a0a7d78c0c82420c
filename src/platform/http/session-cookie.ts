// The session of a person in a browser: how a request carries it, and what keeps other pages from using it.
// Source: RFC 6265; OWASP Cross-Site Request Forgery Prevention Cheat Sheet; decisions/0045-people-and-sessions.md.
import { createHmac } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { forbidden } from '../../contract/errors.ts'
import { isEqual } from '../crypto/constant-time.ts'

export const SESSION_COOKIE = 'anteroom_session'
export const CSRF_HEADER = 'x-csrf-token'
/** In a call that a page makes while nobody uses it: such a call does not extend the session. */
export const UNATTENDED_HEADER = 'x-unattended'

/** In place of a value: the browser drops the cookie. Source: RFC 6265 5.2.2. */
const REMOVED = '; Max-Age=0'

/** Reads, writes and verifies the session of a browser. */
export interface BrowserSessions {
  /** The session token in the request, if any. */
  read(request: FastifyRequest): string | undefined
  set(request: FastifyRequest, reply: FastifyReply, token: string): void
  clear(request: FastifyRequest, reply: FastifyReply): void
  /** Another cookie of the service, under the same rules. */
  readCookie(request: FastifyRequest, name: string): string | undefined
  setCookie(request: FastifyRequest, reply: FastifyReply, name: string, value: string): void
  clearCookie(request: FastifyRequest, reply: FastifyReply, name: string): void
  /** A cookie that browsers also send when another site's page leads here. */
  setVisitCookie(request: FastifyRequest, reply: FastifyReply, name: string, value: string): void
  clearVisitCookie(request: FastifyRequest, reply: FastifyReply, name: string): void
  /** @throws UnauthorizedError (403) for a call with this session's cookie that may come from another site's page. */
  requireOwnPage(request: FastifyRequest, token: string): void
  /** The same for a call without a session: browsers state its origin. @throws UnauthorizedError (403) */
  requireSameOrigin(request: FastifyRequest): void
  /** The same, and also accepts a URL that the user typed. @throws UnauthorizedError (403) */
  requireOwnVisit(request: FastifyRequest): void
}

/** `publicUrl` is the address that browsers use, for a proxy that does not forward it. */
export function openBrowserSessions(publicUrl: string | undefined): BrowserSessions {
  const isPublicOverTls = publicUrl?.startsWith('https:') === true
  const isOverTls = ({ protocol }: FastifyRequest) => isPublicOverTls || protocol === 'https'
  /** Over TLS, a name that no other host, subdomain or plain connection can set. Source: RFC 6265bis 4.1.3.2. */
  const nameOf = (request: FastifyRequest, name: string) => (isOverTls(request) ? `__Host-${name}` : name)
  const writer =
    (sameSite: 'Strict' | 'Lax') => (request: FastifyRequest, reply: FastifyReply, name: string, value: string) =>
      reply.header(
        'set-cookie',
        `${nameOf(request, name)}=${value}; Path=/; HttpOnly; SameSite=${sameSite}${isOverTls(request) ? '; Secure' : ''}`,
      )
  const write = writer('Strict')
  const writeLax = writer('Lax')
  const clearCookie = (request: FastifyRequest, reply: FastifyReply, name: string) =>
    write(request, reply, name, REMOVED)

  function isOwnOrigin(request: FastifyRequest, isSafe: boolean): boolean {
    const { origin, 'sec-fetch-site': site } = request.headers
    // A URL that a person typed comes from no page.
    if (site !== undefined) return site === 'same-origin' || (isSafe && site === 'none')
    if (origin === undefined) return true
    const host = hostOf(origin)
    return (
      host !== undefined && (host === hostOf(`${request.protocol}://${request.host}`) || host === hostOf(publicUrl))
    )
  }

  function requireOwnOrigin(request: FastifyRequest, isSafe: boolean): void {
    if (!isOwnOrigin(request, isSafe)) throw forbidden('this call is from a page of another origin')
  }

  return {
    read: (request) => cookieOf(request, nameOf(request, SESSION_COOKIE)),
    // Without a maximum age: the browser drops it when it closes, and the server ends the session.
    set: (request, reply, token) => write(request, reply, SESSION_COOKIE, token),
    clear: (request, reply) => clearCookie(request, reply, SESSION_COOKIE),
    readCookie: (request, name) => cookieOf(request, nameOf(request, name)),
    setCookie: write,
    clearCookie,
    setVisitCookie: writeLax,
    clearVisitCookie: (request, reply, name) => writeLax(request, reply, name, REMOVED),
    requireOwnPage(request, token) {
      const isSafe = onlyReads(request)
      requireOwnOrigin(request, isSafe)
      if (isSafe || isSame(request.headers[CSRF_HEADER], csrfTokenOf(token))) return
      throw forbidden(`send the csrf_token of the session in the header ${CSRF_HEADER}`)
    },
    requireSameOrigin: (request) => requireOwnOrigin(request, false),
    requireOwnVisit: (request) => requireOwnOrigin(request, true),
  }
}

/**
 * Only pages of the service can know this value: scripts cannot read the cookie, and other origins cannot read
 * responses.
 */
export const csrfTokenOf = (token: string): string => createHmac('sha256', token).update('csrf').digest('base64url')

/**
 * True for calls that only read, judged by their scope, because some GETs ask a payer. Other origins cannot read their
 * responses.
 */
function onlyReads({ method, routeOptions }: FastifyRequest): boolean {
  const { scope } = routeOptions.config
  return /^(GET|HEAD)$/.test(method) && !scope?.endsWith(':write')
}

function isSame(sent: string | string[] | undefined, expected: string): boolean {
  return isEqual(Buffer.from(String(sent)), Buffer.from(expected))
}

function cookieOf({ headers }: FastifyRequest, name: string): string | undefined {
  const pairs = headers.cookie?.split(';').map((pair) => pair.trim()) ?? []
  return pairs.find((pair) => pair.startsWith(`${name}=`))?.slice(name.length + 1)
}

function hostOf(url: string | undefined): string | undefined {
  return url !== undefined && URL.canParse(url) ? new URL(url).host : undefined
}
