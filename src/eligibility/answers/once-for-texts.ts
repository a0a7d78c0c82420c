// Several rules search the texts below a row, and payers repeat a text below many rows of an answer.

/** What each rule found in a list of texts, by the number of the rule. One map for all rules: to add a list to a map costs more than most searches. */
const known = new WeakMap<readonly string[], { found: unknown }[]>()
let rules = 0

/**
 * What a rule finds in the texts of a row, found once for each list of texts, which equal rows of an answer share (x12/response-reader.ts). It
 * is forgotten with the answer: texts of payers may name patients.
 */
export function onceForTexts<Found>(find: (texts: readonly string[]) => Found): (texts: readonly string[]) => Found {
  const ofNone = find([])
  const rule = rules
  rules += 1
  return (texts) => {
    // Most rows have no text.
    if (texts.length === 0) return ofNone
    let ofTexts = known.get(texts)
    if (!ofTexts) {
      ofTexts = []
      known.set(texts, ofTexts)
    }
    ofTexts[rule] ??= { found: find(texts) }
    return ofTexts[rule].found as Found
  }
}
