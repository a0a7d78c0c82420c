/**
 * A copy of `value` that jsonb can store: payers and other systems send NUL characters, which are removed, and lone
 * surrogates, which become U+FFFD. Requests from clients with such characters are refused instead (http/body.ts).
 */
export function storable<T extends object>(value: T): T {
  return JSON.parse(JSON.stringify(value), (_, each: unknown) =>
    typeof each === 'string' ? each.replaceAll('\0', '').toWellFormed() : each,
  )
}
