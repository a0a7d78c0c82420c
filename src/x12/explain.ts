// A message in readable form: each segment with its name, each element with its name and the meaning of its code.
import { componentsOf, elementOf, repetitionsOf } from './elements.ts'
import type { Delimiters, Segment } from './model.ts'
import { type ElementTerm, segmentTerms } from './segment-dictionary.ts'
import { isInterchangeHeader, tokenize } from './tokenizer.ts'

interface ExplainedElement {
  /** Segment id and element number, for example EB03. */
  position: string
  /** Absent when the standard does not define the element. */
  name?: string
  /** The value as it was sent. */
  value: string
  /** The meaning of a code, date or amount. */
  meaning?: string
}

interface ExplainedSegment {
  id: string
  /** Absent when neither message defines the segment. */
  name?: string
  /** The elements that have a value. */
  elements: ExplainedElement[]
}

interface ExplainedMessage {
  segments: ExplainedSegment[]
  /** The number of segments beyond the limit. */
  leftOut: number
}

/** A segment may have dozens of elements, each with dozens of codes. */
const SEGMENTS_A_TURN = 50

/** The segments of a message, at most `most` of them; undefined for text that is not X12. `turn` is awaited after some of them. */
export async function explainMessage(
  text: string,
  most: number,
  turn: () => Promise<void> | undefined = () => undefined,
): Promise<ExplainedMessage | undefined> {
  const segments: ExplainedSegment[] = []
  let delimiters: Delimiters | undefined
  let leftOut = 0
  for (const segment of tokenize(text)) {
    if (isInterchangeHeader(segment)) delimiters = segment.delimiters
    if (delimiters === undefined) continue
    if (segments.length === most) {
      leftOut += 1
      continue
    }
    segments.push(explainSegment(segment, delimiters))
    if (segments.length % SEGMENTS_A_TURN === 0) await turn()
  }
  return segments.length === 0 ? undefined : { segments, leftOut }
}

function explainSegment(segment: Segment, delimiters: Delimiters): ExplainedSegment {
  const known = segmentTerms.get(segment.id)
  const elements = segment.elements.flatMap((value, position) => {
    if (position === 0 || value.trim() === '') return []
    const term = known?.elements[position - 1]
    // An ISA declares the delimiters: splitting it by them would take it apart.
    const meaning = term && meaningOf(term, segment, position, segment.id === 'ISA' ? undefined : delimiters)
    return {
      position: `${segment.id}${String(position).padStart(2, '0')}`,
      ...(term && { name: term.name }),
      value,
      ...(meaning !== undefined && { meaning }),
    }
  })
  return { id: segment.id, ...(known && { name: known.name }), elements }
}

function meaningOf(
  term: ElementTerm,
  segment: Segment,
  position: number,
  delimiters: Delimiters | undefined,
): string | undefined {
  const value = elementOf(segment, position)
  if (value === undefined) return undefined
  if (term.form !== undefined) return formatted(value, term.form)
  if (term.meaning === undefined) return undefined
  // III02 is a place of service only when III01 is ZZ.
  if (segment.id === 'III' && position === 2 && elementOf(segment, 1) !== 'ZZ') return undefined
  const codes = delimiters ? repetitionsOf(segment, position, delimiters) : [value]
  const meanings = codes.flatMap((code) => wordsOf(term, delimiters ? firstOf(segment, code, delimiters) : code) ?? [])
  return meanings.length === 0 ? undefined : meanings.join(', ')
}

/** The first component of a composite (its qualifier); the code itself when it is not a composite. */
function firstOf(segment: Segment, code: string, delimiters: Delimiters): string {
  if (!code.includes(':') && !code.includes(delimiters.component)) return code.trim()
  return componentsOf({ ...segment, elements: ['', code] }, 1, delimiters)?.[0] ?? code
}

function wordsOf({ meaning }: ElementTerm, code: string): string | undefined {
  const found = typeof meaning === 'function' ? meaning(code) : meaning && Object.hasOwn(meaning, code) && meaning[code]
  return found ? asWords(found) : undefined
}

/** Some tables hold the keys of a JSON form, which are words without blanks: groupNumber. */
function asWords(name: string): string {
  if (!/^[a-z][A-Za-z0-9]*$/.test(name)) return name
  const words = name.replaceAll(/([a-z])([A-Z]+)/g, (_, end, capitals) =>
    capitals.length > 1 ? `${end} ${capitals}` : `${end} ${capitals.toLowerCase()}`,
  )
  return words.charAt(0).toUpperCase() + words.slice(1)
}

function formatted(value: string, form: NonNullable<ElementTerm['form']>): string | undefined {
  switch (form) {
    case 'date':
      return dateOf(value)
    case 'dates': {
      const dates = value.split('-').map(dateOf)
      return dates.length <= 2 && dates.every((date) => date !== undefined) ? dates.join(' to ') : undefined
    }
    case 'time':
      return /^\d{4}(\d{2}\d*)?$/.test(value) ? `${value.slice(0, 2)}:${value.slice(2, 4)}` : undefined
    case 'money':
      return /^-?\d+(\.\d+)?$|^-?\.\d+$/.test(value) ? `$${Number(value).toFixed(2)}` : undefined
    case 'percent':
      return /^\d+(\.\d+)?$|^\.\d+$/.test(value) ? `${Math.round(Number(value) * 10_000) / 100} %` : undefined
  }
}

const dateOf = (value: string) =>
  /^\d{8}$/.test(value) ? `${value.slice(0, 4)}-${value.slice(4, 6)}-${value.slice(6)}` : undefined
