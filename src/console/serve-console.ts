// The web console under /console, from the package. decisions/0046-serving-the-console.md
import { randomBytes } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { notFound } from '../contract/errors.ts'
import { PAGE_HEADERS } from '../platform/http/security-headers.ts'
import { publicPath } from '../platform/public-path.ts'
import type { ConsoleFiles } from './console-files.ts'

const PATH = '/console/'
const A_YEAR = 31_536_000
const NONCE_BYTES = 18

/**
 * Scripts and calls are limited to the same origin. A style may be inline when it has the nonce of this response, which
 * stored text cannot know. Nothing may frame the page. Source: Content Security Policy Level 3.
 */
const policyWith = (nonce: string) =>
  [
    `default-src 'none'`,
    `script-src 'self'`,
    `style-src 'self' 'nonce-${nonce}'`,
    `img-src 'self' data: blob:`,
    `font-src 'self'`,
    `connect-src 'self'`,
    `base-uri 'self'`,
    `form-action 'self'`,
    `frame-ancestors 'none'`,
  ].join('; ')

/**
 * Adds the routes of the console: its page, and its assets, which browsers keep for a year because their names change with their content.
 * Every path below /console/ gets the page, and the console shows the screen, unless it looks like a file. `publicUrl` may have a path of
 * its own.
 */
export function serveConsole(app: FastifyInstance, files: ConsoleFiles, publicUrl: string | undefined): void {
  const base = publicPath(publicUrl) + PATH
  app.get<{ Params: { name: string } }>(`${PATH}assets/:name`, async (request, reply) => {
    const asset = files.asset(request.params.name)
    if (!asset) throw notFound('File')
    const { bytes, encoding } = asset.read(acceptedEncodings(request.headers['accept-encoding']))
    if (encoding) reply.header('content-encoding', encoding)
    return reply
      .headers({ 'cache-control': `public, max-age=${A_YEAR}, immutable`, vary: 'Accept-Encoding' })
      .type(asset.type)
      .send(bytes)
  })
  const sendPage = async (request: FastifyRequest, reply: FastifyReply) => {
    // The path of a screen; a path that looks like a file is a missing file.
    if (request.url.split('?')[0]?.split('/').at(-1)?.includes('.')) throw notFound('File')
    const nonce = randomBytes(NONCE_BYTES).toString('base64')
    const page = files.index.replaceAll('__CONSOLE_BASE__', base).replaceAll('__CSP_NONCE__', nonce)
    return reply
      .headers({ ...PAGE_HEADERS, 'content-security-policy': policyWith(nonce) })
      .type('text/html; charset=utf-8')
      .send(page)
  }
  app.get('/console', sendPage)
  app.get(`${PATH}*`, sendPage)
}

/** Source: RFC 9110 12.5.3; a weight of zero refuses. */
function acceptedEncodings(header: string | string[] | undefined): ReadonlySet<string> {
  const parts = String(header ?? '')
    .toLowerCase()
    .split(',')
    .map((part) => part.split(';').map((piece) => piece.trim()))
  return new Set(parts.filter(([, weight]) => !/^q=0(\.0*)?$/.test(weight ?? '')).map(([name = '']) => name))
}
