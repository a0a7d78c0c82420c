// The URL of an image's bytes: an Anteroom operation that needs no access token, because the signed URL is the
// permission. decisions/0005-images.md, decisions/0016-bound-ciphertexts-links-and-tokens.md
import type { FastifyRequest } from 'fastify'
import type { Actor, AuditContext } from '../../contract/actor.ts'
import { forbidden } from '../../contract/errors.ts'
import type { Deps } from '../../deps.ts'
import { isHost } from '../../platform/http/host-header.ts'
import { permits } from '../../platform/http/scopes.ts'

type Needs = Pick<Deps, 'config' | 'tokens' | 'sessions' | 'vault' | 'now'>

export const CONTENT_PATH = '/anteroom/v1/images/:id/content'
const READ = 'images:read'
const WRITE = 'images:write'

/** A GET, or the one PUT of an upload as well. */
type Access = 'read' | 'write'

/** The permission that one signed URL grants, and the caller it was issued to. */
export interface ContentGrant {
  organizationId: string
  /** The client or session that the URL was issued to: when it loses a permission, the URL loses it too. */
  clientId: string | undefined
  sessionId: string | undefined
  /** The user of that client or session; an upload through the URL is made on this user's behalf. */
  userId: string
  access: Access
  imageId: string
  /** The version when the URL was issued: an upload since then has used up the permission to upload. */
  version: number
  /** The audit context of the request that uses the URL. */
  auditContext?: AuditContext
}

/** The actor of a request with a signed URL: the caller that the URL was issued to. */
export function actorOf({ organizationId, userId, clientId, sessionId, auditContext }: ContentGrant): Actor {
  return {
    organizationId,
    userId,
    ...(clientId !== undefined && { clientId }),
    ...(sessionId !== undefined && { sessionId }),
    ...(auditContext && { auditContext }),
  }
}

const PARTS = ['organization', 'client', 'user', 'access', 'version', 'expires'] as const
/** Marks a person's session, where a client id would be. */
const OF_SESSION = 'session:'
type Part = (typeof PARTS)[number]

/**
 * A URL for GET, and for PUT where the client may write images; valid for IMAGE_URL_LIFETIME_SECONDS. One URL for both
 * is the interface's rule (rules.md 9).
 */
export function signContentUrl(
  deps: Needs,
  call: { actor: Actor; request: AddressedRequest & Pick<FastifyRequest, 'scopes'> },
  shown: { id: string; version: number },
): string {
  const { organizationId: organization, clientId, sessionId, userId: user } = call.actor
  const client = clientId ?? `${OF_SESSION}${sessionId}`
  const access: Access = permits(call.request.scopes, WRITE) ? 'write' : 'read'
  const version = String(shown.version)
  const expires = String(Math.floor(deps.now().getTime() / 1000) + deps.config.IMAGE_URL_LIFETIME_SECONDS)
  const parts = { organization, client, user, access, version, expires }
  const signature = deps.vault.sign(signedText(shown.id, parts))
  const query = new URLSearchParams({ ...parts, signature })
  return `${publicAddress(deps, call.request)}${CONTENT_PATH.replace(':id', shown.id)}?${query}`
}

/**
 * Verifies the URL of a request and returns the permission that it grants.
 * @throws 403 for a URL that was guessed or altered in any part, and for one that has expired.
 */
export function readContentGrant(deps: Needs, request: Pick<FastifyRequest, 'params' | 'query'>): ContentGrant {
  const query = request.query as Record<string, unknown>
  const text = (name: string) => (typeof query[name] === 'string' ? query[name] : '')
  const { id: imageId } = request.params as { id: string }
  const parts = Object.fromEntries(PARTS.map((name) => [name, text(name)])) as Record<Part, string>
  if (!deps.vault.isSigned(signedText(imageId, parts), text('signature'))) {
    throw forbidden('this URL has no valid signature')
  }
  if (deps.now().getTime() >= Number(parts.expires) * 1000) {
    throw forbidden('this URL has expired: read the image again to get a new one')
  }
  const isOfSession = parts.client.startsWith(OF_SESSION)
  return {
    imageId,
    organizationId: parts.organization,
    clientId: isOfSession ? undefined : parts.client,
    sessionId: isOfSession ? parts.client.slice(OF_SESSION.length) : undefined,
    userId: parts.user,
    access: parts.access === 'write' ? 'write' : 'read',
    version: Number(parts.version),
  }
}

/**
 * Both the URL and its client must permit the access: the URL as it was issued, and the client with its current scopes
 * (a few seconds old at most).
 * @throws 403 for a PUT with a URL that was issued for reading only, and for a client that was revoked or has lost the
 * scope.
 */
export async function requirePermission(deps: Needs, grant: ContentGrant, wanted: Access): Promise<void> {
  if (wanted === 'write' && grant.access !== 'write') {
    throw forbidden(`this URL is read-only: the client it was issued to lacks the scope ${WRITE}`)
  }
  const standing = await standingOf(deps, grant)
  if (!standing) throw forbidden('the client this URL was issued to has been revoked, or its user has signed out')
  const sufficient = wanted === 'write' ? [WRITE] : [WRITE, READ]
  if (!sufficient.some((scope) => permits(standing.scopes, scope))) {
    throw forbidden(`the client this URL was issued to lacks the scope ${sufficient.at(-1)}`)
  }
}

function standingOf(deps: Needs, { organizationId, clientId, sessionId }: ContentGrant) {
  if (sessionId !== undefined) return deps.sessions.standing({ organizationId, id: sessionId })
  return deps.tokens.standing(clientId ?? '')
}

/**
 * The text that is signed: every part of the URL in an unambiguous encoding, under a purpose that no other signature of
 * this service uses.
 */
const signedText = (id: string, parts: Record<Part, string>) =>
  JSON.stringify(['image content', id, ...PARTS.map((name) => parts[name])])

type AddressedRequest = Pick<FastifyRequest, 'host' | 'ips' | 'protocol' | 'headers' | 'raw'>

/**
 * PUBLIC_URL, otherwise the address that a trusted proxy forwards, otherwise the local address of the connection. Never
 * the caller's Host header: a forged one would make an image's link, which is the permission, point to a foreign host.
 */
function publicAddress({ config }: Pick<Needs, 'config'>, request: AddressedRequest): string {
  if (config.PUBLIC_URL !== undefined) return config.PUBLIC_URL.replace(/\/+$/, '')
  const { host, ips = [], protocol, headers, raw } = request
  // With more than one address, the peer is a trusted proxy and `host` is the forwarded host.
  const isForwarded = ips.length > 1 && headers['x-forwarded-host'] !== undefined && isHost(host)
  if (isForwarded) return `${protocol}://${host}`
  const { localAddress = config.HOST, localPort = config.PORT } = raw.socket
  const address = localAddress.replace(/^::ffff:(?=\d+\.)/, '')
  return `${protocol}://${address.includes(':') ? `[${address}]` : address}:${localPort}`
}
