// Words that are nearly, or begin nearly as, what somebody typed. A swap of two neighbours is one mistake
// (Damerau-Levenshtein, optimal string alignment), which edit distance alone counts as two: "atena", "cgina".

/** Words in the order of their UTF-16 code units, each once, so that words with the same beginning are read together. */
export interface Vocabulary {
  words: readonly string[]
  /** How many letters a word shares with the one before it. */
  shared: Uint8Array
}

/** @param words sorted and unique. */
export function vocabularyOf(words: readonly string[]): Vocabulary {
  const shared = Uint8Array.from(words, (word, at) => Math.min(255, sharedPrefix(words[at - 1] ?? '', word)))
  return { words, shared }
}

/** What a whole word that begins as typed is worth at least, as against the word itself. */
const BEGINNING = 0.8
/** People know the first letter. */
const OTHER_FIRST_LETTER = 0.93
/** Below this length a mistake at the beginning of a longer word would find anything. */
const WRONG_BEGINNING_MIN = 4
/** Two mistakes in so few letters are another word; and there every word would have to be looked at. */
const OPENING = 2
/** Nobody's word is longer, and rows of the table are bytes. */
const LENGTH_MAX = 100

/** How many mistakes a word of this length may hold. Ids are dense: a wrong digit is mostly another payer's. */
function allowedMistakes(word: string): number {
  if (word.replaceAll(/\D/g, '').length * 2 >= word.length) return word.length < 5 ? 0 : 1
  if (word.length < 3) return 0
  return word.length < 7 ? 1 : 2
}

/**
 * Calls `found` for every word of the vocabulary that is `typed`, begins with it, or does so but for a mistake or two, with a
 * likeness above 0 and at most 1, which is the word itself.
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
    // Letters that were not read bring no word nearer than its beginning was, so all words that begin so are settled.
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

/** Distances of what was typed from one word after another; row `depth` stands for the first `depth` letters of the word. */
class DistanceTable {
  private readonly typed: string
  private readonly mistakes: number
  private readonly width: number
  private readonly cells: Uint8Array
  /** The least of each row, and the least distance of the whole of `typed` from a beginning of the word. */
  private readonly least: Uint8Array
  private readonly reached: Uint8Array
  private rows = 0

  constructor(typed: string, mistakes: number) {
    // Longer beginnings than this are too far away.
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

  /** The least distance of the whole of `typed` from any beginning within the first `depth` letters. */
  reach(depth: number): number {
    return this.reached[depth] as number
  }

  /** Reads a word that shares so many letters with the last one, as far as it can matter: the depth at which it stopped. */
  read(word: string, shared: number): number {
    let depth = Math.min(shared, this.rows)
    while (depth < word.length && this.isNear(depth)) this.fill(word, depth++)
    this.rows = depth
    return depth
  }

  /** Whether one letter more may still be within the mistakes: a swap reaches two rows back. */
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
