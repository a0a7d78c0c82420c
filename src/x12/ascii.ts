import anyAscii from 'any-ascii'

/** Characters that people type for an apostrophe (O'Brien, the ʻokina). The backquote is not in X12's character set. */
const APOSTROPHES = /[`´‘’‛ʻʼʽˈ′＇]/g
const DASHES = /[\u2010-\u2015\u2212\ufe58\ufe63\uff0d]/g
/** Hebrew and Arabic vowel points, which are optional in a name, and the Arabic stroke that only lengthens a word (tatweel). */
const POINTS = /[\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a\u0640\u064b-\u065f\u0670]/g
/** Invisible characters: direction marks, joiners, lone surrogates, unassigned and private-use code points. */
const INVISIBLE = /[\p{Cf}\p{Cs}\p{Cn}\p{Co}]/gu

/** A run of symbols such as emoji, or of control characters, becomes one blank. */
const BLANKS = /[\p{So}\p{Cc}]+/gu
/** Letters whose usual spelling in names differs from the library's, as in Moshe Cohen. */
const OWN_LETTERS: Readonly<Record<string, string>> = { ש: 'sh', כ: 'k' }

/** Longer than any name or identifier: no inquiry has more, and of an answer no more is read. Transliterating half a megabyte takes a tenth of a second. */
export const LONGEST_DATA = 1_000

/** True for printable ASCII alone, as most texts are: they need no search for other characters. */
export function isPrintable(text: string): boolean {
  return /^[\x20-\x7e]*$/.test(text)
}

/**
 * A text in ASCII letters, with its case preserved: diacritics are removed, other scripts are transliterated, and symbols become blanks.
 * The same text always gives the same result, so that what was sent can be compared with what comes back. Of a longer one than LONGEST_DATA
 * the rest is left out.
 * decisions/0026-what-an-inquiry-may-say.md
 */
export function toAscii(whole: string): string {
  const text = whole.slice(0, LONGEST_DATA)
  if (/^[\x20-\x5f\x61-\x7e]*$/.test(text)) return text
  const composed = text
    .replace(APOSTROPHES, "'")
    .replace(DASHES, '-')
    .normalize('NFKC')
    .replace(APOSTROPHES, "'")
    .replace(INVISIBLE, '')
    .replace(POINTS, '')
    .replace(BLANKS, ' ')
    // The Japanese iteration mark repeats the character before it: the Sasaki of 佐々木.
    .replace(/(.)々/gu, '$1$1')
  return composed.replace(/[^\x20-\x7e]/gu, transliterate)
}

function transliterate(character: string): string {
  // Hard and soft signs, and the guttural letters that the library transliterates to punctuation, have no Latin letter.
  if (/\p{L}|\p{M}/u.test(character)) return OWN_LETTERS[character] ?? anyAscii(character).replace(/[^A-Za-z ]/g, '')
  return anyAscii(character).replace(/[^\x20-\x5f\x61-\x7e]/g, ' ') || ' '
}

/** True when a text has letters outside the Latin script. */
export function hasOtherScript(text: string): boolean {
  return !isPrintable(text) && /(?![\p{Script=Latin}\p{Script=Common}\p{Script=Inherited}])\p{L}/u.test(text)
}
