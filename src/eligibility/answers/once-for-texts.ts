// Several rules search the texts below a row, and payers repeat a text below many rows of an answer.

/**
 * What a rule finds in the texts of a row, found once for each list of texts, which equal rows of an answer share (x12/response-reader.ts). It
 * is forgotten with the answer: texts of payers may name patients.
 */
export function onceForTexts<Found>(find: (texts: readonly string[]) => Found): (texts: readonly string[]) => Found {
  const ofNone = find([])
  const known = new WeakMap<readonly string[], { found: Found }>()
  return (texts) => {
    // Most rows have no text.
    if (texts.length === 0) return ofNone
    let each = known.get(texts)
    if (!each) {
      each = { found: find(texts) }
      known.set(texts, each)
    }
    return each.found
  }
}
