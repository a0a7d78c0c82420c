/**
 * A question whose answer serves all who have asked before it was sent. Calls that arrive while one is under way share
 * the next one, so there is never more than one at a time, and no answer is older than its call.
 */
export function gathered<T>(ask: () => Promise<T>): () => Promise<T> {
  let underWay: Promise<unknown> = Promise.resolve()
  let next: Promise<T> | undefined
  return () => {
    next ??= underWay.then(() => {
      next = undefined
      const asking = ask()
      underWay = asking.catch(() => {})
      return asking
    })
    return next
  }
}

/** The same for each key. Nothing is kept of a key that nobody waits for. */
export function gatheredByKey<T>(ask: (key: string) => Promise<T>): (key: string) => Promise<T> {
  const known = new Map<string, { waiting: number; ask(): Promise<T> }>()
  return async (key) => {
    const one = known.get(key) ?? { waiting: 0, ask: gathered(() => ask(key)) }
    known.set(key, one)
    one.waiting++
    try {
      return await one.ask()
    } finally {
      if (--one.waiting === 0) known.delete(key)
    }
  }
}
