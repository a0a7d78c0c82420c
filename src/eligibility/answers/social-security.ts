// Removes social security numbers from a payer's answer before it is read: everything parsed, shown, exported and logged derives from the
// masked answer. Only the encrypted original message keeps them (SECURITY.md). Source: 005010X279A1 REF01 SY, NM108 34.
import type { ClearinghouseAnswer } from '../../clearinghouses/clearinghouse.ts'
import { tokenize } from '../../x12/tokenizer.ts'

/** The parts of an inquiry that decide which numbers are masked in its answer. */
export interface InquiryNumbers {
  /** Some plans use social security numbers as member ids: the member id of the inquiry is not masked. */
  subscriber?: { memberId?: string | undefined }
  dependent?: { memberId?: string | undefined }
  /** The inquiry as sent: an answer may repeat its numbers without a qualifier. */
  inquiry?: unknown
}

/** The replacement of a number. None of its characters is a delimiter in X12. */
const MASK = 'XXXXXXXXX'

/** Nine digits, or the last four, when the field itself identifies them. */
const NUMBER = /^\s*(?:\d{9}|\d{4}|\d{3}[- .]?\d{2}[- .]?\d{4})\s*$/
/** Fields identified by name: `ssn`, `patientSSN`, `socialSecurityNumber`, `social_security_number`. */
const NAMED = /(?:^|[a-z_])ssn$|social_?security/i
const LABEL = String.raw`\b(?:s\.?\s?s\.?\s?n\b\.?|ss\s?(?:#|no\b\.?|num(?:ber)?\b)|soc(?:ial)?\b\.?\s*sec(?:urity)?\b\.?(?:\s*(?:#|no\b\.?|num(?:ber)?\b))?)`
/** How each label begins. Most texts have none, so that they are searched once. */
const BEGINS_LABEL = /\bs(?:\.?\s?s|oc)/i
/** In free text: after an identifying word, or in the format of such a number. */
const LABELLED = new RegExp(`(${LABEL}\\s*(?:is|was)?[\\s:=#-]{0,3})\\d{3}[- .]?\\d{2}[- .]?\\d{4}(?!\\d)`, 'gi')
const LABELLED_END = new RegExp(`(${LABEL}\\s*(?:\\(?(?:last|ending)[^\\d]{0,12})[\\s:=#-]{0,3})\\d{4}(?!\\d)`, 'gi')
const HYPHENATED = /(?<![\d-])\d{3}-\d{2}-\d{4}(?![\d-])/g

/** The answer without social security numbers, except one that the inquiry contained as a member id. */
export function withoutSocialSecurityNumbers(
  answer: ClearinghouseAnswer,
  inquiry: InquiryNumbers,
): ClearinghouseAnswer {
  const { rawResponse, responses, json } = answer
  const mask = masker([rawResponse, responses, json], inquiry)
  return {
    ...answer,
    rawResponse: mask(rawResponse) as string,
    ...(responses && { responses: mask(responses) as typeof responses }),
    ...(json !== undefined && { json: mask(json) }),
  }
}

/** Masks texts other than answers, such as the message of a failing clearinghouse. */
export function maskTexts<T>(texts: T, inquiry?: InquiryNumbers): T {
  return masker([texts], inquiry)(texts) as T
}

/** Masks all social security numbers that the given values identify, in any position. Values without any are returned unchanged. */
function masker(values: unknown[], inquiry: InquiryNumbers | undefined): (value: unknown) => unknown {
  const memberIds = new Set(
    [inquiry?.subscriber?.memberId, inquiry?.dependent?.memberId].map((id) => digitsOf(id ?? '')),
  )
  const identified = new Set<string>()
  // To find out that nothing is declared takes a search of the whole message.
  const searched = new Map<string, Declared[]>()
  const declaredOf: FindDeclared = (text) => {
    const declared = searched.get(text) ?? declaredIn(text)
    searched.set(text, declared)
    return declared
  }
  for (const value of [...values, inquiry?.inquiry]) collect(value, identified, declaredOf)
  const numbers = new Set(
    [...identified].map(digitsOf).filter((digits) => digits.length === 9 && !memberIds.has(digits)),
  )
  const maskLabelled = (text: string) => {
    if (!BEGINS_LABEL.test(text)) return text
    return text
      .replace(LABELLED, (found, label: string) =>
        memberIds.has(digitsOf(found.slice(label.length))) ? found : label + MASK,
      )
      .replace(LABELLED_END, `$1${MASK}`)
  }
  const maskFree = (text: string) => {
    const keep = (found: string) => (memberIds.has(digitsOf(found)) ? found : MASK)
    const masked =
      numbers.size === 0 ? text : text.replace(SPELLED, (found) => (numbers.has(digitsOf(found)) ? MASK : found))
    return maskLabelled(masked).replace(HYPHENATED, keep)
  }
  const maskText = (text: string) => maskFree(isInterchange(text) ? maskInterchange(text, declaredOf(text)) : text)
  return (value) => maskValue(value, { maskText, maskFree })
}

