import { splitOn } from './elements.ts'
import type { Delimiters, Segment } from './model.ts'

/** An ISA, with the delimiters it declares for everything up to the next ISA. */
export interface InterchangeHeader extends Segment {
  delimiters: Delimiters
  /** ISA12, e.g. 00501. */
  version: string
  /** Irregularities of the ISA itself; the texts name elements, never patient data. */
  warnings: string[]
}

interface LocatedHeader {
  header: InterchangeHeader
  /** Where the ISA begins, and where the text after its ISA16 begins. */
  start: number
  bodyStart: number
  /** True when the ISA itself is broken over lines, so that line breaks are wrapping and not data. */
  wrapped: boolean
}

/** Whether a text begins as an answer in X12: with an interchange, or with a TA1 alone. A byte order mark is legal before it. */
export const beginsX12 = (text: string): boolean => /^\uFEFF?\s*(?:ISA|TA1)/i.test(text)

/** A standard ISA has 106 characters; ids that exceed their width and indented following lines need more. */
const headerReach = 400

export function isInterchangeHeader(segment: Segment | InterchangeHeader): segment is InterchangeHeader {
  return 'delimiters' in segment
}

/**
 * Yields every segment of a text that may hold several interchanges, each with its own delimiters. An ISA is yielded as an
 * InterchangeHeader. Text before the first ISA and between IEA and the next ISA is skipped; input without a readable ISA yields nothing.
 * Segments are trimmed, elements are not. Never throws; linear in the length of the text. Source: x12-271.md 1.
 */
export function* tokenize(text: string): Generator<Segment | InterchangeHeader> {
  const mark = text.includes('ISA') ? 'ISA' : 'isa'
  let current = findHeader(text, mark, 0, '\n')
  if (current !== undefined && text.slice(0, current.start).trim() !== '') {
    current.header.warnings.push('text before ISA ignored')
  }
  while (current !== undefined) {
    const { header, bodyStart, wrapped } = current
    yield header
    const { element, segment: terminator } = header.delimiters
    const next = findHeader(text, mark, bodyStart, terminator)
    // A separate slice bounds every search for the terminator to this interchange.
    let body = text.slice(bodyStart, next?.start)
    if (wrapped) body = body.replace(/[\r\n]+/g, '')
    let ordinal = 1
    let position = 0
    let id = ''
    while (position < body.length && id !== 'IEA') {
      const found = body.indexOf(terminator, position)
      const end = found < 0 ? body.length : found
      const raw = sliceTrimmed(body, position, end)
      position = end + 1
      if (raw === '') continue
      let elements = splitOn(raw, element)
      let usual = usualIds.get(elements[0]!)
      if (usual === undefined) {
        elements = inCapitals(raw, element, elements)
        usual = usualIds.get(elements[0]!)
      }
      id = usual ?? elements[0]!.trim()
      ordinal += 1
      yield { id, elements, ordinal }
    }
    if (next !== undefined && body.slice(position).trim() !== '') {
      next.header.warnings.push('text between IEA and ISA ignored')
    }
    current = next
  }
}

/** The text between two positions without blanks, tabs and line breaks around it. */
function sliceTrimmed(text: string, from: number, to: number): string {
  let start = from
  let end = to
  while (start < end && isBlank(text.charCodeAt(start))) start += 1
  while (end > start && isBlank(text.charCodeAt(end - 1))) end -= 1
  return text.slice(start, end)
}

function isBlank(code: number): boolean {
  return code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09
}

/** One string object for each common id, so that later comparisons of ids are comparisons of references. */
const usualIds = new Map(
  'AAA BHT DMG DTP EB EQ GE GS HI HL HSD IEA III INS LE LS MPI MSG N3 N4 NM1 PER PRV REF SE ST TRN'
    .split(' ')
    .map((id) => [id, id]),
)

/** A segment whose id is in lower case has its codes in lower case, too; a message (MSG) has none. */
function inCapitals(raw: string, element: string, elements: string[]): string[] {
  const [id = ''] = elements
  if (!/[a-z]/.test(id)) return elements
  return id.trim().toUpperCase() === 'MSG' ? ['MSG', ...elements.slice(1)] : splitOn(raw.toUpperCase(), element)
}

function findHeader(text: string, mark: string, from: number, terminator: string): LocatedHeader | undefined {
  for (let start = text.indexOf(mark, from); start >= 0; start = text.indexOf(mark, start + 3)) {
    const header = readHeader(text, start, followsBoundary(text, start, from, terminator))
    if (header !== undefined) return header
  }
  return undefined
}

/** True when only blanks stand between `start` and the preceding segment or line. */
function followsBoundary(text: string, start: number, from: number, terminator: string): boolean {
  for (let at = start - 1; at >= from; at -= 1) {
    const character = text[at]!
    if (character === terminator || character === '\n' || character === '\r') return true
    if (character.trim() !== '') return false
  }
  return true
}

/**
 * The ISA that begins at `start`, or undefined when the three letters are part of a name or another word. Element widths are not trusted,
 * only the element separator after the letters and the elements it separates.
 */
