// What payers state in words: MSG01 and EB05.

/** MSG01 has at most 264 characters. The bound keeps patterns over a text cheap. */
export const LONGEST_TEXT = 300

/** The sentences of a payer's text, in capitals; what exceeds the bound is left out. */
export function sentencesOf(text: string): string[] {
  return text.slice(0, LONGEST_TEXT).toUpperCase().split(/[.;]/)
}
