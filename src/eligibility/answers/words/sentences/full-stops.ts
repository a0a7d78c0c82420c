// Where one statement of a payer's text ends and the next begins, if not with a full stop: lines, bullets, asterisks, columns, tags. Every rule over
// sentences reads full stops only. decisions/0209-texts-without-full-stops.md
import { isUnfinished, LONGEST_TEXT, MOST_READ } from '../../payer-text.ts'
import { classesOf, pattern } from '../denials/denial-classes.ts'

/** Characters that people see as a blank: a payer's system takes them over from its web pages. */
const BLANKS = /[\p{Zs}\v\f]|&nbsp;|&#160;/gu
/** Characters that nobody sees: zero-width blanks, soft hyphens, marks of the direction of writing. */
const UNSEEN = /\p{Cf}/gu
/** Text of visible ASCII and blanks, without the entities of HTML. */
const PLAIN = /^[\t\n\r\x20-\x25\x27-\x7E]*$/

/** The text with plain blanks, and without characters that nobody sees; the same text in most cases. */
const withPlainBlanks = (text: string): string =>
  PLAIN.test(text) ? text : text.replace(UNSEEN, '').replace(BLANKS, ' ')

const LINE_BREAK = /\r\n|[\n\r\t\u0085\u2028\u2029]/g
const TAG = /<(\/?)([a-z]{1,10})\s?\/?>/gi
/** Tags that begin a line. */
const LINE_TAG = /^(?:br|p|li|ul|ol|div|tr|td|th|table|h\d)$/i
/** Marks at the beginning of a statement or between two. An asterisk behind a word is a footnote, and hyphens are read as a dash. */
const MARKS =
  /[\u00A6\u00B7\u2022\u2023\u2026\u2043\u2190-\u21FF\u2219\u25A0-\u25FF\u2713-\u2716\u3002\uFF01\uFF1B\uFF5C|~]|(?<![\w*])\*+|\*{2,}|_{2,}|={2,}|#{2,}|>+(?=\s)|\/{2,}(?=\s)|\.{2,}| {3,}|!(?=\s|$)/g
const NUMBER = /(?<=^|\s)\(?\d{1,2}\)(?=\s)/g
/** A dash of any length between two blanks. */
const DASHES = /(?<=\s)[\u2012-\u2015](?=\s)/g
const ANY_MARK = new RegExp(`${LINE_BREAK.source}|${MARKS.source}|<[a-z/]`, 'i')

/** Stands for a mark while a text is divided; of no script. */
const MARK = '\uE000'
const DIVIDED = /(\s*[\uE000\n][\s\uE000]*)/

/**
 * The text with a full stop wherever a statement ends in another way. What surely belongs to the statement before it is joined to it: a condition, the
 * rest of an unfinished sentence, a verb, and, behind a dash, words without a subject. The same text if it has no such separator. Of a longer text than
 * can be evaluated, somewhat more than that is left, however many blanks and marks stand before it.
 */
export function withFullStops(whole: string): string {
  let read = divide(whole.slice(0, MOST_READ))
  for (let at = MOST_READ; at < whole.length && read.length <= MOST_READ; at += MOST_READ) {
    // Of a word that is cut, both ends come together again.
    const gap = /^\w\w$/.test(whole.slice(at - 1, at + 1)) ? '' : ' '
    read += gap + divide(whole.slice(at, at + MOST_READ))
  }
  return read
}

function divide(whole: string): string {
  const plain = withPlainBlanks(whole.replace(LINE_BREAK, '\n')).replace(DASHES, '-').replaceAll('\uFF0C', ', ')
  const spaced = BARE_SLASH.test(plain) ? withBlanksAtSlashes(plain) : plain
  const text = spaced.includes(' / ') ? withoutSlashes(spaced) : spaced
  const isList = isNumbered(text)
  if (!isList && text === plain && !ANY_MARK.test(text) && !isLong(text)) return text
  const lines = text.replace(TAG, (_, end: string, name: string) => (LINE_TAG.test(name) ? '\n' : end ? '' : ' '))
  const marked = (isWrapped(lines) ? lines.replaceAll('\n', ' ') : lines).replace(MARKS, MARK)
  const stated = withStops(isList ? marked.replace(NUMBER, MARK) : marked)
  // So many statements in one sentence are no label with its statement.
  return stated
    .split(AFTER_SENTENCE)
    .map((sentence) => (isLong(sentence) ? withoutCommas(withStops(sentence.replace(DASH, MARK))) : sentence))
    .join(' ')
}

