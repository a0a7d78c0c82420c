// The values of flags: each reader takes the text and the flag's name, and throws a UsageError that names the flag.
import { DAYS_AHEAD_MAX } from '../../../contract/days-ahead.ts'
import { canonicalDateTime, DATE_RULE, isDate, isUuid } from '../../../contract/formats.ts'
import { isNpi, NPI_RULE } from '../../../x12/npi.ts'
import { UsageError } from './command-line.ts'

/** A whole number in plain digits: no sign, no fraction, no exponent, no blank. */
export function wholeNumber(min: number, max: number): (text: string, flag: string) => number {
  return (text, flag) => {
    const number = Number(text)
    if (!/^(0|[1-9]\d{0,8})$/.test(text) || number < min || number > max) {
      throw new UsageError(`--${flag} must be a number from ${min} to ${max}`)
    }
    return number
  }
}

export const readDays = wholeNumber(1, DAYS_AHEAD_MAX)
/** What `readDays` takes, for the help of commands. */
export const DAYS_RANGE = `1 to ${DAYS_AHEAD_MAX}`

export const readPort = wholeNumber(0, 65_535)

export function readDate(text: string, flag: string): string {
  if (isDate(text)) return text
  throw new UsageError(`--${flag} must be ${DATE_RULE}`)
}

/** A date without a time means midnight UTC here. */
export function readInstant(text: string, flag: string): string {
  const instant = canonicalDateTime(isDate(text) ? `${text}T00:00:00Z` : text)
  if (instant !== undefined) return instant
  throw new UsageError(`--${flag} takes a day or an instant, such as 2026-01-31T08:00:00Z`)
}

export function readPastInstant(text: string, flag: string): string {
  const instant = readInstant(text, flag)
  if (instant <= new Date().toISOString()) return instant
  throw new UsageError(`--${flag} must not be in the future`)
}

export function readNpi(text: string, flag: string): string {
  if (isNpi(text)) return text
  throw new UsageError(`--${flag} must be ${NPI_RULE}`)
}

export function readPatientId(text: string, flag: string): string {
  if (isUuid(text)) return text.toLowerCase()
  throw new UsageError(`--${flag} must be the id of a patient`)
}

export function readHash(text: string, flag: string): string {
  if (/^[0-9a-f]{64}$/.test(text)) return text
  throw new UsageError(`--${flag} must be a head that audit verify printed: 64 hexadecimal digits`)
}

/** Comma-separated codes, e.g. `30,98`. */
export function readServiceTypes(text: string, flag: string): string[] {
  const codes = text.split(',')
  if (codes.every((code) => /^[0-9A-Za-z]{1,2}$/.test(code))) return codes
  throw new UsageError(`--${flag} takes comma-separated service type codes`)
}

/** Origins as browsers send them: scheme, host and port, without a path. */
export function readOrigins(text: string, flag: string): string[] {
  const origins = text
    .split(',')
    .map((each) => each.trim())
    .filter(Boolean)
  if (origins.every((each) => URL.canParse(each) && new URL(each).origin === each && /^https?:/.test(each)))
    return origins
  throw new UsageError(`--${flag} takes comma-separated origins such as https://desk.example.com`)
}
