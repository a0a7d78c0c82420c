import { OTHER_PAYER } from '../../../x12/codes/benefits.ts'
import { DATE } from '../../../x12/codes/dates.ts'
import { COVERAGE_DATES, type DateRole, datesOfLevels, isDeath } from '../../../x12/coverage-dates.ts'
import { isoDate } from '../../../x12/iso-date.ts'
import type { BenefitRow, DatePeriod, PatientResponse } from '../../../x12/model.ts'

/** True for DTP01 of coverage as a range, beside which a single day of the same kind does not count. */
export function isCoverageRange(qualifier: string): boolean {
  return COVERAGE_DATES.get(qualifier) === 'range'
}

/** Roles whose dates have a beginning. */
const PERIODS: ReadonlySet<DateRole | undefined> = new Set(['range', 'begin'])

/** DTP01 of the first and the last day of the same thing, which payers repeat for each period of enrollment. */
export const PAIRS = [
  [DATE.planBegin, DATE.planEnd],
  [DATE.benefitBegin, DATE.benefitEnd],
  [DATE.eligibilityBegin, DATE.eligibilityEnd],
] as const

/** Payers echo the inquired date as an eligibility range of one day (HETS does), which is not a statement about the coverage. */
export const ECHOED = DATE.eligibility

/** The first and last day of a coverage, if stated. YYYY-MM-DD. */
interface Days {
  first: string | undefined
  last: string | undefined
}

/**
 * The reason why a coverage with these dates is not in force on a day: `ended 2025-12-31`, `begins 2027-01-01`; undefined when no date
 * excludes the day. Dates of one kind are plan years, one of which must include the day; every kind must include it. An invalid date is
 * ignored, but not the other half of its range. Source: x12-271.md 5, rule 6.
 */
export function explainOutOfForce(dates: readonly DatePeriod[], day: string): string | undefined {
  if (dates.length === 0) return undefined
  // Most rows have one date, which includes the day.
  if (dates.length === 1) {
    const days = daysOf(dates[0]!)
    if (!days || includes(days, day)) return undefined
  }
  const known = explained.get(dates)
  if (known?.day === day) return known.reason
  const reason = explain(dates, day)
  explained.set(dates, { day, reason })
  return reason
}

/** Each rule about a row asks whether it is in force, and a row may have thousands of dates. */
const explained = new WeakMap<readonly DatePeriod[], { day: string; reason: string | undefined }>()

function explain(dates: readonly DatePeriod[], day: string): string | undefined {
  const kinds = new Map<string, Days[]>()
  for (const date of dates) {
    const days = daysOf(date)
    if (!days) continue
    // An end with an unreadable beginning may end the coverage, but it is not a period that could include the day.
    const isHalf = days.first === undefined && PERIODS.has(COVERAGE_DATES.get(date.qualifier))
    const kind = isHalf ? `${date.qualifier} end` : date.qualifier
    const known = kinds.get(kind)
    if (known) known.push(days)
    else kinds.set(kind, [days])
  }
  const missed = [...kinds].filter(([qualifier, stated]) => !holds(qualifier, stated, day))
  const died = missed.find(([qualifier]) => isDeath({ qualifier }))
  if (died) return `the payer has ${died[1][0]?.last} as the date of death`
  const reasons = [...missed.map(([, stated]) => stated), ...missedPeriods(kinds, day)].map((stated) => {
    return explainMissed(stated, day)
  })
  const ended = reasons.find((reason) => reason.startsWith(ENDED))
  return ended === undefined ? reasons[0] : ended + describeNewerPeriod(kinds, ended.slice(ENDED.length), day)
}

const ENDED = 'ended '

/**
 * A period that begins after the last end, or nothing. Rule 6 of x12-271.md 5 compares the day with the last end only; whether the newer
 * period covers the day is for a person to find out. A period that begins on the day may be an echo of the inquiry.
 */
function describeNewerPeriod(kinds: ReadonlyMap<string, readonly Days[]>, end: string, day: string): string {
  const begins = [...kinds.values()].flat().flatMap(({ first }) => (first === undefined ? [] : [first]))
  const newer = begins.filter((begin) => begin > end && begin !== day).sort()[0]
  return newer === undefined ? '' : `; the payer also lists a newer period that begins on ${newer}: ask the payer`
}

/**
 * The periods of an enrollment that was interrupted, if none includes the day: it may lie between them. As many beginnings as ends are
 * periods in the order of the message; a single pair needs no such check.
 */
function missedPeriods(kinds: ReadonlyMap<string, readonly Days[]>, day: string): Days[][] {
  // A pair has two kinds; most rows have one.
  if (kinds.size < 2) return []
  return PAIRS.flatMap(([begin, end]) => {
    const [begins = [], ends = []] = [kinds.get(begin), kinds.get(end)]
    if (begins.length < 2 || begins.length !== ends.length) return []
    const periods = begins.map(({ first }, place) => ({ first, last: ends[place]?.last }))
    const areInOrder = periods.every(({ first = '', last = '' }) => first <= last)
    return areInOrder && !periods.some((period) => includes(period, day)) ? [periods] : []
  })
}

