// The text formats of the interface, shared by validation and by the readers of bodies and filters.

const DATE = /^(?!0000)\d{4}-\d{2}-\d{2}$/
const DATE_TIME = /^(?!0000)\d{4}-\d{2}-\d{2}[Tt ]\d{2}:\d{2}:\d{2}(\.\d{1,9})?([Zz]|[+-]\d{2}:\d{2})$/
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

/** A day that exists in the calendar, `YYYY-MM-DD`: 2025-02-30 is none. */
export function isDate(text: string): boolean {
  if (!DATE.test(text)) return false
  const time = Date.parse(`${text}T00:00:00Z`)
  // V8 rolls 30 February over into March instead of refusing it.
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text)
}

/** An RFC 3339 instant with an offset, on a day that exists, in the years 1 to 9999 UTC. */
export function isDateTime(text: string): boolean {
  return canonicalDateTime(text) !== undefined
}

/** The instant as the interface writes it, milliseconds in UTC (`2026-01-15T09:30:00.000Z`); undefined when it is none. */
export function canonicalDateTime(text: string): string | undefined {
  if (!DATE_TIME.test(text) || !isDate(text.slice(0, 10))) return undefined
  const time = Date.parse(text.replace(' ', 'T').toUpperCase())
  if (Number.isNaN(time)) return undefined
  const canonical = new Date(time).toISOString()
  return canonical.length === 24 && !canonical.startsWith('0000') ? canonical : undefined
}

export function isUuid(text: string): boolean {
  return UUID.test(text)
}

/**
 * A text with its letters composed, as the service stores them (http/body.ts), and decomposed, as older records may hold them: what is
 * equal to one of them is equal to the text.
 */
export function spellings(text: string): string[] {
  return [...new Set([text.normalize('NFC'), text.normalize('NFD')])]
}
