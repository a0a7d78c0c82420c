/** One line without control characters, blanks at its ends, or halves of a character, none of which the database takes. */
export function cleanText(text: string): string {
  return text
    .replaceAll(/[\s\p{Cc}]+/gu, ' ')
    .toWellFormed()
    .trim()
}
