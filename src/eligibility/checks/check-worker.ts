import { setMaxListeners } from 'node:events'
import type { FastifyBaseLogger } from 'fastify'
import type { Deps } from '../../deps.ts'
import { keepLeases, withFault } from '../../platform/database/leases.ts'
import { createLostLeases } from '../../platform/database/lost-leases.ts'
import { createFailureLog } from '../../platform/failure-log.ts'
import { createFairShare } from '../../platform/fair-share.ts'
import { stopLimits } from '../../platform/stop-limits.ts'
import type { CheckOutcome } from '../answers/outcome.ts'
import { ask } from './answer-check.ts'
import { answerFromExisting, checkLeases, type TakenCheck, takeChecks } from './check-queue.ts'
import { finishReliably } from './finish-reliably.ts'
import { createFinishTogether } from './finish-together.ts'
import { FAULTS_MAX, faultDelayMs, givenUp, retryDelayMs } from './retry.ts'

type Needs = Pick<
  Deps,
  'config' | 'database' | 'systemDatabase' | 'clearinghouses' | 'breaker' | 'vault' | 'payers' | 'now' | 'newId'
>

export interface CheckWorker {
  /** Looks for work immediately. */
  wake(): void
  /** Takes no more checks, releases unstarted ones, and waits for running inquiries until their deadline. */
  stop(): Promise<void>
}

