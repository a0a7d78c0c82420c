// Reads JSON of the other side without believing its types: what is not as expected is missing.

export type JsonObject = Record<string, unknown>

/** Answers nest about ten levels deep; what nests deeper could not be written out again without exhausting the stack. */
const MAX_DEPTH = 200

/** The text as an object; `cut` when it begins like one and breaks off, `other` when it is none or nests too deep. */
export function readJsonObject(text: string): JsonObject | 'cut' | 'other' {
  const isObject = /^\s*\{/.test(text)
  if (!isObject || nestsTooDeep(text)) return 'other'
  try {
    return clean(text) as JsonObject
  } catch {
    return 'cut'
  }
}

/** PostgreSQL keeps neither NUL nor half a surrogate pair in JSON, and no payer means them. */
function clean(text: string): unknown {
  if (!/\\u(?:0000|[dD][89a-fA-F])/.test(text)) return JSON.parse(text)
  return JSON.parse(text, (_, value) =>
    typeof value === 'string' ? value.replaceAll('\0', ' ').toWellFormed() : value,
  )
}

function nestsTooDeep(text: string): boolean {
  let depth = 0
  let isText = false
  for (let at = 0; at < text.length; at++) {
    const character = text.charCodeAt(at)
    if (isText && character === BACKSLASH) at++
    else if (character === QUOTE) isText = !isText
    else if (isText) continue
    else if (character === BRACE || character === BRACKET) {
      if (++depth > MAX_DEPTH) return true
    } else if (character === BRACE_END || character === BRACKET_END) depth--
  }
  return false
}

const [BACKSLASH, QUOTE, BRACE, BRACE_END, BRACKET, BRACKET_END] = [...'\\"{}[]'].map((each) => each.charCodeAt(0))

/** Text that says something; numbers count as the text they are written as. */
export function textOf(value: unknown): string | undefined {
  if (typeof value === 'number') return String(value)
  return typeof value === 'string' && value.trim() !== '' ? value : undefined
}

/** The members of an object; none when it is no object. */
export function objectOf(value: unknown): JsonObject {
  return isObject(value) ? value : {}
}

/** The objects in a list; what else is in it is left out. */
export function objectsOf(value: unknown): JsonObject[] {
  return Array.isArray(value) ? value.filter(isObject) : []
}

/** The texts in a list. */
export function textsOf(value: unknown): string[] {
  return Array.isArray(value) ? value.map(textOf).filter((text) => text !== undefined) : []
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
