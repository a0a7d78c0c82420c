// What payers state in words: MSG01 and EB05.
import { isoDate } from '../../x12/iso-date.ts'
import { withNumerals } from './words/days/days-spelled-out.ts'
import { correctSpelling, isOneWord } from './words/sentences/misspellings.ts'
import { statementsWithin } from './words/sentences/run-on-sentences.ts'

/** MSG01 has at most 264 characters. The bound keeps patterns over a text cheap. */
export const LONGEST_TEXT = 300

/** An EB has at most ten MSG. Of a row with more than this, the rest is not evaluated, which is a readiness issue. Source: 005010X279A1 2110C MSG. */
export const MOST_TEXTS = 300

/** Characters that are more texts than are evaluated, also without the blanks between their parts. */
export const MOST_READ = (MOST_TEXTS + 4) * LONGEST_TEXT

/**
 * A text in parts of at most LONGEST_TEXT characters: JSON has texts of any length. A part ends with a sentence; where no sentence ends, with a
 * word, and `sentencesOfAll` joins it to the next. At most one more than are evaluated, which is a readiness issue.
 */
export function partsOf(text: string): string[] {
  const parts: string[] = []
  let rest = text
  while (rest.length > LONGEST_TEXT && parts.length < MOST_TEXTS) {
    const most = rest.slice(0, LONGEST_TEXT)
    const end = (LAST_SENTENCE_END.exec(most) ?? LAST_CLAUSE_END.exec(most))?.[0].length ?? most.lastIndexOf(' ')
    parts.push(rest.slice(0, end > 0 ? end : LONGEST_TEXT))
    rest = rest.slice(end > 0 ? end : LONGEST_TEXT).trimStart()
  }
  return rest === '' ? parts : [...parts, rest.slice(0, LONGEST_TEXT)]
}

const LAST_SENTENCE_END = /^.*(?:[.;](?!\d)|[!?](?=\s))/s

/** The sentences of a payer's text, in capitals; what exceeds the bound is left out. The point of an amount ends no sentence. */
export function sentencesOf(text: string): string[] {
  const capitals = withoutPoints(
    withDays(withNumerals(withSlashes(withoutAccents(text.slice(0, LONGEST_TEXT)).toUpperCase()))),
  )
  const sentences = capitals.split(/[.;](?!\d)/)
  return sentences.length === 1 ? sentences : sentences.filter((sentence) => /[A-Z]/.test(sentence))
}

/** MMDDYY of this century after a word for a day, or after another date: TERM 022826, 010125-022826. */
const SIX_DIGITS =
  /(?<=\b(?:TERM(?:ED|INATED|INATES|DT)?|CANC(?:ELL?ED)?|EFF(?:ECTIVE|DT)?|DATE|DT|DOS|THRU|THROUGH|UNTIL|END(?:S|ED|ING)?|EXP(?:IRES|IRED)?|BEG(?:INS?|AN)?|MET|SATISFIED|CERTIFIED|STARTS?|STARTED|FROM|ON|AS OF|\d{6} ?(?:-|TO|THRU|THROUGH) ?)[ :-]{0,3})(0[1-9]|1[0-2])(0[1-9]|[12]\d|3[01])([2-9]\d)\b/g

function withSlashes(text: string): string {
  return /\b\d{6}\b/.test(text) ? text.replace(SIX_DIGITS, '$1/$2/$3') : text
}

/** The points of U.S., U.S.A. and "incl." end no sentence. */
function withoutPoints(text: string): string {
  const plain = text.includes('CL. ') ? text.replace(/\b(INCL|EXCL)\.(?= )/g, '$1') : text
  return plain.includes('U.S.') ? plain.replace(/\bU\.S\.(?:(A)\.)?/g, 'US$1') : plain
}

const BEYOND_ASCII = /\P{ASCII}/u

/** Payers of Puerto Rico answer in Spanish. */
function withoutAccents(text: string): string {
  return BEYOND_ASCII.test(text) ? text.normalize('NFD').replace(/\p{M}/gu, '') : text
}

/**
 * The sentences of all texts of a row, and of each two that follow one another, because payers continue a sentence in the next MSG. A text
 * that is complete, with a full stop, is not continued; the parts of a sentence that surely is state nothing alone.
 */
