// Pages of other origins: refused unless an organization allows them. Source: Fetch Standard, 3.2 "CORS protocol";
// decisions/0042-cors.md
import type { FastifyInstance } from 'fastify'
import type { SystemDatabase } from '../database/database.ts'

const REMEMBERED_MS = 5_000
const PREFLIGHT_SECONDS = 600
const ALLOWED = {
  'access-control-allow-methods': 'GET, HEAD, POST, PUT, PATCH, DELETE',
  'access-control-max-age': PREFLIGHT_SECONDS,
}
const EXPOSED =
  'deprecation, link, ratelimit, ratelimit-policy, retry-after, www-authenticate, x-eligibility-check-id, x-request-id'

/** The organizations that allow an origin. */
type FindAllowing = (origin: string) => Promise<ReadonlySet<string>>

const statement = {
  name: 'allowed_origins',
  text: `select origin, json_agg(o.id)::text from organization o cross join lateral jsonb_array_elements_text(o.allowed_origins) origin
    group by origin`,
}

/** The origins that organizations allow, read when a page asks and cached for some seconds. */
export function readAllowedOrigins(database: SystemDatabase): FindAllowing {
  let readAt = Number.NEGATIVE_INFINITY
  let latest = Promise.resolve<ReadonlyMap<string, ReadonlySet<string>>>(new Map())
  const read = async () => {
    const rows = await database.rows(statement)
    return new Map(rows.map(([origin = '', ids = '[]']) => [origin, new Set<string>(JSON.parse(ids))]))
  }
  return async (origin) => {
    if (performance.now() - readAt > REMEMBERED_MS) {
      readAt = performance.now()
      latest = read()
      latest.catch(() => {
        readAt = Number.NEGATIVE_INFINITY
      })
    }
    return (await latest).get(origin) ?? new Set()
  }
}

/**
 * Answers the preflight requests of browsers, and states on each answer whether the page may read it. A preflight has
 * no token: it passes for an origin that any organization allows. The answer itself may be read only by origins of the
 * token's organization. This runs before authentication.
 */
export function allowOrigins(app: FastifyInstance, findAllowing: FindAllowing): void {
  app.decorateRequest('allowing', null)
  app.addHook('onRequest', (request, reply, done) => {
    const { origin } = request.headers
    if (origin === undefined) return done()
    reply.header('vary', 'Origin')
    findAllowing(origin)
      // While the database is unavailable no origin is allowed; the call itself reports the failure.
      .catch(() => new Set<string>())
      .then((allowing) => {
        if (allowing.size === 0) return done()
        request.allowing = allowing
        reply.header('access-control-allow-origin', origin)
        if (request.method === 'OPTIONS' && request.headers['access-control-request-method'] !== undefined) {
          // Any: the token is what protects a call, and the published client describes itself in headers of its own.
          const headers = request.headers['access-control-request-headers']
          if (headers !== undefined) reply.header('access-control-allow-headers', headers)
          return reply.code(204).headers(ALLOWED).send()
        }
        reply.header('access-control-expose-headers', EXPOSED)
        done()
      })
      .catch(done)
  })
  app.addHook('preHandler', (request, reply, done) => {
    const { allowing, actor } = request
    if (allowing && (!actor || !allowing.has(actor.organizationId))) {
      reply.removeHeader('access-control-allow-origin').removeHeader('access-control-expose-headers')
    }
    done()
  })
}

declare module 'fastify' {
  interface FastifyRequest {
    allowing: ReadonlySet<string> | null
  }
}
