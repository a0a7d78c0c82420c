import type { FastifyRequest } from 'fastify'
import type { TObject } from 'typebox'
import { withSeconds } from '../../contract/formats.ts'
import { cleanInput } from './body.ts'

/** A function that reads the parameters of `schema` from a query. Validation follows. */
export function queryReader(schema: TObject): (request: Pick<FastifyRequest, 'url' | 'query'>) => unknown {
  const dateTimes = Object.entries(schema.properties).flatMap(([name, { format }]: [string, { format?: string }]) =>
    format === 'date-time' ? name : [],
  )
  const names = Object.keys(schema.properties)
  return (request) => {
    const stated = statedParameters(request, names)
    for (const name of dateTimes) {
      const value = stated[name]
      if (typeof value === 'string') stated[name] = withSeconds(value)
    }
    return cleanInput(schema, stated)
  }
}

/**
 * Those of the named parameters of a query that have a value. A name without `=` has none: the published client of Ruby writes a
 * parameter that is `nil` so (`URI.encode_www_form`), as in a loop over pages that begins without a token. `name=` is an
 * empty text. Source: rules.md 1.3, null equals absent; WHATWG URL 5.1 reads both alike.
 */
export function statedParameters(
  { url, query }: Pick<FastifyRequest, 'url' | 'query'>,
  names: readonly string[],
): Record<string, unknown> {
  const parameters = query as Record<string, unknown>
  const sent = names.filter((name) => Object.hasOwn(parameters, name))
  const stated = sent.filter((name) => parameters[name] !== '' || !isBare(name, url))
  return Object.fromEntries(stated.map((name) => [name, parameters[name]]))
}

const isBare = (name: string, url: string) =>
  url
    .slice(url.indexOf('?') + 1)
    .split('&')
    .includes(name)
