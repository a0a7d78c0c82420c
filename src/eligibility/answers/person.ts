import { type NamePart, nameAsSent } from '../../x12/element-limits.ts'
import { cleanData } from '../../x12/interchange-writer.ts'
import type { Party } from '../../x12/model.ts'
import { isoDate } from './iso-date.ts'

/** The identity that one side gives a person. */
export interface Identity {
  memberId?: string
  firstName?: string
  middleName?: string
  lastName?: string
  suffix?: string
  /** YYYY-MM-DD or as sent. */
  dateOfBirth?: string
}

/** `unknown` when one side does not say, or says nothing that can be compared. */
export type Comparison = 'same' | 'different' | 'unknown'

const SUFFIXES: ReadonlySet<string> = new Set(['JR', 'SR', 'II', 'III', 'IV', 'V', 'MD', 'DO', 'PHD', 'ESQ'])

/** The identity that a payer's answer states. */
export function identityOf(party: Party): Identity {
  const { id, firstName, middleName, lastName, suffix, birthDate } = party
  return { memberId: id, firstName, middleName, lastName, suffix, dateOfBirth: birthDate }
}

/** Upper case without diacritics, punctuation and blanks: what two sides may spell differently and mean the same. */
function normalize(text: string | undefined): string {
  return tokens(text).join('')
}

/** Compares two plain values after normalisation. */
export function compareTexts(left: string | undefined, right: string | undefined): Comparison {
  return judge(normalize(left), normalize(right), (one, other) => one === other)
}

/** Compares dates in any of the spellings that `isoDate` knows. */
export function compareDates(left: string | undefined, right: string | undefined): Comparison {
  return compareTexts(isoDate(left) ?? left, isoDate(right) ?? right)
}

/**
 * Compares first names. A middle name or initial, or a suffix, that one side merged into the first name is no
 * difference; a nickname is one, though not another person (identity.ts).
 */
export function compareFirstNames(left: Identity, right: Identity): Comparison {
  return judge(sentTokens(left.firstName, 'firstName'), sentTokens(right.firstName, 'firstName'), (one, other) => {
    if (isPrefix(one, other) || isPrefix(other, one)) return true
    return merges(one, right) || merges(other, left)
  })
}

/** Compares last names. A suffix that one side keeps in the last name is no difference. */
export function compareLastNames(left: Identity, right: Identity): Comparison {
  const [one, other] = [left, right].map(({ lastName }) => withoutSuffix(sentTokens(lastName, 'lastName')))
  return judge(one ?? [], other ?? [], (mine, theirs) => mine.join('') === theirs.join(''))
}

/** The words of a first name, without a suffix. */
export function firstNamesOf({ firstName }: Identity): string[] {
  return withoutSuffix(sentTokens(firstName, 'firstName'))
}

/** JR, SR, III, wherever a side writes it; empty when it writes none. */
export function suffixOf({ suffix, lastName, firstName }: Identity): string {
  const stated = normalize(suffix)
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
  // As the inquiry carried it, for that is what the payer compared; what it could not carry, as it is written.
  const plain = (cleanData(text) || text.normalize('NFKD').toUpperCase()).replace(/[\u0300-\u036f'’.]/g, '')
  return plain.split(/[^\p{L}\p{N}]+/u).filter((token) => token !== '')
}

/** The words of a name as far as an inquiry carries them: more of it the payer did not get, and does not answer. */
function sentTokens(name: string | undefined, part: NamePart): string[] {
  return tokens(nameAsSent(name, part) || name)
}

function isPrefix(shorter: readonly string[], longer: readonly string[]): boolean {
  if (shorter.length > longer.length) return false
  return shorter.every((token, index) => token === longer[index]) || shorter.join('') === longer.join('')
}

/** True when a first name is the other side's first name with its middle name, initial or suffix written behind it. */
function merges(first: readonly string[], other: Identity): boolean {
  const written = first.join('')
  const base = normalize(other.firstName)
  const middle = normalize(other.middleName)
  const suffix = normalize(other.suffix)
  const tails = ['', middle, middle.slice(0, 1), suffix, middle + suffix, middle.slice(0, 1) + suffix]
  return tails.some((tail) => written === base + tail)
}

function withoutSuffix(name: string[]): string[] {
  const last = name.at(-1)
  return name.length > 1 && last !== undefined && SUFFIXES.has(last) ? name.slice(0, -1) : name
}