export function sentencesOfAll(all: readonly string[]): readonly string[] {
  // Most rows have no text.
  if (all.length === 0) return NO_SENTENCES
  const known = sentences.get(all)
  if (known) return known
  const texts = all.slice(0, MOST_TEXTS)
  const continued = texts.slice(1).flatMap((next, place) => {
    const text = texts[place]!.trimEnd()
    return /[.;!?]$/.test(text) ? [] : [joined(endOf(text), beginningOf(next))]
  })
  const stated = [...wholeOf(texts), ...continued].flatMap(sentencesOf).map(correctSpelling)
  const within = stated.flatMap(statementsWithin)
  const found = within.length === 0 ? stated : [...new Set([...stated, ...within])]
  sentences.set(all, found)
  return found
}

/** The last clauses of a text, within half of what is read. */
function endOf(text: string): string {
  if (text.length <= LONGEST_TEXT / 2) return text
  const end = text.slice(-LONGEST_TEXT / 2)
  return end.slice(FIRST_CLAUSE_END.exec(end)?.[0].length ?? end.indexOf(' ') + 1)
}

/** The first clauses of a text, within half of what is read. */
function beginningOf(text: string): string {
  if (text.length <= LONGEST_TEXT / 2) return text
  const beginning = text.slice(0, LONGEST_TEXT / 2)
  return LAST_CLAUSE_END.exec(beginning)?.[0] ?? beginning.slice(0, beginning.lastIndexOf(' ') + 1 || undefined)
}

const FIRST_CLAUSE_END = /^.*?(?:[.;,](?!\d)| -+ )/s
const LAST_CLAUSE_END = /^.*(?:[.;,](?!\d)| -+ )/s

/** The texts with those joined whose sentence certainly continues in the next. Longer ones are left apart, because each text is read up to a bound. */
function wholeOf(texts: readonly string[]): string[] {
  const whole: string[] = []
  for (const [place, text] of texts.entries()) {
    const before = whole.at(-1)
    const isPart = place > 0 && (isUnfinished(texts[place - 1]!) || BEGINS_WITH_CONDITION.test(text))
    if (before !== undefined && isPart && before.length + text.length < LONGEST_TEXT)
      whole[whole.length - 1] = joined(before.trimEnd(), text)
    else whole.push(text)
  }
  return whole
}

/** Two parts of a sentence; without a space where a payer's system cut a word. */
function joined(text: string, next: string): string {
  const [before, after] = [LAST_PART.exec(text)?.[0], FIRST_PART.exec(next)?.[0]]
  const isCut = before && after && !TAKES_IN.test(text) && isOneWord(before.toUpperCase(), after.toUpperCase())
  return text + (isCut ? '' : ' ') + next
}

/** True for a text whose sentence ends in the next: "coverage has not been", "waived if", "terminated on". */
export const isUnfinished = (text: string): boolean => UNFINISHED.test(text)

const UNFINISHED =
  /\b(?:IF|WHEN|UNLESS|UNTIL|AFTER|BEFORE|AND|OR|FOR|OF|TO|ON|BY|FROM|WITHIN|THE|IS|ARE|HAS|HAVE|BEEN|(?:NOT|NO|NEVER|WITHOUT)(?: (?:YET|BE|BEEN|A|AN|ANY|THE|CURRENTLY))*)[^\w.;!?]*$/i
/** What the text before states depends on it: "claims are denied", "unless submitted within 90 days". */
const BEGINS_WITH_CONDITION = /^\W*(?:IF|UNLESS|WHEN|EXCEPT)\b/i
/** "Enrolled in", "active care management", where IN is a word and no part of one. */
const TAKES_IN = /\b(?:[A-Z]+ED|[A-Z]+ING|MEMBER) IN$/i
const LAST_PART = /[A-Z]+$/i
const FIRST_PART = /^[A-Z]+/i

const NO_SENTENCES: readonly string[] = []

/** Several rules read the texts of a row, and an answer may have thousands of rows. */
const sentences = new WeakMap<readonly string[], readonly string[]>()

const MONTHS = ['JAN', 'FEB', 'MAR', 'APR', 'MAY', 'JUN', 'JUL', 'AUG', 'SEP', 'OCT', 'NOV', 'DEC']
/** Those that differ in Spanish. */
const SPANISH: Readonly<Record<string, string>> = { ENE: 'JAN', ABR: 'APR', AGO: 'AUG', DIC: 'DEC' }
const MONTH = `(?:${[...MONTHS, ...Object.keys(SPANISH)].join('|')})[A-Z]{0,7}`

/** A date within a text, for patterns: CCYYMMDD, CCYY-MM-DD, MM/DD/CCYY, MM/DD/YY, MM-DD-CCYY, and with the name of the month; in Spanish too. */
export const DATE = String.raw`(?:\d{8}|\d{4}-\d{2}-\d{2}|\d{1,2}\/\d{1,2}\/(?:\d{4}|\d{2})|\d{1,2}-\d{1,2}-\d{4}|${MONTH}\.? \d{1,2},? \d{4}|\d{1,2}(?:[ -]| DE )${MONTH}(?:[ -]| DEL? )\d{4})\b`
export const DATES = new RegExp(`\\b${DATE}`, 'g')

