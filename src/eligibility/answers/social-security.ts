// Takes social security numbers out of a payer's answer, before anything is read in it: what is parsed, shown, exported and logged comes
// from the rest. The message as it came is kept encrypted alone (SECURITY.md). Source: 005010X279A1 REF01 SY, NM108 34.
import type { ClearinghouseAnswer } from '../../clearinghouses/clearinghouse.ts'
import { tokenize } from '../../x12/tokenizer.ts'

/** What of the inquiry decides which numbers are masked in its answer. */
export interface AskedWith {
  /** Some plans' member ids are their holders' social security numbers: what was asked with comes back as it is. */
  subscriber?: { memberId?: string | undefined }
  dependent?: { memberId?: string | undefined }
  /** The inquiry as it was sent: the other side may repeat its numbers where nothing says what they are. */
  inquiry?: unknown
}

/** What stands in a number's place. No character of it separates anything in X12. */
const MASK = 'XXXXXXXXX'

/** Nine digits, or the last four, where the place itself says what they are. */
const NUMBER = /^\s*(?:\d{9}|\d{4}|\d{3}[- .]?\d{2}[- .]?\d{4})\s*$/
/** The field's own name says it: `ssn`, `patientSSN`, `socialSecurityNumber`, `social_security_number`. */
const NAMED = /(?:^|[a-z_])ssn$|social_?security/i
const LABEL = String.raw`\b(?:s\.?\s?s\.?\s?n\b\.?|ss\s?(?:#|no\b\.?|num(?:ber)?\b)|soc(?:ial)?\b\.?\s*sec(?:urity)?\b\.?(?:\s*(?:#|no\b\.?|num(?:ber)?\b))?)`
/** In free text: behind a word that says so, or written as such a number is. */
const LABELLED = new RegExp(`(${LABEL}\\s*(?:is|was)?[\\s:=#-]{0,3})\\d{3}[- .]?\\d{2}[- .]?\\d{4}(?!\\d)`, 'gi')
const LABELLED_END = new RegExp(`(${LABEL}\\s*(?:\\(?(?:last|ending)[^\\d]{0,12})[\\s:=#-]{0,3})\\d{4}(?!\\d)`, 'gi')
const HYPHENATED = /(?<![\d-])\d{3}-\d{2}-\d{4}(?![\d-])/g

/** The answer without them, unless it is a number that we asked with ourselves: some plans' member ids are their holders' numbers. */
export function withoutSocialSecurityNumbers(answer: ClearinghouseAnswer, asked: AskedWith): ClearinghouseAnswer {
  const { rawResponse, responses, json } = answer
  const mask = masker([rawResponse, responses, json], asked)
  return {
    ...answer,
    rawResponse: mask(rawResponse) as string,
    ...(responses && { responses: mask(responses) as typeof responses }),
    ...(json !== undefined && { json: mask(json) }),
  }
}

/** The same for texts that are no answer, such as what a failing clearinghouse said. */
export function maskTexts<T>(texts: T, asked?: AskedWith): T {
  return masker([texts], asked)(texts) as T
}

/** Masks what the given values together tell to be such numbers, wherever they stand. What holds none comes back as it is. */
function masker(values: unknown[], asked: AskedWith | undefined): (value: unknown) => unknown {
  const own = new Set([asked?.subscriber?.memberId, asked?.dependent?.memberId].map((id) => digitsOf(id ?? '')))
  const told = new Set<string>()
  for (const value of [...values, asked?.inquiry]) collect(value, told)
  const numbers = [...told].map(digitsOf).filter((digits) => digits.length === 9 && !own.has(digits))
  const everywhere = numbers.map((digits) => new RegExp(`(?<!\\d)${spelled(digits)}(?!\\d)`, 'g'))
  const maskFree = (text: string) => {
    const keep = (found: string) => (own.has(digitsOf(found)) ? found : MASK)
    let masked = text
    for (const each of everywhere) masked = masked.replace(each, MASK)
    return masked
      .replace(LABELLED, (found, label: string) =>
        own.has(digitsOf(found.slice(label.length))) ? found : label + MASK,
      )
      .replace(LABELLED_END, `$1${MASK}`)
      .replace(HYPHENATED, keep)
  }
  return (value) => maskValue(value, maskFree)
}

const digitsOf = (text: string) => text.replaceAll(/\D/g, '')
const spelled = (digits: string) => `${digits.slice(0, 3)}[- .]?${digits.slice(3, 5)}[- .]?${digits.slice(5)}`

/** The numbers that a value says are such, by qualifier or name. */
function collect(value: unknown, found: Set<string>): void {
  if (typeof value === 'string') {
    for (const { number } of isInterchange(value) ? declaredIn(value) : []) found.add(number)
    for (const [whole] of value.matchAll(LABELLED)) found.add(digitsOf(whole).slice(-9))
  } else if (Array.isArray(value)) {
    for (const each of value) collect(each, found)
  } else if (typeof value === 'object' && value !== null) {
    for (const [key, each] of Object.entries(value)) {
      if (isDeclared(value, key, each)) found.add(String(each))
      else collect(each, found)
    }
  }
}

function maskValue(value: unknown, maskFree: (text: string) => string): unknown {
  if (typeof value === 'string') return maskFree(isInterchange(value) ? maskInterchange(value) : value)
  if (typeof value === 'number') return maskFree(String(value)) === String(value) ? value : MASK
  if (typeof value !== 'object' || value === null) return value
  let isChanged = false
  const entries = Object.entries(value).map(([key, each]) => {
    const masked = isDeclared(value, key, each) ? MASK : maskValue(each, maskFree)
    const name = maskFree(key)
    isChanged ||= masked !== each || name !== key
    return [name, masked] as const
  })
  if (!isChanged) return value
  return Array.isArray(value) ? entries.map(([, each]) => each) : Object.fromEntries(entries)
}

/** True where the field's name, or the qualifier beside it, says that the value is such a number. */
function isDeclared(holder: object, key: string, value: unknown): boolean {
  if (typeof value !== 'string' && typeof value !== 'number') return false
  if (NAMED.test(key)) return /\d/.test(String(value))
  if (Array.isArray(holder) || QUALIFIER.test(key) || !NUMBER.test(String(value))) return false
  return Object.entries(holder).some(
    ([name, each]) => QUALIFIER.test(name) && (each === 'SY' || (each === '34' && /id|entity/i.test(name))),
  )
}

const QUALIFIER = /qualifier|code|type/i

interface Declared {
  number: string
  /** The beginning of the segment up to the number, as it stands in the text. */
  before: string
}

const isInterchange = (text: string) => /^\uFEFF?\s*(?:ISA|TA1)/i.test(text) || /[\n~]ISA\W/.test(text.slice(0, 2000))

/** REF*SY and the ids of NM1 with qualifier 34. Most messages have neither, which a look at the text tells. */
function declaredIn(text: string): Declared[] {
  if (!/REF.SY|NM1.{1,400}?[^A-Za-z0-9]34[^A-Za-z0-9]/is.test(text)) return []
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

const isElement = (element: string | undefined, wanted: string) => element?.trim().toUpperCase() === wanted

function maskInterchange(text: string): string {
  let masked = text
  for (const { number, before } of declaredIn(text)) {
    // A message that is broken over lines may have a break in the middle of the segment.
    if (!masked.includes(before + number)) masked = masked.replaceAll(/[\r\n]+/g, '')
    masked = masked.replaceAll(before + number, before + MASK)
  }
  return masked
}
