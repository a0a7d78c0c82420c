/** Connects code that adds checks to the queue with the workers of the same process. */
export interface QueueSignal {
  /** There are checks to answer. */
  wake(): void
  /** Calls `listener` at every `wake`, until the function that it returns is called. */
  listen(listener: () => void): () => void
}

export function createQueueSignal(): QueueSignal {
  const listeners = new Set<() => void>()
  return {
    wake() {
      for (const listener of listeners) listener()
    },
    listen(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}
