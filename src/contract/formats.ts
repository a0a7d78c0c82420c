// The text formats of the interface, shared by validation and by the code that reads bodies and filters.

const DATE = /^(?!0000)\d{4}-\d{2}-\d{2}$/
// V8 also reads 24:00:00 as the next midnight, which RFC 3339 excludes.
const DATE_TIME = /^(?!0000)\d{4}-\d{2}-\d{2}[Tt ](?!24)\d{2}:\d{2}:\d{2}(\.\d{1,9})?([Zz]|[+-]\d{2}:\d{2})$/
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

/** Most dates are in the part of a month that every month has. */
const SHORTEST_MONTH_DAYS = 28

/** True for a day of the calendar as `YYYY-MM-DD`; false for 2025-02-30. */
export function isDate(text: string): boolean {
  if (!DATE.test(text)) return false
  const [month, day] = [Number(text.slice(5, 7)), Number(text.slice(8))]
  if (month >= 1 && month <= 12 && day >= 1 && day <= SHORTEST_MONTH_DAYS) return true
  const time = Date.parse(`${text}T00:00:00Z`)
  // V8 rolls 30 February over into March instead of refusing it.
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text)
}

/** True for an RFC 3339 instant with an offset, on a day of the calendar, in the years 1 to 9999 UTC. */
export function isDateTime(text: string): boolean {
  return canonicalDateTime(text) !== undefined
}

/**
 * The instant as the interface writes it, in UTC with milliseconds (`2026-01-15T09:30:00.000Z`); undefined when `text`
 * is not an instant.
 */
export function canonicalDateTime(text: string): string | undefined {
  if (!DATE_TIME.test(text) || !isDate(text.slice(0, 10))) return undefined
  const time = Date.parse(text.replace(' ', 'T').toUpperCase())
  if (Number.isNaN(time)) return undefined
  const canonical = new Date(time).toISOString()
  return canonical.length === 24 && !canonical.startsWith('0000') ? canonical : undefined
}

/** `2026-01-15T09:30Z` */
const MINUTES = /(T\d{2}:\d{2})(Z|[+-]\d{2}:\d{2})$/

/**
 * A date-time of a URL with its seconds. The published client of Java writes it with `OffsetDateTime.toString()`, which
 * leaves out seconds that are zero. RFC 3339 requires them, and bodies always have them.
 */
export function withSeconds(text: string): string {
  return text.replace(MINUTES, '$1:00$2')
}

/** `20260115` as `2026-01-15`; any other text as it is. */
export function withHyphens(text: string): string
export function withHyphens(text: string | undefined): string | undefined
export function withHyphens(text: string | undefined): string | undefined {
  return text?.replace(/^(\d{4})(\d{2})(\d{2})$/, '$1-$2-$3')
}

/** What `isDate` requires, for messages. */
export const DATE_RULE = 'a date that exists (YYYY-MM-DD)'

/** The lowest UUID; no record, organization or file has it. Source: RFC 9562 5.9. */
export const NIL_UUID = '00000000-0000-0000-0000-000000000000'

/** In letters of either case. */
export function isUuid(text: string): boolean {
  return UUID.test(text)
}

/**
 * The spellings of a text in composed letters, as the service stores them (platform/http/body.ts), and in decomposed letters, as
 * older records may hold them. A stored text equals `text` when it equals one of them.
 */
export function spellings(text: string): string[] {
  return [...new Set([text.normalize('NFC'), text.normalize('NFD')])]
}
