import { DATE, dateNames } from '../../../x12/codes/dates.ts'
import { benefitDateSpellings } from '../../../x12/codes/stedi-keys.ts'
import type { DatePeriod, PatientResponse } from '../../../x12/model.ts'
import { isCoverageRange } from '../coverage/in-force.ts'

/** DTP01 of the dates that may repeat under an EB, and the lists that hold all of them. */
const BENEFIT_LISTS: ReadonlyMap<string, string> = new Map([
  ['096', 'discharges'],
  ['435', 'admissions'],
])

/**
 * The DTP segments as `planDateInformation`: `CCYYMMDD` or `CCYYMMDD-CCYYMMDD`, as sent. A dependent's dates take precedence over the
 * subscriber's, whose death is not the dependent's. Of several with one name the last counts, but a single day not beside a range, which
 * decides about the coverage (x12-271.md 5, rule 6). Undefined when there are none.
 */
export function describePlanDates({ subscriber, dependent }: PatientResponse): object | undefined {
  const shared = dependent ? subscriber.dates.filter(({ qualifier }) => qualifier !== DATE.death) : subscriber.dates
  const described = { ...describeLevel(shared), ...describeLevel(dependent?.dates ?? []) }
  return Object.keys(described).length > 0 ? described : undefined
}

function describeLevel(dates: readonly DatePeriod[]): Record<string, string> {
  const described: Record<string, string> = {}
  for (const { qualifier, raw } of withoutDaysBesideRanges(dates)) {
    const name = dateNames[qualifier]
    if (name !== undefined && raw !== '') described[name] = raw
  }
  return described
}

function withoutDaysBesideRanges(dates: readonly DatePeriod[]): readonly DatePeriod[] {
  const stated = dates.filter(({ qualifier, end }) => end !== undefined && isCoverageRange(qualifier))
  const ranges = new Set(stated.map(({ qualifier }) => qualifier))
  return ranges.size === 0 ? dates : dates.filter(({ qualifier, end }) => end !== undefined || !ranges.has(qualifier))
}

/** The DTP segments under an EB as `benefitsDateInformation`, which has separate lists for hospital stays. */
export function describeBenefitDates(dates: readonly DatePeriod[]): object | undefined {
  const described: Record<string, unknown> = {}
  const lists = new Map<string, object[]>()
  for (const date of withoutDaysBesideRanges(dates)) {
    const name = benefitDateSpellings[date.qualifier] ?? dateNames[date.qualifier]
    if (name === undefined || date.raw === '') continue
    described[name] = date.raw
    const listName = BENEFIT_LISTS.get(date.qualifier)
    if (listName === undefined) continue
    const list = lists.get(listName) ?? []
    list.push(describeStay(date))
    lists.set(listName, list)
  }
  for (const [name, list] of lists) described[name] = list
  return Object.keys(described).length > 0 ? described : undefined
}

function describeStay({ raw, start, end }: DatePeriod): object {
  if (start !== undefined && end !== undefined) return { startDate: start, endDate: end }
  return { date: start ?? raw }
}
