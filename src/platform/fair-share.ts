// Places that many take from, fairly: one who takes all that it can get always leaves some for the others. decisions/0019-fairness.md.

/** A bounded number of places, shared by whoever comes: an organization, a caller's address. */
export interface FairShare {
  /** Whether the sharer would get a place now. */
  hasRoomFor(sharer: string): boolean
  /** Whether the sharer holds no place, or fewer than those who hold one do on average. */
  hasLessThanItsPart(sharer: string): boolean
  /** Takes a place, if the sharer may have one now; whoever takes one calls `leave`, once. */
  tryEnter(sharer: string): boolean
  /**
   * Waits for a place. The next one goes to the sharer that holds the fewest.
   * @throws the signal's reason when the caller gives up waiting, QueueFull when too many are waiting already.
   */
  enter(sharer: string, signal?: AbortSignal): Promise<void>
  leave(sharer: string): void
  /** Waits for a place, works, and gives it back whatever comes of that. */
  pass<T>(sharer: string, signal: AbortSignal | undefined, work: () => Promise<T>): Promise<T>
  /** Those that hold a place or wait for one: all that is kept in memory. */
  readonly sharers: number
}

/** Whether one that holds `own` places may take another of those that are `free`. */
export type SharingRule = (own: number, free: number) => boolean

/** How many times what stays free one sharer may hold. */
const TIMES_WHAT_IS_FREE = 3

/**
 * A sharer alone gets three quarters; the more others hold, the less. The last place is for one that has none. Known from shared
 * buffers of switches, where it keeps one port from filling the memory of all. Source: A. K. Choudhury and E. L. Hahne, Dynamic
 * Queue Length Thresholds for Shared-Memory Packet Switches, IEEE/ACM Transactions on Networking 6(2), 1998.
 */
export const leavingSome: SharingRule = (own, free) => free > 0 && (own === 0 || own < TIMES_WHAT_IS_FREE * (free - 1))

/** One place a sharer, whatever is free: for work that gains nothing from more of its kind at the same time. */
export const oneEach: SharingRule = (own, free) => free > 0 && own === 0

/** All places to whoever comes. */
export const toWhoeverComes: SharingRule = (_own, free) => free > 0

export class QueueFull extends Error {}

interface Sharer {
  held: number
  waiting: Set<() => void>
}

export function createFairShare(options: {
  places: number
  maxWaiting?: number
  rule?: SharingRule
  /** How the queue is shared; as the places unless it says otherwise. */
  waitingRule?: SharingRule
}): FairShare {
  const { places, maxWaiting = 0, rule: mayTake = leavingSome, waitingRule: mayWait = mayTake } = options
  /** Whoever gave back a place last stands last: between equals the one that has waited longest is next. */
  const sharers = new Map<string, Sharer>()
  let free = places
  let waiting = 0

  const mayEnter = (sharer: Sharer | undefined) =>
    // Whoever waits already comes before others of the same sharer.
    (sharer === undefined || sharer.waiting.size === 0) && mayTake(sharer?.held ?? 0, free)

  function known(name: string): Sharer {
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
    take(known(name))
    return true
  }

  function wait(name: string, signal: AbortSignal | undefined): Promise<void> {
    const sharer = known(name)
    return new Promise((resolve, reject) => {
      const giveUp = () => {
        sharer.waiting.delete(caller)
        waiting -= 1
        forgetIdle(name, sharer)
        reject(signal?.reason)
      }
      const caller = () => {
        signal?.removeEventListener('abort', giveUp)
        resolve()
      }
      sharer.waiting.add(caller)
      waiting += 1
      signal?.addEventListener('abort', giveUp, { once: true })
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
    const sharer = known(name)
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
