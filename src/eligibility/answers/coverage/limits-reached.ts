// The limits of a service under which nothing is left or covered again yet, or whose ages exclude the patient. Source: 005010X279A1 2110C EB06, EB09, HSD.

import { isActiveRow } from '../../../x12/benefit-row.ts'
import { LIMITATIONS } from '../../../x12/codes/benefits.ts'
import { EXCEEDED, isOfLifetime, isRemainder, YEAR_TO_DATE } from '../../../x12/codes/time-qualifiers.ts'
import { readDecimal } from '../../../x12/decimals.ts'
import { isoDate } from '../../../x12/iso-date.ts'
import type { BenefitRow } from '../../../x12/model.ts'
import { onceForTexts } from '../once-for-texts.ts'
import { datesOf, sentencesOfAll } from '../payer-text.ts'
import { NEXT_TIME } from '../words/figures/used-up.ts'
import { states } from '../words/phrase-group.ts'

/** EB09 and HSD01 of what was used. */
const USED = '99'
/** EB09: the highest and the lowest age. */
const AGE_HIGH = 'S7'
const AGE_LOW = 'S8'

/**
 * The limits among the rows under which nothing is left. Of several that remain of one service, one with something left is sufficient; visits that
 * are left are not money, and money of the plan or of a lifetime is not a visit.
 */
export function limitsReached(rows: readonly BenefitRow[]): BenefitRow[] {
  const limits = rows.filter(({ code }) => code === LIMITATIONS)
  // Payers also state under the active row what remains.
  const remaining = [...limits, ...rows.filter(isActiveRow)].filter((row) => remainingOf(row) !== undefined)
  const stated = new Set(remaining.map(subjectOf))
  const left = new Set(remaining.filter((row) => remainingOf(row) !== 0).map(subjectOf))
  const used = new Map<string, number>()
  // Of several statements of what was used of one limit, the largest counts: a part of it may stand beside the whole.
  for (const row of limits) if (isUsed(row)) used.set(keyOf(row), Math.max(used.get(keyOf(row)) ?? 0, sizeOf(row) ?? 0))
  const full = limits.filter((row) => {
    if (isUsed(row) || isAge(row) || stated.has(subjectOf(row))) return false
    const size = sizeOf(row)
    return size === 0 || (size !== undefined && OF_A_YEAR.has(periodOf(row)) && size <= (used.get(keyOf(row)) ?? 0))
  })
  return [...remaining.filter((row) => !left.has(subjectOf(row))), ...full]
}

/** The visits, days or amount that remain of a limit, which are none of one that is exceeded; undefined for every other row. */
function remainingOf({ timeQualifier, amount, quantity, deliveries }: BenefitRow): number | undefined {
  if (timeQualifier === EXCEEDED || deliveries.some(({ periodQualifier }) => periodQualifier === EXCEEDED)) return 0
  const delivery = deliveries.find(({ periodQualifier }) => isRemainder(periodQualifier))
  if (delivery) return readDecimal(delivery.quantity)
  return isRemainder(timeQualifier) ? readDecimal(quantity ?? amount) : undefined
}

/** The visits, days or amount of a limit; undefined for a rate, such as one visit a day, and for an amount of zero, which may be a field that the payer leaves empty. */
function sizeOf(row: BenefitRow): number | undefined {
  if (row.deliveries[0]?.frequencyUnit !== undefined) return undefined
  return readDecimal(countIn(row)) ?? (readDecimal(row.amount) || undefined)
}

const countIn = ({ quantity, deliveries: [delivery] }: BenefitRow) => delivery?.quantity ?? quantity

const periodOf = ({ timeQualifier, deliveries: [delivery] }: BenefitRow) => delivery?.periodQualifier ?? timeQualifier

function isUsed(row: BenefitRow): boolean {
  const { quantityQualifier, deliveries } = row
  return periodOf(row) === YEAR_TO_DATE || (deliveries[0]?.quantityQualifier ?? quantityQualifier) === USED
}

/** EB06 of a limit that what was used since the year began counts against: service year, calendar year, contract, none stated. */
const OF_A_YEAR: ReadonlySet<string | undefined> = new Set(['22', '23', '25', undefined])

/** What a limit is about: services, an amount or a count, and a lifetime or not. */
function subjectOf(row: BenefitRow): string {
  const isOfLife = isOfLifetime(periodOf(row))
  return JSON.stringify([row.serviceTypeCodes, countIn(row) === undefined, isOfLife])
}

/** What a limit and what was used of it have in common. */
const keyOf = (row: BenefitRow) => JSON.stringify([subjectOf(row), row.coverageLevel, row.networkIndicator])

const isAge = ({ quantityQualifier }: BenefitRow) => quantityQualifier === AGE_HIGH || quantityQualifier === AGE_LOW

const ofNextTime = onceForTexts((messages) => sentencesOfAll(messages).filter((text) => states(NEXT_TIME, text)))

/** True for a row of a service that is covered again from a day ahead, in words with that day or its DTP. */
export function isForLater({ messages, dates }: BenefitRow, day: string): boolean {
  const texts = ofNextTime(messages)
  if (texts.length === 0) return false
  const days = [...texts.flatMap(datesOf), ...dates.map(({ start }) => isoDate(start))]
  return days.some((date) => date !== undefined && date > day)
}

/** True for a limit to ages that the patient is above or below. */
export function isForOtherAges(row: BenefitRow, age: number | undefined): boolean {
  const bound = readDecimal(row.quantity)
  if (row.code !== LIMITATIONS || age === undefined || bound === undefined) return false
  return row.quantityQualifier === AGE_HIGH ? age > bound : row.quantityQualifier === AGE_LOW && age < bound
}
