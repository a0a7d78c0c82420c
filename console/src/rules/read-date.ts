// Dates as people in the United States write them, in a search and pasted into a form.
import { existingDay, fullYear } from './days.ts'

const DATE_FORMS = [
  /^(?<year>\d{4})[-/. ](?<month>\d{1,2})[-/. ](?<day>\d{1,2})$/,
  /^(?<month>\d{1,2})[-/. ](?<day>\d{1,2})[-/. ](?<year>\d{4}|\d{2})$/,
  /^(?<month>\d{2})(?<day>\d{2})(?<year>(?:19|20)\d{2}|\d{2})$/,
  /^(?<year>(?:19|20)\d{2})(?<month>\d{2})(?<day>\d{2})$/,
  /^(?<month>[a-z]{3,9})\.?[- ](?<day>\d{1,2})(?:st|nd|rd|th)?(?:, ?|[- ])(?<year>\d{4})$/i,
  /^(?<day>\d{1,2})[- ](?<month>[a-z]{3,9})\.?[- ](?<year>\d{4})$/i,
]

/** Of a date that a program has copied. */
const TIME = /[T ]\d{1,2}:\d{2}.*$/
const DASHES = /[\u2010-\u2015\u2212]/g

const MONTHS = 'january february march april may june july august september october november december'.split(' ')

/**
 * The day in `1984-02-29`, `1984/2/29`, `2/29/1984`, `02-29-84`, `02 29 1984`, `02291984`, `022984`, `19840229`, `Feb 29, 1984` and `29-Feb-1984`; undefined
 * for any other text. A time after it is left out. A year of two digits is the latest that is not after `last`: nobody was born in the future.
 */
export function readDate(text: string, last = new Date().getFullYear()): string | undefined {
  const date = text
    .replace(TIME, '')
    .replaceAll(DASHES, '-')
    .replaceAll(/(\d) ?([-/.]) ?(?=\d)/g, '$1$2')
  for (const form of DATE_FORMS) {
    const { year = '', month = '', day = '' } = form.exec(date)?.groups ?? {}
    const whole = year.length === 2 ? fullYear(year, last) : year
    const found = year && existingDay(whole, monthNumber(month), day)
    if (found) return found
  }
  return undefined
}

/** Of a month in digits, or in the first letters of its name. Digits stay as they are. */
const monthNumber = (month: string) =>
  /^\d/.test(month) ? month : String(MONTHS.findIndex((name) => name.startsWith(month.toLowerCase())) + 1)

/** `9:30`, `09:30:00`, `9:30 AM` and `9 p.m.`, in the form of a field (`21:00`); undefined for any other text. */
export function readTime(text: string): string | undefined {
  const [, hour = '', minute = '00', half] =
    /^(\d{1,2})(?::(\d{2})(?::\d{2})?)?\s*(?:([ap])\.?m\.?)?$/i.exec(text) ?? []
  if (hour === '' || (half === undefined && !text.includes(':'))) return undefined
  if (Number(minute) > 59 || Number(hour) > (half ? 12 : 23) || (half && Number(hour) === 0)) return undefined
  const hours = half ? (Number(hour) % 12) + (half.toLowerCase() === 'p' ? 12 : 0) : Number(hour)
  return `${String(hours).padStart(2, '0')}:${minute}`
}