const LOOK_EVERY_MS = 500
/** How many checks are taken at a time, so that the next one is available when one ends. */
const TAKEN_AHEAD = 2
/** Answered checks wait to be stored; when the database is slower than the payers, no further inquiries are sent. */
export const HELD_MAX = 4
/** Stands for an organization without held checks. */
const NO_ORGANIZATION = ''

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
  const waiting: TakenCheck[] = []
  /**
   * No organization takes all places: a payer that does not answer one organization does not hold up the others. decisions/0019-fairness.md
   */
  const places = createFairShare({ places: concurrency })
  /** The same for the checks that may be held: answers that cannot be stored for one organization do not hold up another. */
  const room = createFairShare({ places: concurrency * HELD_MAX })
  /** Taken and not finished: sent, or answered and being stored. */
  const held = new Map<TakenCheck, Promise<void>>()
  const logFailure = createFailureLog(log)
  const leases = createLostLeases()
  /** At their payers. */
  let asking = 0
  /** At their payers, or answered and being read. */
  let answering = 0
  // Answers of those are on their way.
  const finishTogether = createFinishTogether(deps, () => answering > 0 && !stopping.aborted)
  let filling: Promise<void> | undefined
  let mayBeMore = true
  let mayBeOfOthers = true

  function fill(): void {
    if (stopping.aborted) return
    filling ??= take()
      .catch((error: Error) => logFailure('the check queue could not be read', error))
      .finally(() => {
        filling = undefined
      })
  }

  async function take(): Promise<void> {
    while (mayBeMore && !stopping.aborted && waiting.length < concurrency) {
      const wanted = concurrency * TAKEN_AHEAD - waiting.length
      const taken = await takeChecks(deps, wanted, { leases })
      waiting.push(...taken)
      mayBeMore = taken.length === wanted
      begin()
    }
    await takeOfOthers()
  }

  /** Waiting checks belong to organizations that use their whole share: remaining places are for others. */
  async function takeOfOthers(): Promise<void> {
    while (mayBeOfOthers && !stopping.aborted && mayBegin(NO_ORGANIZATION) && waiting.length > 0) {
      const present = new Set(waiting.map(({ organizationId }) => organizationId))
      const taken = await takeChecks(deps, concurrency - asking, { except: [...present], leases })
      waiting.push(...taken)
      mayBeOfOthers = taken.length > 0
      begin()
    }
  }

  const mayBegin = (organization: string) => places.hasRoomFor(organization) && room.hasRoomFor(organization)

  /** The next check whose organization may use another place, which it takes. */
  function nextCheck(): TakenCheck | undefined {
    // Hundreds of checks of one organization may wait for its places.
    const full = new Set<string>()
    const index = waiting.findIndex(({ organizationId }) => {
      if (full.has(organizationId)) return false
      if (mayBegin(organizationId)) return true
      full.add(organizationId)
      return false
    })
    const check = index === -1 ? undefined : waiting.splice(index, 1)[0]
    if (!check) return undefined
    places.tryEnter(check.organizationId)
    room.tryEnter(check.organizationId)
    return check
  }

  function begin(): void {
    while (!stopping.aborted) {
      const check = nextCheck()
      if (!check) return
      const done = work(check)
        .catch((error: Error) => logFailure('a check could not be given back', error, { checkId: check.id }))
        .finally(() => {
          held.delete(check)
          room.leave(check.organizationId)
          begin()
        })
      held.set(check, done)
    }
  }

  async function work(check: TakenCheck): Promise<void> {
    asking += 1
    answering += 1
    let isAsking = true
    // The next inquiry does not wait until this answer is read, which is work of this process and none of the payer's.
    const leavePlace = () => {
      if (!isAsking) return
      isAsking = false
      asking -= 1
      places.leave(check.organizationId)
      begin()
      if (waiting.length < concurrency) fill()
    }
    const outcome = await answer(check, leavePlace)
      .catch((error: Error) => setBack(check, error))
      .finally(() => {
        answering -= 1
        leavePlace()
      })
    if (outcome) await finish(check, outcome)
  }

  /** Resolves when the answer is stored, or will not be: the check was taken over, or the worker stops. */
  function finish(check: TakenCheck, outcome: CheckOutcome): Promise<unknown> {
    const log = (error: Error) => logFailure('the answer to a check could not be stored', error, { checkId: check.id })
    return finishTogether({ check, outcome }).catch(() =>
      finishReliably(deps, check, outcome, { signal: ending.signal, logFailure: log }).catch(log),
    )
  }

  /** The payer's answer; undefined when there is nothing to store now. */
  async function answer(check: TakenCheck, whenAnswered: () => void): Promise<CheckOutcome | undefined> {
    if (check.unreadable) throw check.unreadable
    // Every earlier attempt was lost with its process.
    if (check.faults >= FAULTS_MAX) return givenUp()
    if (await answerFromExisting(deps, check)) return undefined
    const connection = await deps.clearinghouses.forPayer(check.organizationId, check.asked.payerId)
    if (stopping.aborted) {
      await checkLeases.release(deps, [check], { delayMs: 0 })
      return undefined
    }
    const outcome = await within(deps.config.CLEARINGHOUSE_TIMEOUT_MS, (deadline) =>
      ask(deps, check, { connection, signal: deadline, attempts: 1, withoutResponse: true, whenAnswered }),
    )
    const delayMs = delayOf(check, outcome, connection.retryForMs)
    if (delayMs === undefined) return outcome
    await checkLeases.release(deps, [check], { delayMs, faults: 0 })
    return undefined
  }

  /** The delay before the next attempt; undefined when the outcome is final. */
  function delayOf(check: TakenCheck, { outage }: CheckOutcome, retryForMs: number): number | undefined {
    if (!outage) return undefined
    const delayMs = retryDelayMs(check.attempt, outage)
    const ageMs = deps.now().getTime() - check.initiatedAt.getTime()
    return ageMs + delayMs <= retryForMs ? delayMs : undefined
  }

  /** After a failure on our side: postpones the check, or returns the error that ends it. */
  async function setBack(check: TakenCheck, error: Error): Promise<CheckOutcome | undefined> {
    logFailure('a check could not be answered', error, { checkId: check.id })
    const faults = withFault(check, error)
    if (faults >= FAULTS_MAX) return givenUp(error)
    await checkLeases.release(deps, [check], { delayMs: faultDelayMs(faults), faults })
    return undefined
  }

  function lookAgain(): void {
    mayBeMore = true
    mayBeOfOthers = true
    fill()
  }
  const looking = setInterval(lookAgain, LOOK_EVERY_MS)
  const stopRenewing = keepLeases(checkLeases, deps, {
    held: () => [...held.keys(), ...waiting],
    onFailure: (error) => logFailure('the leases of checks could not be renewed', error),
  })
  fill()

  /** Also releases checks that were being taken from the queue when the stop was requested. */
  async function giveBack(): Promise<void> {
    clearInterval(looking)
    await filling
    await checkLeases.release(deps, waiting.splice(0), { delayMs: 0 })
  }
  let givingBack: Promise<void> | undefined
  const whenStopping = () => {
    // Checks that cannot be released are taken over when their lease expires.
    givingBack ??= giveBack().catch(() => {})
  }
  stopping.addEventListener('abort', whenStopping)
  if (stopping.aborted) whenStopping()

  return {
    wake: lookAgain,
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

/** A timer that ends with the work: otherwise thousands of answered checks would leave theirs running until the deadline. */
async function within<T>(ms: number, work: (deadline: AbortSignal) => Promise<T>): Promise<T> {
  const ending = new AbortController()
  const timer = setTimeout(() => ending.abort(new DOMException('the time is over', 'TimeoutError')), ms)
  return work(ending.signal).finally(() => clearTimeout(timer))
}
