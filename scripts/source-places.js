// From which line of which source each line of the built program is, for the stacks of errors (src/main/name-sources.ts).
import { SourceMap } from 'node:module'

/**
 * One row for each source in the order of the program: its path, the line of the program where it begins, and the line of the source for each line
 * of the program from there on. All lines are counted from 1.
 * @param {import('node:module').SourceMapPayload} map
 * @returns {[source: string, first: number, ...lines: number[]][]}
 */
export function sourcePlaces(map) {
  const places = new SourceMap(map)
  /** @type {[source: string, first: number, ...lines: number[]][]} */
  const rows = []
  const lines = map.mappings.split(';').length
  for (let line = 0; line < lines; line++) {
    const first = firstOf(places, line)
    if (first && first.originalSource !== rows.at(-1)?.[0]) rows.push([first.originalSource, line + 1])
    const row = rows.at(-1)
    // A line without a place of its own continues the one before.
    row?.push(first ? first.originalLine + 1 : Number(row.at(-1)))
  }
  return rows
}

/** The first place on a line of the program. */
function firstOf(/** @type {SourceMap} */ places, /** @type {number} */ line) {
  /** @type {import('node:module').SourceMapping | undefined} */
  let first
  for (let column = Number.MAX_SAFE_INTEGER; column >= 0; column = first.generatedColumn - 1) {
    const place = places.findEntry(line, column)
    if (!('originalLine' in place) || place.generatedLine !== line) break
    first = place
  }
  return first
}
