// A batch of checks: from the rows of a file to the results.
import { parse } from 'csv-parse/browser/esm/sync'
import type { EligibilityCheck, EligibilityRequest } from '../api/generated.ts'
import { limitsIn } from './benefits.ts'
import { lightWords, limitedWord } from './light.ts'
import { explainCode } from './reject-words.ts'

export interface Column {
  name: ColumnName
  label: string
  isRequired: boolean
  /** Headers of this field, in lower case, letters only. */
  headers: readonly string[]
}

export type ColumnName = 'payer' | 'member' | 'first' | 'last' | 'born' | 'npi' | 'day' | 'services' | 'reference'

export const columns: readonly Column[] = [
  { name: 'payer', label: 'Payer ID', isRequired: true, headers: ['payerid', 'payer', 'insuranceid'] },
  {
    name: 'member',
    label: 'Member ID',
    isRequired: false,
    headers: ['memberid', 'member', 'subscriberid', 'policynumber', 'policy'],
  },
  { name: 'first', label: 'First name', isRequired: true, headers: ['firstname', 'first', 'givenname', 'given'] },
  {
    name: 'last',
    label: 'Last name',
    isRequired: true,
    headers: ['lastname', 'last', 'familyname', 'family', 'surname'],
  },
  { name: 'born', label: 'Birth date', isRequired: false, headers: ['birthdate', 'dateofbirth', 'dob', 'birthday'] },
  { name: 'npi', label: 'Provider NPI', isRequired: true, headers: ['npi', 'providernpi'] },
  {
    name: 'day',
    label: 'Date of service',
    isRequired: false,
    headers: ['dateofservice', 'dos', 'servicedate', 'visitdate'],
  },
  {
    name: 'services',
    label: 'Service types',
    isRequired: false,
    headers: ['servicetypes', 'servicetype', 'servicetypecodes', 'servicecode'],
  },
  { name: 'reference', label: 'Your reference', isRequired: false, headers: ['reference', 'mrn', 'patientid', 'id'] },
]

/** A file that shows which columns a batch reads, with an invented patient. */
export const exampleCsv = `${columns.map(({ label }) => label).join(',')}
60054,W000000001,Jane,Doe,1984-02-29,1999999984,,30,A-1001
`

export interface CsvFile {
  headers: string[]
  rows: string[][]
}

const ROWS_MAX = 10_000

/** @throws Error with a message for the user, for a file that is not a table. */
export function readCsv(text: string): CsvFile {
  let lines: string[][]
  try {
    lines = parse(text, { bom: true, skip_empty_lines: true, relax_column_count: true, trim: true }) as string[][]
  } catch {
    throw new Error('This file cannot be read as CSV: a quotation mark is in a place where none is allowed.')
  }
  const [headers = [], ...rows] = lines
  if (rows.length === 0) throw new Error('This file has no rows below its headers.')
  if (rows.length > ROWS_MAX) throw new Error(`This file has ${rows.length} rows; a batch has at most ${ROWS_MAX}.`)
  return { headers, rows }
}

/** The column of each field, by position; -1 for none. */
export type Mapping = Record<ColumnName, number>

export function guessMapping(headers: readonly string[]): Mapping {
  const plain = headers.map((header) => header.toLowerCase().replaceAll(/[^a-z]/g, ''))
  const places = columns.map(({ name, headers: known }) => [name, plain.findIndex((header) => known.includes(header))])
  return Object.fromEntries(places)
}

export interface Row {
  /** Line number in the file; the headers are line 1. */
  line: number
  request?: EligibilityRequest
  /** Why the row cannot be checked. */
  faults: string[]
}

