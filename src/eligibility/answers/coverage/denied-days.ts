// Whether the days of a text by which the coverage is denied, or in force, include the day of the visit. decisions/0100, 0112.
import { DATE } from '../payer-text.ts'
import type { DaysInForce } from '../words/days/days-in-force.ts'
import type { Denial } from '../words/denials/denial-grammar.ts'

/** True when the periods that a text states include the day in none, or one of its first and last days excludes it. */
export function areForOtherDays(statements: readonly DaysInForce[], day: string): boolean {
  const spans = statements.filter(({ kind }) => kind === 'span')
  if (spans.length > 0) return !spans.some(({ dates: [first, last] }) => isWithin(day, first, last))
  return statements.some(({ kind, dates: [date] }) =>
    kind === 'first' ? !isWithin(day, date, undefined) : !isWithin(day, undefined, date),
  )
}

/** A day that cannot be read excludes none. */
const isWithin = (day: string, first = '', last = day) => first <= day && day <= last

/** True for a denial that counts on the day; a day that cannot be read may be any. */
export function holds({ isUnpaid, span, dates }: Denial, day: string): boolean {
  if (span === 'after') return dates.every((date) => date !== undefined && date < day)
  if (dates.length === 0 || isUnpaid) return true
  const [first, last] = dates
  if (span === 'between') return isWithin(day, first, last)
  return dates.some((date) => date === undefined || COUNTS[span](date, day))
}

const COUNTS = {
  from: (date: string, day: string) => date <= day,
  before: (date: string, day: string) => date > day,
  through: (date: string, day: string) => date >= day,
}

export const isUpTo = (day: string) => (date: string | undefined) => date !== undefined && date <= day

/** True where the days of a statement include the day: from one on, up to the last one, or between two. */
export function countsOn(sentence: string, dates: readonly (string | undefined)[], day: string): boolean {
  const [first, last] = dates
  if (dates.length === 2) return isWithin(day, first, last)
  return dates.length === 0 || dates.some(isUpTo(day)) || (dates.length === 1 && LASTS.test(sentence))
}

/** "In lockout through 06/30/2026", "lockout ends 06/30/2026". */
export const LASTS = new RegExp(`\\b(?:THROUGH|THRU|UNTIL|TILL?|ENDS?|ENDING|EXPIRES)(?: (?:ON|DATE))?[ :-]+${DATE}`)
