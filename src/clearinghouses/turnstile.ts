/** Lets a bounded number of callers through at a time; the others wait their turn, first come first served. */
export interface Turnstile {
  /**
   * Waits for a place and returns how to give it back.
   * @throws the signal's reason when the caller gives up, QueueFull when too many are waiting already.
   */
  enter(signal?: AbortSignal): Promise<() => void>
}

export class QueueFull extends Error {}

export function createTurnstile(places: number, maxWaiting: number): Turnstile {
  let free = places
  const waiting = new Set<() => void>()

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
    async enter(signal) {
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
      return once(leave)
    },
  }
}

function once(action: () => void): () => void {
  let done = false
  return () => {
    if (!done) action()
    done = true
  }
}
