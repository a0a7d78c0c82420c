// A file of patients: from its bytes to the inquiries of a batch.

import { parse } from 'csv-parse/browser/esm/sync'
import { BATCH_MAX } from '../../../src/contract/limits.ts'
import { isNpi } from '../../../src/x12/npi.ts'
import type { EligibilityRequest } from '../api/generated.ts'
import { type ColumnName, guessMapping, type Mapping } from './batch-columns.ts'
import { readCell } from './batch-results.ts'
import { existingDay, fullYear } from './days.ts'
import { entered, enteredNpi } from './entered.ts'
import { faultOfServiceTypes, serviceTypesIn } from './service-types.ts'

/** A file that shows the columns of a batch, with an invented patient. */
export const exampleCsv = `Payer,Member ID,First name,Last name,Birth date,Provider NPI,Date of service,Service types,Your reference
60054,W000000001,Jane,Doe,1984-02-29,1999999984,,30,A-1001
`

export interface CsvFile {
  /** Empty texts where the file has none. */
  headers: string[]
  rows: Line[]
  hasHeaders: boolean
  /** The rows, and what is above them. */
  lines: Line[]
}

export interface Line {
  /** As a spreadsheet counts the rows; the headers are row 1. */
  line: number
  cells: string[]
}

/** The text of a file in UTF-8 or UTF-16 ("Unicode text" in Excel), or else in Windows-1252, the encoding of its "CSV (comma delimited)". */
export function decodeCsv(bytes: ArrayBuffer): string {
  const [first, second] = new Uint8Array(bytes.slice(0, 2))
  if (first === 0xff && second === 0xfe) return new TextDecoder('utf-16le').decode(bytes)
  if (first === 0xfe && second === 0xff) return new TextDecoder('utf-16be').decode(bytes)
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return new TextDecoder('windows-1252').decode(bytes)
  }
}

/** @throws Error with a message for the user, for a file that is not a table. */
export function readCsv(text: string): CsvFile {
  // The first bytes of a ZIP archive: a spreadsheet as .xlsx or .ods.
  if (text.startsWith('PK\u0003\u0004')) {
    throw new Error('This file is a spreadsheet. Save it as CSV in your spreadsheet program and choose the CSV file.')
  }
  const [, chosen, table = text] = SEPARATOR_LINE.exec(text) ?? []
  let lines: string[][]
  try {
    lines = parse(table, {
      bom: true,
      delimiter: chosen ?? delimiterOf(table),
      relax_column_count: true,
      trim: true,
    }) as string[][]
  } catch (error) {
    throw new Error(`This file cannot be read as CSV: ${quotationFault(error)}.`)
  }
  const filled = lines
    .map((cells, index) => ({ line: index + 1, cells: cells.map(readCell) }))
    .filter(({ cells }) => cells.some((cell) => cell !== ''))
  const file = withHeaders(filled, placeOfHeaders(filled) >= 0 || !isOfPatient(filled[0]))
  const { length } = file.rows
  if (length === 0) throw new Error('This file has no rows below its headers.')
  if (length > BATCH_MAX) throw new Error(`This file has ${length} rows; a batch has at most ${BATCH_MAX}.`)
  return file
}

/** The lines as a table: a file without headers begins with its first patient. */
export function withHeaders(lines: Line[], hasHeaders: boolean): CsvFile {
  if (!hasHeaders) return { headers: lines[0]?.cells.map(() => '') ?? [], rows: lines, hasHeaders, lines }
  const [{ cells: headers } = { cells: [] }, ...rows] = lines.slice(Math.max(0, placeOfHeaders(lines)))
  return { headers, rows, hasHeaders, lines }
}

/** A date or a long number is not a header. */
const isOfPatient = (line: Line | undefined) =>
  line?.cells.some((cell) => /^\d{5,}$/.test(cell) || readDate(cell, THIS_YEAR) !== undefined) ?? false

/** The error of csv-parse in words. It counts lines as a text editor does, and the rows that it could read. An unclosed quotation may extend to the end of the file. */
function quotationFault(error: unknown): string {
  const { code, lines, records, column } = error as { code?: unknown; lines?: unknown; records: number; column: number }
  const place = `column ${column + 1}`
  if (code === 'CSV_QUOTE_NOT_CLOSED')
    return `the quotation mark that opens in row ${records + 1}, ${place} is not closed`
  return `in line ${lines}, ${place}, a quotation mark is in a place where none is allowed`
}

/** `sep=;`: Excel reads the character that separates the columns there, and does not show the line. */
const SEPARATOR_LINE = /^\uFEFF?sep=([,;\t|])\r?\n(.*)$/is

/** The first lines show what separates the columns; a report begins with its title. */
const LOOKED_AT = 20
const BEGIN = 10_000

