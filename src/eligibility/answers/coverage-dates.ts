import type { BenefitRow, DatePeriod, PatientResponse } from '../../x12/model.ts'
import { isoDate } from './iso-date.ts'

/** DTP01 values that state the period of a coverage. Source: 005010X279A1 2100C, 2100D and 2110 DTP01. */
export const DATE = {
  plan: '291',
  eligibility: '307',
  planBegin: '346',
  planEnd: '347',
  benefitBegin: '348',
  eligibilityBegin: '356',
  eligibilityEnd: '357',
  policyEffective: '539',
  policyExpiration: '540',
} as const

/** Dates of the patient's level that take precedence over the plan row's own. Source: x12-271.md 6. */
const COVERAGE_DATES: ReadonlySet<string> = new Set([
  DATE.plan,
  DATE.planBegin,
  DATE.planEnd,
  DATE.eligibilityBegin,
  DATE.eligibilityEnd,
  DATE.policyEffective,
  DATE.policyExpiration,
])

/** Qualifiers whose single date is the last day. */
const END_DATES: ReadonlySet<string> = new Set([DATE.planEnd, DATE.eligibilityEnd, DATE.policyExpiration])

export interface StatedPeriod {
  qualifier: string
  /** YYYY-MM-DD. */
  start: string
  end?: string
}

/**
 * A DTP as calendar dates; undefined when its start is not a date. An end before the start is kept, because payers write coverage that was
 * cancelled from its first day that way.
 */
function readPeriod(date: DatePeriod): StatedPeriod | undefined {
  const start = isoDate(date.start)
  if (start === undefined) return undefined
  const end = isoDate(date.end)
  return end === undefined ? { qualifier: date.qualifier, start } : { qualifier: date.qualifier, start, end }
}

/**
 * The dates of the patient's coverage, in file order: those of the dependent's level, else the subscriber's, plus the chosen plan row's own
 * when that level states no coverage dates. Source: x12-271.md 6.
 */
export function findCoveragePeriods(patient: PatientResponse, chosen: BenefitRow | undefined): StatedPeriod[] {
  const own = patient.dependent?.dates ?? []
  const level = own.length > 0 ? own : patient.subscriber.dates
  const stated = level.some((date) => COVERAGE_DATES.has(date.qualifier))
  return readPeriods(stated || !chosen ? level : [...level, ...chosen.dates])
}

export function readPeriods(dates: readonly DatePeriod[]): StatedPeriod[] {
  return dates.map(readPeriod).filter((period) => period !== undefined)
}

/** A range of one day is the payer's echo of the inquiry date and not a statement about the coverage (HETS does this). */
export function isInquiryEcho(period: StatedPeriod): boolean {
  return !END_DATES.has(period.qualifier) && period.end === period.start
}

/** The last day of a coverage that a period states: the end of a range, or the one date of an end qualifier. */
export function lastDay(period: StatedPeriod): string | undefined {
  return END_DATES.has(period.qualifier) ? (period.end ?? period.start) : period.end
}
