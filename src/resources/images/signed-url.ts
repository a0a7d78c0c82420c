// The address of an image's bytes: an own operation that needs no access token, because the address is the permission.
// decisions/0005-images.md, decisions/0016-bound-ciphertexts-links-and-tokens.md
import type { FastifyRequest } from 'fastify'
import type { Actor, AuditContext } from '../../contract/actor.ts'
import { forbidden } from '../../contract/errors.ts'
import type { Deps } from '../../deps.ts'
import { permits } from '../../platform/http/scopes.ts'

type Needs = Pick<Deps, 'config' | 'tokens' | 'sessions' | 'vault' | 'now'>

export const CONTENT_PATH = '/anteroom/v1/images/:id/content'
const READ = 'images:read'
const WRITE = 'images:write'

/** A GET, or the GET and the one PUT of an upload. */
type Access = 'read' | 'write'

/** What one signed URL permits, to whom. */
export interface ContentGrant {
  organizationId: string
  /** The client or the session that was shown the URL: what it may not do any more, the URL permits no longer. */
  clientId: string | undefined
  sessionId: string | undefined
  /** Its user; an upload through the URL is theirs. */
  userId: string
  access: Access
  imageId: string
  /** The version that was shown: an upload since then has used up the permission to send. */
  version: number
  /** The call that has come by it, for the audit trail. */
  auditContext?: AuditContext
}

/** Who acts through a signed URL: whoever was shown it. */
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
/** In the place of a client: the session of a person. */
const OF_SESSION = 'session:'
type Part = (typeof PARTS)[number]

/**
 * A URL for GET, and for PUT where the client may write images; good for IMAGE_URL_LIFETIME_SECONDS. One URL for both is the
 * interface's rule (rules.md 9).
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
 * What the URL of this request permits.
 * @throws 403 for a URL that was guessed or changed in any part, and for one that has expired.
 */
export function readContentGrant(deps: Needs, request: Pick<FastifyRequest, 'params' | 'query'>): ContentGrant {
  const query = request.query as Record<string, unknown>
  const text = (name: string) => (typeof query[name] === 'string' ? query[name] : '')
  const { id: imageId } = request.params as { id: string }
  const parts = Object.fromEntries(PARTS.map((name) => [name, text(name)])) as Record<Part, string>
  if (!deps.vault.isSigned(signedText(imageId, parts), text('signature'))) {
    throw forbidden('this is no signed URL of ours')
  }
  if (deps.now().getTime() >= Number(parts.expires) * 1000) {
    throw forbidden('this URL has expired: read the image again for another')
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
 * Both the URL and its client must permit what is done: the URL as it was given, the client as it stands now (a few seconds ago).
 * @throws 403 for a PUT by a URL that was shown to a reader, and for a client that was revoked or has lost the scope.
 */
export async function requirePermission(deps: Needs, grant: ContentGrant, wanted: Access): Promise<void> {
  if (wanted === 'write' && grant.access !== 'write') {
    throw forbidden(`this URL only reads: whoever was shown it has no scope ${WRITE}`)
  }
  const standing = await standingOf(deps, grant)
  if (!standing) throw forbidden('whoever was shown this URL has been revoked or has signed out')
  const sufficient = wanted === 'write' ? [WRITE] : [WRITE, READ]
  if (!sufficient.some((scope) => permits(standing.scopes, scope))) {
    throw forbidden(`whoever was shown this URL has no scope ${sufficient.at(-1)}`)
  }
}

function standingOf(deps: Needs, { organizationId, clientId, sessionId }: ContentGrant) {
  if (sessionId !== undefined) return deps.sessions.standing({ organizationId, id: sessionId })
  return deps.tokens.standing(clientId ?? '')
}

/** Every part as it stands in the URL, told apart whatever it holds, under a name of its own: no other signature of ours fits. */
const signedText = (id: string, parts: Record<Part, string>) =>
  JSON.stringify(['image content', id, ...PARTS.map((name) => parts[name])])

type AddressedRequest = Pick<FastifyRequest, 'host' | 'ips' | 'protocol' | 'headers' | 'raw'>

const HOST = /^[\w.-]+(:\d+)?$|^\[[\da-f:.]+\](:\d+)?$/i

/**
 * PUBLIC_URL, else what a trusted proxy says that its caller has used, else the address at which the request has arrived. Never the
 * caller's own Host: whoever forges it would have the link of an image, which is the permission, point to a host of theirs.
 */
function publicAddress({ config }: Pick<Needs, 'config'>, request: AddressedRequest): string {
  if (config.PUBLIC_URL !== undefined) return config.PUBLIC_URL.replace(/\/+$/, '')
  const { host, ips = [], protocol, headers, raw } = request
  // More than one address: the peer is a trusted proxy, and `host` what it forwards.
  const isForwarded = ips.length > 1 && headers['x-forwarded-host'] !== undefined && HOST.test(host)
  if (isForwarded) return `${protocol}://${host}`
  const { localAddress = config.HOST, localPort = config.PORT } = raw.socket
  const address = localAddress.replace(/^::ffff:(?=\d+\.)/, '')
  return `${protocol}://${address.includes(':') ? `[${address}]` : address}:${localPort}`
}
