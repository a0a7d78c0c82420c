// Inactive rows by which the payer contradicts active coverage of the same plan.
// Source: rules.md 17; decisions/0073-coverage-that-is-no-medical-coverage.md.
import { isActiveRow, isInactiveRow, isPlanRow } from '../../../x12/benefit-row.ts'
import { COVERAGE_DATES } from '../../../x12/coverage-dates.ts'
import { isoDate } from '../../../x12/iso-date.ts'
import type { BenefitRow, DatePeriod } from '../../../x12/model.ts'
import { explainOutOfForce, firstDay } from './in-force.ts'
import { planNameOf } from './plan-rows.ts'

/**
 * Inactive periods that include the day, of a plan that is otherwise active (Medicare lists months of imprisonment this way), and the end of a
 * named plan between the first day on which it is active and the day. The plan may have been taken up again since. `ofPatient`: the dates of the patient's level.
 */
export function findInactivePeriods(
  rows: readonly BenefitRow[],
  day: string,
  ofPatient: readonly DatePeriod[] = [],
): BenefitRow[] {
  const plans = rows.filter((row) => isPlanRow(row) && !row.procedure)
  if (!plans.some(isInactiveRow)) return []
  const active = new Map<string, string>()
  for (const row of plans) {
    if (!isActiveRow(row) || explainOutOfForce(row.dates, day)) continue
    const [key, begin] = [keyOf(row), firstDay(row.dates, day) ?? '']
    if ((active.get(key) ?? '') <= begin) active.set(key, begin)
  }
  const undated = new Set(plans.filter(isActiveRow).map(undatedStatement))
  return plans.filter((row) => {
    if (!isInactiveRow(row)) return false
    const statement = undatedStatement(row)
    // The payer contradicts itself.
    if (statement !== undefined && undated.has(statement)) return true
    const key = isOfMedicare(row) ? PART_B : keyOf(row)
    const [since, begin] = [active.get(key), firstDay(row.dates, day)]
    const last = planNameOf(row) === undefined ? undefined : lastDayOf(row.dates)
    if (since !== undefined && last !== undefined && last < day) {
      const first = since || (firstDay(ofPatient, day) ?? '')
      return first !== '' && first <= last && (begin === undefined || begin === first)
    }
    return since !== undefined && begin !== undefined && since <= begin && !explainOutOfForce(row.dates, day)
  })
}

/** The last day that dates state as such, and not as the end of a range. YYYY-MM-DD. */
function lastDayOf(dates: readonly DatePeriod[]): string | undefined {
  return dates
    .filter(({ qualifier }) => COVERAGE_DATES.get(qualifier) === 'end')
    .flatMap(({ start }) => isoDate(start) ?? [])
    .sort()
    .at(-1)
}

/** What a row without a date states about a named plan: for whom and in which network; undefined for any other row. */
function undatedStatement(row: BenefitRow): string | undefined {
  if (planNameOf(row) === undefined || row.dates.length > 0) return undefined
  return JSON.stringify([keyOf(row), row.coverageLevel, row.networkIndicator])
}

/** Medicare lists the months for which it pays nothing without a part, whichever parts are active. */
const PART_B = 'MB '
const isOfMedicare = (row: BenefitRow) => row.insuranceType === undefined && planNameOf(row) === undefined

const keyOf = (row: BenefitRow) => `${row.insuranceType ?? ''} ${planNameOf(row) ?? ''}`
