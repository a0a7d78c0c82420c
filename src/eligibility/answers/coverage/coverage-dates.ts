import { DATE } from '../../../x12/codes/dates.ts'
import { isoDate } from '../../../x12/iso-date.ts'
import type { BenefitRow, DatePeriod, PatientResponse } from '../../../x12/model.ts'
import { PAIRS } from './in-force.ts'

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

/** Without those whose start is not a date. */
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

/**
 * The periods without former and future ones: where ranges of one kind repeat, or first and last days in pairs, the one that includes the
 * day stays, else the next, else the last. A single day beside ranges of its kind is not a period (`explainOutOfForce`).
 */
export function periodsOn(periods: readonly StatedPeriod[], day: string | undefined): readonly StatedPeriod[] {
  if (day === undefined || periods.length < 2) return periods
  const kinds = byQualifier(periods.filter((each) => !isInquiryEcho(each)))
  const left = new Set([...rangesBeside(kinds, day), ...pairsBeside(kinds, day)])
  return periods.filter((period) => !left.has(period))
}

type Kinds = ReadonlyMap<string, readonly StatedPeriod[]>

function byQualifier(periods: readonly StatedPeriod[]): Kinds {
  const kinds = new Map<string, StatedPeriod[]>()
  for (const period of periods) {
    const known = kinds.get(period.qualifier)
    if (known) known.push(period)
    else kinds.set(period.qualifier, [period])
  }
  return kinds
}

/** Of ranges of one kind all but the one that counts on the day, and the single days beside them. */
function rangesBeside(kinds: Kinds, day: string): StatedPeriod[] {
  return [...kinds].flatMap(([qualifier, all]) => {
    const ranges = END_DATES.has(qualifier) ? [] : all.filter(({ end }) => end !== undefined)
    const chosen = choosePeriod(
      ranges.map(({ start, end = '' }) => ({ start, end })),
      day,
    )
    return chosen === undefined ? [] : all.filter((each) => each !== ranges[chosen])
  })
}

/** Of last days that repeat, each with its first day where there are as many, all but the pair that counts on the day. */
function pairsBeside(kinds: Kinds, day: string): StatedPeriod[] {
  return PAIRS.flatMap(([begin, end]) => {
    const [begins = [], ends = []] = [kinds.get(begin), kinds.get(end)]
    if (ends.length < 2) return []
    const firsts = begins.length === ends.length ? begins : []
    const pairs = ends.map((each, place) => ({ start: firsts[place]?.start ?? '', end: lastDay(each) ?? each.start }))
    const chosen = choosePeriod(pairs, day)
    const isOther = (_: StatedPeriod, place: number) => place !== chosen
    return [...ends.filter(isOther), ...firsts.filter(isOther)]
  })
}

/** The place of the period that includes the day, else of the next one, else of the last. Undefined for none. */
function choosePeriod(periods: readonly { start: string; end: string }[], day: string): number | undefined {
  const places = [...periods.keys()]
  const including = places.find((place) => periods[place]!.start <= day && day <= periods[place]!.end)
  if (including !== undefined) return including
  const byStart = places.toSorted((one, other) => (periods[one]!.start < periods[other]!.start ? -1 : 1))
  const byEnd = places.toSorted((one, other) => (periods[one]!.end < periods[other]!.end ? -1 : 1))
  return byStart.find((place) => periods[place]!.start > day) ?? byEnd.at(-1)
}
