// Text of a benefit sheet in the letters and the directions of its font. decisions/0050-benefit-sheet.md
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { inflateSync } from 'node:zlib'
import { toAscii } from '../../x12/ascii.ts'

/** DejaVu Sans Mono: Latin, Greek, Cyrillic, Armenian, Georgian and Arabic letters, all of the same width. */
const file = (weight: 400 | 700) => `@fontsource/dejavu-mono/files/dejavu-mono-latin-${weight}-normal.woff`

let fonts: { regular: Buffer; bold: Buffer } | undefined

/** The fonts as OpenType files, read once. */
export function sheetFonts(): { regular: Buffer; bold: Buffer } {
  const { resolve } = createRequire(import.meta.url)
  const read = (weight: 400 | 700) => unpackWoff(readFileSync(resolve(file(weight))))
  fonts ??= { regular: read(400), bold: read(700) }
  return fonts
}

/** fontkit reads WOFF too, but unpacks a table again for every letter. Source: https://www.w3.org/TR/WOFF/ */
function unpackWoff(woff: Buffer): Buffer {
  const count = woff.readUInt16BE(12)
  const header = Buffer.alloc(12 + 16 * count)
  const power = Math.floor(Math.log2(count))
  header.writeUInt32BE(woff.readUInt32BE(4))
  header.writeUInt16BE(count, 4)
  header.writeUInt16BE(16 * 2 ** power, 6)
  header.writeUInt16BE(power, 8)
  header.writeUInt16BE(16 * (count - 2 ** power), 10)
  const parts = [header]
  let offset = header.length
  for (let table = 0; table < count; table++) {
    const entry = 44 + 20 * table
    const [from, packed, length] = [4, 8, 12].map((at) => woff.readUInt32BE(entry + at)) as [number, number, number]
    const bytes = woff.subarray(from, from + packed)
    const padded = Buffer.alloc(4 * Math.ceil(length / 4))
    padded.set(packed < length ? inflateSync(bytes) : bytes)
    // Tag and checksum, the place, and the length without the padding.
    woff.copy(header, 12 + 16 * table, entry, entry + 4)
    woff.copy(header, 16 + 16 * table, entry + 16, entry + 20)
    header.writeUInt32BE(offset, 20 + 16 * table)
    header.writeUInt32BE(length, 24 + 16 * table)
    parts.push(padded)
    offset += padded.length
  }
  return Buffer.concat(parts)
}

/** The width of a letter as a part of the font's size. */
export const LETTER_WIDTH = 1233 / 2048

/** What a font must tell: pdfkit has it from fontkit. */
export interface Letters {
  hasGlyphForCodePoint(codePoint: number): boolean
}

/** The text in letters that all fonts have: others are transliterated, so that no letter is drawn as a box. */
export function inLetters(text: string, fonts: readonly Letters[]): string {
  const isDrawn = (letter: string) => fonts.every((font) => font.hasGlyphForCodePoint(letter.codePointAt(0) ?? 0))
  return Array.from(text.normalize('NFC'), (letter) => (isDrawn(letter) ? letter : toAscii(letter) || '?')).join('')
}

interface Run {
  text: string
  isRightToLeft: boolean
}

/** Arabic words with what is between them. Digits are not part of it: they are written from left to right. */
const RIGHT_TO_LEFT = /(?!\p{N})\p{sc=Arabic}(?:(?!\p{N})[\p{sc=Arabic}\p{M}]|[ .'-]+(?!\p{N})\p{sc=Arabic})*/gu

/**
 * A line, which is read from left to right, in parts of one direction: each is shaped and placed separately, so that a name neither turns the
 * text around it nor is turned by it.
 */
export function runsOf(text: string): Run[] {
  const runs: Run[] = []
  let end = 0
  for (const { 0: found, index } of text.matchAll(RIGHT_TO_LEFT)) {
    if (index > end) runs.push({ text: text.slice(end, index), isRightToLeft: false })
    runs.push({ text: found, isRightToLeft: true })
    end = index + found.length
  }
  if (end < text.length) runs.push({ text: text.slice(end), isRightToLeft: false })
  return runs
}
