import { setMaxListeners } from 'node:events'
import type { FastifyBaseLogger } from 'fastify'
import type { Deps } from '../../deps.ts'
import { keepLeases } from '../../platform/database/leases/leases.ts'
import { createFailureLog, type LogFailure } from '../../platform/failure-log.ts'
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
  | 'config'
  | 'database'
  | 'systemDatabase'
  | 'clearinghouses'
  | 'breaker'
  | 'vault'
  | 'payers'
  | 'metrics'
  | 'now'
  | 'newId'
>

interface CheckWorker {
  /** Looks for work immediately. */
  wake(): void
  /** Takes no more checks, releases unstarted ones, and waits for running inquiries until their deadline. */
  stop(): Promise<void>
}

const LOOK_EVERY_MS = 500

interface WorkerOptions {
  concurrency: number
  log: FastifyBaseLogger
  /** Nothing new is taken or sent after it. */
  signal?: AbortSignal
}

/**
 * Answers the checks of the queue, `concurrency` at a time. A check that fails because of an outage is retried with back-off as long as its
 * connector allows; then its failure is its answer. A failure on our side is retried a few times and then ends the check. Every check is
 * answered once, even if processes are killed.
 */
export const startCheckWorker = (deps: Needs, options: WorkerOptions): CheckWorker => new Worker(deps, options)

class Worker implements CheckWorker {
  readonly #deps: Needs
  readonly #own = new AbortController()
  readonly #stopping: AbortSignal
  /** When storing answered checks is abandoned. */
  readonly #ending = new AbortController()
  readonly #logFailure: LogFailure
  readonly #places: WorkerPlaces
  readonly #intake: ReturnType<typeof createCheckIntake>
  /** Taken and not finished: sent, or answered and being stored. */
  readonly #held = new Map<TakenCheck, Promise<void>>()
  /** At their payers, or answered and being read. */
  #answering = 0
  readonly #finishTogether: ReturnType<typeof createFinishTogether>
  readonly #looking: NodeJS.Timeout
  readonly #stopRenewing: () => void
  #releasing: Promise<void> | undefined

  constructor(deps: Needs, { concurrency, log, signal }: WorkerOptions) {
    this.#deps = deps
    this.#stopping = AbortSignal.any([this.#own.signal, ...(signal ? [signal] : [])])
    // Every answer that waits for the database listens to it.
    setMaxListeners(0, this.#ending.signal)
    this.#logFailure = createFailureLog(log)
    this.#places = new WorkerPlaces(concurrency)
    this.#intake = createCheckIntake(deps, this.#places, {
      stopping: this.#stopping,
      begin: () => this.#begin(),
      logFailure: this.#logFailure,
      log,
    })
    // More answers are on their way while some are awaited.
    this.#finishTogether = createFinishTogether(deps, () => this.#answering > 0 && !this.#stopping.aborted)
    this.#looking = setInterval(this.#intake.lookAgain, LOOK_EVERY_MS)
    this.#stopRenewing = keepLeases(checkLeases, deps, {
      held: () => [...this.#held.keys(), ...this.#places.waiting],
      onFailure: (error) => this.#logFailure('the leases of checks could not be renewed', error),
    })
    this.#intake.lookAgain()
    this.#stopping.addEventListener('abort', () => this.#release())
    if (this.#stopping.aborted) this.#release()
  }

  wake(): void {
    this.#intake.lookAgain()
  }

  async stop(): Promise<void> {
    this.#own.abort()
    await this.#releasing
    const limit = setTimeout(() => this.#ending.abort(), stopLimits(this.#deps.config).inquiriesMs)
    await Promise.all(this.#held.values())
    clearTimeout(limit)
    this.#stopRenewing()
  }

  /** Begins waiting checks while there are free places. */
  #begin(): void {
    while (!this.#stopping.aborted) {
      const check = this.#places.next()
      if (!check) return
      const done = this.#work(check)
        .catch((error: unknown) =>
          this.#logFailure('a check could not be returned to the queue', error, { checkId: check.id }),
        )
        .finally(() => {
          this.#held.delete(check)
          this.#places.finish(check)
          this.#begin()
        })
      this.#held.set(check, done)
    }
  }

  async #work(check: TakenCheck): Promise<void> {
    this.#answering += 1
    let isAsking = true
    // The next inquiry does not wait until this answer is read: reading is this process's work, not the payer's.
    const leavePlace = () => {
      if (!isAsking) return
      isAsking = false
      this.#places.leave(check)
      this.#begin()
      this.#intake.refill()
    }
    const outcome = await attemptCheck(this.#deps, check, {
      stopping: this.#stopping,
      whenAnswered: leavePlace,
      logFailure: this.#logFailure,
    }).finally(() => {
      this.#answering -= 1
      leavePlace()
    })
    if (outcome) await this.#finish(check, outcome)
  }

  /** Resolves when the answer is stored, or will not be: the check was taken over, or the worker stops. */
  #finish(check: TakenCheck, outcome: CheckOutcome): Promise<unknown> {
    const log = (error: unknown) =>
      this.#logFailure('the answer to a check could not be stored', error, { checkId: check.id })
    return this.#finishTogether({ check, outcome }).catch(() =>
      finishReliably(this.#deps, check, outcome, { signal: this.#ending.signal, logFailure: log }).catch(log),
    )
  }

  /** Releases the checks that are not begun, once. Those that cannot be released are taken over when their lease expires. */
  #release(): void {
    this.#releasing ??= this.#releaseWaiting().catch(() => {})
  }

  /** Also those that were being taken from the queue when the stop was requested. */
  async #releaseWaiting(): Promise<void> {
    clearInterval(this.#looking)
    await this.#intake.settled()
    await checkLeases.release(this.#deps, this.#places.withdraw(), { delayMs: 0 })
  }
}
