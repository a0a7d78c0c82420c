// Days and years that a text spells out: "April first two thousand twenty-six".

const ONES = ['ONE', 'TWO', 'THREE', 'FOUR', 'FIVE', 'SIX', 'SEVEN', 'EIGHT', 'NINE']
const TEENS = 'TEN ELEVEN TWELVE THIRTEEN FOURTEEN FIFTEEN SIXTEEN SEVENTEEN EIGHTEEN NINETEEN'.split(' ')
const FIRSTS = 'FIRST SECOND THIRD FOURTH FIFTH SIXTH SEVENTH EIGHTH NINTH'.split(' ')
const TENTHS =
  'TENTH ELEVENTH TWELFTH THIRTEENTH FOURTEENTH FIFTEENTH SIXTEENTH SEVENTEENTH EIGHTEENTH NINETEENTH TWENTIETH'.split(
    ' ',
  )

const NUMBERS = new Map<string, number>([
  ...[...ONES, ...TEENS, 'TWENTY'].map((word, place) => [word, place + 1] as const),
  ...[...FIRSTS, ...TENTHS].map((word, place) => [word, place + 1] as const),
  ['THIRTY', 30],
  ['THIRTIETH', 30],
])

const UNIT = [...ONES, ...FIRSTS].join('|')
/** One to thirty-first. */
const DAY = `(?:(?:TWENTY|THIRTY)[ -](?:${UNIT})|${[...NUMBERS.keys()].join('|')})`
const MONTH = '(?:JAN|FEB|MAR|APR|MAY|JUN|JUL|AUG|SEP|OCT|NOV|DEC)[A-Z]{0,7}'

const YEAR = new RegExp(
  `\\b(?:TWO THOUSAND(?: AND)?|TWENTY)[ -]((?:TWENTY|THIRTY)(?:[ -](?:${ONES.join('|')}))?)\\b`,
  'g',
)
const DAY_AFTER = new RegExp(`\\b(${MONTH}) (?:THE )?(${DAY})(?=,? 20\\d{2}\\b)`, 'g')
const DAY_BEFORE = new RegExp(`\\b(?:THE )?(${DAY})(?: DAY)? OF (${MONTH})(?=,? 20\\d{2}\\b)`, 'g')

/** A text in capitals with its days and years in numerals. Most have none. */
export function withNumerals(text: string): string {
  if (!/\b(?:TWENT|THIRT|THOUSAND|[A-Z]+(?:TH|ST|ND|RD)\b)/.test(text)) return text
  return text
    .replace(YEAR, (_, words: string) => String(2000 + numberOf(words)))
    .replace(DAY_AFTER, (_, month: string, words: string) => `${month} ${numberOf(words)}`)
    .replace(DAY_BEFORE, (_, words: string, month: string) => `${month} ${numberOf(words)}`)
}

const numberOf = (words: string) => words.split(/[ -]/).reduce((sum, word) => sum + (NUMBERS.get(word) ?? 0), 0)
