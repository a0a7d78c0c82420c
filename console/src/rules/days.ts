// Days are text, YYYY-MM-DD, in the time zone of the organization, regardless of the computer's.
import { clock, dayOf, formatInstant, inShownForms, shortDay } from '../../../src/contract/shown-days.ts'

export { clock, dayOf, formatInstant, inShownForms, shortDay }

/** A day that exists: `Date.parse` takes February 30 for March 2. */
export function isDay(value: unknown): value is string {
  if (typeof value !== 'string') return false
  const [, year, month, day] = /^(\d{4})-(\d{2})-(\d{2})$/.exec(value) ?? []
  return year !== undefined && month !== undefined && day !== undefined && existingDay(year, month, day) !== undefined
}

/** A year that is being typed begins with zeros: a field has 0002-11-27 on the way to 2026, which is not a day to go to or to search for. */
export const isWholeDay = (value: unknown): value is string => isDay(value) && value >= '1900-01-01'

/** The day of a year, a month and a day of the month in digits; undefined when there is none, such as 02/30. */
export function existingDay(year: string, month: string, day: string): string | undefined {
  const text = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`
  const instant = new Date(`${text}T00:00:00Z`)
  return !Number.isNaN(instant.getTime()) && instant.toISOString().startsWith(text) ? text : undefined
}

/** A year of two digits is the latest such year that is not after `last`. */
export function fullYear(twoDigits: string, last: number): string {
  const year = last - (last % 100) + Number(twoDigits)
  return String(year > last ? year - 100 : year)
}

export function addDays(day: string, count: number): string {
  const date = new Date(`${day}T00:00:00Z`)
  date.setUTCDate(date.getUTCDate() + count)
  return date.toISOString().slice(0, 10)
}

/** The next day from Monday to Friday. */
export function nextWorkday(day: string): string {
  const next = addDays(day, 1)
  const weekday = new Date(`${next}T00:00:00Z`).getUTCDay()
  if (weekday === 6) return addDays(next, 2)
  return weekday === 0 ? addDays(next, 1) : next
}

/** The seven days, Sunday first, of the week that a day is in, as calendars in the United States have it. */
export function weekOf(day: string): string[] {
  const sunday = addDays(day, -new Date(`${day}T00:00:00Z`).getUTCDay())
  return Array.from({ length: 7 }, (_, place) => addDays(sunday, place))
}

/** `Monday, November 23, 2026` */
export const formatDay = (day: string) =>
  new Date(`${day}T00:00:00Z`).toLocaleDateString('en-US', {
    timeZone: 'UTC',
    weekday: 'long',
    year: 'numeric',
    month: 'long',
    day: 'numeric',
  })

/** Age on a day, as charts have it: `12 d`, `7 mo` below two years, `22 y`. A birth in the future is mistyped. */
export function ageOn(birthDate: string, on: string): string {
  const days = (Date.parse(on) - Date.parse(birthDate)) / 86_400_000
  const [from = 0, to = 0] = [birthDate, on].map((day) => Number(day.slice(0, 4)) * 12 + Number(day.slice(5, 7)))
  const months = to - from - (on.slice(8) < birthDate.slice(8) ? 1 : 0)
  if (days < 0) return 'in the future'
  if (months < 2) return `${days} d`
  return months < 24 ? `${months} mo` : `${Math.floor(months / 12)} y`
}

/** Time elapsed, in the largest unit that fits: `just now`, `5 min ago`, `3 h ago`, `2 days ago`. */
export function age(instant: string, now: number): string {
  const minutes = Math.floor((now - Date.parse(instant)) / 60_000)
  if (minutes < 1) return 'just now'
  if (minutes < 60) return `${minutes} min ago`
  if (minutes < 24 * 60) return `${Math.floor(minutes / 60)} h ago`
  const days = Math.floor(minutes / (24 * 60))
  return days === 1 ? '1 day ago' : `${days} days ago`
}

/** `5 min`, `1 h 20 min` */
export function duration(minutes: number): string {
  const hours = Math.floor(minutes / 60)
  const rest = minutes % 60
  if (hours === 0) return `${rest} min`
  return rest === 0 ? `${hours} h` : `${hours} h ${rest} min`
}

/** The time of an instant, `14:30`. */
export const timeOf = (instant: string, timeZone: string) =>
  new Date(instant).toLocaleTimeString('en-GB', { timeZone, hour: '2-digit', minute: '2-digit' })

const DAY_MS = 86_400_000

/**
 * The instant of a day and a time (`14:30`) in a time zone; undefined for invalid text. A time that a clock change leaves out is the time as
 * long after the change (2:30 AM is 3:30 AM), and one that comes twice is the first of both.
 */
export function instantOf(day: string, time: string, timeZone: string): string | undefined {
  const wanted = Date.parse(`${day}T${time}:00Z`)
  if (Number.isNaN(wanted)) return undefined
  // The offset must be that of the instant itself: on the day of a clock change, the one before or the one after it.
  const before = wanted - offsetAt(wanted - DAY_MS, timeZone)
  const after = wanted - offsetAt(wanted + DAY_MS, timeZone)
  const isAfter = before + offsetAt(before, timeZone) !== wanted && after + offsetAt(after, timeZone) === wanted
  return new Date(isAfter ? after : before).toISOString()
}

/** The name of the clinic's time, where the computer has another one at this instant: every time is that of the clinic. */
export function otherTime(now: number, timeZone: string, minutesOfComputer = -new Date(now).getTimezoneOffset()) {
  if (offsetAt(now, timeZone) === minutesOfComputer * 60_000) return ''
  const parts = new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'long' }).formatToParts(now)
  return parts.find(({ type }) => type === 'timeZoneName')?.value ?? timeZone
}

function offsetAt(instant: number, timeZone: string): number {
  const time = timeOf(new Date(instant).toISOString(), timeZone)
  return Date.parse(`${dayOf(instant, timeZone)}T${time}:00Z`) - Math.floor(instant / 60_000) * 60_000
}
