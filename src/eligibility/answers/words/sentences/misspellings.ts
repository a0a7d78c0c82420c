// Words that decide about a coverage as payers mistype them: one letter is missing or doubled, or two letters are swapped. decisions/0189.

import { serviceTypeNames } from '../../../../x12/codes/service-types.ts'
import { CLASSES } from '../denials/denial-lexicon.ts'

/** None that differs from another word of English by one such error. */
const DECISIVE =
  `CANCELLED CANCELED COVERAGE DECEASED DISENROLLED ELIGIBILITY ELIGIBLE EXHAUSTED EXPIRED INACTIVE INCARCERATED INELIGIBLE INSURANCE
  MEMBERSHIP PREMIUM PRIMARY SUSPENDED TERMINATED TERMINATION`.split(/\s+/)

const CORRECT = new Map<string, string>()
for (const word of DECISIVE) {
  // The first and the last letters tell words and their forms apart.
  for (let place = 1; place < word.length - 1; place += 1) {
    const [before, letter, next, after] = [word.slice(0, place), word[place]!, word[place + 1]!, word.slice(place + 2)]
    const inner = place < word.length - 2 ? [before + next + after, before + letter + letter + next + after] : []
    for (const wrong of [...inner, before + next + letter + after]) {
      if (!DECISIVE.includes(wrong)) CORRECT.set(wrong, word)
    }
  }
}

const LONG_WORDS = /\b[CDEIMPST][A-Z]{5,13}\b/g

/** A sentence in capitals with the words that decide about a coverage as they are spelled. */
export function correctSpelling(sentence: string): string {
  return sentence.replace(LONG_WORDS, (word) => CORRECT.get(word) ?? word)
}

/** Words of the grammar of denials and of the names of services. */
const KNOWN = new Set(
  [...Object.values(CLASSES), ...Object.values(serviceTypeNames)].flatMap(
    (words) => words.toUpperCase().match(/[A-Z]+/g) ?? [],
  ),
)
/** Two shorter parts are rather two abbreviations. */
const SHORTEST_CUT = 7

/** True for the two parts of a word that a payer's system cut: of a decisive one, or of a known one of which no part is known. */
export function isOneWord(before: string, after: string): boolean {
  const word = before + after
  if (DECISIVE.includes(word)) return true
  return word.length >= SHORTEST_CUT && KNOWN.has(word) && !KNOWN.has(before) && !KNOWN.has(after)
}
