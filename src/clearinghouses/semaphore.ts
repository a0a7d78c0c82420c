import { createFairShare, firstCome } from '../platform/fair-share.ts'

/** Limits the number of concurrent callers; the others wait in the order of their calls. */
export interface Semaphore {
  /**
   * Waits for a place, runs `work`, and releases the place in every case.
   * @throws the error of `work`, the signal's reason when the caller aborts while waiting, QueueFull when too many are waiting already.
   */
  pass<T>(signal: AbortSignal | undefined, work: () => Promise<T>): Promise<T>
}

/** For callers of one organization, or of none. Between organizations: fair-clearinghouse.ts. */
export function createSemaphore(places: number, maxWaiting: number): Semaphore {
  const share = createFairShare({ places, maxWaiting, rule: firstCome })
  return { pass: (signal, work) => share.pass('everyone', signal, work) }
}
