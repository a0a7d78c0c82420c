// Which of the taken checks is sent next: no organization takes all places. decisions/0019-fairness.md
import { createFairShare } from '../../platform/fair-share.ts'
import type { TakenCheck } from './check-queue.ts'

/** Answered checks wait to be stored; when the database is slower than the payers, no further inquiries are sent. */
export const HELD_MAX = 4
/** Stands for an organization without held checks. */
const NO_ORGANIZATION = ''

/**
 * The taken checks of a worker. A check waits for a place; it occupies one while it is at its payer, up to `concurrency` of all organizations;
 * it is held from then on until it is finished.
 */
export class WorkerPlaces {
  /** The most checks at their payers at a time. */
  readonly concurrency: number
  readonly #waiting: TakenCheck[] = []
  /** A payer that does not answer one organization does not hold up the others. */
  readonly #atPayers
  /** Answers that cannot be stored for one organization do not hold up another. */
  readonly #held
  #occupied = 0

  constructor(concurrency: number) {
    this.concurrency = concurrency
    this.#atPayers = createFairShare({ places: concurrency })
    this.#held = createFairShare({ places: concurrency * HELD_MAX })
  }

  /** The checks that wait, in the order in which they were taken. */
  get waiting(): readonly TakenCheck[] {
    return this.#waiting
  }

  /** The places that no check occupies. */
  get free(): number {
    return this.concurrency - this.#occupied
  }

  /** Whether an organization without held checks would get a place now. */
  get hasPlaceForAnother(): boolean {
    return this.#mayBegin(NO_ORGANIZATION)
  }

  add(taken: readonly TakenCheck[]): void {
    this.#waiting.push(...taken)
  }

  /** The next check whose organization may use another place, which the check occupies until `leave`. */
  next(): TakenCheck | undefined {
    // Hundreds of checks of one organization may wait for its places.
    const full = new Set<string>()
    const index = this.#waiting.findIndex(({ organizationId }) => {
      if (full.has(organizationId)) return false
      if (this.#mayBegin(organizationId)) return true
      full.add(organizationId)
      return false
    })
    const check = index === -1 ? undefined : this.#waiting.splice(index, 1)[0]
    if (!check) return undefined
    this.#atPayers.tryEnter(check.organizationId)
    this.#held.tryEnter(check.organizationId)
    this.#occupied += 1
    return check
  }

  /** The payer has answered, or will not be asked: the place is free for another check. */
  leave({ organizationId }: TakenCheck): void {
    this.#occupied -= 1
    this.#atPayers.leave(organizationId)
  }

  /** The check is no longer held. */
  finish({ organizationId }: TakenCheck): void {
    this.#held.leave(organizationId)
  }

  /** Removes the waiting checks and returns them. */
  withdraw(): TakenCheck[] {
    return this.#waiting.splice(0)
  }

  #mayBegin(organizationId: string): boolean {
    return this.#atPayers.hasRoomFor(organizationId) && this.#held.hasRoomFor(organizationId)
  }
}
