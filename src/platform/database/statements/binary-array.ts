// Arrays in PostgreSQL's binary form. Source: array_recv in PostgreSQL's src/backend/utils/adt/arrayfuncs.c.

/** Source: pg_type. */
const TYPE_IDS = { text: 25, json: 114 } as const

const HEADER_BYTES = 20
const LENGTH_BYTES = 4
const NULL_LENGTH = -1

/**
 * Texts as a parameter of type text[] or json[]. In an array literal every quote would be escaped here and unescaped
 * there, and JSON is full of quotes.
 */
export function binaryArray(type: keyof typeof TYPE_IDS, elements: readonly (string | null)[]): Buffer {
  const sizes = elements.map((element) => (element === null ? NULL_LENGTH : Buffer.byteLength(element)))
  const content = sizes.reduce((sum, size) => sum + LENGTH_BYTES + Math.max(0, size), 0)
  const bytes = Buffer.allocUnsafe(HEADER_BYTES + content)
  const header = [1, sizes.includes(NULL_LENGTH) ? 1 : 0, TYPE_IDS[type], elements.length, 1]
  let at = header.reduce((offset, field) => bytes.writeInt32BE(field, offset), 0)
  for (const [index, element] of elements.entries()) {
    at = bytes.writeInt32BE(sizes[index] ?? NULL_LENGTH, at)
    if (element !== null) at += bytes.write(element, at)
  }
  return bytes
}
