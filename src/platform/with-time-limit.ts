import { setTimeout as wait } from 'node:timers/promises'

/** The result of `work`, or undefined when it takes longer than `ms` milliseconds; the work itself continues. */
export async function withTimeLimit<T>(ms: number, work: Promise<T>): Promise<T | undefined> {
  const ending = new AbortController()
  const timer = wait(ms, undefined, { signal: ending.signal }).catch(() => undefined)
  try {
    return await Promise.race([work, timer])
  } finally {
    ending.abort()
  }
}
