// The address of an image's bytes: an own operation that needs no access token, because the address is the permission.
// decisions/0005-images.md
import type { FastifyRequest } from 'fastify'
import type { Act } from '../../audit/act.ts'
import type { Deps } from '../../deps.ts'
import { forbidden } from '../../errors.ts'
import type { Actor } from '../../http/endpoint.ts'

export const CONTENT_PATH = '/anteroom/v1/images/:id/content'

/** What one signed URL permits: reading the bytes of this image, and sending them once. */
export interface ContentGrant {
  organizationId: string
  /** Whoever was shown the URL; an upload through it is theirs. */
  userId: string
  imageId: string
  /** The version that was shown: an upload since then has used up the permission to send. */
  version: number
  /** The call that has come by it, for the audit trail. */
  act?: Act
}

/** Who acts through a signed URL: the user whom it was shown, and no client. */
export function actorOf({ organizationId, userId, act }: ContentGrant): Actor {
  return { organizationId, userId, clientId: 'signed URL', ...(act && { act }) }
}

/** A URL for PUT and GET, good for IMAGE_URL_LIFETIME_SECONDS. Source: rules.md 9. */
export function signContentUrl(
  deps: Deps,
  call: { actor: Actor; request: Pick<FastifyRequest, 'host' | 'protocol'> },
  shown: { id: string; version: number },
): string {
  const { organizationId: organization, userId: user } = call.actor
  const version = String(shown.version)
  const expires = String(Math.floor(deps.now().getTime() / 1000) + deps.config.IMAGE_URL_LIFETIME_SECONDS)
  const signature = deps.vault.sign(signedText([shown.id, organization, user, version, expires]))
  const query = new URLSearchParams({ organization, user, version, expires, signature })
  return `${publicAddress(deps, call.request)}${CONTENT_PATH.replace(':id', shown.id)}?${query}`
}

/**
 * What the URL of this request permits.
 * @throws 403 for a URL that was guessed or changed in any part, and for one that has expired.
 */
export function readContentGrant(deps: Deps, request: Pick<FastifyRequest, 'params' | 'query'>): ContentGrant {
  const query = request.query as Record<string, unknown>
  const text = (name: string) => (typeof query[name] === 'string' ? query[name] : '')
  const { id } = request.params as { id: string }
  const parts = [id, text('organization'), text('user'), text('version'), text('expires')] as const
  if (!deps.vault.isSigned(signedText(parts), text('signature'))) throw forbidden('this is no signed URL of ours')
  const [imageId, organizationId, userId, version, expires] = parts
  if (deps.now().getTime() >= Number(expires) * 1000) {
    throw forbidden('this URL has expired: read the image again for another')
  }
  return { imageId, organizationId, userId, version: Number(version) }
}

/** Every part as it stands in the URL, told apart whatever it holds, under a name of its own: no other signature of ours fits. */
function signedText(
  parts: readonly [id: string, organization: string, user: string, version: string, expires: string],
) {
  return JSON.stringify(['image content', ...parts])
}

const HOST = /^[\w.-]+(:\d+)?$|^\[[\da-f:.]+\](:\d+)?$/i

/** PUBLIC_URL, else the address that the caller itself has used. */
function publicAddress({ config }: Deps, { host, protocol }: Pick<FastifyRequest, 'host' | 'protocol'>): string {
  if (config.PUBLIC_URL !== undefined) return config.PUBLIC_URL.replace(/\/+$/, '')
  return `${protocol}://${HOST.test(host) ? host : `${config.HOST}:${config.PORT}`}`
}
