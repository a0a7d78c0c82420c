import type { FastifyInstance } from 'fastify'
import { atCallEnd } from '../http/call-end.ts'
import type { Metrics } from './metrics.ts'

/**
 * Counts and times every request when it ends. A live stream is counted and not timed, because it lasts as long as its
 * listener.
 */
export function measureRequests(app: FastifyInstance, metrics: Metrics): void {
  const { inFlight } = metrics
  app.addHook('onRequest', (request, reply, done) => {
    if (!request.routeOptions.config.alwaysAnswers) inFlight.add(reply)
    done()
  })
  atCallEnd(app, (request, reply) => {
    if (!inFlight.delete(reply)) return
    const { operation = 'unknown' } = request.routeOptions.config
    metrics.requests.inc({ operation, status: reply.statusCode })
    const isStream = String(reply.raw.getHeader('content-type')).startsWith('text/event-stream')
    if (!isStream) metrics.requestSeconds.observe({ operation }, reply.elapsedTime / 1000)
  })
}
