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
