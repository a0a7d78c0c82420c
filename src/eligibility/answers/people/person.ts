import { LONGEST_DATA } from '../../../x12/ascii.ts'
import { type NamePart, nameAsSent } from '../../../x12/element-limits.ts'
import { cleanData } from '../../../x12/interchange-writer.ts'
import { isoDate } from '../../../x12/iso-date.ts'
import type { Party } from '../../../x12/model.ts'

/** A person's identity as stated by one side. */
export interface Identity {
  memberId?: string
  firstName?: string
  middleName?: string
  lastName?: string
  suffix?: string
  /** YYYY-MM-DD or as sent. */
  dateOfBirth?: string
}

/** `unknown` when one side states nothing comparable. */
export type Comparison = 'same' | 'different' | 'unknown'

const SUFFIXES: ReadonlySet<string> = new Set(['JR', 'SR', 'II', 'III', 'IV', 'V', 'MD', 'DO', 'PHD', 'ESQ'])

/** The identity that a payer's answer states. */
export function identityOf(party: Party): Identity {
  const { id, firstName, middleName, lastName, suffix, birthDate } = party
  return { memberId: id, firstName, middleName, lastName, suffix, dateOfBirth: birthDate }
}

/** Upper case without diacritics, punctuation and blanks, so that different spellings compare equal. */
export function normalizeText(text: string | undefined): string {
  return tokens(text).join('')
}

/** Compares two plain values after normalization. */
export function compareTexts(left: string | undefined, right: string | undefined): Comparison {
  return judge(normalizeText(left), normalizeText(right), (one, other) => one === other)
}

/** Compares dates in any of the spellings that `isoDate` knows. */
export function compareDates(left: string | undefined, right: string | undefined): Comparison {
  return compareTexts(isoDate(left) ?? left, isoDate(right) ?? right)
}

/**
 * Compares first names. A middle name, initial or suffix that one side merged into the first name is not a difference. A nickname is,
 * although it may be the same person (identity.ts).
 */
export function compareFirstNames(left: Identity, right: Identity): Comparison {
  return judge(sentTokens(left.firstName, 'firstName'), sentTokens(right.firstName, 'firstName'), (one, other) => {
    if (isPrefix(one, other) || isPrefix(other, one)) return true
    return merges(one, right) || merges(other, left)
  })
}

/** Compares last names. A suffix that one side includes in the last name is not a difference. */
export function compareLastNames(left: Identity, right: Identity): Comparison {
  const [one, other] = [left, right].map(({ lastName }) => withoutSuffix(sentTokens(lastName, 'lastName')))
  return judge(one ?? [], other ?? [], (a, b) => a.join('') === b.join(''))
}

/** The words of a first name, without a suffix. */
export function firstNamesOf({ firstName }: Identity): string[] {
  return withoutSuffix(sentTokens(firstName, 'firstName'))
}

/** JR, SR, III in any field; empty when there is none. */
export function suffixOf({ suffix, lastName, firstName }: Identity): string {
  const stated = normalizeText(suffix)
  if (stated !== '') return stated
  const lasts = [lastName, firstName].map((name) => tokens(name)).filter((words) => words.length > 1)
  return lasts.map((words) => words.at(-1) ?? '').find((word) => SUFFIXES.has(word)) ?? ''
}

function judge<Value extends string | string[]>(
  left: Value,
  right: Value,
  isSame: (left: Value, right: Value) => boolean,
): Comparison {
  if (left.length === 0 || right.length === 0) return 'unknown'
  return isSame(left, right) ? 'same' : 'different'
}

function tokens(text: string | undefined): string[] {
  if (text === undefined) return []
  // Most names and ids are one such word.
  if (PLAIN_WORD.test(text)) return [text]
  // In the form that the inquiry carried, which the payer compared; text that it could not carry stays as written.
  const plain = (cleanData(text) || text.slice(0, LONGEST_DATA).normalize('NFKD').toUpperCase()).replace(
    /[\u0300-\u036f'’.]/g,
    '',
  )
  return plain.split(/[^\p{L}\p{N}]+/u).filter((token) => token !== '')
}

const PLAIN_WORD = /^[A-Z0-9]+$/

/** The words of a name as far as an inquiry carries them: the payer did not receive the rest. */
function sentTokens(name: string | undefined, part: NamePart): string[] {
  return tokens(nameAsSent(name, part) || name)
}

function isPrefix(shorter: readonly string[], longer: readonly string[]): boolean {
  if (shorter.length > longer.length) return false
  return shorter.every((token, index) => token === longer[index]) || shorter.join('') === longer.join('')
}

/** True when a first name equals the other side's first name followed by its middle name, initial or suffix. */
function merges(first: readonly string[], other: Identity): boolean {
  const written = first.join('')
  const base = normalizeText(other.firstName)
  const middle = normalizeText(other.middleName)
  const suffix = normalizeText(other.suffix)
  const tails = ['', middle, middle.slice(0, 1), suffix, middle + suffix, middle.slice(0, 1) + suffix]
  return tails.some((tail) => written === base + tail)
}

function withoutSuffix(name: string[]): string[] {
  const last = name.at(-1)
  return name.length > 1 && last !== undefined && SUFFIXES.has(last) ? name.slice(0, -1) : name
}
