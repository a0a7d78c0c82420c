import { respellDate } from './date-spellings.ts'

const CALENDAR_DATE = /^(\d{4})-?(\d{2})-?(\d{2})$/
const DAYS_IN_MONTH = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]

/**
 * A date as YYYY-MM-DD from CCYYMMDD or YYYY-MM-DD text, or a spelling with slashes; a time of day after CCYYMMDD (format DT) is dropped. Undefined when the text is
 * not a calendar date. Sentinel ends such as 99991231 are valid dates.
 */
export function isoDate(text: string | undefined): string | undefined {
  if (text === undefined) return undefined
  if (text.length === 8) {
    const day = plainDays.get(text) ?? readPlainDay(text)
    if (day !== undefined) return day
  }
  if (text.length === 10 && text[4] === '-' && text[7] === '-' && isPlainDay(text)) return text
  const trimmed = text.trim()
  const parts = CALENDAR_DATE.exec(
    /^\d{12,14}$/.test(trimmed) ? trimmed.slice(0, 8) : (respellDate(trimmed) ?? trimmed),
  )
  if (!parts) return undefined
  const [, year = '', month = '', day = ''] = parts
  const longest = DAYS_IN_MONTH[Number(month) - 1]
  if (longest === undefined || Number(day) < 1 || Number(day) > longest || year === '0000') return undefined
  if (month === '02' && day === '29' && !isLeapYear(Number(year))) return undefined
  return `${year}-${month}-${day}`
}

/** Answers repeat few days: today, and the first and last of years. */
const plainDays = new Map<string, string>()
const PLAIN_DAYS_MAX = 2_000

function readPlainDay(text: string): string | undefined {
  if (!isPlainDay(text)) return undefined
  const day = `${text.slice(0, 4)}-${text.slice(4, 6)}-${text.slice(6)}`
  if (plainDays.size === PLAIN_DAYS_MAX) plainDays.clear()
  plainDays.set(text, day)
  return day
}

/** Most dates are eight digits and no 29th of February; they need no pattern. Hyphens are at their places. */
function isPlainDay(text: string): boolean {
  let value = 0
  for (let position = 0; position < text.length; position += 1) {
    if (text.length === 10 && (position === 4 || position === 7)) continue
    const digit = text.charCodeAt(position) - 0x30
    if (digit < 0 || digit > 9) return false
    value = value * 10 + digit
  }
  const month = Math.floor(value / 100) % 100
  const day = value % 100
  const longest = DAYS_IN_MONTH[month - 1]
  return value >= 10_000 && longest !== undefined && day >= 1 && day <= (month === 2 ? 28 : longest)
}

function isLeapYear(year: number): boolean {
  return (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0
}
