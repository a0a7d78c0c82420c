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
}

/** Whether a sharer that holds `own` places may take another of the `free` ones. */
export type SharingRule = (own: number, free: number) => boolean

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

/** Places that are all free. */
export function createFairShare(options: {
  places: number
  /** How many callers may wait, of all sharers together; none by default. */
  maxWaiting?: number
  rule?: SharingRule
  /** How the queue is shared; like the places by default. */
  waitingRule?: SharingRule
  /** The longest wait. A signal with a time limit for each wait costs a hundred times as much. */
  patienceMs?: number
}): FairShare {
  const { places, maxWaiting = 0, rule: mayTake = leavingSome, waitingRule: mayWait = mayTake, patienceMs } = options
  /** The sharer that released a place last is last: among equals the one that has waited longest is next. */
  const sharers = new Map<string, Sharer>()
  let free = places
  let waiting = 0

  const mayEnter = (sharer: Sharer | undefined) =>
    // Calls that are already waiting come before new calls of the same sharer.
    (sharer === undefined || sharer.waiting.size === 0) && mayTake(sharer?.held ?? 0, free)

  function sharerOf(name: string): Sharer {
    const sharer = sharers.get(name) ?? { held: 0, waiting: new Set() }
    sharers.set(name, sharer)
    return sharer
  }

  function take(sharer: Sharer) {
    sharer.held += 1
    free -= 1
  }

  function forgetIdle(name: string, { held, waiting: own }: Sharer) {
    if (held === 0 && own.size === 0) sharers.delete(name)
  }

  function tryEnter(name: string): boolean {
    if (!mayEnter(sharers.get(name))) return false
    take(sharerOf(name))
    return true
  }

  function wait(name: string, signal: AbortSignal | undefined): Promise<void> {
    const sharer = sharerOf(name)
    return new Promise((resolve, reject) => {
      const end = () => {
        clearTimeout(timer)
        signal?.removeEventListener('abort', leaveQueue)
      }
      const giveUp = (reason: unknown) => {
        end()
        sharer.waiting.delete(caller)
        waiting -= 1
        forgetIdle(name, sharer)
        reject(reason)
      }
      const leaveQueue = () => giveUp(signal?.reason)
      const caller = () => {
        end()
        resolve()
      }
      const timer =
        patienceMs === undefined
          ? undefined
          : setTimeout(() => giveUp(new WaitedTooLong('the turn of a caller did not come in time')), patienceMs)
      sharer.waiting.add(caller)
      waiting += 1
      signal?.addEventListener('abort', leaveQueue, { once: true })
    })
  }

  async function enter(name: string, signal?: AbortSignal): Promise<void> {
    signal?.throwIfAborted()
    if (tryEnter(name)) return
    if (!mayWait(sharers.get(name)?.waiting.size ?? 0, maxWaiting - waiting)) {
      throw new QueueFull('too many callers are waiting')
    }
    await wait(name, signal)
  }

  function next(): Sharer | undefined {
    let found: Sharer | undefined
    for (const sharer of sharers.values()) {
      if (sharer.waiting.size === 0 || !mayTake(sharer.held, free)) continue
      if (found === undefined || sharer.held < found.held) found = sharer
    }
    return found
  }

  function admitWaiting() {
    for (let sharer = next(); sharer; sharer = next()) {
      const caller = sharer.waiting.values().next().value as () => void
      sharer.waiting.delete(caller)
      waiting -= 1
      take(sharer)
      caller()
    }
  }

  function leave(name: string) {
    const sharer = sharerOf(name)
    sharer.held -= 1
    free += 1
    sharers.delete(name)
    if (sharer.held > 0 || sharer.waiting.size > 0) sharers.set(name, sharer)
    if (waiting > 0) admitWaiting()
  }

  return {
    hasRoomFor: (name) => mayEnter(sharers.get(name)),
    hasLessThanItsPart(name) {
      const { held } = sharers.get(name) ?? { held: 0 }
      const holders = [...sharers.values()].filter((sharer) => sharer.held > 0).length
      return held === 0 || held * holders < places - free
    },
    tryEnter,
    enter,
    leave,
    async pass(name, signal, work) {
      await enter(name, signal)
      try {
        return await work()
      } finally {
        leave(name)
      }
    },
    get sharers() {
      return sharers.size
    },
  }
}
