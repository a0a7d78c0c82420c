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

/** How people say the names above. */
export const contactWords: ReadonlyMap<string, string> = new Map([
  ['Telephone', 'phone'],
  ['Work Phone Number', 'work phone'],
  ['Telephone Extension', 'extension'],
  ['Facsimile', 'fax'],
  ['Electronic Mail', 'e-mail'],
  ['Uniform Resource Locator (URL)', 'web'],
])
