// Readers of single values of Availity's Coverage.
import { DATE } from '../../x12/codes/dates.ts'
import { serviceTypeNames } from '../../x12/codes/service-types.ts'
import type { DatePeriod, Party } from '../../x12/model.ts'
import { codesByLowerName, hasAny, readerOfCodes, readPeriodText } from '../json-segments.ts'
import { type JsonObject, textOf, wordsOf } from '../json-values.ts'
import { dayCodes, periodCodes } from './coverage-keys.ts'

/** Adds an item to the list of this key; the first item creates the list. */
export function addTo<Key, Item>(lists: Map<Key, Item[]>, key: Key, item: Item): void {
  const list = lists.get(key)
  if (list) list.push(item)
  else lists.set(key, [item])
}

/** CCYYMMDD. A date-time of Availity is midnight in Availity's time zone, written as UTC: the day is the date part. */
export function compactDay(value: unknown): string | undefined {
  const day = /^\d{4}-\d{2}-\d{2}/.exec(textOf(value) ?? '')?.[0]
  return day?.replaceAll('-', '')
}

/** NM108 and NM109; neither without an id. */
export function identified(idQualifier: string, id: string | undefined): Pick<Party, 'idQualifier' | 'id'> {
  return id === undefined ? {} : { idQualifier, id }
}

/** A benefit's service type code; without a code its name, so that the benefit is never read as one about the whole plan. */
export function serviceOf({ type, name }: JsonObject): string | undefined {
  const code = textOf(type)
  if (code !== undefined && /^[A-Za-z0-9]{1,3}$/.test(code)) return code
  const named = code ?? textOf(name)
  return named && (serviceCodes.get(named.toLowerCase()) ?? named)
}

/** The code of a procedure: CDT, CPT and HCPCS, or a drug's NDC. */
const PROCEDURE_CODE = /^(?:[A-Z]\d{4}|\d{5}|\d{4}[A-Z]|\d{11})$/i
/** "Procedure AD D0120", "CPT 99213-25". */
const NAMED_PROCEDURE =
  /^(?:PROCEDURE|CPT|HCPCS|CDT)(?: CODE)?[ :]+(?:(AD|CJ|HC|ID|IV|N4|ZZ) )?([A-Z]\d{4}|\d{5}|\d{4}[A-Z]|\d{11})((?:[ -][A-Z0-9]{2})*)(?![\w-])/i

/**
 * EB13 of a benefit: its type or name is the code of a procedure, or it has a `source`, which Availity describes as the "source of the
 * procedure benefit".
 */
export function procedureOfBenefit(benefit: JsonObject): string[] | undefined {
  const { type, name, source } = benefit
  const code = [textOf(type), textOf(name)].find((text) => text !== undefined && PROCEDURE_CODE.test(text))
  if (code !== undefined) return [qualifierOf(code), code.toUpperCase()]
  return textOf(source) === undefined ? undefined : ['ZZ', textOf(name) ?? '']
}

/** EB13 of a detail whose description begins with a procedure. */
export function procedureOfDetail({ description }: JsonObject): string[] | undefined {
  const [, qualifier, code, modifiers = ''] = NAMED_PROCEDURE.exec(textOf(description) ?? '') ?? []
  if (code === undefined) return undefined
  return [qualifier ?? qualifierOf(code), code, ...(modifiers.match(/\w+/g) ?? [])].map((part) => part.toUpperCase())
}

function qualifierOf(code: string): string {
  if (/^D\d/i.test(code)) return 'AD'
  return code.length === NDC_DIGITS ? 'N4' : 'HC'
}
const NDC_DIGITS = 11

const serviceCodes = codesByLowerName(serviceTypeNames)

/** Reads the keys `x` and `xCode`. Payers' answers may have the name alone. */
export function codeReader(
  key: string,
  names: Readonly<Record<string, string>>,
): (json: JsonObject) => string | undefined {
  return readerOfCodes(`${key}Code`, key, names)
}

/** Notes are texts or objects with a `message`. */
export function notesOf({ payerNotes }: JsonObject): string[] {
  return wordsOf(payerNotes, ['message'])
}

/** The periods of a plan or a detail; for each qualifier, the first pair of keys with a value counts. */
export function readPeriods(json: JsonObject): DatePeriod[] {
  if (!hasAny(json, PERIOD_KEYS)) return []
  const periods = new Map<string, DatePeriod>()
  for (const { start, end, startCode, endCode } of periodCodes) {
    for (const [code, value] of [
      [startCode, json[start]],
      [endCode, json[end]],
    ] as const) {
      const period = readPeriod(code, value)
      if (period && !periods.has(code)) periods.set(code, period)
    }
  }
  for (const [key, code] of DAYS) {
    const day = readPeriod(code, json[key])
    if (day) periods.set(code, day)
  }
  return [...withEcho(periods).values()]
}

/** Eligibility of a single day is the echo of the day that was asked about, as DTP 307 has it: nobody is covered for a day. x12-271.md 5, rule 6. */
function withEcho(periods: Map<string, DatePeriod>): Map<string, DatePeriod> {
  const [first, last] = [periods.get(DATE.eligibilityBegin)?.start, periods.get(DATE.eligibilityEnd)?.start]
  if (first === undefined || first !== last) return periods
  periods.delete(DATE.eligibilityBegin)
  periods.delete(DATE.eligibilityEnd)
  return periods.set(DATE.eligibility, toPeriod(DATE.eligibility, first, last))
}

const DAYS = Object.entries(dayCodes)
const PERIOD_KEYS: ReadonlySet<string> = new Set([
  ...periodCodes.flatMap(({ start, end }) => [start, end]),
  ...DAYS.map(([key]) => key),
])

/** A day in Availity's format, or in one of X12: an end that is not understood would leave ended coverage active. */
export function readPeriod(qualifier: string, value: unknown): DatePeriod | undefined {
  const day = compactDay(value)
  if (day !== undefined) return toPeriod(qualifier, day)
  const text = textOf(value)
  return text === undefined ? undefined : readPeriodText(qualifier, text)
}

/** A DTP of days in CCYYMMDD: one day, or a range. */
export function toPeriod(qualifier: string, start: string, end?: string): DatePeriod {
  return end === undefined
    ? { qualifier, format: 'D8', raw: start, start }
    : { qualifier, format: 'RD8', raw: `${start}-${end}`, start, end }
}

/** A calendar day, with or without hyphens, in Availity's format; undefined for any other text. */
export function writeInstant(day: string | undefined): string | undefined {
  const parts = /^(\d{4})-?(\d{2})-?(\d{2})$/.exec(day ?? '')
  return parts ? `${parts.slice(1).join('-')}T00:00:00.000+0000` : undefined
}

/** The object without what is missing, and without empty texts, lists and objects. */
export function present(members: Record<string, unknown>): JsonObject {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => saysSomething(value)))
}

function saysSomething(value: unknown): boolean {
  if (value === undefined || value === null || value === '') return false
  return typeof value !== 'object' || Object.keys(value).length > 0
}
