// A batch of checks between a file of rows and what comes back of it.
import { parse } from 'csv-parse/browser/esm/sync'
import type { EligibilityCheck, EligibilityRequest } from '../api/generated.ts'
import { explainCode } from './reject-words.ts'

export interface Column {
  name: ColumnName
  label: string
  isRequired: boolean
  /** Headers that mean it, in lower case without anything but letters. */
  headers: readonly string[]
}

export type ColumnName = 'payer' | 'member' | 'first' | 'last' | 'born' | 'npi' | 'day' | 'services' | 'reference'

export const columns: readonly Column[] = [
  { name: 'payer', label: 'Payer id', isRequired: true, headers: ['payerid', 'payer', 'insuranceid'] },
  {
    name: 'member',
    label: 'Member id',
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
  { name: 'npi', label: 'NPI of the provider', isRequired: true, headers: ['npi', 'providernpi'] },
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

export interface CsvFile {
  headers: string[]
  rows: string[][]
}

export const ROWS_MAX = 10_000

/** @throws Error in words, for a file that is no table. */
export function readCsv(text: string): CsvFile {
  let lines: string[][]
  try {
    lines = parse(text, { bom: true, skip_empty_lines: true, relax_column_count: true, trim: true }) as string[][]
  } catch {
    throw new Error('This file cannot be read as CSV: a quotation mark stands where none may be.')
  }
  const [headers = [], ...rows] = lines
  if (rows.length === 0) throw new Error('This file has no rows under its headers.')
  if (rows.length > ROWS_MAX) throw new Error(`This file has ${rows.length} rows; a batch has at most ${ROWS_MAX}.`)
  return { headers, rows }
}

/** Which column of the file stands for which field, by position; -1 for none. */
export type Mapping = Record<ColumnName, number>

export function guessMapping(headers: readonly string[]): Mapping {
  const plain = headers.map((header) => header.toLowerCase().replaceAll(/[^a-z]/g, ''))
  const places = columns.map(({ name, headers: known }) => [name, plain.findIndex((header) => known.includes(header))])
  return Object.fromEntries(places)
}

export interface Row {
  /** In the file, the headers being 1. */
  line: number
  request?: EligibilityRequest
  /** Why it cannot be asked about. */
  faults: string[]
}

/** `npi` is for rows that name none. */
export function readRow(cells: readonly string[], line: number, mapping: Mapping, npi: string): Row {
  const cell = (name: ColumnName) => (mapping[name] < 0 ? '' : (cells[mapping[name]] ?? '').trim())
  const [born, day] = [readDate(cell('born')), readDate(cell('day'))]
  const provider = cell('npi') || npi.trim()
  const faults = [
    ...columns.flatMap(({ name, label, isRequired }) =>
      isRequired && name !== 'npi' && cell(name) === '' ? [`${label} is missing`] : [],
    ),
    ...(/^\d{10}$/.test(provider) ? [] : ['NPI of the provider must have ten digits']),
    ...(cell('born') !== '' && born === undefined ? ['Birth date is no date'] : []),
    ...(cell('day') !== '' && day === undefined ? ['Date of service is no date'] : []),
    ...(cell('member') === '' && born === undefined ? ['Member id or birth date is needed'] : []),
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

/** 1984-02-29, 2/29/1984 or 02-29-1984, as people of the United States write it, in the form of the interface. */
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

export type Outcome = 'active' | 'inactive' | 'unknown'

export interface Finding {
  outcome: Outcome
  reason: string
  /** What the payer has otherwise than it was asked. */
  changes: string[]
}

export function findingOf({
  parsed_response: parsed,
  errors = [],
  request_corrections: corrections = [],
}: EligibilityCheck): Finding {
  const status = parsed?.eligibility_status
  const [first] = errors
  const code = first?.errorDetails.code ?? first?.errorDetails['code?']
  const description = first?.errorDetails.description ?? first?.errorDetails['description?']
  const changes = corrections.map(
    ({ property, corrected_value }) => `${property.replaceAll(/[._]/g, ' ')}: ${corrected_value}`,
  )
  if (status === 'ACTIVE' && !first) return { outcome: 'active', reason: '', changes }
  if (status === 'INACTIVE')
    return { outcome: 'inactive', reason: 'The payer says that the coverage is not active.', changes }
  const reason = explainCode(code)?.means ?? description ?? 'The payer did not say whether the coverage is active.'
  return { outcome: status === 'ACTIVE' ? 'active' : 'unknown', reason, changes }
}

export const needsAttention = ({ outcome, reason, changes }: Finding) =>
  outcome !== 'active' || reason !== '' || changes.length > 0

const OUTCOME_WORDS: Record<Outcome, string> = { active: 'Active', inactive: 'Not active', unknown: 'Not known' }

export function writeCsv(checks: readonly EligibilityCheck[]): string {
  const heads = [
    'Reference',
    'Payer id',
    'Member id',
    'First name',
    'Last name',
    'Birth date',
    'Status',
    'Reason',
    'Payer',
    'Plan',
    'Coverage from',
    'Coverage to',
    'Payer has otherwise',
  ]
  const lines = checks.map((check) => {
    const { request, parsed_response: parsed } = check
    const { outcome, reason, changes } = findingOf(check)
    const { subscriber } = request ?? {}
    const plan = parsed?.plan_metadata
    return [
      request?.submitter_transaction_identifier,
      request?.payer_id,
      subscriber?.member_id,
      subscriber?.first_name,
      subscriber?.last_name,
      subscriber?.date_of_birth,
      OUTCOME_WORDS[outcome],
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
 * A text that a spreadsheet would take for a formula gets an apostrophe before it: whoever wrote it, a payer or a patient, must not have
 * it computed. Source: OWASP, CSV Injection.
 */
export function csvCell(text: string | undefined): string {
  const safe = /^[\s]*[=+\-@|%]|^[\t\r\n]/.test(text ?? '') ? `'${text}` : (text ?? '')
  return /[",\r\n']/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
