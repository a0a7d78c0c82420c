// How long to wait before something that failed for an outage is tried again. Source: clearinghouse.md A3; users.md 14.

export interface BackOff {
  firstMs: number
  longestMs: number
}

/**
 * Milliseconds until the next attempt after `failures` (1 and more): doubling from the first delay to the longest, less up to half by
 * chance so that what failed together does not come back together, and never less than the other side asks for (Retry-After).
 */
export function backOffMs(
  { firstMs, longestMs }: BackOff,
  failures: number,
  { askedMs = 0, random = Math.random }: { askedMs?: number | undefined; random?: (() => number) | undefined } = {},
): number {
  const full = Math.min(longestMs, firstMs * 2 ** (failures - 1))
  return Math.max(askedMs, Math.round(full * (1 - random() / 2)))
}
