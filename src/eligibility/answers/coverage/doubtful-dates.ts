// Dates by which it stays open whether active coverage is in force on the day.
import { isActiveRow, isPlanRow } from '../../../x12/benefit-row.ts'
import { dateNames } from '../../../x12/codes/dates.ts'
import { isoDate } from '../../../x12/iso-date.ts'
import type { BenefitRow, DatePeriod, PatientResponse } from '../../../x12/model.ts'
import { datesThatCount, ECHOED, explainOutOfForce, otherDayOf, unreadableDates } from './in-force.ts'

/**
 * A date about the coverage that cannot be read may be its end, and an answer for another day states nothing about this one, unless it is the
 * day on which the payer answers: some payers state that day in every answer. A plan without such a date beside it is sufficient.
 */
export function describeDoubtfulDates(patient: PatientResponse, day: string, askedAt?: Date): string[] {
  const rows = rowsInForce(patient, day)
  const ofPatient = datesThatCount(patient)
  const find = (describe: (dates: readonly DatePeriod[]) => string[]) => {
    const ofRows = rows.map(({ dates }) => describe(dates))
    return [...describe(ofPatient), ...(ofRows.every(([first]) => first) ? ofRows.flat() : [])]
  }
  const unreadable = find(unreadableDates).map(
    (qualifier) => `a date of the coverage cannot be read (${dateNames[qualifier] ?? qualifier}): ask the payer`,
  )
  const isDayOfAnswer = (other: string) => askedAt !== undefined && daysAt(askedAt).includes(other)
  const others = find((dates) => otherDayOf(dates, day).filter((other) => !isDayOfAnswer(other))).map(
    (other) => `the payer answered for ${other} and not for ${day}: ask the payer`,
  )
  // Active by a period of the plan's row (`explainPatientOutOfForce`); whether the patient's own has ended is for a person to find out.
  const reason = explainOutOfForce(ofPatient, day)
  const contradicted =
    reason === undefined ? [] : [`the payer has another period for the patient, which ${reason}: ask the payer`]
  return [...new Set([...unreadable, ...others, ...contradicted])]
}

/** The active rows on the day by which a person is covered: those of the plan, else those of services. */
export function rowsInForce({ benefits }: PatientResponse, day: string): BenefitRow[] {
  const active = benefits.filter((row) => isActiveRow(row) && !explainOutOfForce(row.dates, day))
  const plans = active.filter(isPlanRow)
  return plans.length > 0 ? plans : active
}

/**
 * An answer in which the day of asking as the one day of 307 is an echo: the range of that day. As a first day it would end the coverage of an
 * earlier visit.
 */
export function withEchoes(patient: PatientResponse, askedAt: Date | undefined): PatientResponse {
  const isEcho = ({ qualifier, start, end }: DatePeriod) =>
    qualifier === ECHOED && end === undefined && askedAt !== undefined && daysAt(askedAt).includes(isoDate(start) ?? '')
  const hasEcho = ({ dates }: { dates: readonly DatePeriod[] }) => dates.some(isEcho)
  const marked = <Of extends { dates: DatePeriod[] }>(one: Of): Of => {
    if (!hasEcho(one)) return one
    return { ...one, dates: one.dates.map((date) => (isEcho(date) ? { ...date, end: date.start } : date)) }
  }
  const { subscriber, dependent, benefits } = patient
  if (!hasEcho(subscriber) && !(dependent && hasEcho(dependent)) && !benefits.some(hasEcho)) return patient
  return {
    ...patient,
    subscriber: marked(subscriber),
    ...(dependent && { dependent: marked(dependent) }),
    benefits: benefits.some(hasEcho) ? benefits.map(marked) : benefits,
  }
}

/** The calendar days in the United States at an instant: UTC is ten hours ahead of Hawaii. */
function daysAt(instant: Date): string[] {
  return [instant, new Date(instant.getTime() - 10 * HOUR_MS)].map((each) => each.toISOString().slice(0, 10))
}

const HOUR_MS = 3_600_000
