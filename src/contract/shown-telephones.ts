// How telephone numbers are shown to people, on the screen and on paper alike. Records keep what was entered, and answers what the payer sent.

/**
 * `609-555-1465`, as numbers of payers are written; an extension follows: `609-555-1465 ext. 12`. A number of another country, and one that is not
 * whole, is shown as it was entered.
 */
export function shownTelephone(entered: string): string {
  const text = entered.trim()
  const [, number = text, extension] = EXTENSION.exec(text) ?? []
  if (/[^\d\s().+/-]/.test(number) || /^\+(?!1)/.test(number)) return text
  const shown = number.replaceAll(/\D/g, '').replace(NORTH_AMERICAN, '$1-$2-$3')
  if (!shown.includes('-')) return text
  return extension === undefined ? shown : `${shown} ext. ${extension}`
}

/** Ten digits, with or without the country; neither the area code nor the exchange begins with 0 or 1. Source: the North American Numbering Plan. */
const NORTH_AMERICAN = /^1?([2-9]\d{2})([2-9]\d{2})(\d{4})$/
const EXTENSION = /^(.*\d)\s*(?:extension|ext\.?|x|#)\s*(\d+)$/i

/** A text with the numbers that an answer names, such as `Telephone 8005550104`. Source: 005010X279A1 PER04, which is AAABBBCCCC. */
export const withShownTelephones = (text: string) => text.replaceAll(NAMED, '$1 $2-$3-$4')
const NAMED = /\b(Telephone|Phone Number|Facsimile) 1?([2-9]\d{2})([2-9]\d{2})(\d{4})\b/g