function readHeader(text: string, start: number, atBoundary: boolean): LocatedHeader | undefined {
  const separator = text[start + 3]
  if (separator === undefined || isAlphanumeric(separator) || ' \r\n'.includes(separator)) return undefined
  const pieces = splitHeader(text.slice(start, start + headerReach), separator, atBoundary)
  if (pieces === undefined) return undefined
  const rawTail = pieces.pop()!
  const tailStart = pieces.reduce((length, piece) => length + piece.length + 1, start)
  const wrapped = pieces.some((piece) => piece.includes('\n') || piece.includes('\r'))
  const tail = wrapped ? rawTail.replace(/[\r\n]+/g, '') : rawTail
  const elements = wrapped ? pieces.map((piece) => piece.replace(/[\r\n]+/g, '')) : pieces
  const nextLine = text
    .slice(tailStart + tail.length, tailStart + headerReach)
    .split(/[\r\n]/, 1)[0]!
    .trimEnd()
  const { component, terminator } = readTail(tail, nextLine, separator)
  const versionAt = elements.findIndex(isVersion)
  const version = elements[versionAt]?.trim() ?? elements[12]?.trim() ?? ''
  const declared = elements[versionAt < 0 ? 11 : versionAt - 1]?.trim()
  const warnings = elements.length === 16 ? [] : [`ISA has ${elements.length} elements`]
  const delimiters = {
    element: separator,
    segment: terminator,
    component: usableComponent(component, separator, terminator, warnings),
    repetition: usableRepetition(declared, version, [separator, terminator, component], warnings),
  }
  return {
    header: { id: 'ISA', elements: [...elements, component], ordinal: 1, delimiters, version, warnings },
    start,
    bodyStart: tailStart + component.length,
    wrapped: wrapped && terminator.trim() !== '',
  }
}

/**
 * The pieces of an ISA. The last is ISA16 with the terminator and everything before the next segment's id: `:~`. At the beginning of a
 * segment, the GS that follows proves an ISA even when a separator is missing or superfluous; anywhere else, the date and version must be
 * those of an ISA too.
 */
function splitHeader(window: string, separator: string, atBoundary: boolean): string[] | undefined {
  const groupStart = atBoundary ? window.indexOf(`GS${separator}`, 60) : -1
  const before = window[groupStart - 1]
  if (before !== undefined && before !== separator && !isAlphanumeric(before)) {
    const pieces = window.slice(0, groupStart).split(separator)
    if (pieces.length >= 13 && pieces.length <= 21) return pieces
  }
  const pieces = window.split(separator, 17)
  if (pieces.length < 17 || [1, 3, 5, 7].some((position) => pieces[position]!.trim().length > 2)) return undefined
  if (!atBoundary && !(/^\d{6,8}$/.test(pieces[9]!.trim()) && isVersion(pieces[12]!))) return undefined
  // The id of the next segment ends at that segment's first separator.
  pieces[16] = pieces[16]!.replace(/([^A-Za-z0-9])[A-Za-z0-9]+$/, '$1')
  return pieces
}

function isVersion(element: string): boolean {
  return element.length >= 5 && /^\s*0\d{4}\s*$/.test(element)
}

/**
 * ISA16 and the terminator from the text between ISA15 and the next segment's id: `:~`, `: ~`, `:~\r\n`, `:\n`, `~`. A single character may
 * be either one; the line after the ISA then decides, because a GS ends in a letter or digit. `component` is empty when ISA16 is.
 */
function readTail(tail: string, nextLine: string, separator: string): { component: string; terminator: string } {
  const core = tail.trimEnd()
  const lineEnd = tail.includes('\n') ? '\n' : tail.includes('\r') ? '\r' : undefined
  if (core.length >= 2) {
    const marks = [...core.slice(1)].filter((character) => character.trim() !== '' && !isAlphanumeric(character))
    return { component: core[0]!, terminator: marks.at(-1) ?? core.at(-1)! }
  }
  if (core.length === 1 && lineEnd === undefined) return { component: '', terminator: core }
  const lineLast = nextLine.at(-1) ?? ''
  const endsLine = lineLast !== '' && lineLast !== separator && !isAlphanumeric(lineLast)
  const component = core === '' && tail.startsWith(' ') ? ' ' : core
  if (endsLine) return { component: component === lineLast ? '' : component, terminator: lineLast }
  return { component, terminator: lineEnd ?? '~' }
}

/** Our choice: an ISA16 that cannot be a separator is treated as a colon. */
function usableComponent(component: string, element: string, terminator: string, warnings: string[]): string {
  const usable =
    component.trim() !== '' && !isAlphanumeric(component) && component !== element && component !== terminator
  if (usable) return component
  warnings.push('ISA16 not usable as component separator')
  return ':'
}

function usableRepetition(
  declared: string | undefined,
  version: string,
  others: string[],
  warnings: string[],
): string | undefined {
  const first = declared?.[0]
  if (first !== undefined && !isAlphanumeric(first) && !others.includes(first)) return first
  // Before 00402 ISA11 is the standards identifier U.
  if (version >= '00402') warnings.push(`ISA11 not usable as repetition separator: '${first ?? ''}'`)
  return undefined
}

function isAlphanumeric(character: string): boolean {
  return /[A-Za-z0-9]/.test(character)
}
