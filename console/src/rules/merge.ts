// Two records of what may be one person, side by side.
import { shownTelephone } from '../../../src/contract/shown-telephones.ts'
import type { Patient } from '../api/generated.ts'
import { shortDay } from './days.ts'
import { codeLabel, fullName } from './names.ts'

export interface Compared {
  label: string
  left: string
  right: string
  isSame: boolean
}

const facts: Record<string, (patient: Patient) => string> = {
  Name: ({ name }) => fullName(name),
  Born: ({ birth_date }) => shortDay(birth_date),
  Sex: ({ biological_sex }) => codeLabel(biological_sex),
  MRN: ({ mrn }) => mrn,
  Telephone: ({ primary_telecom }) => shownTelephone(primary_telecom?.value ?? ''),
  Email: ({ email }) => email ?? '',
  Address: ({ primary_address: { line = [], city, state, postal_code } }) =>
    [...line, city, state, postal_code].filter(Boolean).join(', '),
  'Self-pay': ({ self_pay }) => (self_pay ? 'Yes' : 'No'),
}

export function compare(left: Patient, right: Patient): Compared[] {
  return Object.entries(facts).map(([label, read]) => compared(label, read(left), read(right)))
}

/** Case, punctuation and accents do not distinguish two people: `O'Neil` and `oneil` are equal, and so are `Lucía` and `Lucia`. */
export function compared(label: string, left: string, right: string): Compared {
  return { label, left, right, isSame: lettersOf(left) === lettersOf(right) }
}

const lettersOf = (text: string) =>
  text
    .normalize('NFD')
    .toLowerCase()
    .replace(ACCENTS, '')
    .normalize()
    .replace(/[^\p{L}\p{M}\p{N}]/gu, '')

/** Combining diacritical marks of Latin, Greek and Cyrillic. Those of other scripts are vowels. */
const ACCENTS = /[\u0300-\u036f]/g

/** Why two records may be of two people; undefined when nothing says so. */
export function doubtOf(left: Patient, right: Patient): string | undefined {
  if (left.birth_date !== right.birth_date) return 'The birth dates differ'
  const [ofLeft, ofRight] = givenWords(left.name.given, right.name.given)
  if (lettersOf(ofLeft[0] ?? '') !== lettersOf(ofRight[0] ?? '')) return 'The first names differ: these may be twins'
  // Newborns are recorded as "Baby Girl A" and "Baby Girl B".
  const isOfTwo = ofLeft.some((word, at) => !agrees(word, ofRight[at] ?? ''))
  if (isOfTwo) return 'The middle names differ: these may be twins'
  return left.biological_sex === right.biological_sex ? undefined : 'The sexes differ'
}

/** Word by word, because one given name may hold several; those that are recorded as the same one, such as `Mary-Ann` and `Maryann`, stay whole. */
function givenWords(left: readonly string[], right: readonly string[]): [string[], string[]] {
  const words = (names: readonly string[]) => names.flatMap((name) => name.split(/[\s-]+/)).filter(Boolean)
  const [first = '', ...others] = left
  if (lettersOf(first) !== lettersOf(right[0] ?? '')) return [words(left), words(right)]
  return [
    [first, ...words(others)],
    [first, ...words(right.slice(1))],
  ]
}

/** Whether two middle names may be of one person: equal, one missing, or one the initial of the other. */
function agrees(left: string, right: string): boolean {
  const [short = '', long = ''] = [left, right].map(lettersOf).sort((one, two) => one.length - two.length)
  return short === long || short === '' || (short.length === 1 && long.length > 1 && long.startsWith(short))
}

export type Side = 'left' | 'right'

/** Why two records cannot be merged this way; undefined when they can. Source: rules.md 16: no chains. */
export function obstacleTo(
  kept: { mrn: string; primaryMrn?: string | undefined },
  away: { mrn: string; primaryMrn?: string | undefined; alternativeMrns: readonly string[] },
): string | undefined {
  if (kept.mrn === away.mrn) return 'This is the same record.'
  if (kept.primaryMrn)
    return `${kept.mrn} was merged into ${kept.primaryMrn} before. Keep ${kept.primaryMrn}, or undo that first.`
  if (away.primaryMrn) return `${away.mrn} was merged into ${away.primaryMrn} before.`
  if (away.alternativeMrns.length > 0)
    return `Others were merged into ${away.mrn} (${away.alternativeMrns.join(', ')}). Keep ${away.mrn}, or undo those first.`
  return undefined
}
