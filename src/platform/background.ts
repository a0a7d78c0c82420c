import { withTimeLimit } from './with-time-limit.ts'

/** Work that continues after its caller was answered. */
export interface Background {
  /** `handOver` lets another process continue the work when this one ends first. Rejections of both are ignored. */
  carry(work: Promise<unknown>, handOver: () => Promise<unknown>): void
  /** Waits for the work for a limited time, and hands the rest over. */
  close(): Promise<void>
}

/** `closeLimitMs`: how long work in progress may take when the process stops. */
export function createBackground(closeLimitMs: number): Background {
  const carried = new Map<Promise<unknown>, () => Promise<unknown>>()
  return {
    carry(work, handOver) {
      const settled: Promise<unknown> = work.catch(() => {}).finally(() => carried.delete(settled))
      carried.set(settled, handOver)
    },
    async close() {
      await withTimeLimit(closeLimitMs, Promise.all(carried.keys()))
      await Promise.all([...carried.values()].map((handOver) => handOver().catch(() => {})))
    },
  }
}
