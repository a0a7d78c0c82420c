// Which dates of a 271 decide whether a coverage is in force, and at which level.
import { DATE } from './codes/dates.ts'
import type { DatePeriod, PatientResponse } from './model.ts'

/** What a DTP states about a coverage: its range, its first day, its last day, or the date of death. */
export type DateRole = 'range' | 'begin' | 'end' | 'death'

/** DTP01 that decide whether a coverage is in force. Source: x12-271.md 4, and 5, rule 6. */
export const COVERAGE_DATES: ReadonlyMap<string, DateRole> = new Map<string, DateRole>([
  [DATE.plan, 'range'],
  [DATE.benefit, 'range'],
  [DATE.eligibility, 'range'],
  [DATE.effective, 'range'],
  [DATE.planBegin, 'begin'],
  [DATE.benefitBegin, 'begin'],
  [DATE.eligibilityBegin, 'begin'],
  [DATE.policyEffective, 'begin'],
  [DATE.cobraEnd, 'end'],
  [DATE.planEnd, 'end'],
  [DATE.benefitEnd, 'end'],
  [DATE.eligibilityEnd, 'end'],
  [DATE.policyExpiration, 'end'],
  [DATE.expiration, 'end'],
  [DATE.death, 'death'],
])

export const isDeath = ({ qualifier }: Pick<DatePeriod, 'qualifier'>) => COVERAGE_DATES.get(qualifier) === 'death'

/** The dates of the patient's level and, for a dependent, those of the subscriber that the dependent's level does not override. */
export function datesOfLevels({ subscriber, dependent }: PatientResponse): readonly DatePeriod[] {
  if (!dependent) return subscriber.dates
  const own = new Set(dependent.dates.flatMap(halvesOf))
  const others = subscriber.dates.filter((date) => {
    return !isDeath(date) && !halvesOf(date).some((half) => own.has(half))
  })
  return others.length === 0 ? dependent.dates : [...dependent.dates, ...others]
}

function halvesOf(date: DatePeriod): ('begin' | 'end')[] {
  const role = COVERAGE_DATES.get(date.qualifier)
  if (role === undefined || role === 'death') return []
  if (role === 'end') return ['end']
  return date.end === undefined ? ['begin'] : ['begin', 'end']
}
