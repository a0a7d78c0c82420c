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

export function writePeriods(dates: readonly DatePeriod[]): JsonObject {
  const periods: Record<string, string | undefined> = {}
  for (const { qualifier, start, end } of dates) {
    const day = Object.entries(dayCodes).find(([, code]) => code === qualifier)?.[0]
    if (day) periods[day] ??= writeInstant(start)
    const keys = rangeCodes[qualifier]
    const pair = periodCodes.find(({ startCode }) => startCode === qualifier)
    const begins = keys?.start ?? pair?.start
    const ends = keys?.end ?? periodCodes.find(({ endCode }) => endCode === qualifier)?.end
    if (begins && (keys || ends === undefined)) periods[begins] ??= writeInstant(start)
    if (ends) periods[ends] ??= writeInstant(keys ? end : (end ?? start))
    // A first day as a range.
    else if (pair && end !== undefined) periods[pair.end] ??= writeInstant(end)
  }
  return present(periods)
}

export function writeReferences(references: readonly Reference[]): JsonObject {
  const written: Record<string, string | undefined> = {}
  const keyOf = (codes: Readonly<Record<string, string>>, qualifier: string) =>
    Object.entries(codes).find(([, code]) => code === qualifier)?.[0]
  for (const { qualifier, value, description } of references) {
    const key = keyOf(referenceCodes, qualifier)
    const descriptionKey = keyOf(referenceDescriptions, qualifier)
    if (key) written[key] ??= value
    if (descriptionKey) written[descriptionKey] ??= description
  }
  return present(written)
}
