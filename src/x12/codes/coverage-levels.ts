import { codeTable } from './code-table.ts'

/** EB02: family, individual. */
export const FAMILY = 'FAM'
export const INDIVIDUAL = 'IND'

/** EB02, X12 element 1207. */
export const coverageLevelNames = codeTable({
  CHD: 'Children Only',
  DEP: 'Dependents Only',
  ECH: 'Employee and Children',
  EMP: 'Employee Only',
  ESP: 'Employee and Spouse',
  FAM: 'Family',
  IND: 'Individual',
  SPC: 'Spouse and Children',
  SPO: 'Spouse Only',
})
