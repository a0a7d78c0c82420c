import { createFairShare, type FairShare, firstCome } from '../platform/fair-share.ts'

/** No place came free for the caller; the cause is QueueFull, or the reason why the caller stopped waiting. Nothing was sent. */
export class NotSent extends Error {
  constructor(cause: unknown) {
    super('no place for another exchange', { cause })
  }
}

/** Limits the number of concurrent callers; the others wait in the order of their calls. */
interface Semaphore {
  /**
   * Waits for a place, runs `work`, and releases the place in every case.
   * @throws the error of `work`; NotSent when the caller aborts while waiting, or too many are waiting already.
   */
  pass<T>(signal: AbortSignal | undefined, work: () => Promise<T>): Promise<T>
}

const EVERYONE = ''

/** A further caller fails immediately. */
export const MAX_WAITING = 10_000

/** For callers of one organization, or of none. Between organizations: fair-clearinghouse.ts. */
export function createSemaphore(places: number, maxWaiting = MAX_WAITING): Semaphore {
  const share = createFairShare({ places, maxWaiting, rule: firstCome })
  return {
    async pass(signal, work) {
      await enter(share, EVERYONE, signal)
      return work().finally(() => share.leave(EVERYONE))
    },
  }
}

/** Waits for a place of the sharer. @throws NotSent. */
export function enter(share: FairShare, sharer: string, signal: AbortSignal | undefined): Promise<void> {
  return share.enter(sharer, signal).catch((cause: unknown) => {
    throw new NotSent(cause)
  })
}
