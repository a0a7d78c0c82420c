// Removes social security numbers from a payer's answer before it is read: everything parsed, shown, exported and logged derives from the
// masked answer. Only the encrypted original message keeps them (SECURITY.md). Source: 005010X279A1 REF01 SY, NM108 34.
import type { ClearinghouseAnswer } from '../../clearinghouses/clearinghouse.ts'
import { type Declared, declaredIn, isInterchange, MASK, maskInterchange } from './declared-numbers.ts'
import { collectInTurns, type Masker, maskedInTurns, pacedBy, type Turn } from './mask-in-turns.ts'

/** The parts of an inquiry that decide which numbers are masked in its answer. */
export interface InquiryNumbers {
  /** Some plans use social security numbers as member ids: the member id of the inquiry is not masked. */
  subscriber?: { memberId?: string | undefined }
  dependent?: { memberId?: string | undefined }
  /** The inquiry as sent: an answer may repeat its numbers without a qualifier. */
  inquiry?: unknown
}

/** Nine digits, or the last four, when the field itself identifies them. */
const NUMBER = /^\s*(?:\d{9}|\d{4}|\d{3}[- .]?\d{2}[- .]?\d{4})\s*$/
/** Fields identified by name: `ssn`, `patientSSN`, `socialSecurityNumber`, `social_security_number`. */
const NAMED = /(?:^|[a-z_])ssn$|social_?security/i
const LABEL = String.raw`\b(?:s\.?\s?s\.?\s?n\b\.?|ss\s?(?:#|no\b\.?|num(?:ber)?\b)|soc(?:ial)?\b\.?\s*sec(?:urity)?\b\.?(?:\s*(?:#|no\b\.?|num(?:ber)?\b))?)`
/** How each label begins. Most texts have none, so that they are searched once. */
const BEGINS_LABEL = /\bs(?:\.?\s?s|oc)/i
/** In free text: after an identifying word, or in the format of such a number. */
const LABELED = new RegExp(`(${LABEL}\\s*(?:is|was)?[\\s:=#-]{0,3})\\d{3}[- .]?\\d{2}[- .]?\\d{4}(?!\\d)`, 'gi')
const LABELED_END = new RegExp(`(${LABEL}\\s*(?:\\(?(?:last|ending)[^\\d]{0,12})[\\s:=#-]{0,3})\\d{4}(?!\\d)`, 'gi')
const HYPHENATED = /(?<![\d-])\d{3}-\d{2}-\d{4}(?![\d-])/g

/** Masking this many characters takes a few milliseconds. */
const SHORT_CHARACTERS = 50_000

/**
 * The answer without social security numbers, except one that the inquiry contained as a member id. `turn` is awaited between its parts, each
 * of which may hold hundreds of thousands of values.
 */
export async function withoutSocialSecurityNumbers(
  answer: ClearinghouseAnswer,
  inquiry: InquiryNumbers,
  turn: Turn,
): Promise<ClearinghouseAnswer> {
  const { rawResponse, responses, json } = answer
  const parts = { rawResponse, ...(responses && { responses }), ...(json !== undefined && { json }) }
  // Everything else was made from it.
  const isShort = rawResponse.length < SHORT_CHARACTERS
  return { ...answer, ...(isShort ? maskTexts(parts, inquiry) : await maskInTurns(parts, inquiry, turn)) }
}

/** The same of any answer, as it is shown unchanged: one of some megabytes takes half a second. */
export async function maskInTurns<T>(answer: T, inquiry: InquiryNumbers, turn: Turn): Promise<T> {
  const masks = masker(inquiry)
  await collectInTurns(answer, masks, pacedBy(turn))
  return (await maskedInTurns(answer, masks, pacedBy(turn))) as T
}

/** Masks texts other than answers, such as the message of a failing clearinghouse. */
export function maskTexts<T>(texts: T, inquiry?: InquiryNumbers): T {
  const { collect, mask } = masker(inquiry)
  collect(texts)
  return mask(texts) as T
}

function masker(inquiry: InquiryNumbers | undefined): Masker {
  const memberIds = new Set(
    [inquiry?.subscriber?.memberId, inquiry?.dependent?.memberId].map((id) => digitsOf(id ?? '')),
  )
  const identified = new Set<string>()
  const finders = { declaredOf: findDeclaredOnce(), isDeclared: declaredFields() }
  collect(inquiry?.inquiry, identified, finders)
  let masks: Masks | undefined
  /** Made for the first value that is masked: by then all numbers have been collected. */
  const complete = () => {
    masks ??= masksOf(identified, memberIds, finders)
    return masks
  }
  return {
    collect: (value) => collect(value, identified, finders),
    collectMember: (holder, key, value) => collectMember({ holder, key, value }, identified, finders),
    mask: (value) => maskValue(value, complete()),
    maskMember: (holder, key, value) => maskMember(holder, key, value, complete()),
    maskName: (name) => complete().maskFree(name),
  }
}

/** What the interchanges of an answer declare; to find out that nothing is declared takes a search of the whole message. */
function findDeclaredOnce(): FindDeclared {
  const searched = new Map<string, Declared[]>()
  return (text) => {
    const declared = searched.get(text) ?? declaredIn(text)
    searched.set(text, declared)
    return declared
  }
}

