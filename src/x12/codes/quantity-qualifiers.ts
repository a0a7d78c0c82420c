import { codeTable } from './code-table.ts'

/** EB09 and HSD01, X12 element 673. */
export const quantityQualifierNames = codeTable({
  '8H': 'Minimum',
  99: 'Quantity Used',
  CA: 'Covered - Actual',
  CE: 'Covered - Estimated',
  D3: 'Number of Co-insurance Days',
  DB: 'Deductible Blood Units',
  DY: 'Days',
  FL: 'Units',
  HS: 'Hours',
  LA: 'Life-time Reserve - Actual',
  LE: 'Life-time Reserve - Estimated',
  M2: 'Maximum',
  MN: 'Month',
  P6: 'Number of Services or Procedures',
  QA: 'Quantity Approved',
  S7: 'Age, High Value',
  S8: 'Age, Low Value',
  VS: 'Visits',
  YY: 'Years',
})
