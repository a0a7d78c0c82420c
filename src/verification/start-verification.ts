import { setTimeout as wait } from 'node:timers/promises'
import type { FastifyBaseLogger } from 'fastify'
import type { Deps } from '../deps.ts'
import { verifyAppointments } from './verify-appointments.ts'
import type { VerifiedVisit } from './verify-visit.ts'

export interface Verification {
  /** Takes up no more, and waits for what is in flight; what then is still open another process takes up. */
  stop(): Promise<void>
}

const LOOK_EVERY_MS = 60_000
/** Questions in flight get this long when the process stops. */
const STOP_LIMIT_MS = 15_000

/**
 * Looks every minute for appointments to verify, of the organizations that have switched it on. Any number of processes may do so
 * beside each other; nothing is kept in memory from one look to the next.
 */
export function startVerification(
  deps: Deps,
  { log, everyMs = LOOK_EVERY_MS }: { log: FastifyBaseLogger; everyMs?: number },
): Verification {
  const stopping = new AbortController()
  let running: Promise<void> | undefined

  async function look(): Promise<void> {
    const outcomes: Partial<Record<VerifiedVisit['outcome'], number>> = {}
    const tell = ({ outcome }: VerifiedVisit) => {
      outcomes[outcome] = (outcomes[outcome] ?? 0) + 1
    }
    try {
      const visits = await verifyAppointments(deps, { log, tell, signal: stopping.signal })
      if (visits > 0) log.info({ visits, outcomes }, 'visits were verified')
    } catch (error) {
      log.warn({ type: (error as Error).name }, 'the visits to verify could not be read')
    }
  }

  function begin(): void {
    running ??= look().finally(() => {
      running = undefined
    })
  }

  const looking = setInterval(begin, everyMs)
  begin()

  return {
    async stop() {
      clearInterval(looking)
      stopping.abort()
      if (!running) return
      const limit = new AbortController()
      await Promise.race([running, wait(STOP_LIMIT_MS, undefined, { signal: limit.signal }).catch(() => {})])
      limit.abort()
    },
  }
}
