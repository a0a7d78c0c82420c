/** A longer delay is a fault of the sender. */
const LONGEST_RETRY_AFTER_MS = 24 * 3_600_000

/**
 * The delay that a Retry-After header asks for, in milliseconds and at most a day; undefined without a valid one. The header has seconds or a
 * date, which names the month; `at` is the current time. Source: RFC 9110 10.2.3, 5.6.7.
 */
export function readRetryAfter(header: string | undefined, at: Date): number | undefined {
  if (header === undefined) return undefined
  const isDate = /[a-z]{3}/i.test(header)
  const delayMs = /^\d{1,9}$/.test(header.trim())
    ? Number(header) * 1000
    : isDate
      ? Date.parse(header) - at.getTime()
      : Number.NaN
  return Number.isNaN(delayMs) ? undefined : Math.min(Math.max(0, delayMs), LONGEST_RETRY_AFTER_MS)
}
