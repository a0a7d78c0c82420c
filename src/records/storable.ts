/**
 * A copy of `value` that jsonb can hold: other sides send NUL characters and halves of surrogate pairs, and nobody means them.
 * What clients send is refused instead (http/body.ts).
 */
export function storable<T extends object>(value: T): T {
  return JSON.parse(JSON.stringify(value), (_, each: unknown) =>
    typeof each === 'string' ? each.replaceAll('\0', '').toWellFormed() : each,
  )
}
