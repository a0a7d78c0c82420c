import { LRUCache } from 'lru-cache'

export type RecentlyUsed<V extends {}> = LRUCache<string, V>

/**
 * Keeps the `max` entries that were used last. They are counted as sizes: told a number of entries, the cache reserves the places of all when it
 * is made, a millisecond for 10,000, and a server has a dozen of these.
 */
export function recentlyUsed<V extends {}>(max: number): RecentlyUsed<V> {
  return new LRUCache<string, V>({ maxSize: max, sizeCalculation: () => 1 })
}
