// Requests that arrive at the same moment, of one caller, are not begun at the same moment. decisions/0170-what-others-wait-for.md
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { type TakeTurn, takeTurn as takeTurnOfLoop } from '../../event-loop.ts'
import { callerSite } from '../caller-address.ts'

/** More than a page of the console sends at once; a read by key takes a tenth of a millisecond. */
const AT_ONCE = 32

/**
 * Begins a few requests of each caller in a turn of the event loop as soon as they arrive. Those beyond take turns with long work: hundreds that
 * arrive together, and the refusals of most of them, would otherwise be handled before any request of another caller.
 * After `recognizeClients`, which knows the organization.
 */
export function beginInTurns(app: FastifyInstance, takeTurn: TakeTurn = takeTurnOfLoop): void {
  /** By organization or address, in this turn. */
  const begun = new Map<string, number>()
  const forget = () => begun.clear()

  app.addHook('onRequest', (request, _reply, done) => {
    if (request.routeOptions.config.alwaysAnswers) return done()
    const caller = callerOf(request)
    if (begun.size === 0) setImmediate(forget)
    const count = (begun.get(caller) ?? 0) + 1
    begun.set(caller, count)
    if (count <= AT_ONCE) done()
    else void takeTurn(caller).then(() => done())
  })
}

const callerOf = ({ countsFor, ip }: FastifyRequest) => countsFor ?? callerSite(ip)
