// Text as it was meant: pasted text brings blanks of other kinds, and characters that nobody sees. A member ID with one of them is not found.
import { INVISIBLE } from '../../../src/contract/invisible-characters.ts'

/** Joiners belong to names in Persian and in scripts of India, and to nothing in Latin letters and digits. */
const STRAY_JOINERS = /(^|[ -~])[\u200c\u200d]+/g

export const entered = (text: string): string =>
  text
    .replaceAll(INVISIBLE, '')
    .replaceAll(STRAY_JOINERS, '$1')
    .replaceAll(/[\s\u0085]+/g, ' ')
    .trim()
