import type { FastifyRequest } from 'fastify'

/**
 * The parameters of a query that have a value. A name without `=` has none: the published client of Ruby writes a
 * parameter that is `nil` so (`URI.encode_www_form`), as in a loop over pages that begins without a token. `name=` is an
 * empty text. Source: rules.md 1.3, null equals absent; WHATWG URL 5.1 reads both alike.
 */
export function statedParameters({ url, query }: Pick<FastifyRequest, 'url' | 'query'>): unknown {
  const [, text = ''] = url.split('?', 2)
  const bare = text.split('&').filter((part) => part !== '' && !part.includes('='))
  if (bare.length === 0) return query
  return Object.fromEntries(
    Object.entries(query as Record<string, unknown>).filter(([name, value]) => value !== '' || !bare.includes(name)),
  )
}
