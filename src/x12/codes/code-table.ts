/** A code table without a prototype: a payer's code such as `constructor` finds nothing instead of a function. */
export function codeTable(entries: Record<string, string>): Readonly<Record<string, string>> {
  return Object.freeze(Object.assign(Object.create(null), entries))
}
