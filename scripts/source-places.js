// From which line of which source each line of the built program is, for the stacks of errors (src/main/name-sources.ts).

const DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'

/**
 * One row for each source in the order of the program: its path, the line of the program where it begins, and the line of the source for each line
 * of the program from there on. All lines are counted from 1.
 * @param {{ sources: string[], mappings: string }} map A source map, version 3.
 * @returns {[source: string, first: number, ...lines: number[]][]}
 */
export function sourcePlaces({ sources, mappings }) {
  /** @type {[source: string, first: number, ...lines: number[]][]} */
  const rows = []
  /** @type {string | undefined} */
  let named
  let source = 0
  let line = 0
  for (const [index, text] of mappings.split(';').entries()) {
    let first
    for (const segment of text.split(',')) {
      const [, toSource, toLine = 0] = numbersOf(segment)
      if (toSource === undefined) continue
      source += toSource
      line += toLine
      first ??= { name: sources[source] ?? '', line: line + 1 }
    }
    if (first && first.name !== named) {
      named = first.name
      rows.push([first.name, index + 1])
    }
    const row = rows.at(-1)
    // A line without a place of its own continues the one before.
    row?.push(first?.line ?? Number(row.at(-1)))
  }
  return rows
}

/** The numbers of one segment: base 64, five bits a digit, the lowest first, with the sign in the lowest bit. */
function numbersOf(/** @type {string} */ segment) {
  const numbers = []
  let value = 0
  let shift = 0
  for (const digit of segment) {
    const bits = DIGITS.indexOf(digit)
    value += (bits & 31) * 2 ** shift
    shift += 5
    if (bits & 32) continue
    numbers.push(value % 2 === 1 ? -(value - 1) / 2 : value / 2)
    value = 0
    shift = 0
  }
  return numbers
}
