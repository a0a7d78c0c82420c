// Places that many sharers compete for, shared fairly: a sharer that takes all it can get always leaves some for the
// others. decisions/0019-fairness.md.

/** A bounded number of places, shared by any sharers: organizations, callers' addresses. */
export interface FairShare {
  /** Whether the sharer would get a place now. */
  hasRoomFor(sharer: string): boolean
  /** Whether the sharer holds no place, or fewer than the average of those who hold one. */
  hasLessThanItsPart(sharer: string): boolean
  /** Takes a place if the sharer may have one now; the caller must then call `leave` once. */
  tryEnter(sharer: string): boolean
  /**
   * Waits for a place. The next one goes to the sharer that holds the fewest.
   * @throws the signal's reason when the caller stops waiting, QueueFull when too many are waiting already, WaitedTooLong.
   */
  enter(sharer: string, signal?: AbortSignal): Promise<void>
  leave(sharer: string): void
  /** Waits for a place, runs `work`, and releases the place regardless of the result. */
  pass<T>(sharer: string, signal: AbortSignal | undefined, work: () => Promise<T>): Promise<T>
  /** The number of sharers that hold or wait for a place; nothing else is kept in memory. */
  readonly sharers: number
  /** The number of callers that wait for a place. */
  readonly waiting: number
}

/** Whether a sharer that holds `own` places may take another of the `free` ones. */
type SharingRule = (own: number, free: number) => boolean

/** How many times the number of free places one sharer may hold. */
const TIMES_WHAT_IS_FREE = 3

/**
 * A sharer alone gets three quarters of the places; the more the others hold, the fewer. The last place is reserved for
 * a sharer without any. The rule comes from shared buffers of switches, where it keeps one port from filling the memory
 * of all. Source: A. K. Choudhury and E. L. Hahne, Dynamic Queue Length Thresholds for Shared-Memory Packet Switches,
 * IEEE/ACM Transactions on Networking 6(2), 1998.
 */
export const leavingSome: SharingRule = (own, free) => free > 0 && (own === 0 || own < TIMES_WHAT_IS_FREE * (free - 1))

/** One place per sharer, regardless of how many are free: for work that does not gain from running several at once. */
export const oneEach: SharingRule = (own, free) => free > 0 && own === 0

/** Any sharer may take all places. */
export const firstCome: SharingRule = (_own, free) => free > 0

export class QueueFull extends Error {}

/** The turn of a caller did not come within the patience of the share. */
export class WaitedTooLong extends Error {}

interface Sharer {
  held: number
  waiting: Set<() => void>
}

interface Options {
  places: number
  /** How many callers may wait, of all sharers together; none by default. */
  maxWaiting?: number
  rule?: SharingRule
  /** How the queue is shared; like the places by default. */
  waitingRule?: SharingRule
  /** The longest wait. A signal with a time limit for each wait costs a hundred times as much. */
  patienceMs?: number
}

/** Places that are all free. */
export const createFairShare = (options: Options): FairShare => new Places(options)

class Places implements FairShare {
  readonly #options: Options
  readonly #mayTake: SharingRule
  readonly #mayWait: SharingRule
  /** The sharer that released a place last is last: among equals the one that has waited longest is next. */
  readonly #sharers = new Map<string, Sharer>()
  #free: number
  #waiting = 0

  constructor(options: Options) {
    const { places, rule = leavingSome, waitingRule = rule } = options
    this.#options = options
    this.#mayTake = rule
    this.#mayWait = waitingRule
    this.#free = places
  }

  get sharers(): number {
    return this.#sharers.size
  }

  get waiting(): number {
    return this.#waiting
  }

  hasRoomFor(name: string): boolean {
    const sharer = this.#sharers.get(name)
    // Calls that are already waiting come before new calls of the same sharer.
    return (sharer === undefined || sharer.waiting.size === 0) && this.#mayTake(sharer?.held ?? 0, this.#free)
  }

  hasLessThanItsPart(name: string): boolean {
    const { held } = this.#sharers.get(name) ?? { held: 0 }
    const holders = [...this.#sharers.values()].filter((sharer) => sharer.held > 0).length
    return held === 0 || held * holders < this.#options.places - this.#free
  }

  tryEnter(name: string): boolean {
    if (!this.hasRoomFor(name)) return false
    this.#take(this.#sharerOf(name))
    return true
  }

  async enter(name: string, signal?: AbortSignal): Promise<void> {
    signal?.throwIfAborted()
    if (this.tryEnter(name)) return
    const { maxWaiting = 0 } = this.#options
    if (!this.#mayWait(this.#sharers.get(name)?.waiting.size ?? 0, maxWaiting - this.#waiting)) {
      throw new QueueFull('too many callers are waiting')
    }
    await this.#wait(name, signal)
  }

  leave(name: string): void {
    const sharer = this.#sharerOf(name)
    sharer.held -= 1
    this.#free += 1
    this.#sharers.delete(name)
    if (sharer.held > 0 || sharer.waiting.size > 0) this.#sharers.set(name, sharer)
    if (this.#waiting > 0) this.#admitWaiting()
  }

  async pass<T>(name: string, signal: AbortSignal | undefined, work: () => Promise<T>): Promise<T> {
    await this.enter(name, signal)
    try {
      return await work()
    } finally {
      this.leave(name)
    }
  }

  #sharerOf(name: string): Sharer {
    const sharer = this.#sharers.get(name) ?? { held: 0, waiting: new Set() }
    this.#sharers.set(name, sharer)
    return sharer
  }

  #take(sharer: Sharer): void {
    sharer.held += 1
    this.#free -= 1
  }

  #wait(name: string, signal: AbortSignal | undefined): Promise<void> {
    const sharer = this.#sharerOf(name)
    const { patienceMs } = this.#options
    return new Promise((resolve, reject) => {
      const end = () => {
        clearTimeout(timer)
        signal?.removeEventListener('abort', leaveQueue)
      }
      const admitted = () => {
        end()
        resolve()
      }
      const giveUp = (reason: unknown) => {
        end()
        this.#leaveQueue(name, sharer, admitted)
        reject(reason)
      }
      const leaveQueue = () => giveUp(signal?.reason)
      const timer =
        patienceMs === undefined
          ? undefined
          : setTimeout(() => giveUp(new WaitedTooLong('the turn of a caller did not come in time')), patienceMs)
      sharer.waiting.add(admitted)
      this.#waiting += 1
      signal?.addEventListener('abort', leaveQueue, { once: true })
    })
  }

  #leaveQueue(name: string, sharer: Sharer, caller: () => void): void {
    sharer.waiting.delete(caller)
    this.#waiting -= 1
    if (sharer.held === 0 && sharer.waiting.size === 0) this.#sharers.delete(name)
  }

  #next(): Sharer | undefined {
    let found: Sharer | undefined
    for (const sharer of this.#sharers.values()) {
      if (sharer.waiting.size === 0 || !this.#mayTake(sharer.held, this.#free)) continue
      if (found === undefined || sharer.held < found.held) found = sharer
    }
    return found
  }

  #admitWaiting(): void {
    for (let sharer = this.#next(); sharer; sharer = this.#next()) {
      const caller = sharer.waiting.values().next().value as () => void
      sharer.waiting.delete(caller)
      this.#waiting -= 1
      this.#take(sharer)
      caller()
    }
  }
}
