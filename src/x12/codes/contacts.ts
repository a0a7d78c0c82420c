import { codeTable } from './code-table.ts'

/** PER03, PER05 and PER07, X12 element 365. */
export const contactModeNames = codeTable({
  ED: 'Electronic Data Interchange Access Number',
  EM: 'Electronic Mail',
  EX: 'Telephone Extension',
  FX: 'Facsimile',
  HP: 'Home Phone Number',
  TE: 'Telephone',
  UR: 'Uniform Resource Locator (URL)',
  WP: 'Work Phone Number',
})

const TELEPHONES: readonly string[] = ['Telephone', 'Work Phone Number', 'Home Phone Number', 'Facsimile']

/** How people say the names above. */
const contactWords: ReadonlyMap<string, string> = new Map([
  ['Telephone', 'phone'],
  ['Work Phone Number', 'work phone'],
  ['Telephone Extension', 'extension'],
  ['Facsimile', 'fax'],
  ['Electronic Mail', 'e-mail'],
  ['Uniform Resource Locator (URL)', 'web'],
])

/** A way to reach somebody, as people write it: `phone 800-555-0104`. `mode` is a name above. */
export function sayContact({ mode = '', value = '' }: { mode?: string; value?: string }): string {
  const written = TELEPHONES.includes(mode) ? value.replace(NORTH_AMERICAN, '$1-$2-$3') : value
  return [contactWords.get(mode) ?? mode.toLowerCase(), written].filter(Boolean).join(' ')
}

/** Ten digits, with or without the country. Source: 005010X279A1 PER04, which is AAABBBCCCC for a telephone. */
const NORTH_AMERICAN = /^1?(\d{3})(\d{3})(\d{4})$/
