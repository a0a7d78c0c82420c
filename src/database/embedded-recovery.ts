import type { Log } from './embedded-home.ts'

/** A start that failed may fail again for the same reason; the last delay is what an operator can wait for. */
export const RECOVERY_BACK_OFF = { firstMs: 500, longestMs: 60_000 }
/** A PostgreSQL that lived this long is no part of a series of crashes. */
export const STEADY_AFTER_MS = 60_000
const LOG_INTERVAL_MS = 60_000

/** Says at most one line a minute. Of those that come in between, the last is said when the minute is over. */
export function onceAMinute(log: Log): Log {
  let saidAt = Number.NEGATIVE_INFINITY
  let waiting: Parameters<Log> | undefined
  const say = (...line: Parameters<Log>) => {
    saidAt = performance.now()
    log(...line)
  }
  return (...line) => {
    const leftMs = saidAt + LOG_INTERVAL_MS - performance.now()
    if (leftMs <= 0 && !waiting) return say(...line)
    if (!waiting) {
      const sayLast = () => {
        const last = waiting
        waiting = undefined
        if (last) say(...last)
      }
      setTimeout(sayLast, leftMs).unref()
    }
    waiting = line
  }
}
