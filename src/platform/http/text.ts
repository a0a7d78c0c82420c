// What is done with each character of a sent text, by a table instead of patterns: a pattern took 60 ms for a megabyte whose every second
// character is removed, and 230 ms for one with 30 marks on each letter, and all other callers waited for it (bench/stall.ts).
import { INVISIBLE } from '../../contract/invisible-characters.ts'

/** Bits, since a character may be both. */
const [KNOWN, MARK, INVISIBLE_CHARACTER] = [1, 2, 4]
const MARKS = /\p{M}/u
/** By code point; 0 until the first text has it. */
const kinds = new Uint8Array(0x11_0000)

function is(kind: number, codePoint: number): boolean {
  return ((kinds[codePoint] || classify(codePoint)) & kind) !== 0
}

function classify(codePoint: number): number {
  const character = String.fromCodePoint(codePoint)
  const isInvisible = character.search(INVISIBLE) === 0
  const kind = KNOWN | (MARKS.test(character) ? MARK : 0) | (isInvisible ? INVISIBLE_CHARACTER : 0)
  kinds[codePoint] = kind
  return kind
}

/** Nothing in it is invisible, is a mark, or has another composed form. */
export const isPlain = (text: string) => /^[\t-\r -~]*$/.test(text)

/** The text without invisible characters. */
export function withoutInvisible(text: string): string {
  const kept = new Uint16Array(text.length)
  let length = 0
  for (let at = 0; at < text.length; at++) {
    const codePoint = text.codePointAt(at) as number
    const isPair = codePoint > 0xffff
    if (!is(INVISIBLE_CHARACTER, codePoint)) {
      kept[length++] = text.charCodeAt(at)
      if (isPair) kept[length++] = text.charCodeAt(at + 1)
    }
    if (isPair) at++
  }
  return length === text.length ? text : Buffer.from(kept.buffer, 0, length * 2).toString('utf16le')
}

/** Whether more than `limit` combining marks follow one another. */
export function hasMarksInARow(text: string, limit: number): boolean {
  let run = 0
  for (let at = 0; at < text.length; at++) {
    const codePoint = text.codePointAt(at) as number
    if (codePoint > 0xffff) at++
    run = is(MARK, codePoint) ? run + 1 : 0
    if (run > limit) return true
  }
  return false
}
