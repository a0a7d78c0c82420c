// The address of an image's bytes: an own operation that needs no access token, because the address is the permission.
// decisions/0005-images.md
import type { FastifyRequest } from 'fastify'
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
  /** Seconds since 1970. */
  expiresAt: number
}

/** A URL for PUT and GET, good for IMAGE_URL_LIFETIME_SECONDS. Source: rules.md 9. */
export function signContentUrl(
  deps: Deps,
  call: { actor: Actor; request: Pick<FastifyRequest, 'host'> },
  shown: { id: string; version: number },
): string {
  const grant: ContentGrant = {
    organizationId: call.actor.organizationId,
    userId: call.actor.userId,
    imageId: shown.id,
    version: shown.version,
    expiresAt: Math.floor(deps.now().getTime() / 1000) + deps.config.IMAGE_URL_LIFETIME_SECONDS,
  }
  const query = new URLSearchParams({
    organization: grant.organizationId,
    user: grant.userId,
    version: String(grant.version),
    expires: String(grant.expiresAt),
    signature: deps.vault.sign(signedText(grant)),
  })
  return `${publicAddress(deps, call.request.host)}${CONTENT_PATH.replace(':id', shown.id)}?${query}`
}

/**
 * What the URL of this request permits.
 * @throws 403 for a URL that was guessed or changed in any part, and for one that has expired.
 */
export function readContentGrant(deps: Deps, request: Pick<FastifyRequest, 'params' | 'query'>): ContentGrant {
  const query = request.query as Record<string, unknown>
  const text = (name: string) => (typeof query[name] === 'string' ? query[name] : '')
  const grant: ContentGrant = {
    organizationId: text('organization'),
    userId: text('user'),
    imageId: (request.params as { id: string }).id,
    version: Number(text('version')),
    expiresAt: Number(text('expires')),
  }
  if (!deps.vault.isSigned(signedText(grant), text('signature'))) throw forbidden('this is no signed URL of ours')
  if (deps.now().getTime() >= grant.expiresAt * 1000) {
    throw forbidden('this URL has expired: read the image again for another')
  }
  return grant
}

/** Every part of the grant, told apart whatever it holds, under a name of its own: no other signature of ours fits. */
function signedText({ organizationId, userId, imageId, version, expiresAt }: ContentGrant): string {
  return JSON.stringify(['image content', organizationId, userId, imageId, version, expiresAt])
}

const HOST = /^[\w.-]+(:\d+)?$|^\[[\da-f:.]+\](:\d+)?$/i

/** PUBLIC_URL, else the address that the caller itself has used. */
function publicAddress({ config }: Deps, host: string): string {
  if (config.PUBLIC_URL !== undefined) return config.PUBLIC_URL.replace(/\/+$/, '')
  return `http://${HOST.test(host) ? host : `${config.HOST}:${config.PORT}`}`
}
