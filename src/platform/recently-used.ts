/** A map of bounded size that forgets what was not asked for the longest. */
export interface RecentlyUsed<Value> {
  get(key: string): Value | undefined
  set(key: string, value: Value): void
  delete(key: string): void
  readonly size: number
}

export function createRecentlyUsed<Value>(maxEntries: number): RecentlyUsed<Value> {
  const entries = new Map<string, Value>()
  return {
    get(key) {
      const value = entries.get(key)
      if (value === undefined) return undefined
      entries.delete(key)
      entries.set(key, value)
      return value
    },
    set(key, value) {
      entries.delete(key)
      entries.set(key, value)
      if (entries.size > maxEntries) entries.delete(entries.keys().next().value as string)
    },
    delete: (key) => entries.delete(key),
    get size() {
      return entries.size
    },
  }
}