/** A single day beside ranges of its kind is an echo of the inquiry, and does not extend them. */
function holds(qualifier: string, stated: readonly Days[], day: string): boolean {
  const ranges = COVERAGE_DATES.get(qualifier) === 'range' ? stated.filter(({ last }) => last !== undefined) : []
  return (ranges.length > 0 ? ranges : stated).some((days) => includes(days, day))
}

function daysOf(date: DatePeriod): Days | undefined {
  const role = COVERAGE_DATES.get(date.qualifier)
  if (role === undefined) return undefined
  const [start, end] = [isoDate(date.start), isoDate(date.end)]
  if (role === 'end') return start || end ? { first: undefined, last: end ?? start } : undefined
  if (role === 'death') return start ? { first: undefined, last: start } : undefined
  if (start === undefined && end === undefined) return undefined
  return date.qualifier === ECHOED && start === end ? undefined : { first: start, last: end }
}

/**
 * The day that the payer echoes as the inquired one, if it is another one than the day. Our choice: the status does not depend on it (x12-271.md
 * 5, rule 6), but a visit does. Stedi's form of 2026-06-01 has the same field for coverage of one day (decisions/0096).
 */
export function otherDayOf(dates: readonly DatePeriod[], day: string): string[] {
  return dates.flatMap(({ qualifier, start, end }) => {
    if (qualifier !== ECHOED && qualifier !== DATE.service) return []
    // The day of service is the inquired one also as a single day.
    const [first, last] = [isoDate(start), isoDate(qualifier === DATE.service ? (end ?? start) : end)]
    return first !== undefined && first === last && first !== day ? [first] : []
  })
}

/** A date that says nothing: blanks, or one digit repeated (`00000000`, `99999999`). */
const isEmptyDate = (date: string) => /^(?:(\d)\1*)?$/.test(date.trim())

/** DTP01 of the dates that decide about coverage and that cannot be read, in whole or in part. */
export function unreadableDates(dates: readonly DatePeriod[]): string[] {
  return dates
    .filter((date) => COVERAGE_DATES.has(date.qualifier) && isUnreadable(date))
    .map(({ qualifier }) => qualifier)
}

function isUnreadable({ raw, start, end }: DatePeriod): boolean {
  if (isoDate(raw) !== undefined) return false
  const [first, last] = raw.includes('-')
    ? [raw.slice(0, raw.indexOf('-')), raw.slice(raw.lastIndexOf('-') + 1)]
    : [raw, '']
  return (isoDate(start) === undefined && !isEmptyDate(first)) || (isoDate(end) === undefined && !isEmptyDate(last))
}

/** The last beginning up to the day of the periods that dates state; undefined when they state none. */
export function firstDay(dates: readonly DatePeriod[], day: string): string | undefined {
  const begins = dates.flatMap((date) => daysOf(date)?.first ?? [])
  return begins
    .filter((begin) => begin <= day)
    .sort()
    .at(-1)
}

function includes({ first, last }: Days, day: string): boolean {
  return (first === undefined || first <= day) && (last === undefined || last >= day)
}

function explainMissed(stated: readonly Days[], day: string): string {
  const ahead = stated.flatMap(({ first }) => (first !== undefined && first > day ? [first] : [])).sort()
  if (ahead[0] !== undefined) return `begins ${ahead[0]}`
  const ends = stated.flatMap(({ last }) => last ?? []).sort()
  return `${ENDED}${ends.at(-1)}`
}

/**
 * The dates that apply to the patient: those of their own level and, for a dependent, those of the subscriber that the dependent's level
 * does not override: the policy that a dependent is on may end for all. The death of another person ends nothing; the patient's ends every
 * plan, also where the payer states it under one row.
 */
export function datesThatCount(patient: PatientResponse): readonly DatePeriod[] {
  const stated: DatePeriod[] = []
  for (const { code, dates } of patient.benefits) {
    // The insured of another payer may be another person.
    if (code !== OTHER_PAYER) for (const date of dates) if (isDeath(date)) stated.push(date)
  }
  const ofLevels = datesOfLevels(patient)
  return stated.length === 0 ? ofLevels : [...ofLevels, ...stated]
}

/**
 * Why the coverage of the patient by an active row is not in force on the day, by the dates of the patient's levels. Ranges of one kind are periods of
 * one thing, also where the patient's level has a former one and the row the present one. A dependent's own dates are not those of a family's
 * row. Source: x12-271.md 5, rule 6 ("the last of").
 */
export function explainPatientOutOfForce(patient: PatientResponse, row: BenefitRow, day: string): string | undefined {
  const stated = datesThatCount(patient)
  const reason = explainOutOfForce(stated, day)
  if (reason === undefined || patient.dependent) return reason
  const kinds = new Set(stated.filter(isRange).map(({ qualifier }) => qualifier))
  const periods = row.dates.filter((date) => isRange(date) && kinds.has(date.qualifier))
  return periods.length === 0 ? reason : explainOutOfForce([...stated, ...periods], day)
}

const isRange = ({ qualifier, end }: DatePeriod) => isCoverageRange(qualifier) && end !== undefined
