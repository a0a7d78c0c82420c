// Whether the person whom a payer answers about is the one that was asked about. Source: x12-271.md 9, corrected.
import type { Party } from '../../x12/model.ts'
import { isoDate } from './iso-date.ts'
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

/** What of two identities tells whether they are one person's. */
export interface IdentityComparison {
  asked: Identity
  answered: Identity
  memberId: Comparison
  /** INS03 and INS04 001/25: the payer says that its identity data differ from what was asked with. */
  announcesChange: boolean
  /** One of several people under one member id. */
  isDependent: boolean
}

/**
 * - `same`: our patient.
 * - `confirm`: our patient with a correction that a person has to confirm.
 * - `other`: somebody else.
 * - `untold`: too little is said to know.
 */
export type IdentityVerdict = 'same' | 'confirm' | 'other' | 'untold'

/**
 * The payer has our patient when birth date and first name are those that were asked for; a difference of one of the two may
 * be a correction. That a payer echoes our trace proves nothing: every payer echoes it, whomever it has found.
 */
export function judgeIdentity(comparison: IdentityComparison): IdentityVerdict {
  const { asked, answered, announcesChange } = comparison
  const name = gradeFirstNames(asked, answered)
  const birth = compareBirthDates(asked.dateOfBirth, answered.dateOfBirth)
  if (birth === 'unknown') return judgeByName(name, comparison)
  if (birth === 'same') {
    if (name === 'same') return 'same'
    if (name === 'near') return 'confirm'
    if (name === 'unknown') return judgeWithoutName(comparison)
    return announcesChange ? 'confirm' : 'other'
  }
  // Father and son bear one name, twins one birth date.
  if (name !== 'same') return 'other'
  if (announcesChange) return 'confirm'
  const isTyped = comparison.memberId === 'same' && isTypingError(asked.dateOfBirth, answered.dateOfBirth)
  return isTyped ? 'confirm' : 'other'
}

/** What is no calendar date (masked, say) cannot be compared. */
function compareBirthDates(asked: string | undefined, answered: string | undefined): Comparison {
  return isoDate(asked) && isoDate(answered) ? compareDates(asked, answered) : 'unknown'
}

/**
 * Our choice where a side gives no birth date: payers that echo name and member id alone are many, and had our birth date to
 * search by. The name must then be the same and not merely near, and the member id must not be another.
 */
function judgeByName(
  name: NameGrade,
  { asked, answered, memberId, announcesChange }: IdentityComparison,
): IdentityVerdict {
  const [one, other] = [suffixOf(asked), suffixOf(answered)]
  if (name === 'different' || (one !== '' && other !== '' && one !== other)) return 'other'
  if (name !== 'same') return 'untold'
  if (memberId === 'same') return 'same'
  if (announcesChange) return 'confirm'
  return memberId === 'unknown' && compareLastNames(asked, answered) === 'same' ? 'same' : 'untold'
}

/**
 * Our choice where a side gives no first name: birth date and member id are enough for a subscriber, whose id it is. Twins
 * share both with each other, and a member id alone is the family's.
 */
function judgeWithoutName({ asked, answered, memberId, isDependent }: IdentityComparison): IdentityVerdict {
  const isMember = memberId === 'same' && compareLastNames(asked, answered) !== 'different'
  return isMember && !isDependent ? 'same' : 'untold'
}

type NameGrade = Comparison | 'near'

/** Equal, the beginning of the other, or its usual nickname are the same name; a letter or two may be a typing error. */
function gradeFirstNames(asked: Identity, answered: Identity): NameGrade {
  const equality = compareFirstNames(asked, answered)
  if (equality !== 'different') return equality
  const [ones, others] = [firstNamesOf(asked), firstNamesOf(answered)]
  if (isVariant(ones.join(''), others.join(''))) return 'same'
  // MARY ANN may be called MOLLY; MARY JANE is her sister.
  if ((ones.length === 1 || others.length === 1) && isVariant(ones[0] ?? '', others[0] ?? '')) return 'same'
  if (ones.length !== others.length) return isNear(ones.join(''), others.join('')) ? 'near' : 'different'
  return ones.every((one, place) => one === others[place] || isNear(one, others[place] ?? '')) ? 'near' : 'different'
}

function isVariant(one: string, other: string): boolean {
  return one.startsWith(other) || other.startsWith(one) || isNicknamePair(one, other)
}

/** Names so short that a letter is a third of them are told apart by it: JO and MO. */
const SHORTEST = 3
/** From this length on two letters may differ. */
const LONG = 6

function isNear(one: string, other: string): boolean {
  const length = Math.min(one.length, other.length)
  return length >= SHORTEST && lettersApart(one, other) <= (length >= LONG ? 2 : 1)
}

/** How many letters must be changed, added or dropped to make one text of the other (Levenshtein). */
function lettersApart(one: string, other: string): number {
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

/** INS03 and INS04. Source: 005010X279A1 2100C INS. */
export function announcesChange({ maintenanceTypeCode, maintenanceReasonCode }: Party): boolean {
  return maintenanceTypeCode === '001' && maintenanceReasonCode === '25'
}

/** True when two dates differ as a typing error makes them: a digit, two digits swapped, day and month swapped, the century. */
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
