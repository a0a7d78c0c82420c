// What an answer to one inquiry may hold. Whatever is beyond it is refused before it is read: reading costs much more than counting.
import { tokenize } from './tokenizer.ts'

/**
 * Most answers hold some hundred benefits of six segments each. Medicaid managed care and Medicare that list every service type with its
 * own dates, limits, entities and messages come to several thousand. Each piece of work on one of 6,000 takes less than a tenth of a second.
 */
const SEGMENTS_MAX = 6_000
/** Interchanges, transactions, and levels of payer, provider, subscriber and dependants: reading costs most where there are many of them. */
const LEVELS_MAX = 500
const LEVELS: ReadonlySet<string> = new Set(['ISA', 'ST', 'HL'])
/** Benefits of an answer that comes as JSON and without its X12: reading one costs what six segments cost. */
export const BENEFITS_MAX = 2_500
const CHARACTERS_MAX = 1_500_000
/** Characters that may separate something: a benefit with everything in it has about 40. */
const MARKS_MAX = 125_000

/** Whether an interchange is larger than any answer to one inquiry is. Stops at the bound, whatever comes behind it. */
export function isBeyondAnswer(text: string): boolean {
  if (text.length > CHARACTERS_MAX) return true
  if (text.length <= SEGMENTS_MAX && hasFewLevels(text)) return false
  if (hasManyMarks(text)) return true
  let [segments, levels] = [0, 0]
  for (const { id } of tokenize(text)) {
    if (LEVELS.has(id)) levels += 1
    if (++segments > SEGMENTS_MAX || levels > LEVELS_MAX) return true
  }
  return false
}

/** Nearly every answer is short: what has fewer characters than segments may be is beyond no bound but that of levels. */
function hasFewLevels(text: string): boolean {
  const ids = /ISA|ST|HL/gi
  let levels = 0
  while (ids.exec(text) !== null) levels += 1
  return levels <= LEVELS_MAX
}

/** Delimiters are whatever the sender declares, but never letters, digits or blanks. */
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
