import { codeTable } from './code-table.ts'

/** INS02: self, the subscriber. */
export const SELF = '18'
/** A child. */
export const CHILD = '19'
/** INS02: a dependent whose relationship is not known. */
export const OTHER_RELATIONSHIP = 'G8'

/** INS02, X12 element 1069: the codes of 5010 and those that 4010 senders still use. */
export const relationshipNames = codeTable({
  '01': 'Spouse',
  '02': 'Son or Daughter',
  '04': 'Grandfather or Grandmother',
  '05': 'Grandson or Granddaughter',
  '07': 'Nephew or Niece',
  10: 'Foster Child',
  15: 'Ward',
  17: 'Stepson or Stepdaughter',
  18: 'Self',
  19: 'Child',
  20: 'Employee',
  21: 'Unknown',
  22: 'Handicapped Dependent',
  23: 'Sponsored Dependent',
  24: 'Dependent of a Minor Dependent',
  29: 'Significant Other',
  32: 'Mother',
  33: 'Father',
  34: 'Other Adult',
  36: 'Emancipated Minor',
  39: 'Organ Donor',
  40: 'Cadaver Donor',
  41: 'Injured Plaintiff',
  43: 'Child Where Insured Has No Financial Responsibility',
  53: 'Life Partner',
  G8: 'Other Relationship',
})
