import { dateNames } from '../../x12/codes/dates.ts'
import { benefitDateSpellings } from '../../x12/codes/stedi-keys.ts'
import type { DatePeriod } from '../../x12/model.ts'

/** DTP01 of the dates that may repeat under an EB, and the lists that hold all of them. */
const BENEFIT_LISTS: ReadonlyMap<string, string> = new Map([
  ['096', 'discharges'],
  ['435', 'admissions'],
])

/**
 * The DTP segments of a level as `planDateInformation`: `CCYYMMDD` or `CCYYMMDD-CCYYMMDD`, as sent. Of several with one name the last
 * counts, so a dependent's dates follow the subscriber's. Undefined when there are none.
 */
export function describePlanDates(dates: readonly DatePeriod[]): object | undefined {
  const described: Record<string, string> = {}
  for (const { qualifier, raw } of dates) {
    const name = dateNames[qualifier]
    if (name !== undefined && raw !== '') described[name] = raw
  }
  return Object.keys(described).length > 0 ? described : undefined
}

/** The DTP segments under an EB as `benefitsDateInformation`, which has separate lists for hospital stays. */
export function describeBenefitDates(dates: readonly DatePeriod[]): object | undefined {
  const described: Record<string, unknown> = {}
  const lists = new Map<string, object[]>()
  for (const date of dates) {
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
