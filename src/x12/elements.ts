import type { Delimiters, Segment } from './model.ts'

/** An element without its padding, undefined when it is empty or missing. `elementOf(segment, 3)` is e.g. EB03. */
export function elementOf(segment: Segment, position: number): string | undefined {
  const value = segment.elements[position]
  if (value === undefined || value === '') return undefined
  // Few elements are padded, and checking the first and last characters is much cheaper than trim().
  if (isPlain(value.charCodeAt(0)) && isPlain(value.charCodeAt(value.length - 1))) return value
  const trimmed = value.trim()
  return trimmed === '' ? undefined : trimmed
}

/** An element that holds a code of a table: in capitals, also where the payer writes it small. */
export function codeOf(segment: Segment, position: number): string | undefined {
  const value = elementOf(segment, position)
  return value !== undefined && hasSmallLetter(value) ? value.toUpperCase() : value
}

/** In a loop, which takes less than half as long as a pattern over a short code. */
export function hasSmallLetter(text: string): boolean {
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    if (code >= 0x61 && code <= 0x7a) return true
  }
  return false
}

/**
 * The free text that begins at an element. Payers do not remove the element separator from it (`*** CALL US ***`), so that it goes on in the
 * elements behind, and a row of them divides it; MSG02 of two letters is a code for printers.
 */
export function textFrom(segment: Segment, position: number): string | undefined {
  const { elements } = segment
  const first = elementOf(segment, position)
  if (elements.length <= position + 1) return first
  const isForPrinters = first !== undefined && PRINTER_CODE.test(elementOf(segment, position + 1) ?? '')
  if (isForPrinters) return first
  let text = ''
  let gap = ''
  for (const piece of elements.slice(position)) {
    const words = piece.trim()
    if (words !== '') {
      text = text === '' ? words : text + (gap === '' ? ' ' : ` *${gap} `) + words
      gap = ''
    } else gap += '*'
  }
  return text || undefined
}

/** X12 934. */
const PRINTER_CODE = /^[A-Z]{2}$/

function isPlain(code: number): boolean {
  return code > 0x20 && code < 0x7f
}

/**
 * The repetitions of an element, without the blank ones. Split on the declared separator and always on `^`, because some payers declare one
 * separator in ISA11 and send another. Source: x12-271.md 1.
 */
export function repetitionsOf(segment: Segment, position: number, delimiters: Delimiters): string[] {
  const value = elementOf(segment, position)
  if (value === undefined) return []
  const { repetition } = delimiters
  const unified = repetition === undefined || repetition === '^' ? value : value.replaceAll(repetition, '^')
  if (!unified.includes('^')) return [unified]
  const repetitions: string[] = []
  for (const piece of splitOn(unified, '^')) {
    const trimmed = piece.trim()
    if (trimmed !== '') repetitions.push(trimmed)
  }
  return repetitions
}

/**
 * The components of a composite; empty ones keep their place. Undefined when the element is empty.
 * Our choice: a composite without the declared separator is still split on `:`, for the same reason as repetitions.
 */
export function componentsOf(segment: Segment, position: number, delimiters: Delimiters): string[] | undefined {
  const value = elementOf(segment, position)
  if (value === undefined) return undefined
  return splitOn(value, value.includes(delimiters.component) ? delimiters.component : ':').map((piece) => piece.trim())
}

/** The pieces between separators. For short texts with short pieces this is nearly twice as fast as split(). */
export function splitOn(text: string, separator: string): string[] {
  const pieces: string[] = []
  let start = 0
  for (let end = text.indexOf(separator); end >= 0; end = text.indexOf(separator, start)) {
    pieces.push(text.slice(start, end))
    start = end + 1
  }
  pieces.push(text.slice(start))
  return pieces
}
