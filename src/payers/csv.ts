// A list of payers as CSV (RFC 4180): Stedi's own download, or any file with payer ids and names.
import { CsvError, parse } from 'csv-parse/sync'
import { StartupError } from '../platform/startup-error.ts'
import { cleanText } from './clean-text.ts'
import { type Column, columnOf, ENROLLMENT, type RowParts } from './csv-columns.ts'
import type { PayerUpdate } from './plan-import.ts'

interface PayerList {
  payers: PayerUpdate[]
  /** Headings of columns that the directory does not use. */
  ignored: string[]
}

/** Maximum number of faults listed in the error; a wrong separator makes one in every line. */
const FAULTS_SHOWN = 10

/**
 * Reads the whole list or nothing. A payer gets only the fields that have a column, so a file of ids and names changes nothing else.
 * @throws StartupError that lists the faults by line and column.
 */
export function readPayerCsv(text: string): PayerList {
  const [heading, ...rows] = parseRows(text)
  if (!heading) throw new StartupError('the file is empty')
  const columns = readHeading(heading.cells)
  if (rows.length === 0) throw new StartupError('the file has a header row but no payers')
  const faults: string[] = []
  const payers = rows.map((row) => readRow(row, columns, (fault) => faults.push(fault)))
  faults.push(...findDuplicates(payers, rows))
  if (faults.length > 0) throw new StartupError(summary(faults))
  return { payers, ignored: columns.filter(({ column }) => !column).map(({ heading }) => heading) }
}

interface Row {
  /** The line on which the row begins, counted from 1. */
  line: number
  cells: string[]
}

function parseRows(text: string): Row[] {
  try {
    // The parser counts the two characters of a Windows line end within quotes as two lines.
    const lines = text.replaceAll(/\r\n?/g, '\n')
    const options = { bom: true, info: true, relax_column_count: true, skip_empty_lines: true, trim: true } as const
    const rows = parse(lines, options) as unknown as { record: string[]; info: { lines: number } }[]
    return rows.map(({ record, info }) => {
      const within = record.reduce((sum, cell) => sum + cell.split('\n').length - 1, 0)
      return { line: info.lines - within, cells: record.map(cleanText) }
    })
  } catch (error) {
    if (!(error instanceof CsvError)) throw error
    const what =
      error.code === 'CSV_QUOTE_NOT_CLOSED' ? 'a quote is not closed' : 'a quote is in a place where none is allowed'
    const column = typeof error.index === 'number' ? `, column ${error.index + 1}` : ''
    throw new StartupError(`line ${error.lines}${column}: ${what}`, { cause: error })
  }
}

interface HeadedColumn {
  heading: string
  column: Column | undefined
}

function readHeading(headings: string[]): HeadedColumn[] {
  const columns = headings.map((heading) => ({ heading, column: columnOf(heading) }))
  const byMeaning = new Map<string, string>()
  const faults: string[] = []
  for (const { heading, column } of columns) {
    if (!column) continue
    const other = byMeaning.get(column.meaning)
    if (other !== undefined) faults.push(`line 1: the columns ${other} and ${heading} are the same`)
    byMeaning.set(column.meaning, heading)
  }
  if (!byMeaning.has('primary_payer_id')) faults.push('line 1: there is no column PrimaryPayerId (or primary_payer_id)')
  if (!byMeaning.has('display_name')) faults.push('line 1: there is no column DisplayName (or display_name)')
  if (faults.length > 0) throw new StartupError(summary(faults))
  return columns
}

function readRow({ line, cells }: Row, columns: HeadedColumn[], fail: (fault: string) => void): PayerUpdate {
  const row: RowParts = { texts: {}, lists: {}, support: {}, needsEnrollment: {}, processes: {} }
  if (cells.length !== columns.length)
    fail(`line ${line}: the row has ${cells.length} cells, the header row ${columns.length}`)
  for (const [at, { heading, column }] of columns.entries()) {
    const cell = cells[at] ?? ''
    const isNeeded = column?.meaning === 'primary_payer_id' || column?.meaning === 'display_name'
    if (cell === '') {
      if (isNeeded && cells.length === columns.length) fail(`line ${line}, column ${heading}: it is empty`)
      continue
    }
    try {
      column?.put(row, cell)
    } catch (error) {
      fail(`line ${line}, column ${heading}: ${(error as Error).message}`)
    }
  }
  return toUpdate(row, new Set(columns.flatMap(({ column }) => column?.meaning ?? [])))
}

const OPTIONAL = ['employer_identification_numbers', 'coverage_types', 'programs', 'parent_payer_group'] as const

/** The fields that have a column; an empty cell clears its field. */
function toUpdate(row: RowParts, meanings: Set<string>): PayerUpdate {
  const { texts, lists } = row
  const { stedi_id, primary_payer_id = '', display_name = '' } = texts
  const all = { ...texts, ...lists } as Partial<PayerUpdate>
  const named = Object.keys(row.support).length > 0
  const knowsEnrollment = [...meanings].some((meaning) => meaning.startsWith(ENROLLMENT))
  return {
    ...(stedi_id !== undefined && { stedi_id }),
    primary_payer_id,
    display_name,
    ...(meanings.has('aliases') && { aliases: lists.aliases ?? [] }),
    ...(meanings.has('names') && { names: lists.names ?? [] }),
    ...Object.fromEntries(OPTIONAL.filter((field) => meanings.has(field)).map((field) => [field, all[field]])),
    ...(named && { transaction_support: toSupport(row) }),
    ...(knowsEnrollment && { payer_enrollment: toEnrollment(row) }),
  }
}

function toSupport({ support, needsEnrollment }: RowParts): Record<string, string> {
  const entries = Object.entries(support).map(([name, value]) => {
    const isAfterEnrollment = value === 'SUPPORTED' && needsEnrollment[name] === true
    return [name, isAfterEnrollment ? 'ENROLLMENT_REQUIRED' : value]
  })
  return Object.fromEntries(entries)
}

/** In the form of Stedi's JSON. Source: Stedi, EnrollmentInfo. */
function toEnrollment({ ptanRequired, processes }: RowParts): Record<string, unknown> | undefined {
  const enrollment = {
    ...(ptanRequired !== undefined && { ptanRequired }),
    ...(Object.keys(processes).length > 0 && { transactionEnrollmentProcesses: processes }),
  }
  return Object.keys(enrollment).length > 0 ? enrollment : undefined
}

function findDuplicates(payers: PayerUpdate[], rows: Row[]): string[] {
  const lines = new Map<string, number>()
  return payers.flatMap(({ stedi_id, primary_payer_id }, at) => {
    const line = rows[at]?.line ?? 0
    const key = stedi_id ?? `payer id ${primary_payer_id}`
    const first = lines.get(key)
    if (first === undefined) lines.set(key, line)
    if (first === undefined || primary_payer_id === '') return []
    return `line ${line}: duplicate of the payer in line ${first}`
  })
}

function summary(faults: string[]): string {
  const rest = faults.length - FAULTS_SHOWN
  return faults.slice(0, FAULTS_SHOWN).join('; ') + (rest > 0 ? `; and ${rest} more` : '')
}
