/** Lets a bounded number of callers through at a time; the others wait their turn, first come first served. */
export interface Turnstile {
  /**
   * Waits for a place, works, and gives it back whatever comes of that.
   * @throws what `work` throws, the signal's reason when the caller gives up waiting, QueueFull when too many are waiting already.
   */
  pass<T>(signal: AbortSignal | undefined, work: () => Promise<T>): Promise<T>
}

export class QueueFull extends Error {}

export function createTurnstile(places: number, maxWaiting: number): Turnstile {
  let free = places
  const waiting = new Set<() => void>()

  async function enter(signal: AbortSignal | undefined): Promise<void> {
    signal?.throwIfAborted()
    if (free === 0 && waiting.size >= maxWaiting) throw new QueueFull('too many callers are waiting')
    await new Promise<void>((resolve, reject) => {
      const giveUp = () => {
        waiting.delete(caller)
        reject(signal?.reason)
      }
      const caller = () => {
        signal?.removeEventListener('abort', giveUp)
        resolve()
      }
      if (free > 0) return admit(caller)
      waiting.add(caller)
      signal?.addEventListener('abort', giveUp, { once: true })
    })
  }

  function leave() {
    free += 1
    const next = waiting.values().next().value
    if (next) admit(next)
  }

  function admit(caller: () => void) {
    waiting.delete(caller)
    free -= 1
    caller()
  }

  return {
    async pass(signal, work) {
      await enter(signal)
      try {
        return await work()
      } finally {
        leave()
      }
    },
  }
}
