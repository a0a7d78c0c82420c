import type { IncomingMessage } from 'node:http'

/** Source: RFC 9112 3.2.2: a server accepts the form that clients of a proxy send. Its host is not used, like the header. */
const ABSOLUTE = /^https?:\/\/[^/?#]*/i

/**
 * The URL without scheme and host, with repeated slashes and a trailing slash removed: `/coverages/v1//{id}` and `/coverages/v1/{id}/` become
 * `/coverages/v1/{id}`. Source: rules.md 1.1.
 */
export function normalisePath(request: Pick<IncomingMessage, 'url'>): string {
  const target = request.url ?? '/'
  const host = target.startsWith('/') ? undefined : ABSOLUTE.exec(target)?.[0]
  const url = host === undefined ? target : target.slice(host.length).replace(/^\/?/, '/')
  const end = url.indexOf('?')
  const path = end === -1 ? url : url.slice(0, end)
  if (!path.includes('//') && !path.endsWith('/')) return url
  const folded = path.replaceAll(/\/{2,}/g, '/')
  const trimmed = folded.length > 1 && folded.endsWith('/') ? folded.slice(0, -1) : folded
  return end === -1 ? trimmed : trimmed + url.slice(end)
}