/** Masks the identified numbers wherever they stand, and what a label or the format of a text identifies; the member ids of the inquiry stay. */
function masksOf(identified: ReadonlySet<string>, memberIds: ReadonlySet<string>, finders: Finders): Masks {
  const numbers = new Set(
    [...identified].map(digitsOf).filter((digits) => digits.length === 9 && !memberIds.has(digits)),
  )
  const maskLabeled = (text: string) => {
    if (!BEGINS_LABEL.test(text)) return text
    return text
      .replace(LABELED, (found, label: string) =>
        memberIds.has(digitsOf(found.slice(label.length))) ? found : label + MASK,
      )
      .replace(LABELED_END, `$1${MASK}`)
  }
  const maskFree = (text: string) => {
    if (!MAY_HOLD.test(text)) return text
    const keep = (found: string) => (memberIds.has(digitsOf(found)) ? found : MASK)
    const masked =
      numbers.size === 0 ? text : text.replace(SPELLED, (found) => (numbers.has(digitsOf(found)) ? MASK : found))
    return maskLabeled(masked).replace(HYPHENATED, keep)
  }
  const maskText = (text: string) => {
    if (!MAY_HOLD.test(text)) return text
    return maskFree(isInterchange(text) ? maskInterchange(text, finders.declaredOf(text)) : text)
  }
  return { maskText, maskFree, isDeclared: finders.isDeclared }
}

/** Every pattern above needs three digits, and an interchange its name. Most texts have neither, so that they are searched once. */
const MAY_HOLD = /\d{3}|ISA|TA1/i

type FindDeclared = (text: string) => readonly Declared[]

const digitsOf = (text: string) => text.replaceAll(/\D/g, '')
/** Nine digits in the spellings of such a number. One search finds all, however many numbers a payer identifies. */
const SPELLED = /(?<!\d)\d{3}[- .]?\d{2}[- .]?\d{4}(?!\d)/g

interface Finders {
  declaredOf: FindDeclared
  isDeclared: IsDeclared
}

/** Collects the numbers that a value identifies as such, by qualifier or name. */
function collect(value: unknown, found: Set<string>, finders: Finders): void {
  if (typeof value === 'string') {
    if (!MAY_HOLD.test(value)) return
    for (const { number } of isInterchange(value) ? finders.declaredOf(value) : []) found.add(number)
    if (BEGINS_LABEL.test(value)) for (const [whole] of value.matchAll(LABELED)) found.add(digitsOf(whole).slice(-9))
  } else if (Array.isArray(value)) {
    for (const each of value) collect(each, found, finders)
  } else if (typeof value === 'object' && value !== null) {
    for (const key of Object.keys(value)) {
      collectMember({ holder: value, key, value: value[key as keyof typeof value] }, found, finders)
    }
  }
}

function collectMember(
  { holder, key, value }: { holder: object; key: string; value: unknown },
  found: Set<string>,
  finders: Finders,
): void {
  if (finders.isDeclared(holder, key, value)) found.add(String(value))
  else collect(value, found, finders)
}

interface Masks {
  /** Masks a text, also what an interchange declares. */
  maskText(text: string): string
  maskFree(text: string): string
  isDeclared: IsDeclared
}

function maskValue(value: unknown, masks: Masks): unknown {
  if (typeof value === 'string') return masks.maskText(value)
  if (typeof value === 'number') {
    const text = String(value)
    return masks.maskFree(text) === text ? value : MASK
  }
  if (typeof value !== 'object' || value === null) return value
  return Array.isArray(value) ? maskList(value, masks) : maskMembers(value as Record<string, unknown>, masks)
}

/** Copied from the first item that changes: most lists and objects have none. */
function maskList(list: unknown[], masks: Masks): unknown[] {
  let copy: unknown[] | undefined
  for (const [place, each] of list.entries()) {
    const masked = maskValue(each, masks)
    if (masked !== each) copy ??= list.slice(0, place)
    copy?.push(masked)
  }
  return copy ?? list
}

function maskMembers(members: Record<string, unknown>, masks: Masks): Record<string, unknown> {
  const keys = Object.keys(members)
  let entries: [string, unknown][] | undefined
  for (const [place, key] of keys.entries()) {
    const each = members[key]
    const masked = maskMember(members, key, each, masks)
    const name = masks.maskFree(key)
    if (masked !== each || name !== key) entries ??= keys.slice(0, place).map((before) => [before, members[before]])
    entries?.push([name, masked])
  }
  return entries ? Object.fromEntries(entries) : members
}

function maskMember(holder: object, key: string, value: unknown, masks: Masks): unknown {
  return masks.isDeclared(holder, key, value) ? MASK : maskValue(value, masks)
}

/** True for a field of the holder whose name, or qualifier, identifies its value as such a number. */
type IsDeclared = (holder: object, key: string, value: unknown) => boolean

function declaredFields(): IsDeclared {
  const kinds = new Map<string, { isNamed: boolean; isQualifier: boolean }>()
  /** Whether a holder has such a qualifier: it may have a hundred thousand members. */
  const qualified = new WeakMap<object, boolean>()
  const kindOf = (key: string) => {
    let kind = kinds.get(key)
    if (!kind) {
      kind = { isNamed: NAMED.test(key), isQualifier: QUALIFIER.test(key) }
      kinds.set(key, kind)
    }
    return kind
  }
  return (holder, key, value) => {
    if (typeof value !== 'string' && typeof value !== 'number') return false
    const { isNamed, isQualifier } = kindOf(key)
    if (isNamed) return /\d/.test(String(value))
    if (isQualifier || !NUMBER.test(String(value))) return false
    let hasQualifier = qualified.get(holder)
    if (hasQualifier === undefined) {
      hasQualifier = Object.entries(holder).some(
        ([name, each]) => (each === 'SY' || (each === '34' && /id|entity/i.test(name))) && kindOf(name).isQualifier,
      )
      qualified.set(holder, hasQualifier)
    }
    return hasQualifier
  }
}

const QUALIFIER = /qualifier|code|type/i
