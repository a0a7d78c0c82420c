// Text as it was meant: pasted text brings blanks of other kinds, and characters that nobody sees. A member ID with one of them is not found.

/** Soft hyphens, zero-width blanks, direction marks, byte order marks, and control characters that are no blanks. */
const UNSEEN = /[\u00ad\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff]|(?!\s)\p{Cc}/gu
/** Joiners belong to names in Persian and in scripts of India, and to nothing in Latin letters and digits. */
const STRAY_JOINERS = /(^|[ -~])[\u200c\u200d]+/g

export const entered = (text: string): string =>
  text.replaceAll(UNSEEN, '').replaceAll(STRAY_JOINERS, '$1').replaceAll(/\s+/g, ' ').trim()
