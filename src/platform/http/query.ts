import type { FastifyRequest } from 'fastify'
import type { TObject } from 'typebox'
import { withSeconds } from '../../contract/formats.ts'
import { cleanInput } from './body.ts'

/** A function that reads the parameters of `schema` from a query. Validation follows. */
export function queryReader(schema: TObject): (request: Pick<FastifyRequest, 'url' | 'query'>) => unknown {
  const dateTimes = Object.entries(schema.properties).flatMap(([name, { format }]: [string, { format?: string }]) =>
    format === 'date-time' ? name : [],
  )
  return (request) => {
    const stated = { ...statedParameters(request) }
    for (const name of dateTimes) {
      const value = stated[name]
      if (typeof value === 'string') stated[name] = withSeconds(value)
    }
    return cleanInput(schema, stated)
  }
}

/**
 * The parameters of a query that have a value. A name without `=` has none: the published client of Ruby writes a
 * parameter that is `nil` so (`URI.encode_www_form`), as in a loop over pages that begins without a token. `name=` is an
 * empty text. Source: rules.md 1.3, null equals absent; WHATWG URL 5.1 reads both alike.
 */
export function statedParameters({ url, query }: Pick<FastifyRequest, 'url' | 'query'>): Record<string, unknown> {
  const [, text = ''] = url.split('?', 2)
  const bare = text.split('&').filter((part) => part !== '' && !part.includes('='))
  const parameters = query as Record<string, unknown>
  if (bare.length === 0) return parameters
  return Object.fromEntries(Object.entries(parameters).filter(([name, value]) => value !== '' || !bare.includes(name)))
}
