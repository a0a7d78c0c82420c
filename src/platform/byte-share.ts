// Bytes in memory that many sharers compete for, shared by the rule of fair-share.ts. decisions/0019-fairness.md

/** One sharer may hold this many times what stays free. */
const TIMES_WHAT_IS_FREE = 3

/** A bounded number of bytes, shared by any sharers: organizations, connectors. */
interface ByteShare<Sharer> {
  /** Whether the sharer may hold this many more. The longest text that is accepted at all must be admitted where nobody holds any. */
  hasRoomFor(sharer: Sharer, bytes: number): boolean
  /** Adds bytes, or with a negative number releases them. */
  add(sharer: Sharer, bytes: number): void
}

/** `limit` in bytes, over all sharers. */
export function createByteShare<Sharer>(limit: number): ByteShare<Sharer> {
  const bytesOf = new Map<Sharer, number>()
  let total = 0
  return {
    hasRoomFor(sharer, bytes) {
      if (bytes === 0 || total === 0) return true
      const own = bytesOf.get(sharer) ?? 0
      const free = limit - total - bytes
      return free >= 0 && (own === 0 || own + bytes <= TIMES_WHAT_IS_FREE * free)
    },
    add(sharer, bytes) {
      if (bytes === 0) return
      total += bytes
      const own = (bytesOf.get(sharer) ?? 0) + bytes
      if (own === 0) bytesOf.delete(sharer)
      else bytesOf.set(sharer, own)
    },
  }
}
