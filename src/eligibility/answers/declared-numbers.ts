// Social security numbers that an X12 interchange declares by their qualifiers. Source: 005010X279A1 REF01 SY, NM108 34.
import { beginsX12, tokenize } from '../../x12/tokenizer.ts'

/** The replacement of a number. None of its characters is a delimiter in X12. */
export const MASK = 'XXXXXXXXX'

export interface Declared {
  number: string
  /** The segment up to the number: its qualifier alone may stand elsewhere, as 34 for a month before an amount. */
  before: string
}

export const isInterchange = (text: string) => beginsX12(text) || /[\n~]ISA\W/.test(text.slice(0, 2000))

/** REF*SY and the ids of NM1 with qualifier 34. Most messages have neither, which a search of the text shows. */
export function declaredIn(text: string): Declared[] {
  if (!mayDeclare(withoutBreaks(text))) return []
  const found: Declared[] = []
  let separator = '*'
  for (const segment of tokenize(text)) {
    const { id, elements } = segment
    if ('delimiters' in segment) separator = segment.delimiters.element
    const at = id === 'REF' && isElement(elements[1], 'SY') ? 2 : id === 'NM1' && isElement(elements[8], '34') ? 9 : 0
    const number = elements[at]
    if (at > 0 && number) found.push({ number, before: elements.slice(0, at).join(separator) + separator })
  }
  return found
}

/** Each NM1 is searched to the next one, and no further than its ninth element can be. */
function mayDeclare(text: string): boolean {
  if (/REF.SY/is.test(text)) return true
  if (!ELEMENT_34.test(text)) return false
  return text
    .split(/NM1/i)
    .slice(1)
    .some((after) => ELEMENT_34.test(after.slice(1, NM1_REACH)))
}

const ELEMENT_34 = /[^A-Za-z0-9]34[^A-Za-z0-9]/
const NM1_REACH = 404

/** A message may be broken over lines anywhere, also within an element. */
const withoutBreaks = (text: string) => text.replaceAll(/[\r\n]+/g, '')

const isElement = (element: string | undefined, wanted: string) => element?.trim().toUpperCase() === wanted

export function maskInterchange(text: string, declared: readonly Declared[]): string {
  if (declared.length === 0) return text
  const lines = maskInOrder(text, declared)
  return lines.isWhole ? lines.text : maskInOrder(withoutBreaks(text), declared).text
}

/** Each number follows the one that was declared before it, so that the text is searched once, however many there are. */
function maskInOrder(text: string, declared: readonly Declared[]): { text: string; isWhole: boolean } {
  const capitals = inCapitals(text)
  let masked = ''
  let end = 0
  for (const { number, before } of declared) {
    const at = capitals.indexOf(inCapitals(before + number), end)
    if (at < 0) return { text: masked + text.slice(end), isWhole: false }
    masked += text.slice(end, at + before.length) + MASK
    end = at + before.length + number.length
  }
  return { text: masked + text.slice(end), isWhole: true }
}

/** A segment in lower case is read in capitals. The length stays. */
const inCapitals = (text: string) => text.replace(/[a-z]+/g, (letters) => letters.toUpperCase())
