// How days and instants are shown to people, on the screen and on paper alike: in the United States format, in the time zone of the organization.
import { withShownTelephones } from './shown-telephones.ts'

/** Creating a format takes longer than using it a hundred times, and a board has several instants in each row. */
function formatOf(locale: string, options: Intl.DateTimeFormatOptions): (timeZone: string) => Intl.DateTimeFormat {
  const formats = new Map<string, Intl.DateTimeFormat>()
  return (timeZone) => {
    const format = formats.get(timeZone) ?? new Intl.DateTimeFormat(locale, { ...options, timeZone })
    formats.set(timeZone, format)
    return format
  }
}

const dayFormat = formatOf('en-CA', { year: 'numeric', month: '2-digit', day: '2-digit' })
const clockFormat = formatOf('en-US', { hour: 'numeric', minute: '2-digit' })

/** The day of an instant. */
export function dayOf(instant: string | number, timeZone: string): string {
  const parts = Object.fromEntries(
    dayFormat(timeZone)
      .formatToParts(new Date(instant))
      .map(({ type, value }) => [type, value]),
  )
  return `${parts.year?.padStart(4, '0')}-${parts.month}-${parts.day}`
}

/** `11/23/2026`, the United States format. Text that is not a day is shown unchanged. */
export function shortDay(day: string | undefined): string {
  const [, year, month, date] = /^(\d{4})-(\d{2})-(\d{2})/.exec(day ?? '') ?? []
  return year ? `${month}/${date}/${year}` : (day ?? '')
}

/** A text with its days, their names, and its telephone numbers in the form of the console. */
export const inShownForms = (text: string) => withShownTelephones(withDateNames(text).replaceAll(DAY, shortDay))

/** An ID that is written alike has hardly ever a month and a day in these places. */
const DAY = /\b\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])\b/g

/** A text with the names of its days in words: the API names a date with one word, `eligibilityEnd 2025-01-31`. */
export const withDateNames = (text: string) => text.replaceAll(DATE_NAME, inWords)
const DATE_NAME = /\b[a-z]+(?:[A-Z][a-z]+)+(?= \d{4}-\d{2}-\d{2}\b)/g
const inWords = (name: string) => name.replaceAll(/[A-Z]/g, ' $&').toLowerCase()

export const clock = (instant: string, timeZone: string) => clockFormat(timeZone).format(new Date(instant))

export const formatInstant = (instant: string, timeZone: string) =>
  `${shortDay(dayOf(instant, timeZone))} ${clock(instant, timeZone)}`
