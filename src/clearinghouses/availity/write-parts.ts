import type { DatePeriod, Reference } from '../../x12/model.ts'
import type { JsonObject } from '../json-values.ts'
import { periodCodes, referenceCodes, referenceDescriptions } from './coverage-keys.ts'
import { present, writeInstant } from './coverage-values.ts'

/** A range under one qualifier (291, 307) and a pair of qualifiers say the same. */
const rangeCodes: Readonly<Record<string, { start: string; end: string }>> = {
  '291': { start: 'coverageStartDate', end: 'coverageEndDate' },
  '307': { start: 'eligibilityStartDate', end: 'eligibilityEndDate' },
  '292': { start: 'benefitBeginDate', end: 'benefitEndDate' },
}

export function writePeriods(dates: readonly DatePeriod[]): JsonObject {
  const told: Record<string, string | undefined> = {}
  for (const { qualifier, start, end } of dates) {
    const keys = rangeCodes[qualifier]
    const begins = keys?.start ?? periodCodes.find(({ startCode }) => startCode === qualifier)?.start
    const ends = keys?.end ?? periodCodes.find(({ endCode }) => endCode === qualifier)?.end
    if (begins && (keys || ends === undefined)) told[begins] ??= writeInstant(start)
    if (ends) told[ends] ??= writeInstant(keys ? end : (end ?? start))
  }
  return present(told)
}

export function writeReferences(references: readonly Reference[]): JsonObject {
  const told: Record<string, string | undefined> = {}
  const keyOf = (codes: Readonly<Record<string, string>>, qualifier: string) =>
    Object.entries(codes).find(([, code]) => code === qualifier)?.[0]
  for (const { qualifier, value, description } of references) {
    const key = keyOf(referenceCodes, qualifier)
    const descriptionKey = keyOf(referenceDescriptions, qualifier)
    if (key) told[key] ??= value
    if (descriptionKey) told[descriptionKey] ??= description
  }
  return present(told)
}
