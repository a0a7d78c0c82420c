import { codeTable } from './code-table.ts'

/** EB06 and HSD05: the remainder of a period's maximum, and of a lifetime's. */
export const REMAINING = '29'
export const LIFETIME_REMAINING = '33'
/** EB06 and HSD05: what was used since the year began. */
export const YEAR_TO_DATE = '24'
/** EB06: the maximum is used up. */
export const EXCEEDED = '30'
const REMAINDERS: ReadonlySet<string | undefined> = new Set([REMAINING, LIFETIME_REMAINING])

const LIFETIMES: ReadonlySet<string | undefined> = new Set(['32', LIFETIME_REMAINING])

/** True for EB06 and HSD05 of a lifetime, and of what remains of it. */
export const isOfLifetime = (timeQualifier: string | undefined): boolean => LIFETIMES.has(timeQualifier)

/** True for EB06 and HSD05 of what remains. */
export const isRemainder = (timeQualifier: string | undefined): boolean => REMAINDERS.has(timeQualifier)

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
