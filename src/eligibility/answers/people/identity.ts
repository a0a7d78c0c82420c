// Decides whether the person in a payer's answer is the person of the inquiry. Source: x12-271.md 9, corrected.

import { isoDate } from '../../../x12/iso-date.ts'
import { isNicknamePair } from './nicknames.ts'
import {
  type Comparison,
  compareDates,
  compareFirstNames,
  compareLastNames,
  firstNamesOf,
  type Identity,
  suffixOf,
} from './person.ts'

/** The parts of two identities that decide whether they belong to one person. */
interface IdentityComparison {
  requested: Identity
  answered: Identity
  memberId: Comparison
  /** INS03 and INS04 001/25: the payer states that its identity data differ from the inquiry. */
  announcesChange: boolean
  /** One of several people under one member id. */
  isDependent: boolean
}

/**
 * - `same`: our patient.
 * - `confirm`: our patient with a correction that a user has to confirm.
 * - `other`: another person.
 * - `unknown`: too little is stated to decide.
 */
export type IdentityVerdict = 'same' | 'confirm' | 'other' | 'unknown'

/**
 * The answer is about our patient when birth date and first name match the inquiry; a difference in one of the two may be a correction. An
 * echo of our trace proves nothing: every payer echoes it, regardless of the person found.
 */
export function judgeIdentity(comparison: IdentityComparison): IdentityVerdict {
  const { requested, answered, announcesChange } = comparison
  const name = gradeFirstNames(requested, answered)
  const birth = compareBirthDates(requested.dateOfBirth, answered.dateOfBirth)
  if (birth === 'unknown') return judgeByName(name, comparison)
  if (birth === 'same') {
    if (name === 'same') return 'same'
    if (name === 'near') return 'confirm'
    if (name === 'unknown') return judgeWithoutName(comparison)
    return announcesChange ? 'confirm' : 'other'
  }
  // Father and son may share a name, twins a birth date.
  if (name !== 'same') return 'other'
  if (announcesChange) return 'confirm'
  const isTyped = comparison.memberId === 'same' && isTypingError(requested.dateOfBirth, answered.dateOfBirth)
  return isTyped ? 'confirm' : 'other'
}

/** Text that is not a calendar date (a masked one, say) cannot be compared. */
function compareBirthDates(requested: string | undefined, answered: string | undefined): Comparison {
  return isoDate(requested) && isoDate(answered) ? compareDates(requested, answered) : 'unknown'
}

/**
 * Our choice when one side states no birth date: many payers echo only name and member id, and had our birth date to search by. The name
 * must then be equal and not merely similar, and the member id must not differ.
 */
function judgeByName(
  name: NameGrade,
  { requested, answered, memberId, announcesChange }: IdentityComparison,
): IdentityVerdict {
  const [one, other] = [suffixOf(requested), suffixOf(answered)]
  if (name === 'different' || (one !== '' && other !== '' && one !== other)) return 'other'
  if (name !== 'same') return 'unknown'
  if (memberId === 'same') return 'same'
  if (announcesChange) return 'confirm'
  return memberId === 'unknown' && compareLastNames(requested, answered) === 'same' ? 'same' : 'unknown'
}

/**
 * Our choice when one side states no first name: birth date and member id are sufficient for a subscriber, who owns the id. Twins share
 * both, and a member id alone identifies only the family.
 */
function judgeWithoutName({ requested, answered, memberId, isDependent }: IdentityComparison): IdentityVerdict {
  const isMember = memberId === 'same' && compareLastNames(requested, answered) !== 'different'
  return isMember && !isDependent ? 'same' : 'unknown'
}

type NameGrade = Comparison | 'near'

/**
 * An equal name, a prefix of the other, or its usual nickname is the same name; a difference of one or two letters may be a typing error.
 */
function gradeFirstNames(requested: Identity, answered: Identity): NameGrade {
  const equality = compareFirstNames(requested, answered)
  if (equality !== 'different') return equality
  const [ones, others] = [firstNamesOf(requested), firstNamesOf(answered)]
  if (isVariant(ones.join(''), others.join(''))) return 'same'
  // MARY ANN may be called MOLLY; MARY JANE is her sister.
  if ((ones.length === 1 || others.length === 1) && isVariant(ones[0] ?? '', others[0] ?? '')) return 'same'
  if (ones.length !== others.length) return isNear(ones.join(''), others.join('')) ? 'near' : 'different'
  return ones.every((one, place) => one === others[place] || isNear(one, others[place] ?? '')) ? 'near' : 'different'
}

function isVariant(one: string, other: string): boolean {
  return one.startsWith(other) || other.startsWith(one) || isNicknamePair(one, other)
}

/** In names shorter than this, one letter distinguishes people: JO and MO. */
const SHORTEST = 3
/** From this length on, two letters may differ. */
const LONG = 6

function isNear(one: string, other: string): boolean {
  const length = Math.min(one.length, other.length)
  return length >= SHORTEST && editDistance(one, other) <= (length >= LONG ? 2 : 1)
}

/** The number of letters to change, add or remove to turn one text into the other (Levenshtein). */
function editDistance(one: string, other: string): number {
  if (Math.abs(one.length - other.length) > 2) return Number.POSITIVE_INFINITY
  let above = Array.from({ length: other.length + 1 }, (_, index) => index)
  for (let row = 1; row <= one.length; row += 1) {
    const line = [row]
    for (let column = 1; column <= other.length; column += 1) {
      const changed = above[column - 1]! + (one[row - 1] === other[column - 1] ? 0 : 1)
      line.push(Math.min(changed, above[column]! + 1, line[column - 1]! + 1))
    }
    above = line
  }
  return above[other.length]!
}

/** True when two dates differ by a typing error: a digit, two swapped digits, swapped day and month, or the century. */
export function isTypingError(left: string | undefined, right: string | undefined): boolean {
  const [one, other] = [left, right].map((date) => isoDate(date)?.replaceAll('-', '') ?? '')
  if (!one || !other) return false
  const wrong = [...one].flatMap((digit, place) => (digit === other[place] ? [] : [place]))
  if (wrong.length === 1) return true
  const [first = 0, second = 0] = wrong
  if (wrong.length === 2 && one[first] === other[second] && one[second] === other[first]) return true
  if (one.slice(2) === other.slice(2)) return true
  return one.slice(0, 4) + one.slice(6) + one.slice(4, 6) === other
}
