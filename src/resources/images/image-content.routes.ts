// The operations behind `signed_url`, in addition to the published interface: bytes in, bytes out, no access token.

import type { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { badRequest, payloadTooLarge, WireError } from '../../contract/errors.ts'
import type { Deps } from '../../deps.ts'
import { unread } from '../../platform/http/endpoint.ts'
import { image } from './image.ts'
import { type ImageContent, openContent, readContentFacts, receiveContent } from './image-content.ts'
import { checkIfMatch, checkUpload, isNamed } from './preconditions.ts'
import { actorOf, CONTENT_PATH, type ContentGrant, readContentGrant, requirePermission } from './signed-url.ts'

type Needs = Pick<Deps, 'config' | 'database' | 'tokens' | 'sessions' | 'vault' | 'storage' | 'now' | 'newId'>

const FILE_NAME_MAX = 100
const addresses = { id: image }

/** A plugin for a scope of its own: it removes the parsers of content types, so that bodies arrive as streams. */
export const imageContentRoutes = (deps: Needs) => async (scope: FastifyInstance) => {
  scope.removeAllContentTypeParsers()
  // Any content type, or none: the type is detected from the bytes. Fastify refuses one without a slash before the
  // parser runs, and a client may declare its `file_type`, which is any text (rules.md 9). The body is not read before
  // the URL has been checked.
  scope.addHook('onRequest', async ({ raw }) => {
    raw.headers['content-type'] = undefined
  })
  scope.addContentTypeParser('*', async (_request: FastifyRequest, payload: Readable) => payload)

  scope.put(
    CONTENT_PATH,
    { config: { operation: 'images.uploadContent', addresses, streamsBody: true } },
    async (request, reply) => {
      const grant = await admit(deps, request, 'write')
      const { IMAGE_MAX_BYTES: limit } = deps.config
      if (Number(request.headers['content-length'] ?? 0) > limit) throw payloadTooLarge(limit)
      const { 'if-match': ifMatch, 'if-none-match': ifNoneMatch } = request.headers
      checkUpload(request.headers, (ifMatch ?? ifNoneMatch) === undefined ? undefined : await currentTag(deps, grant))
      if (!request.body) throw badRequest('the body is empty: send the image')
      await receiveContent(deps, grant, request.body as Readable)
      return reply.header('content-length', 0).send()
    },
  )

  scope.get(CONTENT_PATH, { config: { operation: 'images.readContent', addresses } }, async (request, reply) => {
    const grant = await admit(deps, request, 'read')
    const content = await readContentFacts(deps, grant)
    const etag = tagOf(content)
    reply.headers({ etag, 'cache-control': 'private, no-cache' })
    checkIfMatch(request.headers, etag)
    if (isNamed(request.headers['if-none-match'], etag)) return reply.code(304).send()
    const bytes = await openContent(deps, grant, content)
    return describe(reply, content).send(request.method === 'HEAD' ? unread(bytes) : bytes)
  })
}

const tagOf = ({ uploadId }: ImageContent) => `"${uploadId}"`

/** The entity tag of the bytes that are there. */
async function currentTag(deps: Needs, grant: ContentGrant): Promise<string | undefined> {
  const content = await readContentFacts(deps, grant).catch((error) => {
    if (error instanceof WireError && error.status === 404) return undefined
    throw error
  })
  return content && tagOf(content)
}

/** Checks the permission that the URL grants; the log line names its organization. @throws 403. */
async function admit(deps: Needs, request: FastifyRequest, wanted: 'read' | 'write'): Promise<ContentGrant> {
  const grant = {
    ...readContentGrant(deps, request),
    ...(request.auditContext && { auditContext: request.auditContext }),
  }
  request.actor = actorOf(grant)
  await requirePermission(deps, grant, wanted)
  const refusal = request.admitAsClient()
  if (refusal) throw refusal
  return grant
}

function describe(reply: FastifyReply, { contentType, sizeBytes, fileName }: ImageContent): FastifyReply {
  // A PDF may contain scripts and forms, which must not appear to come from this service; pictures contain none.
  const disposition = contentType === 'application/pdf' ? 'attachment' : 'inline'
  const name = encodeURIComponent([...fileName].slice(0, FILE_NAME_MAX).join('')).replaceAll(/['()*]/g, escapeCharacter)
  return reply.headers({
    'content-type': contentType,
    'content-length': sizeBytes,
    'content-disposition': `${disposition}; filename*=UTF-8''${name}`,
    'x-content-type-options': 'nosniff',
    // The URL is the permission, so a page of another origin that has the URL may show the picture.
    'cross-origin-resource-policy': 'cross-origin',
  })
}

/**
 * Escapes the characters that encodeURIComponent keeps but an extended parameter must not contain. Source: RFC 8187
 * 3.2.1.
 */
const escapeCharacter = (character: string) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`