/**
 * The text with a mark in place of each slash between two statements: "precertification required / policy suspended 03/01/2026". Not between names ("PT / OT", "mental
 * health / substance abuse services"), nor behind a condition.
 */
function withoutSlashes(text: string): string {
  const pieces = text.split(SLASH)
  if (pieces.length > MOST_SLASHES) return text
  const areStatements = pieces.map(isStatement)
  let divided = pieces[0]!
  for (const [place, next] of pieces.entries()) {
    if (place === 0) continue
    const isBetween = areStatements[place - 1] && areStatements[place] && !STARTS_CONDITION.test(pieces[place - 1]!)
    divided += (isBetween ? MARK : ' / ') + next
  }
  return divided
}

/** The text with blanks around each slash between two statements of some words: "no referral is required/coverage ended 02/28/2026"; not in "PT/OT", "and/or". */
function withBlanksAtSlashes(text: string): string {
  const pieces = text.split(BARE_SLASH)
  if (pieces.length > MOST_SLASHES) return text
  const sentences = pieces.map((piece) => piece.split(SENTENCE_END))
  return pieces.reduce((read, next, place) => {
    const isBetween = mayStand(sentences[place - 1]!.at(-1)!) && mayStand(sentences[place]![0]!)
    return read + (isBetween ? ' / ' : '/') + next
  })
}

const SENTENCE_END = /[.;](?!\d)/
const mayStand = (piece: string) => SOME_WORDS.test(piece) && isStatement(piece)

/** Not that of a date, nor one with a letter for a word: W/O, N/A, A/B. */
const BARE_SLASH = /(?<=\w\w[).%]?)\/(?=[A-Z]{2})|(?<=[A-Z]{2}\)?)\/(?=\d+ [A-Z])/i
const SOME_WORDS = /^\W*\S+\s+\S+\s+\S/

const SLASH = ' / '
/** More than any payer writes: each piece is searched. */
const MOST_SLASHES = 1_000
/** Two words and more, with a verb, a number or ONLY; not the name of a service or of several. */
const isStatement = (piece: string) =>
  /\S\s+\S/.test(piece) && (HAS_VERB.test(piece) || /\d/.test(piece)) && !isHeading(piece)

const isLong = (text: string) => text.length > LONGEST_TEXT
const AFTER_SENTENCE = /(?<=[.;]) /
const DASH = / -+ /g

/** The text with a full stop in place of each comma and slash between two clauses that each have a verb. */
function withoutCommas(text: string): string {
  const sentences = text.split(AFTER_SENTENCE).map((sentence) => {
    if (!isLong(sentence)) return sentence
    const pieces = sentence.split(/(, | \/ )/)
    let divided = pieces[0]!
    let before = divided
    for (let place = 1; place < pieces.length; place += 2) {
      const next = pieces[place + 1]!
      const isDivided =
        HAS_VERB.test(before) &&
        HAS_VERB.test(next) &&
        !STARTS_CONDITION.test(before) &&
        between(before, next, true) === '. '
      divided += (isDivided ? '. ' : pieces[place]!) + next
      before = isDivided ? next : (before + pieces[place]! + next).slice(-LONGEST_TEXT)
    }
    return divided
  })
  return sentences.join(' ')
}

const HAS_VERB =
  /\b(?:IS|ARE|WAS|WERE|HAS|HAVE|HAD|WILL|MAY|MUST|CAN|DOES|DO|NO|NOT|PAYS?|COVERS?|APPL(?:Y|IES)|ENDS?|BEGINS?|STARTS?|GOES|CALL|SEE|PLEASE|PRIMARY|ONLY|[A-Z]{3,}ED)\b/i
