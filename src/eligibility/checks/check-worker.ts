import { setMaxListeners } from 'node:events'
import type { FastifyBaseLogger } from 'fastify'
import type { Deps } from '../../deps.ts'
import { keepLeases } from '../../platform/database/leases.ts'
import { createFailureLog } from '../../platform/failure-log.ts'
import { stopLimits } from '../../platform/stop-limits.ts'
import type { CheckOutcome } from '../answers/outcome.ts'
import { attemptCheck } from './attempt-check.ts'
import { createCheckIntake } from './check-intake.ts'
import { checkLeases, type TakenCheck } from './check-queue.ts'
import { finishReliably } from './finish-reliably.ts'
import { createFinishTogether } from './finish-together.ts'
import { WorkerPlaces } from './worker-places.ts'

type Needs = Pick<
  Deps,
  'config' | 'database' | 'systemDatabase' | 'clearinghouses' | 'breaker' | 'vault' | 'payers' | 'now' | 'newId'
>

interface CheckWorker {
  /** Looks for work immediately. */
  wake(): void
  /** Takes no more checks, releases unstarted ones, and waits for running inquiries until their deadline. */
  stop(): Promise<void>
}

const LOOK_EVERY_MS = 500

/**
 * Answers the checks of the queue, `concurrency` at a time. A check that fails because of an outage is retried with back-off as long as its
 * connector allows; then its failure is its answer. A failure on our side is retried a few times and then ends the check. Every check is
 * answered once, even if processes are killed. After `signal`, nothing new is taken or sent.
 */
export function startCheckWorker(
  deps: Needs,
  { concurrency, log, signal }: { concurrency: number; log: FastifyBaseLogger; signal?: AbortSignal },
): CheckWorker {
  const own = new AbortController()
  const stopping = AbortSignal.any([own.signal, ...(signal ? [signal] : [])])
  /** When storing answered checks is abandoned. */
  const ending = new AbortController()
  // Every answer that waits for the database listens to it.
  setMaxListeners(0, ending.signal)
  const logFailure = createFailureLog(log)
  const places = new WorkerPlaces(concurrency)
  const intake = createCheckIntake(deps, places, { stopping, begin, logFailure })
  /** Taken and not finished: sent, or answered and being stored. */
  const held = new Map<TakenCheck, Promise<void>>()
  /** At their payers, or answered and being read. */
  let answering = 0
  // Answers of those are on their way.
  const finishTogether = createFinishTogether(deps, () => answering > 0 && !stopping.aborted)

  function begin(): void {
    while (!stopping.aborted) {
      const check = places.next()
      if (!check) return
      const done = work(check)
        .catch((error: unknown) => logFailure('a check could not be given back', error, { checkId: check.id }))
        .finally(() => {
          held.delete(check)
          places.finish(check)
          begin()
        })
      held.set(check, done)
    }
  }

  async function work(check: TakenCheck): Promise<void> {
    answering += 1
    let isAsking = true
    // The next inquiry does not wait until this answer is read, which is work of this process and none of the payer's.
    const leavePlace = () => {
      if (!isAsking) return
      isAsking = false
      places.leave(check)
      begin()
      intake.refill()
    }
    const outcome = await attemptCheck(deps, check, { stopping, whenAnswered: leavePlace, logFailure }).finally(() => {
      answering -= 1
      leavePlace()
    })
    if (outcome) await finish(check, outcome)
  }

  /** Resolves when the answer is stored, or will not be: the check was taken over, or the worker stops. */
  function finish(check: TakenCheck, outcome: CheckOutcome): Promise<unknown> {
    const log = (error: unknown) =>
      logFailure('the answer to a check could not be stored', error, { checkId: check.id })
    return finishTogether({ check, outcome }).catch(() =>
      finishReliably(deps, check, outcome, { signal: ending.signal, logFailure: log }).catch(log),
    )
  }

  const looking = setInterval(intake.lookAgain, LOOK_EVERY_MS)
  const stopRenewing = keepLeases(checkLeases, deps, {
    held: () => [...held.keys(), ...places.waiting],
    onFailure: (error) => logFailure('the leases of checks could not be renewed', error),
  })
  intake.lookAgain()

  /** Also releases checks that were being taken from the queue when the stop was requested. */
  async function giveBack(): Promise<void> {
    clearInterval(looking)
    await intake.settled()
    await checkLeases.release(deps, places.withdraw(), { delayMs: 0 })
  }
  let givingBack: Promise<void> | undefined
  const whenStopping = () => {
    // Checks that cannot be released are taken over when their lease expires.
    givingBack ??= giveBack().catch(() => {})
  }
  stopping.addEventListener('abort', whenStopping)
  if (stopping.aborted) whenStopping()

  return {
    wake: intake.lookAgain,
    async stop() {
      own.abort()
      await givingBack
      const limit = setTimeout(() => ending.abort(), stopLimits(deps.config).inquiriesMs)
      await Promise.all(held.values())
      clearTimeout(limit)
      stopRenewing()
    },
  }
}
