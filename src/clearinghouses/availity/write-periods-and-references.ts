import type { DatePeriod, Reference } from '../../x12/model.ts'
import type { JsonObject } from '../json-values.ts'
import { dayCodes, periodCodes, referenceCodes, referenceDescriptions } from './coverage-keys.ts'
import { present, writeInstant } from './coverage-values.ts'

/** A range under one qualifier (291, 307) has the same meaning as a pair of qualifiers. */
const rangeCodes: Readonly<Record<string, { start: string; end: string }>> = {
  '291': { start: 'coverageStartDate', end: 'coverageEndDate' },
  '307': { start: 'eligibilityStartDate', end: 'eligibilityEndDate' },
  '292': { start: 'benefitBeginDate', end: 'benefitEndDate' },
}

/** What dates state for one pair of keys, as Availity writes days. */
interface Stated {
  begins: string[]
  ends: string[]
  ranges: { first: string; last: string }[]
}

/**
 * Availity has one pair of each kind. Of periods that repeat, as ranges or as first and last days, it is the one that includes the day, else
 * the first, which is also written without a day; a last day beside a range that ends later is the end.
 */
export function writePeriods(dates: readonly DatePeriod[], day?: string): JsonObject {
  const written: Record<string, string | undefined> = {}
  const pairs = new Map<string, Stated & Keys>()
  for (const { qualifier, start, end } of dates) {
    const [first, last] = [writeInstant(start), writeInstant(end)]
    const single = Object.entries(dayCodes).find(([, code]) => code === qualifier)?.[0]
    if (single && (last === undefined || last === first)) written[single] ??= first
    const keys = keysOf(qualifier)
    if (!keys) continue
    const pair = pairs.get(keys.start) ?? { ...keys, begins: [], ends: [], ranges: [] }
    pairs.set(keys.start, pair)
    if (keys.isEnd) pair.ends.push(...orNone(last ?? first))
    else if (first !== undefined && last !== undefined) pair.ranges.push({ first, last })
    else {
      pair.begins.push(...orNone(first))
      pair.ends.push(...orNone(last))
    }
  }
  for (const pair of pairs.values()) {
    const { first, last } = choose(pair, writeInstant(day) ?? '')
    written[pair.start] = first
    written[pair.end] = last
  }
  return present(written)
}

interface Keys {
  start: string
  end: string
}

/** The keys of a DTP01, and whether it states a last day. */
function keysOf(qualifier: string): (Keys & { isEnd: boolean }) | undefined {
  const range = rangeCodes[qualifier]
  if (range) return { ...range, isEnd: false }
  const pair = periodCodes.find(({ startCode, endCode }) => startCode === qualifier || endCode === qualifier)
  return pair && { start: pair.start, end: pair.end, isEnd: pair.endCode === qualifier }
}

function choose(
  { begins, ends, ranges }: Stated,
  day: string,
): { first?: string | undefined; last?: string | undefined } {
  const includes = (first = '', last = day) => first <= day && day <= last
  const isPaired = begins.length === ends.length
  const place = isPaired
    ? Math.max(
        0,
        begins.findIndex((first, at) => includes(first, ends[at])),
      )
    : 0
  // A range of one day is an echo of the inquiry.
  const periods = begins.length + ends.length > 0 ? ranges.filter(({ first, last }) => first !== last) : ranges
  const range = periods.find(({ first, last }) => includes(first, last)) ?? periods[0]
  const lasts = [...orNone(range?.last), ...orNone(ends[place])].sort()
  return { first: range?.first ?? begins[place], last: lasts[0] }
}

const orNone = (day: string | undefined) => (day === undefined ? [] : [day])

/** DTP*290. */
export function writeCoordination({ dates }: { dates: readonly DatePeriod[] }): JsonObject {
  const period = dates.find(({ qualifier }) => qualifier === '290')
  return present({
    coordinationOfBenefitsBeginDate: writeInstant(period?.start),
    coordinationOfBenefitsEndDate: writeInstant(period?.end),
  })
}

/** REF as members of Availity: the first of each qualifier; those without a member of their own are left out. */
export function writeReferences(
  references: readonly Reference[],
  codes: Readonly<Record<string, string>> = referenceCodes,
): JsonObject {
  const written: Record<string, string | undefined> = {}
  const keyOf = (codes: Readonly<Record<string, string>>, qualifier: string) =>
    Object.entries(codes).find(([, code]) => code === qualifier)?.[0]
  for (const { qualifier, value, description } of references) {
    const key = keyOf(codes, qualifier)
    const descriptionKey = keyOf(referenceDescriptions, qualifier)
    if (key) written[key] ??= value
    if (descriptionKey) written[descriptionKey] ??= description
  }
  return present(written)
}
