// Text as it was meant: pasted text brings blanks of other kinds, and characters that nobody sees. A member ID with one of them is not found.
import { INVISIBLE } from '../../../src/contract/invisible-characters.ts'

/** Joiners belong to names in Persian and in scripts of India, and to nothing in Latin letters and digits. */
const STRAY_JOINERS = /(^|[ -~])[\u200c\u200d]+/g

/** Letters, digits and signs as wide as Chinese characters, as some keyboards and programs write them. Source: Unicode, Halfwidth and Fullwidth Forms. */
const FULL_WIDTH = /[\uff01-\uff5e]/g
const FULL_WIDTH_AHEAD = 0xfee0

export const entered = (text: string): string =>
  text
    .replaceAll(INVISIBLE, '')
    .replaceAll(STRAY_JOINERS, '$1')
    .replaceAll(FULL_WIDTH, (sign) => String.fromCharCode(sign.charCodeAt(0) - FULL_WIDTH_AHEAD))
    .replaceAll(/[\s\u0085]+/g, ' ')
    .trim()

/** The digits of an NPI, which letters and web pages group with blanks and hyphens. */
export const enteredNpi = (text: string): string => entered(text).replaceAll(/[ .-]/g, '')
