import type { FastifyBaseLogger } from 'fastify'
import type { Deps } from '../deps.ts'
import type { CheckOutcome } from '../eligibility/check.ts'
import { ask } from './answer-check.ts'
import { answerFromExisting, LEASE_MS, postponeChecks, type TakenCheck, takeChecks } from './check-queue.ts'
import { createFinisher } from './finisher.ts'
import { retryDelayMs } from './retry.ts'

export interface CheckWorker {
  /** Looks for work now, because there is some. */
  wake(): void
  /** Takes no more, gives back what was not begun, and waits for the rest as long as its leases hold. */
  stop(): Promise<void>
}

const LOOK_EVERY_MS = 500
const RENEW_EVERY_MS = LEASE_MS / 4
/** What is taken at once: enough that the next check is at hand when one ends. */
const TAKEN_AHEAD = 2
/** Answered checks wait to be stored; when the database is slower than the payers, no more are asked. */
export const HELD_MAX = 4
/** Checks in flight get this long when the process stops; their leases then run out and another process asks again. */
const STOP_LIMIT_MS = 15_000

/**
 * Answers the checks of the queue, `concurrency` at a time. A check that fails for an outage is asked again with back-off for as
 * long as its connector says; then its failure is its answer. Every check is answered once, whatever dies in between.
 */
export function startCheckWorker(deps: Deps, options: { concurrency: number; log: FastifyBaseLogger }): CheckWorker {
  const { concurrency, log } = options
  const waiting: TakenCheck[] = []
  /** Taken and not yet done with: being asked, or answered and being stored. */
  const held = new Map<TakenCheck, Promise<void>>()
  const finisher = createFinisher(deps, log)
  let asking = 0
  const ending = new AbortController()
  let isTaking = false
  let isStopping = false
  let mayBeMore = true

  async function fill(): Promise<void> {
    if (isTaking || isStopping) return
    isTaking = true
    try {
      while (mayBeMore && !isStopping && waiting.length < concurrency) {
        const wanted = concurrency * TAKEN_AHEAD - waiting.length
        const taken = await takeChecks(deps, wanted)
        waiting.push(...taken)
        mayBeMore = taken.length === wanted
        begin()
      }
    } catch (error) {
      log.warn({ type: (error as Error).name }, 'the check queue could not be read')
    } finally {
      isTaking = false
    }
  }

  function begin(): void {
    const mayHold = concurrency * HELD_MAX
    while (!isStopping && asking < concurrency && held.size < mayHold && waiting.length > 0) {
      const check = waiting.shift() as TakenCheck
      const done = work(check)
        .catch((error: Error) => log.error({ type: error.name, checkId: check.id }, 'a check could not be answered'))
        .finally(() => {
          held.delete(check)
          begin()
        })
      held.set(check, done)
    }
  }

  async function work(check: TakenCheck): Promise<void> {
    asking += 1
    const outcome = await answer(check).finally(() => {
      asking -= 1
      begin()
      if (waiting.length < concurrency) void fill()
    })
    if (outcome) await finisher.finish({ check, outcome })
  }

  /** What the payer says; undefined when there is nothing to store now. */
  async function answer(check: TakenCheck): Promise<CheckOutcome | undefined> {
    if (await answerFromExisting(deps, check)) return undefined
    const signal = AbortSignal.any([ending.signal, AbortSignal.timeout(deps.config.CLEARINGHOUSE_TIMEOUT_MS)])
    const connection = await deps.clearinghouses.forPayer(check.organizationId, check.asked.payerId)
    const outcome = await ask(deps, check, { connection, signal, attempts: 1 })
    const delayMs = ending.signal.aborted ? 0 : delayOf(check, outcome, connection.retryForMs)
    if (delayMs === undefined) return outcome
    await postponeChecks(deps, [check], delayMs)
    return undefined
  }

  /** How long until it is asked again; undefined when its outcome is final. */
  function delayOf(check: TakenCheck, { outage }: CheckOutcome, retryForMs: number): number | undefined {
    if (!outage) return undefined
    const delayMs = retryDelayMs(check.attempt, outage)
    const ageMs = deps.now().getTime() - check.initiatedAt.getTime()
    return ageMs + delayMs <= retryForMs ? delayMs : undefined
  }

  const looking = setInterval(() => {
    mayBeMore = true
    void fill()
  }, LOOK_EVERY_MS)
  const renewing = setInterval(() => {
    postponeChecks(deps, [...held.keys(), ...waiting], LEASE_MS).catch((error: Error) =>
      log.warn({ type: error.name }, 'the leases of checks could not be renewed'),
    )
  }, RENEW_EVERY_MS)
  void fill()

  return {
    wake() {
      mayBeMore = true
      void fill()
    },
    async stop() {
      isStopping = true
      clearInterval(looking)
      await postponeChecks(deps, waiting.splice(0), 0).catch(() => {})
      const limit = setTimeout(() => ending.abort(new Error('the worker stops')), STOP_LIMIT_MS)
      await Promise.all(held.values())
      clearTimeout(limit)
      clearInterval(renewing)
    },
  }
}
