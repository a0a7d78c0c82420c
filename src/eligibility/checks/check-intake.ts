import type { FastifyBaseLogger } from 'fastify'
import type { Deps } from '../../deps.ts'
import { createLostLeases, type LostLeases } from '../../platform/database/leases/lost-leases.ts'
import { failuresOf } from '../../platform/each-organization.ts'
import type { LogFailure } from '../../platform/failure-log.ts'
import { type TakenCheck, takeChecks } from './check-queue.ts'
import type { WorkerPlaces } from './worker-places.ts'

type Needs = Pick<Deps, 'database' | 'systemDatabase' | 'vault' | 'metrics' | 'now' | 'newId'>

/** How many checks are taken at a time, so that the next one is available when one ends. */
const TAKEN_AHEAD = 2

/** Takes due checks from the queue for the places of a worker. */
interface CheckIntake {
  /** A check has left its place: takes more if few are waiting. Not asked again until `lookAgain` when the queue had no more. */
  refill(): void
  /** Takes what is due now. */
  lookAgain(): void
  /** Resolves when no checks are being taken. */
  settled(): Promise<void>
}

interface Options {
  /** Nothing is taken after it. */
  stopping: AbortSignal
  /** Called when checks were added to the places. */
  begin(): void
  logFailure: LogFailure
  log: Pick<FastifyBaseLogger, 'warn' | 'error'>
  leases?: LostLeases
}

/** The ids in one line of the log. */
const NAMED_MAX = 20

/** Nothing is taken before the first `lookAgain`. */
export function createCheckIntake(
  deps: Needs,
  places: WorkerPlaces,
  { stopping, begin, logFailure, log, leases = createLostLeases() }: Options,
): CheckIntake {
  let taking: Promise<void> | undefined
  let mayBeMore = true
  let mayBeOfOthers = true
  const onFailure = failuresOf(
    { work: 'checks', failure: 'checks of an organization could not be taken' },
    { ...deps, log },
  )

  /** Takes checks, and logs those whose payers may have been asked already. */
  async function takeFrom(limit: number, except: string[]): Promise<TakenCheck[]> {
    const taken = await takeChecks(deps, limit, { except, leases, onFailure })
    const over = taken.filter(({ isTakenOver }) => isTakenOver).map(({ id }) => id)
    if (over.length > 0)
      log.warn(
        { checks: over.length, checkIds: over.slice(0, NAMED_MAX) },
        'taking over checks of a process that has ended or is stuck: inquiries that it sent without storing the answers are sent again',
      )
    return taken
  }

  function fill(): void {
    if (stopping.aborted) return
    taking ??= take()
      .catch((error: unknown) => logFailure('the check queue could not be read', error))
      .finally(() => {
        taking = undefined
      })
  }

  async function take(): Promise<void> {
    while (mayBeMore && !stopping.aborted && places.waiting.length < places.concurrency) {
      const wanted = places.concurrency * TAKEN_AHEAD - places.waiting.length
      const taken = await takeFrom(wanted, [])
      places.add(taken)
      mayBeMore = taken.length === wanted
      begin()
    }
    await takeOfOthers()
  }

  /** Waiting checks belong to organizations that use their whole share: remaining places are for others. */
  async function takeOfOthers(): Promise<void> {
    while (mayBeOfOthers && !stopping.aborted && places.hasPlaceForAnother && places.waiting.length > 0) {
      const present = new Set(places.waiting.map(({ organizationId }) => organizationId))
      const taken = await takeFrom(places.free, [...present])
      places.add(taken)
      mayBeOfOthers = taken.length > 0
      begin()
    }
  }

  return {
    refill() {
      if (places.waiting.length < places.concurrency) fill()
    },
    lookAgain() {
      mayBeMore = true
      mayBeOfOthers = true
      fill()
    },
    async settled() {
      await taking
    },
  }
}
