/**
 * A copy of `value` that jsonb can store: payers and other systems send NUL characters, which are removed, and lone
 * surrogates, which become U+FFFD. Requests from clients with such characters are refused instead (platform/http/body.ts).
 */
export function storable<T extends object>(value: T): T {
  return JSON.parse(JSON.stringify(value), (_, each: unknown) =>
    typeof each === 'string' ? each.replaceAll('\0', '').toWellFormed() : each,
  )
}

/** The JSON text of `value` in that form; null for a value that is missing. */
export function toJson(value: unknown): string | null {
  if (value === undefined || value === null) return null
  const text = JSON.stringify(value)
  return text.includes('\\u') && /\\u(?:0000|d[89a-f])/i.test(text) ? JSON.stringify(storable(value)) : text
}
