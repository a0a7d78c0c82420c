import { codeTable } from './code-table.ts'

/** EB06 and HSD05, X12 element 615. */
export const timeQualifierNames = codeTable({
  6: 'Hour',
  7: 'Day',
  13: '24 Hours',
  21: 'Years',
  22: 'Service Year',
  23: 'Calendar Year',
  24: 'Year to Date',
  25: 'Contract',
  26: 'Episode',
  27: 'Visit',
  28: 'Outlier',
  29: 'Remaining',
  30: 'Exceeded',
  31: 'Not Exceeded',
  32: 'Lifetime',
  33: 'Lifetime Remaining',
  34: 'Month',
  35: 'Week',
  36: 'Admission',
})
