import { setTimeout as wait } from 'node:timers/promises'

/** What `work` comes to, or undefined when it takes longer. */
export async function within<T>(ms: number, work: Promise<T>): Promise<T | undefined> {
  const over = new AbortController()
  const timer = wait(ms, undefined, { signal: over.signal }).catch(() => undefined)
  try {
    return await Promise.race([work, timer])
  } finally {
    over.abort()
  }
}
