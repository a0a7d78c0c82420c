// Entries that the service accepts, and that are probably mistyped. The user is told, and may keep them.

import { isNpi } from '../../../src/x12/npi.ts'
import { isWholeDay } from './days.ts'

/** USPS Publication 28, Appendix B: states, the district, possessions and military addresses. */
const STATES = new Set(
  (
    'AL AK AZ AR CA CO CT DE DC FL GA HI ID IL IN IA KS KY LA ME MD MA MI MN MS MO MT NE NV NH NJ NM NY NC ND OH OK OR PA RI SC SD TN TX UT VT VA ' +
    'WA WV WI WY AS GU MP PR VI FM MH PW AA AE AP'
  ).split(' '),
)
const OLDEST_YEARS = 120

const isOfUs = (country: string) => /^(|us|usa)$/i.test(country.trim())

export const oddState = (text: string, country: string): string | undefined =>
  isOfUs(country) && !STATES.has(text.toUpperCase()) ? 'Use the two-letter code of a US state, such as NY.' : undefined

export const oddZip = (text: string, country: string): string | undefined =>
  isOfUs(country) && !/^\d{5}(-?\d{4})?$/.test(text) ? 'A US ZIP code has 5 or 9 digits.' : undefined

/** North American numbers have ten digits, with or without the leading 1; others begin with +, and have up to 15 (ITU-T E.164). */
export function oddTelephone(text: string): string | undefined {
  const number = text.replace(/\s*(?:ext\.?|x|#)\s*\d+$/i, '')
  const digits = number.replaceAll(/\D/g, '')
  const isOther = /^\s*(?:\+(?!1)|00)/.test(number)
  const isWhole = isOther ? digits.length >= 8 && digits.length <= 17 : /^1?\d{10}$/.test(digits)
  return isWhole && !/[^\d\s().+/-]/.test(number) ? undefined : 'A telephone number has 10 digits, with the area code.'
}

export const oddEmail = (text: string): string | undefined =>
  /^[^\s@]+@[^\s@]+\.[^\s@.]{2,}$/.test(text) ? undefined : 'This email address is incomplete.'

/** `text` and `today` as YYYY-MM-DD. */
export function oddBirthDate(text: string, today: string): string | undefined {
  if (text > today) return 'This date is in the future.'
  return Number(today.slice(0, 4)) - Number(text.slice(0, 4)) > OLDEST_YEARS
    ? `This is more than ${OLDEST_YEARS} years ago.`
    : undefined
}

/** ASCII without the separators of X12, and the dashes that become its hyphen. Source: element-limits.ts. */
const MEMBER_ID = /^[ -)+-9;-\]_`a-}\u2010-\u2015\u2212]*$/
const MEMBER_ID_MAX = 80

/** Source: 005010X279A1 2100C NM109, an identifier of at least 2 characters. */
export function oddMemberId(text: string): string | undefined {
  if ([...text].length < 2) return 'This member ID is too short for an inquiry.'
  if (text.length > MEMBER_ID_MAX || !MEMBER_ID.test(text))
    return 'This member ID is too long, or has a character that an inquiry cannot contain.'
  return /\s/.test(text) ? 'Member IDs have no spaces. Leave out those that group the digits on the card.' : undefined
}

export const oddEnd = (end: string, begin: string): string | undefined =>
  begin !== '' && end < begin ? 'This is before the plan begins.' : undefined

/** Nobody can be asked in the name of another number. */
export const oddNpi = (text: string): string | undefined =>
  isNpi(text) ? undefined : 'An NPI has ten digits. One of them is missing or mistyped.'

const DAY_MINUTES = 24 * 60

export function oddDuration(text: string): string | undefined {
  if (Number(text) <= 0) return 'This visit would have no duration.'
  return Number(text) > DAY_MINUTES ? 'This is longer than a day.' : undefined
}

export const SHORT_YEAR = 'Enter a year of four digits.'

export const oddYear = (text: string): string | undefined => (isWholeDay(text) ? undefined : SHORT_YEAR)
