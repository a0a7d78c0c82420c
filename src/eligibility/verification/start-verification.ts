import { setTimeout as wait } from 'node:timers/promises'
import type { FastifyBaseLogger } from 'fastify'
import { createFailureLog } from '../../platform/failure-log.ts'
import { stopLimits } from '../../platform/stop-limits.ts'
import type { VerificationNeeds } from './determine-finding.ts'
import { verifyAppointments } from './verify-appointments.ts'
import type { VerifiedVisit } from './verify-visit.ts'

interface Verification {
  /** Takes up no more visits, and waits for running ones; another process takes up those that are still open. */
  stop(): Promise<void>
}

const LOOK_EVERY_MS = 60_000

/**
 * Looks every minute for appointments to verify, of the organizations that have enabled it. Any number of processes may do so concurrently;
 * no state is kept in memory between looks. After `signal`, no more visits are taken up.
 */
export function startVerification(
  deps: VerificationNeeds,
  { log, everyMs = LOOK_EVERY_MS, signal }: { log: FastifyBaseLogger; everyMs?: number; signal?: AbortSignal },
): Verification {
  const own = new AbortController()
  const stopping = AbortSignal.any([own.signal, ...(signal ? [signal] : [])])
  const logFailure = createFailureLog(log)
  let running: Promise<void> | undefined

  async function look(): Promise<void> {
    const outcomes: Partial<Record<VerifiedVisit['outcome'], number>> = {}
    const onVisit = ({ outcome }: VerifiedVisit) => {
      outcomes[outcome] = (outcomes[outcome] ?? 0) + 1
    }
    try {
      const visits = await verifyAppointments(deps, { log, onVisit, signal: stopping })
      if (visits > 0) log.info({ visits, outcomes }, 'visits were verified')
    } catch (error) {
      logFailure('the visits to verify could not be read', error)
    }
  }

  function begin(): void {
    if (stopping.aborted) return
    running ??= look().finally(() => {
      running = undefined
    })
  }

  const looking = setInterval(begin, everyMs)
  begin()

  return {
    async stop() {
      clearInterval(looking)
      own.abort()
      if (!running) return
      const limit = new AbortController()
      await Promise.race([
        running,
        wait(stopLimits(deps.config).inquiriesMs, undefined, { signal: limit.signal }).catch(() => {}),
      ])
      limit.abort()
    },
  }
}
