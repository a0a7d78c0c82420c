/** Work that goes on after its caller was answered. */
export interface Background {
  /** `handOver` lets another process take the work on, when this one ends before it. Neither may say anything by failing. */
  carry(work: Promise<unknown>, handOver: () => Promise<unknown>): void
  /** Waits for the work for a while, and hands the rest over. */
  close(): Promise<void>
}

/** Work in progress gets this long when the process stops: the queue of checks stops after it and takes its own time. */
const CLOSE_LIMIT_MS = 8_000

export function createBackground(closeLimitMs = CLOSE_LIMIT_MS): Background {
  const carried = new Map<Promise<unknown>, () => Promise<unknown>>()
  return {
    carry(work, handOver) {
      const settled: Promise<unknown> = work.catch(() => {}).finally(() => carried.delete(settled))
      carried.set(settled, handOver)
    },
    async close() {
      let limit: NodeJS.Timeout | undefined
      const timeIsUp = new Promise<void>((resolve) => {
        limit = setTimeout(resolve, closeLimitMs)
      })
      await Promise.race([Promise.all(carried.keys()), timeIsUp])
      clearTimeout(limit)
      await Promise.all([...carried.values()].map((handOver) => handOver().catch(() => {})))
    },
  }
}
