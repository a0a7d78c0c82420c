import { createFairShare, firstCome } from '../platform/fair-share.ts'

/** Lets a bounded number of callers through at a time; the others wait their turn, first come first served. */
export interface Semaphore {
  /**
   * Waits for a place, works, and gives it back whatever comes of that.
   * @throws what `work` throws, the signal's reason when the caller gives up waiting, QueueFull when too many are waiting already.
   */
  pass<T>(signal: AbortSignal | undefined, work: () => Promise<T>): Promise<T>
}

/** For the callers of one organization, or of none. Between organizations: fair-clearinghouse.ts. */
export function createSemaphore(places: number, maxWaiting: number): Semaphore {
  const share = createFairShare({ places, maxWaiting, rule: firstCome })
  return { pass: (signal, work) => share.pass('everyone', signal, work) }
}
