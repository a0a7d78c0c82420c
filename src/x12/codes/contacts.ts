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