/** Tabs and semicolons separate the columns of some exports: what is most frequent, outside of quotation marks. */
function delimiterOf(text: string): string {
  const begin = text
    .slice(0, BEGIN)
    .replaceAll(/"[^"]*"/g, '')
    .split(/\r\n|\r|\n/, LOOKED_AT)
    .join('\n')
  const count = (delimiter: string) => begin.split(delimiter).length
  return ['\t', ';'].find((delimiter) => count(delimiter) > count(',')) ?? ','
}

/** The index of the header line, -1 for none: the first line with several known headers. A report has lines above it, such as a title and a date. */
function placeOfHeaders(lines: readonly Line[]): number {
  return lines.slice(0, LOOKED_AT).findIndex(({ cells }) => {
    const places = Object.values(guessMapping(cells))
    return new Set(places.filter((place) => place >= 0)).size > 1
  })
}

export interface Row extends Pick<Line, 'line'> {
  request?: EligibilityRequest
  /** Why the row cannot be checked. */
  faults: string[]
}

/** What applies to the rows of a file. */
export interface Reading {
  mapping: Mapping
  /** For rows without one. */
  npi: string
  /** The payer id for a text of the payer column; none for a name whose payer is not chosen. */
  payerIdOf: (text: string) => string | undefined
}

export function readRow({ line, cells }: Line, { mapping, npi, payerIdOf }: Reading): Row {
  const cell = (name: ColumnName) => cellOf(cells, mapping[name])
  const [fullLast = '', fullFirst = '', ...others] = cell('full').split(/\s*,\s*/)
  const entries: Entries = {
    cell,
    payer: payerIdOf(cell('payer')),
    provider: enteredNpi(cell('npi')) || npi,
    first: (cell('first') || fullFirst).replace(MIDDLE_INITIAL, ''),
    last: cell('last') || fullLast,
    // "Doe, Jr., Jane" has its first name in another place.
    hasMoreCommas: others.length > 0,
    born: readBirthDate(cell('born')),
    day: readDate(cell('day'), THIS_YEAR + VISITS_AHEAD),
    services: serviceTypesIn(cell('services')),
  }
  const faults = faultsOf(entries)
  const { payer } = entries
  return faults.length > 0 || payer === undefined
    ? { line, faults }
    : { line, faults, request: requestOf(entries, payer) }
}

/** The cells of a row as they are understood. */
interface Entries {
  cell: (name: ColumnName) => string
  /** Undefined where the text names no payer, or one that is not chosen yet. */
  payer: string | undefined
  provider: string
  first: string
  last: string
  hasMoreCommas: boolean
  /** YYYY-MM-DD, as `day`. */
  born: string | undefined
  day: string | undefined
  services: string[]
}

/** What has to be corrected before the row can be checked. */
function faultsOf({ cell, payer, provider, first, last, hasMoreCommas, born, day, services }: Entries): string[] {
  return [
    ...(cell('payer') === '' ? ['Payer is missing'] : payer === undefined ? ['Payer is not chosen'] : []),
    ...(last === '' ? ['Last name is missing'] : []),
    ...(hasMoreCommas ? ['The full name has more than one comma'] : []),
    ...(first === ''
      ? [cell('full') === '' ? 'First name is missing' : 'First name is missing or the full name is not “Last, First”']
      : []),
    ...faultOfNpi(provider),
    ...faultOfDate('Birth date', cell('born'), born),
    ...faultOfDate('Date of service', cell('day'), day),
    ...(ROUNDED.test(cell('member'))
      ? ['Member ID was rounded by a spreadsheet: make its column text and export the file again']
      : []),
    ...(cell('member') === '' && born === undefined ? ['Member ID or birth date is required'] : []),
    ...[faultOfServiceTypes(services)].flatMap((fault) => fault ?? []),
  ]
}

function faultOfNpi(npi: string): string[] {
  if (isNpi(npi)) return []
  if (npi === '') return ['Provider NPI is missing']
  return [
    /^\d{10}$/.test(npi) ? 'Provider NPI is not valid: its check digit is wrong' : 'Provider NPI must have ten digits',
  ]
}

function requestOf({ cell, provider, first, last, born, day, services }: Entries, payer: string): Row['request'] {
  return {
    payer_id: payer,
    provider: { npi: provider },
    subscriber: {
      first_name: first,
      last_name: last,
      ...(cell('member') && { member_id: cell('member') }),
      ...(born && { date_of_birth: born }),
    },
    ...((day || services.length > 0) && {
      encounter: {
        ...(day && { date_of_service: day }),
        ...(services.length > 0 && { service_type_codes: services }),
      },
    }),
    ...(cell('reference') && { submitter_transaction_identifier: cell('reference') }),
  }
}

