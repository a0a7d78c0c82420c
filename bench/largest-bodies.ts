// The largest bodies that an operation accepts, created from its schema.
import { UNIQUE_TEXT } from '../test/support/bodies.ts'
import { filled, type Schema } from '../test/support/schemas.ts'

type Json = unknown

/** How a body is large: in its texts, in its lists, or in the keys and the depth of its free-form values. */
const SHAPES = ['texts', 'lists', 'free form'] as const

/** Below the bounds of a body (src/platform/http/body-reader.ts). */
const VALUES_MAX = 48_000
const DEPTH = 20
/** Bodies that cannot be longer than this are not worth a row. */
const SMALL = 20_000

/** Bodies of about `bytes`; a shape is absent where the schema has no place for it. */
export function largestBodies(
  schema: Schema,
  given: Json,
  unfillable: readonly string[],
  bytes: number,
): Map<string, Json> {
  const body = withLongUniqueTexts(filled(schema, given, unfillable))
  const bodies = new Map<string, Json>()
  for (const shape of SHAPES) {
    let best: Json
    // The sizes of a list multiply with those of the lists within it, so the size is found by trying.
    for (let size = 1; size < bytes; size = Math.ceil(size * 1.15)) {
      const grown = grow(schema, body, { shape, size, unfillable })
      const text = JSON.stringify(grown)
      if (Buffer.byteLength(text) > bytes || text.split(/[,:[{]/).length > VALUES_MAX) break
      best = grown
      if (size > SMALL && text.length < SMALL) break
    }
    if (best !== undefined && JSON.stringify(best).length > SMALL) bodies.set(shape, best)
  }
  return bodies
}

interface Growth {
  shape: (typeof SHAPES)[number]
  size: number
  unfillable: readonly string[]
}

function grow(schema: Schema & { maxItems?: number; maxLength?: number }, value: Json, growth: Growth): Json {
  const { shape, size, unfillable } = growth
  if (schema.anyOf)
    return grow(schema.anyOf.find((each) => each.type === 'object') ?? schema.anyOf[0] ?? {}, value, growth)
  if (Array.isArray(value)) {
    const items = value.map((item) => grow(schema.items ?? {}, item, growth))
    const count = shape === 'lists' ? Math.min(size, schema.maxItems ?? Infinity) : items.length
    return Array.from({ length: count }, (_, index) => items[index % items.length])
  }
  if (typeof value === 'string') {
    const isFree =
      shape === 'texts' && schema.type === 'string' && !schema.format && !schema.enum && schema.const === undefined
    return isFree && /^[a-z -]+$/i.test(value) ? value.padEnd(Math.min(size, schema.maxLength ?? Infinity), 'é') : value
  }
  if (typeof value !== 'object' || value === null) return value
  if (!schema.properties) return shape === 'free form' ? freeForm(size) : value
  const fields = Object.entries(value).map(([key, item]) => [
    key,
    unfillable.includes(key) ? item : grow(schema.properties?.[key] ?? {}, item, growth),
  ])
  return Object.fromEntries(fields)
}

function freeForm(size: number): Json {
  let value: Json = Object.fromEntries(Array.from({ length: size }, (_, index) => [`key ${index}`, 'a short text']))
  for (let level = 0; level < DEPTH; level++) value = { [`level ${level}`]: value }
  return value
}

/** The placeholders of unique texts, as long as the ids that replace them. */
const withLongUniqueTexts = (body: Json): Json =>
  JSON.parse(JSON.stringify(body).replaceAll(`"${UNIQUE_TEXT}"`, `"${UNIQUE_TEXT}-${'x'.repeat(24)}"`))
