/** Work that goes on after its caller was answered. */
export interface Background {
  /** `handOver` lets another process take the work on, when this one ends before it. Neither may say anything by failing. */
  carry(work: Promise<unknown>, handOver: () => Promise<unknown>): void
  /** Waits for the work for a while, and hands the rest over. */
  close(): Promise<void>
}

/** Work in progress gets so long when the process stops. */
export function createBackground(closeLimitMs: number): Background {
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
