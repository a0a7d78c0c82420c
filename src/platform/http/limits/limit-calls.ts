import type { FastifyInstance, FastifyReply } from 'fastify'
import { tooManyRequests } from '../../../contract/errors.ts'
import type { RateLimit, Verdict } from './rate-limit.ts'

/**
 * Counts every call of a client or a person, regardless of its result, and refuses calls beyond the limit. Public
 * operations are not counted.
 */
export function limitCalls(app: FastifyInstance, limit: RateLimit): void {
  app.addHook('onRequest', (request, reply, done) => {
    if (request.is404 || request.routeOptions.config.access === 'public' || !request.actor) return done()
    const { clientId, userId } = request.actor
    const verdict = limit.take(clientId ?? userId)
    if (!(verdict instanceof Promise)) return done(refusalOf(reply, 'client', verdict))
    verdict.then((late) => done(refusalOf(reply, 'client', late)), done)
  })
}

/**
 * States the remaining calls in the response, and returns the refusal of a call that was not granted. Source:
 * draft-ietf-httpapi-ratelimit-headers-10; the published client reads X-RateLimit-Reset (rules.md 1.9).
 */
export function refusalOf(reply: FastifyReply, policy: string, verdict: Verdict): Error | undefined {
  const { isGranted, limit, windowSeconds, remaining, resetMs } = verdict
  const resetSeconds = Math.max(1, Math.ceil(resetMs / 1000))
  reply.header('ratelimit-policy', `"${policy}";q=${limit};w=${windowSeconds}`)
  reply.header('ratelimit', `"${policy}";r=${remaining};t=${resetSeconds}`)
  if (isGranted) return undefined
  reply.header('x-ratelimit-reset', Math.ceil((Date.now() + resetMs) / 1000))
  return tooManyRequests(resetSeconds)
}