/** `npi` applies to rows without one. */
export function readRow(cells: readonly string[], line: number, mapping: Mapping, npi: string): Row {
  const cell = (name: ColumnName) => (mapping[name] < 0 ? '' : (cells[mapping[name]] ?? '').trim())
  const [born, day] = [readDate(cell('born')), readDate(cell('day'))]
  const provider = cell('npi') || npi.trim()
  const faults = [
    ...columns.flatMap(({ name, label, isRequired }) =>
      isRequired && name !== 'npi' && cell(name) === '' ? [`${label} is missing`] : [],
    ),
    ...(/^\d{10}$/.test(provider) ? [] : ['Provider NPI must have ten digits']),
    ...(cell('born') !== '' && born === undefined ? ['Birth date is not a valid date'] : []),
    ...(cell('day') !== '' && day === undefined ? ['Date of service is not a valid date'] : []),
    ...(cell('member') === '' && born === undefined ? ['Member ID or birth date is required'] : []),
  ]
  if (faults.length > 0) return { line, faults }
  const services = cell('services')
    .toUpperCase()
    .split(/[\s,;|]+/)
    .filter(Boolean)
  return {
    line,
    faults,
    request: {
      payer_id: cell('payer'),
      provider: { npi: provider },
      subscriber: {
        first_name: cell('first'),
        last_name: cell('last'),
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
    },
  }
}

/** 1984-02-29, or 2/29/1984 and 02-29-1984 as written in the United States, in the form of the interface. */
export function readDate(text: string): string | undefined {
  const iso = /^(\d{4})-(\d{1,2})-(\d{1,2})$/.exec(text)
  const local = /^(\d{1,2})[/-](\d{1,2})[/-](\d{4})$/.exec(text)
  const parts = iso ? [iso[1], iso[2], iso[3]] : local ? [local[3], local[1], local[2]] : undefined
  if (!parts) return undefined
  const [year = '', month = '', day = ''] = parts
  const date = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`
  const instant = new Date(`${date}T00:00:00Z`)
  return !Number.isNaN(instant.getTime()) && instant.toISOString().startsWith(date) ? date : undefined
}

export type Outcome = 'active' | 'limited' | 'inactive' | 'unknown'

export interface Finding {
  outcome: Outcome
  /** The outcome in words. */
  word: string
  reason: string
  /** Values of the payer that differ from the request. */
  changes: string[]
}

export function findingOf(check: EligibilityCheck): Finding {
  const changes = (check.request_corrections ?? []).map(
    ({ property, corrected_value }) => `${property.replaceAll(/[._]/g, ' ')}: ${corrected_value}`,
  )
  return { ...outcomeOf(check), changes }
}

function outcomeOf({ parsed_response: parsed, errors = [] }: EligibilityCheck): Omit<Finding, 'changes'> {
  const status = parsed?.eligibility_status
  const of = (outcome: Outcome, reason: string, word = lightWords[outcome]) => ({ outcome, word, reason })
  const [first] = errors
  const code = first?.errorDetails.code ?? first?.errorDetails['code?']
  const description = first?.errorDetails.description ?? first?.errorDetails['description?']
  const limits = status === 'ACTIVE' ? limitsIn(parsed?.benefits?.notes) : []
  if (limits.length > 0) return of('limited', limits.map(({ note }) => note).join('; '), limitedWord(limits))
  if (status === 'ACTIVE' && !first) return of('active', '')
  if (status === 'INACTIVE') return of('inactive', 'The payer reports that the coverage is not active.')
  const reason = explainCode(code)?.means ?? description ?? 'The payer did not state whether the coverage is active.'
  return of(status === 'ACTIVE' ? 'active' : 'unknown', reason)
}

export const needsAttention = ({ outcome, reason, changes }: Finding) =>
  outcome !== 'active' || reason !== '' || changes.length > 0

export function writeCsv(checks: readonly EligibilityCheck[]): string {
  const heads = [
    'Reference',
    'Payer ID',
    'Member ID',
    'First name',
    'Last name',
    'Birth date',
    'Status',
    'Reason',
    'Payer',
    'Plan',
    'Coverage from',
    'Coverage to',
    'Differences at payer',
  ]
  const lines = checks.map((check) => {
    const { request, parsed_response: parsed } = check
    const { word, reason, changes } = findingOf(check)
    const { subscriber } = request ?? {}
    const plan = parsed?.plan_metadata
    return [
      request?.submitter_transaction_identifier,
      request?.payer_id,
      subscriber?.member_id,
      subscriber?.first_name,
      subscriber?.last_name,
      subscriber?.date_of_birth,
      word,
      reason,
      plan?.payer_name,
      plan?.plan_name,
      plan?.start_date,
      plan?.end_date,
      changes.join('; '),
    ]
  })
  return `\uFEFF${[heads, ...lines].map((cells) => cells.map(csvCell).join(',')).join('\r\n')}\r\n`
}

/**
 * A text that a spreadsheet would evaluate as a formula, in some languages with full-width characters too, gets a leading apostrophe, because it may come from a payer or a patient. Source:
 * OWASP, CSV Injection.
 */
export function csvCell(text: string | undefined): string {
  const safe = /^[\s\p{Cf}]*[=+\-@|%＝＋－＠]|^[\t\r\n]/u.test(text ?? '') ? `'${text}` : (text ?? '')
  return /[",\r\n']/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