/** The dates of a text in capitals as YYYY-MM-DD; undefined for one that is not in the calendar. */
export function datesOf(text: string): (string | undefined)[] {
  if (!/\d{2}/.test(text)) return []
  return (text.match(DATES) ?? []).map(readDate)
}

function readDate(date: string): string | undefined {
  const name = /[A-Z]{3}/.exec(date)?.[0]
  const numbers = date.match(/\d+/g) ?? []
  const [first = '', second = '', year = ''] =
    name === undefined ? numbers : [String(MONTHS.indexOf(SPANISH[name] ?? name) + 1), ...numbers]
  // Payers of Puerto Rico write the day first at times; no month has a number above 12.
  const isDayFirst = name === undefined && first.length <= 2 && Number(first) > 12
  const [month, day] = isDayFirst ? [second, first] : [first, second]
  if (year === '' || month.length === 4) return isoDate(date) ?? isoDate(date.replace(/^(\d{4})(\d{4})$/, '$2$1'))
  // A payer states the end of a coverage, never a year of the last century, with two digits.
  return isoDate([month.padStart(2, '0'), day.padStart(2, '0'), year.length === 2 ? `20${year}` : year].join('/'))
}

/** A month of a year that is not part of a date, for patterns: FEB 2026, 02/2026. */
export const MONTH_OF_YEAR = String.raw`(?:(?<!\d[ -])\b${MONTH}(?: |\/|-)20\d{2}\b|(?<![\d\/])(?:0?[1-9]|1[0-2])\/20\d{2}\b)`
const MONTHS_OF_YEARS = new RegExp(MONTH_OF_YEAR, 'g')

/** The months of a text in capitals as YYYY-MM, besides those of dates. */
export function monthsOf(text: string): string[] {
  return (text.match(MONTHS_OF_YEARS) ?? [])
    .flatMap((month) => {
      const year = month.slice(-4)
      return (
        readDate(/^[A-Z]/.test(month) ? `${month.slice(0, 3)} 1, ${year}` : `${month.split('/')[0]}/1/${year}`) ?? []
      )
    })
    .map((date) => date.slice(0, 'CCYY-MM'.length))
}

/** "April 1st, 2026", "the first of April 2026", "the end of February 2026", "EOM Feb 2026". */
const ORDINAL = new RegExp(`\\b(${MONTH}\\.? \\d{1,2})(?:ST|ND|RD|TH)(?=,? \\d{4}\\b)`, 'g')
const FIRST_OF = new RegExp(`\\b(?:THE )?(?:FIRST|1ST)(?: DAY)? OF (${MONTH}),? (20\\d{2})\\b`, 'g')
const LAST_OF = new RegExp(
  `\\b(?:THE )?(?:END|CLOSE|LAST DAY|EOM)(?: OF)?(?: THE MONTH OF)? (${MONTH}),? (20\\d{2})\\b`,
  'g',
)

/** The days that are stated in words, as dates. */
function withDays(text: string): string {
  if (!/\b(?:\d{1,2}(?:ST|ND|RD|TH)|FIRST|END|CLOSE|LAST DAY|EOM)\b/.test(text)) return text
  return text
    .replace(ORDINAL, '$1')
    .replace(FIRST_OF, '$1 1, $2')
    .replace(LAST_OF, (said, month: string, year: string) => {
      const first = readDate(`${month.slice(0, 3)} 1, ${year}`)
      if (first === undefined) return said
      const last = new Date(Date.UTC(Number(year), Number(first.slice(5, 7)), 0)).getUTCDate()
      return `${month} ${last}, ${year}`
    })
}

/** Characters of texts that are evaluated in one turn of the event loop. */
const CHARACTERS_A_TURN = 30_000
/** What a text costs besides its length, in characters. */
const CHARACTERS_OF_ANY = 50

/** Awaited after each row whose texts were evaluated. */
export type BetweenRows = (row: { messages: readonly string[] }) => Promise<void> | undefined

/** Gives the event loop back after rows with long texts. */
export function turnsBetweenRows(turn: () => Promise<void> | undefined): BetweenRows {
  let characters = 0
  return ({ messages }) => {
    for (const message of messages) characters += message.length + CHARACTERS_OF_ANY
    if (characters < CHARACTERS_A_TURN) return undefined
    characters = 0
    return turn()
  }
}
