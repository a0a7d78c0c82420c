import anyAscii from 'any-ascii'

/** What people type for the apostrophe of O'Brien, the ʻokina and the like; the backquote is no character of X12. */
const APOSTROPHES = /[`´‘’‛ʻʼʽˈ′＇]/g
const DASHES = /[\u2010-\u2015\u2212\ufe58\ufe63\uff0d]/g
/** Vowel points of Hebrew and Arabic, which a name is written with or without, and the stroke that only lengthens a word. */
const POINTS = /[\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a\u0640\u064b-\u065f\u0670]/g
/** Marks of direction, joiners and whatever else no reader sees; halves of surrogate pairs, and what has no meaning yet. */
const UNSEEN = /[\p{Cf}\p{Cs}\p{Cn}\p{Co}]/gu

/** Pictures and line ends: however many of them, one blank. */
const BLANKS = /[\p{So}\p{Cc}]+/gu
/** Where the library's letter is not the usual one of names: Moshe Cohen. */
const OWN_LETTERS: Readonly<Record<string, string>> = { ש: 'sh', כ: 'k' }

/**
 * A text in the letters of ASCII, in the case in which it is written: diacritics are taken off, other scripts are transliterated,
 * and pictures become blanks. One kind of text always becomes the same text, so that what was sent can be compared with what
 * comes back. decisions/0026-what-an-inquiry-may-say.md
 */
export function toAscii(text: string): string {
  if (/^[\x20-\x5f\x61-\x7e]*$/.test(text)) return text
  const composed = text
    .replace(APOSTROPHES, "'")
    .replace(DASHES, '-')
    .normalize('NFKC')
    .replace(APOSTROPHES, "'")
    .replace(UNSEEN, '')
    .replace(POINTS, '')
    .replace(BLANKS, ' ')
    // The Japanese sign for a character said twice: the Sasaki of 佐々木.
    .replace(/(.)々/gu, '$1$1')
  return composed.replace(/[^\x20-\x7e]/gu, transliterate)
}

function transliterate(character: string): string {
  // Hard and soft signs, and the guttural letters that a transliteration marks with punctuation, have no letter of their own.
  if (/\p{L}|\p{M}/u.test(character)) return OWN_LETTERS[character] ?? anyAscii(character).replace(/[^A-Za-z ]/g, '')
  return anyAscii(character).replace(/[^\x20-\x5f\x61-\x7e]/g, ' ') || ' '
}

/** True when a text has letters that are none of the Latin script. */
export function hasOtherScript(text: string): boolean {
  return /(?![\p{Script=Latin}\p{Script=Common}\p{Script=Inherited}])\p{L}/u.test(text)
}
