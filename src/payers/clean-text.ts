/** One line without control characters, surrounding blanks, or lone surrogates, none of which the database should store. */
export function cleanText(text: string): string {
  return text
    .replaceAll(/[\s\p{Cc}]+/gu, ' ')
    .toWellFormed()
    .trim()
}