/** What follows its comma depends on it. */
const STARTS_CONDITION = /^\W*(?:IF|WHEN|WHENEVER|UNLESS|UNTIL|ONCE|WHILE|IN THE EVENT|SHOULD)\b/i

/** The text with a full stop, or what else stands between two statements, in place of each mark and line break. */
function withStops(marked: string): string {
  const pieces = marked.split(DIVIDED)
  const statements: string[] = []
  for (let place = 0; place < pieces.length; place += 2) {
    const next = pieces[place]!.trim()
    if (next === '') continue
    const before = statements.at(-1)
    if (before !== undefined)
      statements.push(between(before.slice(-LONGEST_TEXT), next, pieces[place - 1]!.includes(MARK)))
    statements.push(next)
  }
  return statements.join('')
}

/** "1) ... 2) ...". */
function isNumbered(text: string): boolean {
  const first = text.search(FIRST_NUMBER)
  return first >= 0 && SECOND_NUMBER.test(text.slice(first))
}
const FIRST_NUMBER = /(?:^|\s)\(?1\)\s/
const SECOND_NUMBER = /\s\(?2\)\s/

/** A text that was broken at a width: all lines but the last are about as long, and long. */
function isWrapped(text: string): boolean {
  const lengths = text.split('\n').flatMap((line) => line.trim().length || [])
  const last = lengths.pop() ?? 0
  const longest = Math.max(0, ...lengths.slice(0, MOST_LINES))
  return lengths.length > 1 && longest >= 40 && last <= longest && lengths.every((length) => length > longest - 16)
}
const MOST_LINES = 1_000

/** What stands between two statements. */
function between(before: string, next: string, isMarked: boolean): string {
  if (/[:=] ?N(?:O|ONE)?$/i.test(before)) return '. '
  if (/[.;,:]$/.test(before) || isUnfinished(before) || CONTINUES.test(next)) return ' '
  if (!isMarked && /^\p{Ll}/u.test(next) && /^\W*\p{Lu}\p{Ll}/u.test(before)) return ' '
  const hasHeading = isHeading(before)
  if (WITHOUT_SUBJECT.test(next)) return hasHeading ? ' ' : ' - '
  return hasHeading ? ' - ' : '. '
}

/** Conditions, verbs, conjunctions and prepositions go on with what stands before them. "For questions" begins a sentence. */
const CONTINUES =
  /^\W*(?:IF|UNLESS|WHEN|WHERE|EXCEPT|UNTIL|PROVIDED|ONCE|BUT|AND|OR|NOR|THAN|THAT|WHICH|WHO|WHOSE|BECAUSE|DUE|OF|TO|BY|WITH|WITHIN|WITHOUT|THROUGH|THRU|AFTER|BEFORE|DURING|IN(?! NETWORK)|ON|AT|AS|FROM|IS|ARE|WAS|WERE|BE|BEEN|BEING|HAS|HAVE|HAD|WILL|WOULD|SHALL|MAY|MIGHT|MUST|CAN|CANNOT|COULD|SHOULD|DOES|DO|DID)\b/i
/** Words that say something of what stands before them. */
const WITHOUT_SUBJECT =
  /^\W*(?:NOT|NEVER|NOTHING|NONE|ONLY|[A-Z]{3,}ED|INACTIVE|ACTIVE|TERM|INELIGIBLE|ELIGIBLE)\b(?!:| (?:DATE|INDICATOR|STATUS|CODE|SERVICES?|BENEFITS?)\b)/i
/** A heading: the name of a service or of something else that is not the coverage. */
const IS_HEADING = pattern('^ (small|and|preposition|number)* other (other|small|and|preposition|number|colon)* $')
const LONGEST_HEADING = 60
const isHeading = (text: string) => IS_HEADING.test(classesOf(text.slice(-LONGEST_HEADING).toUpperCase()))
