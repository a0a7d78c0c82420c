// The largest answer to one inquiry that is accepted. A larger one is rejected before it is parsed, because parsing costs much more than
// counting.
import { tokenize } from './tokenizer.ts'

/**
 * Most answers hold a few hundred benefits of six segments each. Medicaid managed care and Medicare plans that list every service type with
 * its own dates, limits, entities and messages reach several thousand. Each processing step takes less than a tenth of a second for 6,000
 * segments.
 */
const SEGMENTS_MAX = 6_000
/**
 * Interchanges, transactions and hierarchical levels (payer, provider, subscriber, dependent) together: parsing is most expensive when
 * there are many of them.
 */
const LEVELS_MAX = 500
const LEVELS: ReadonlySet<string> = new Set(['ISA', 'ST', 'HL'])
/** Benefits of an answer that arrives as JSON without its X12: parsing one costs as much as parsing six segments. */
export const BENEFITS_MAX = 2_500
const CHARACTERS_MAX = 1_500_000
/** Characters that could be delimiters: a benefit with every element filled has about 40. */
const MARKS_MAX = 125_000

/** Whether an interchange exceeds the bounds of an answer to one inquiry. Stops counting at the first bound that is exceeded. */
export function isBeyondAnswer(text: string): boolean {
  if (text.length > CHARACTERS_MAX) return true
  if (text.length <= SEGMENTS_MAX && hasFewLevels(text)) return false
  if (hasManyMarks(text) || mayHoldManyHeaders(text)) return true
  let [segments, levels] = [0, 0]
  for (const { id } of tokenize(text)) {
    if (LEVELS.has(id)) levels += 1
    if (++segments > SEGMENTS_MAX || levels > LEVELS_MAX) return true
  }
  return false
}

/** Nearly every answer is short: a text with fewer characters than the maximum number of segments can only exceed the bound on levels. */
function hasFewLevels(text: string): boolean {
  const ids = /ISA|ST|HL/gi
  let levels = 0
  while (ids.exec(text) !== null) levels += 1
  return levels <= LEVELS_MAX
}

/** Each place that may begin an interchange is examined. An answer has one, and the letters in a name or a text are followed by a letter or a blank. */
function mayHoldManyHeaders(text: string): boolean {
  const headers = /ISA[^A-Za-z0-9 \r\n]/gi
  let count = 0
  while (headers.exec(text) !== null) count += 1
  return count > LEVELS_MAX
}

/** A sender may declare any delimiter except a letter, a digit or a blank. */
function hasManyMarks(text: string): boolean {
  let marks = 0
  for (let at = 0; at < text.length; at++) {
    if (!isPlain(text.charCodeAt(at)) && ++marks > MARKS_MAX) return true
  }
  return false
}

function isPlain(code: number): boolean {
  return (
    (code >= 0x30 && code <= 0x39) || (code >= 0x41 && code <= 0x5a) || (code >= 0x61 && code <= 0x7a) || code === 0x20
  )
}

/** As many as the largest answer of a clearinghouse has bytes. */
const WRITTEN_MAX = 4_000_000
/** What a value takes beside its characters. */
const CHARACTERS_A_VALUE = 8

/**
 * Whether parts of an answer, each written so many times, are much longer than an answer may be. The forms of JSON state a text, a list of notes or the name
 * of a plan once for thousands of rows, which share it in memory: four megabytes would be written as gigabytes.
 */
export function isBeyondWritten(parts: Iterable<readonly [part: unknown, times: number]>): boolean {
  const known = new WeakMap<object, number>()
  const weigh = (value: unknown): number => {
    if (typeof value === 'string') return CHARACTERS_A_VALUE + value.length
    if (typeof value !== 'object' || value === null) return CHARACTERS_A_VALUE
    let weight = known.get(value)
    if (weight !== undefined) return weight
    weight = CHARACTERS_A_VALUE
    for (const each of Object.values(value)) weight += weigh(each)
    known.set(value, weight)
    return weight
  }
  let written = 0
  for (const [part, times] of parts) {
    written += weigh(part) * times
    if (written > WRITTEN_MAX) return true
  }
  return false
}