type FindDeclared = (text: string) => readonly Declared[]

const digitsOf = (text: string) => text.replaceAll(/\D/g, '')
/** Nine digits in the spellings of such a number. One search finds all, however many numbers a payer identifies. */
const SPELLED = /(?<!\d)\d{3}[- .]?\d{2}[- .]?\d{4}(?!\d)/g

/** Collects the numbers that a value identifies as such, by qualifier or name. */
function collect(value: unknown, found: Set<string>, declaredOf: FindDeclared): void {
  if (typeof value === 'string') {
    for (const { number } of isInterchange(value) ? declaredOf(value) : []) found.add(number)
    if (BEGINS_LABEL.test(value)) for (const [whole] of value.matchAll(LABELLED)) found.add(digitsOf(whole).slice(-9))
  } else if (Array.isArray(value)) {
    for (const each of value) collect(each, found, declaredOf)
  } else if (typeof value === 'object' && value !== null) {
    const isDeclared = declaredFields(value)
    for (const [key, each] of Object.entries(value)) {
      if (isDeclared(key, each)) found.add(String(each))
      else collect(each, found, declaredOf)
    }
  }
}

/** `maskFree` masks a text, `maskText` also what an interchange declares. */
function maskValue(value: unknown, masks: Record<'maskText' | 'maskFree', (text: string) => string>): unknown {
  const { maskText, maskFree } = masks
  if (typeof value === 'string') return maskText(value)
  if (typeof value === 'number') return maskFree(String(value)) === String(value) ? value : MASK
  if (typeof value !== 'object' || value === null) return value
  let isChanged = false
  const isDeclared = declaredFields(value)
  const entries = Object.entries(value).map(([key, each]) => {
    const masked = isDeclared(key, each) ? MASK : maskValue(each, masks)
    const name = maskFree(key)
    isChanged ||= masked !== each || name !== key
    return [name, masked] as const
  })
  if (!isChanged) return value
  return Array.isArray(value) ? entries.map(([, each]) => each) : Object.fromEntries(entries)
}

/** True for a field of the holder whose name, or qualifier, identifies its value as such a number. */
function declaredFields(holder: object): (key: string, value: unknown) => boolean {
  let isQualified: boolean | undefined
  return (key, value) => {
    if (typeof value !== 'string' && typeof value !== 'number') return false
    if (NAMED.test(key)) return /\d/.test(String(value))
    if (Array.isArray(holder) || QUALIFIER.test(key) || !NUMBER.test(String(value))) return false
    isQualified ??= Object.entries(holder).some(
      ([name, each]) => QUALIFIER.test(name) && (each === 'SY' || (each === '34' && /id|entity/i.test(name))),
    )
    return isQualified
  }
}

const QUALIFIER = /qualifier|code|type/i

interface Declared {
  number: string
  /** The segment up to the number: its qualifier alone may stand elsewhere, as 34 for a month before an amount. */
  before: string
}

const isInterchange = (text: string) => /^\uFEFF?\s*(?:ISA|TA1)/i.test(text) || /[\n~]ISA\W/.test(text.slice(0, 2000))

/** REF*SY and the ids of NM1 with qualifier 34. Most messages have neither, which a search of the text shows. */
function declaredIn(text: string): Declared[] {
  if (!MAY_DECLARE.test(withoutBreaks(text))) return []
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

const MAY_DECLARE = /REF.SY|[^A-Za-z0-9]34(?<=NM1.{1,400}[^A-Za-z0-9]34)[^A-Za-z0-9]/is
/** A message may be broken over lines anywhere, also within an element. */
const withoutBreaks = (text: string) => text.replaceAll(/[\r\n]+/g, '')

const isElement = (element: string | undefined, wanted: string) => element?.trim().toUpperCase() === wanted

function maskInterchange(text: string, declared: readonly Declared[]): string {
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
