// The delay before retrying something that failed because of an outage. Source: clearinghouse.md A3; users.md 14.

export interface BackOff {
  firstMs: number
  longestMs: number
}

/**
 * Milliseconds until the next attempt after `failures` (1 or more): doubling from the first delay to the longest, minus
 * up to half at random so that simultaneous failures do not return together, and never less than the server requests
 * (Retry-After).
 */
export function backOffMs(
  { firstMs, longestMs }: BackOff,
  failures: number,
  { askedMs = 0, random = Math.random }: { askedMs?: number | undefined; random?: (() => number) | undefined } = {},
): number {
  const full = Math.min(longestMs, firstMs * 2 ** (failures - 1))
  return Math.max(askedMs, Math.round(full * (1 - random() / 2)))
}
