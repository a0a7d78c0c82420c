import type { IncomingMessage } from 'node:http'

/** Source: RFC 9112 3.2.2: a server accepts the form that clients of a proxy send. Its host is not used, like the header. */
const ABSOLUTE = /^https?:\/\/[^/?#]*/i

/** More than a URL of ids has, which are the shortest values of lists (connection-limits.ts). */
export const PARAMETERS_MAX = 2000

/** Whether a URL has more parameters than any call needs: to read fifteen thousand of them takes milliseconds before anything can refuse them. */
export function hasTooManyParameters(url: string): boolean {
  let count = 0
  for (let at = url.indexOf('?'); at !== -1; at = url.indexOf('&', at + 1)) if (++count > PARAMETERS_MAX) return true
  return false
}

/** The URL by which a request is routed; one with too many parameters loses all, and is refused (`requirePlainRequests`). */
export function routedUrl(request: Pick<IncomingMessage, 'url'>): string {
  const url = normalizePath(request)
  return hasTooManyParameters(url) ? url.slice(0, url.indexOf('?')) : url
}

/**
 * The URL without scheme and host, with repeated slashes and a trailing slash removed: `/coverages/v1//{id}` and `/coverages/v1/{id}/` become
 * `/coverages/v1/{id}`. Source: rules.md 1.1.
 */
export function normalizePath(request: Pick<IncomingMessage, 'url'>): string {
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
