import { type Chance, chanceFor } from '../../src/tools/seed/chance.ts'

/** Rows of neighboring keys. */
const ROWS = ['qwertyuiop', 'asdfghjkl', 'zxcvbnm']

/**
 * The text as typed in a hurry: in lower case, with one mistake, or two if it has more than ten letters: two
 * letters swapped, one omitted, one doubled, or a neighboring key. The same number gives the same result.
 */
export function mistype(text: string, number: number): string {
  const chance = chanceFor(text, number)
  let typed = text.toLowerCase()
  for (let mistakes = text.length > 10 ? 2 : 1; mistakes > 0; mistakes--) typed = withOneMistake(typed, chance)
  return typed
}

const kinds = { swap: 4, omit: 2, double: 2, neighbor: 2 }

function withOneMistake(text: string, chance: Chance): string {
  const at = chance.oneOf(lettersBeforeLetters(text))
  const [letter = '', next = ''] = [text[at], text[at + 1]]
  const [before, after] = [text.slice(0, at), text.slice(at + 2)]
  const replaced = {
    swap: next + letter,
    omit: next,
    double: letter + letter + next,
    neighbor: neighborOf(letter, chance) + next,
  }[chance.weighted(kinds)]
  return before + replaced + after
}

function lettersBeforeLetters(text: string): number[] {
  return [...text].flatMap((_, at) => (/^[a-z]{2}$/.test(text.slice(at, at + 2)) ? at : []))
}

function neighborOf(letter: string, chance: Chance): string {
  const row = ROWS.find((keys) => keys.includes(letter)) ?? ''
  const at = row.indexOf(letter)
  return chance.oneOf([row[at - 1], row[at + 1]].filter((key) => key !== undefined)) ?? letter
}
