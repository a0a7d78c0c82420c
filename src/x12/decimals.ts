// Numbers as payers write them.

const DECIMAL = /^([+-]?)(\d{0,15})(?:\.(\d{0,15}))?$/
const GROUPED = /^[+-]?\d{1,3}(?:,\d{3}){1,4}(?:\.\d{1,4})?$/
const CURRENCY = /^([+-]?)(?:US)?(?:\$|USD) */i
const CURRENCY_BEHIND = / *(?:USD|DOLLARS?)$/i
const PERCENT = / *(?:%|PERCENT|PCT)$/i

/** The form of nearly all amounts, which needs no further parsing: `20`, `500.5`, `.2`. */
const PLAIN = /^(?:\d{1,9}(?:\.\d{1,4})?|\.\d{1,4})$/

/** The form of nearly all shares. */
const PLAIN_FRACTION = /^\.\d{1,4}$/

/** A longer text is not an amount; the limit also bounds the cost of the patterns. */
const MAX_DIGITS = 32

/**
 * An X12 decimal (EB07, EB10, HSD02) as a number; undefined when it is blank, not a number or too large to be exact. Accepts a currency and
 * thousands separators, which some payers send.
 */
export function readDecimal(text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  if (PLAIN.test(text)) return Number(text)
  const decimal = splitDecimal(text)
  return decimal && toNumber(`${decimal.sign}${decimal.whole || '0'}.${decimal.fraction || '0'}`)
}

/**
 * EB08 as percent. The guide defines the patient's share as a fraction (`.2` = 20), but some payers send 20: a value above 1 is read as
 * percent, 1 means 100 percent, and a percent sign says it. The decimal point is moved in the text, so that `.07` yields 7 and not
 * 7.000000000000001. Undefined when it is not a number or negative. Source: x12-271.md 4, EB08.
 */
export function readPercent(text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  if (PLAIN_FRACTION.test(text)) return Number(`${text.slice(1, 3).padEnd(2, '0')}.${text.slice(3)}`)
  if (PLAIN.test(text) && Number(text) > 1) return Number(text)
  const bare = text.length > MAX_DIGITS ? text : text.trim().replace(PERCENT, '')
  const decimal = splitDecimal(bare)
  const asSent = readDecimal(bare)
  if (!decimal || asSent === undefined || asSent < 0) return undefined
  if (asSent > 1 || bare.length < text.trim().length) return asSent
  const digits = decimal.fraction.padEnd(2, '0')
  return toNumber(`${decimal.whole}${digits.slice(0, 2)}.${digits.slice(2) || '0'}`)
}

function splitDecimal(text: string | undefined): { sign: string; whole: string; fraction: string } | undefined {
  if (text === undefined || text.length > MAX_DIGITS) return undefined
  const bare = text.trim().replace(CURRENCY, '$1').replace(CURRENCY_BEHIND, '')
  const parts = DECIMAL.exec(GROUPED.test(bare) ? bare.replaceAll(',', '') : bare)
  if (!parts) return undefined
  const [, sign = '', whole = '', fraction = ''] = parts
  return whole === '' && fraction === '' ? undefined : { sign, whole, fraction }
}

function toNumber(text: string): number | undefined {
  const value = Number(text)
  if (!Number.isFinite(value) || Math.abs(value) > Number.MAX_SAFE_INTEGER) return undefined
  // Normalizes minus zero.
  return value === 0 ? 0 : value
}
