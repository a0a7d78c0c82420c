import { isPrintable } from './ascii.ts'
import { cleanData } from './interchange-writer.ts'

/** Maximum length of each part of a name in an inquiry. Source: 005010X279A1 NM103, NM104, NM105, NM107. */
export const NAME_MAX = { lastName: 60, firstName: 35, middleName: 25, suffix: 10 } as const
/** NM109. */
export const IDENTIFIER_LENGTH = { min: 2, max: 80 } as const
/** Repetitions of EQ01. Source: 005010X279A1 2110C EQ. */
export const SERVICE_TYPES_MAX = 99
/** REF02. */
export const REFERENCE_MAX = 50

export type NamePart = keyof typeof NAME_MAX

/** A name as an inquiry sends it: cleaned, and cut to the length of its element. */
export function nameAsSent(name: string | undefined, part: NamePart): string {
  return cleanData(name ?? '')
    .slice(0, NAME_MAX[part])
    .trim()
}

/**
 * A Medicare Beneficiary Identifier, which is printed with dashes on the card. Source: CMS, "Understanding the MBI": no S, L, O, I, B, Z.
 */
const MBI = /^[1-9][AC-HJKMNP-RT-Y][AC-HJKMNP-RT-Y0-9]\d[AC-HJKMNP-RT-Y][AC-HJKMNP-RT-Y0-9]\d[AC-HJKMNP-RT-Y]{2}\d{2}$/

/**
 * An identifier without artifacts of typing and printing: surrounding blanks, full-width characters and typographic dashes, and the dashes
 * of a Medicare number, which are not part of it. Source: x12-271.md 2, Medicare HETS.
 */
export function plainIdentifier(id: string): string {
  const plain = isPrintable(id)
    ? id.trim()
    : id
        .normalize('NFKC')
        .replace(/[\u2010-\u2015\u2212]/g, '-')
        .replace(/\p{Cf}/gu, '')
        .trim()
  const joined = plain.replace(/[- ]/g, '')
  return MBI.test(joined.toUpperCase()) ? joined : plain
}

/** True when an inquiry carries the identifier unchanged except for upper-casing: no character is replaced and nothing is cut off. */
export function carriesIdentifier(id: string, max: number = IDENTIFIER_LENGTH.max): boolean {
  return id.length <= max && cleanData(id) === id.toUpperCase()
}
