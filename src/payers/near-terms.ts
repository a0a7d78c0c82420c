// Words that resemble what was typed, as a whole or by their beginning. A swap of two adjacent letters is one mistake (Damerau-Levenshtein,
// optimal string alignment), which plain edit distance counts as two: "atena", "cgina".

/** Unique words in the order of their UTF-16 code units, so that words with a common prefix are compared together. */
export interface Vocabulary {
  words: readonly string[]
  /** How many leading letters a word shares with the word before it. */
  shared: Uint8Array
}

/** @param words sorted and unique. */
export function vocabularyOf(words: readonly string[]): Vocabulary {
  const shared = Uint8Array.from(words, (word, at) => Math.min(255, sharedPrefix(words[at - 1] ?? '', word)))
  return { words, shared }
}

/** The minimum likeness of a word that begins exactly as typed, relative to an exact match. */
const BEGINNING = 0.8
/** Factor for a different first letter, which people seldom mistype. */
const OTHER_FIRST_LETTER = 0.93
/** Below this length, a mistake in the prefix of a longer word would match too many words. */
const WRONG_BEGINNING_MIN = 4
/** Two mistakes within so few letters make a different word, and would require a comparison with every word. */
const OPENING = 2
/** No word is longer, and the cells of the table are bytes. */
const LENGTH_MAX = 100

/** How many mistakes a word of this length may have. Ids are dense: an id with a wrong digit usually belongs to another payer. */
function allowedMistakes(word: string): number {
  if (word.replaceAll(/\D/g, '').length * 2 >= word.length) return word.length < 5 ? 0 : 1
  if (word.length < 3) return 0
  return word.length < 7 ? 1 : 2
}

/**
 * Calls `found` for every word of the vocabulary that equals or begins with `typed`, allowing for a mistake or two. The likeness is above 0
 * and at most 1, which is an exact match.
 */
export function findNear(
  { words, shared }: Vocabulary,
  typed: string,
  found: (at: number, likeness: number) => void,
): void {
  if (typed.length > LENGTH_MAX) return
  const mistakes = allowedMistakes(typed)
  const table = new DistanceTable(typed, mistakes)
  for (let at = 0; at < words.length; ) {
    const word = words[at] as string
    const depth = table.read(word, shared[at] as number)
    let end = at + 1
    // Unread letters cannot bring a word closer than its prefix was, so all words with that prefix have the same result.
    if (depth < word.length) while (end < words.length && (shared[end] as number) >= depth) end++
    const reach = table.reach(depth)
    const distance = depth === word.length ? table.distance(depth) : Infinity
    if (reach <= mistakes) for (; at < end; at++) report(at, distance, reach)
    at = end
  }

  function report(at: number, distance: number, reach: number): void {
    const word = words[at] as string
    const whole = distance <= mistakes ? 1 - distance / Math.max(typed.length, word.length) : 0
    const mayBegin = reach === 0 || typed.length >= WRONG_BEGINNING_MIN
    const share = Math.min(1, typed.length / word.length)
    const beginning = mayBegin ? (1 - reach / typed.length) * (BEGINNING + (1 - BEGINNING) * share) : 0
    const likeness = Math.max(whole, beginning) * (word.charCodeAt(0) === typed.charCodeAt(0) ? 1 : OTHER_FIRST_LETTER)
    if (likeness > 0) found(at, likeness)
  }
}

/** Distances of the typed text from one word after another; row `depth` stands for the first `depth` letters of the word. */
class DistanceTable {
  private readonly typed: string
  private readonly mistakes: number
  private readonly width: number
  private readonly cells: Uint8Array
  /** The minimum of each row, and the minimum distance of the whole of `typed` from a prefix of the word. */
  private readonly least: Uint8Array
  private readonly reached: Uint8Array
  private rows = 0

  constructor(typed: string, mistakes: number) {
    // A longer prefix is always too distant.
    const depths = typed.length + mistakes + 3
    this.typed = typed
    this.mistakes = mistakes
    this.width = typed.length + 1
    this.cells = new Uint8Array(depths * this.width)
    this.least = new Uint8Array(depths)
    this.reached = new Uint8Array(depths)
    for (let column = 0; column < this.width; column++) this.cells[column] = column
    this.reached[0] = typed.length
  }

  /** The distance of the whole of `typed` from the first `depth` letters. */
  distance(depth: number): number {
    return this.cells[depth * this.width + this.width - 1] as number
  }

  /** The minimum distance of the whole of `typed` from any prefix within the first `depth` letters. */
  reach(depth: number): number {
    return this.reached[depth] as number
  }

  /** Compares a word that shares `shared` letters with the previous one, as far as it can match. Returns the depth at which it stopped. */
  read(word: string, shared: number): number {
    let depth = Math.min(shared, this.rows)
    while (depth < word.length && this.isNear(depth)) this.fill(word, depth++)
    this.rows = depth
    return depth
  }

  /** Whether one more letter could still be within the allowed mistakes: a swap reaches two rows back. */
  private isNear(depth: number): boolean {
    const mistakes = depth <= OPENING ? Math.min(1, this.mistakes) : this.mistakes
    return (this.least[depth] as number) <= mistakes || (depth > 0 && (this.least[depth - 1] as number) < mistakes)
  }

  /** Writes the row below `depth`. */
  private fill(word: string, depth: number): void {
    const { cells, typed, width } = this
    const above = depth * width
    const row = above + width
    const letter = word.charCodeAt(depth)
    const before = depth > 0 ? word.charCodeAt(depth - 1) : -1
    cells[row] = depth + 1
    let least = depth + 1
    for (let column = 1; column < width; column++) {
      const own = typed.charCodeAt(column - 1)
      let value = (cells[above + column - 1] as number) + (own === letter ? 0 : 1)
      value = Math.min(value, (cells[above + column] as number) + 1, (cells[row + column - 1] as number) + 1)
      if (column > 1 && own === before && typed.charCodeAt(column - 2) === letter)
        value = Math.min(value, (cells[above - width + column - 2] as number) + 1)
      cells[row + column] = value
      if (value < least) least = value
    }
    this.least[depth + 1] = least
    this.reached[depth + 1] = Math.min(this.reached[depth] as number, cells[row + width - 1] as number)
  }
}

function sharedPrefix(one: string, other: string): number {
  const length = Math.min(one.length, other.length)
  let at = 0
  while (at < length && one.charCodeAt(at) === other.charCodeAt(at)) at++
  return at
}