/** The rows of a file without those that repeat an earlier inquiry: clearinghouses may charge for each inquiry. */
export function readRows(lines: readonly Line[], reading: Reading): Row[] {
  const first = new Map<string, number>()
  return lines.map((each) => {
    const row = readRow(each, reading)
    if (row.request === undefined) return row
    const asked = JSON.stringify(row.request)
    const earlier = first.get(asked)
    if (earlier !== undefined) return { line: row.line, faults: [`${REPEATED} row ${earlier}`] }
    first.set(asked, row.line)
    return row
  })
}

const REPEATED = 'The same as'

/** What is wrong in a file, with the rows of each, the most frequent first: of a few thousand rows, the rare ones would not be seen. */
export function faultsIn(rows: readonly Row[]): { fault: string; lines: number[] }[] {
  const found = new Map<string, number[]>()
  for (const { line, faults } of rows) {
    for (const each of faults) {
      const fault = each.startsWith(REPEATED) ? `${REPEATED} an earlier row` : each
      const lines = found.get(fault)
      if (lines) lines.push(line)
      else found.set(fault, [line])
    }
  }
  return [...found].map(([fault, lines]) => ({ fault, lines })).sort((a, b) => b.lines.length - a.lines.length)
}

/** `row 7`, `rows 2, 7, 10 and 664 more` */
export function linesInWords(lines: readonly number[], most = 5): string {
  const rest = lines.length - most
  return `${lines.length === 1 ? 'row' : 'rows'} ${lines.slice(0, most).join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`
}

/** `JANE Q`: inquiries have no field for it, and a payer may not know the patient by it. */
const MIDDLE_INITIAL = /\s+\p{L}\.?$/u

/** `1.23457E+11`: a spreadsheet shows a long number like this and saves it so, without its last digits. */
const ROUNDED = /^\d(?:[.,]\d+)?E\+\d+$/i

/** The rows that cannot be checked as they were in the file, with what is wrong: a file to correct and to choose again. */
export function leftOut({ headers, rows }: CsvFile, read: readonly Row[]): string[][] {
  const faults = new Map(read.filter((row) => row.faults.length > 0).map((row) => [row.line, row.faults.join('. ')]))
  const width = Math.max(headers.length, ...rows.map(({ cells }) => cells.length))
  const filled = (cells: readonly string[]) => Array.from({ length: width }, (_, place) => cells[place] ?? '')
  const faulty = rows.flatMap(({ line, cells }) => {
    const fault = faults.get(line)
    return fault === undefined ? [] : [[...filled(cells), fault]]
  })
  return [[...filled(headers), 'What is wrong'], ...faulty]
}

/** The text of a row in a column; empty for a column that is not in the file. */
export const cellOf = (cells: readonly string[], place: number) => entered(cells[place] ?? '')

const faultOfDate = (label: string, text: string, date: string | undefined): string[] =>
  text === '' || date !== undefined ? [] : [`${label} is not a valid date`]

const THIS_YEAR = new Date().getFullYear()
/** Visits are planned for the next years at most. */
const VISITS_AHEAD = 10

/**
 * 1984-02-29 and 19840229, or 2/29/1984, 02-29-1984 and 2/29/84 as written in the United States, in the form of the interface. A time after the
 * date is ignored. A year of two digits is the latest such one that is not after `last`.
 */
export function readDate(text: string, last: number): string | undefined {
  const [, date = ''] = /^([\d/-]+)(?:[T ]\s*\d{1,2}:\d{2}.*)?$/.exec(text) ?? []
  const iso = /^(\d{4})([-/]?)(\d{1,2})\2(\d{1,2})$/.exec(date)
  const local = /^(\d{1,2})[/-](\d{1,2})[/-](\d{4}|\d{2})$/.exec(date)
  const [year = '', month = '', day = ''] = iso ? [iso[1], iso[3], iso[4]] : local ? [local[3], local[1], local[2]] : []
  return existingDay(year.length === 2 ? fullYear(year, last) : year, month, day)
}

/** Nobody was born in the future: what is later in this year is of a hundred years ago. */
function readBirthDate(text: string): string | undefined {
  const date = readDate(text, THIS_YEAR)
  const isAhead = hasShortYear(text) && date !== undefined && date > new Date().toISOString().slice(0, 10)
  return isAhead ? readDate(text, THIS_YEAR - 1) : date
}

/** Whether the century of a date is not written and was read from the two digits of its year. */
const hasShortYear = (text: string) => /^\d{1,2}[/-]\d{1,2}[/-]\d{2}(?!\d)/.test(text)

/** What the rows with such a date are read as, for the user to confirm; undefined when the file has none. */
export function shortYears(rows: readonly Line[], { born }: Pick<Mapping, 'born'>): string | undefined {
  if (!rows.some(({ cells }) => hasShortYear(cellOf(cells, born)))) return undefined
  return `Two-digit birth years are read as ${THIS_YEAR - 99} to ${THIS_YEAR}. Use four digits for older patients.`
}
