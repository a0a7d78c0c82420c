// The columns that a CSV list of payers may have, under Stedi's names and ours. Source: Stedi, "List Payers CSV", of 2026-08.

import type { DirectoryPayer } from './directory-payer.ts'
import { isStediId } from './stedi-payer.ts'

/** Reads the cells of one column into a row; only called for non-empty cells. @throws Error that describes the required value. */
export interface Column {
  /** Equal for two columns with the same meaning, which is a fault in one file. */
  meaning: string
  put(row: RowParts, cell: string): void
}

/** A row while it is read, cell by cell. */
export interface RowParts {
  texts: Partial<Record<TextField, string>>
  lists: Partial<Record<ListField, string[]>>
  /** By transaction: whether it is supported, and whether it requires enrollment. */
  support: Record<string, string>
  needsEnrollment: Record<string, boolean>
  /** By transaction, Stedi's `transactionEnrollmentProcesses`. */
  processes: Record<string, Record<string, unknown>>
  ptanRequired?: boolean
}

const TEXT_FIELDS = ['stedi_id', 'primary_payer_id', 'display_name', 'parent_payer_group'] as const
const LIST_FIELDS = ['aliases', 'names', 'employer_identification_numbers', 'coverage_types', 'programs'] as const
type TextField = (typeof TEXT_FIELDS)[number]
type ListField = (typeof LIST_FIELDS)[number]

/** Additional headings of a field. */
const SYNONYMS: Partial<Record<keyof DirectoryPayer, string[]>> = {
  stedi_id: ['Stedi payer ID'],
  primary_payer_id: ['Payer ID'],
  display_name: ['Name', 'Payer name'],
  parent_payer_group: ['ParentPayerGroupName'],
}

interface Transaction {
  /** The name in `transaction_support`. */
  name: string
  headings: string[]
  /** The name in `transactionEnrollmentProcesses`. */
  process: string
  /** The prefix of its enrollment headings. */
  prefix: string
}

const transactions: Transaction[] = [
  ['eligibilityCheck', 'EligibilityInquiry', 'eligibilityInquiry'],
  ['claimStatus', 'ClaimStatusInquiry', 'claimStatusInquiry'],
  ['professionalClaimSubmission', 'ProfessionalClaim', 'professionalClaim'],
  ['institutionalClaimSubmission', 'InstitutionalClaim', 'institutionalClaim'],
  ['dentalClaimSubmission', 'DentalClaim', 'dentalClaim'],
  ['claimPayment', 'ClaimPaymentAdvice', 'claimPayment', 'ClaimPayment'],
  ['coordinationOfBenefits', 'CoordinationOfBenefits', 'coordinationOfBenefits'],
  ['unsolicitedClaimAttachment', 'ClaimAttachmentsSupport', 'unsolicitedClaimAttachment', 'ClaimAttachment'],
].map(([name = '', heading = '', process = '', prefix = heading]) => ({
  name,
  headings: [heading, name],
  process,
  prefix,
}))

/** The column with this heading, ignoring case and punctuation; undefined when no payer field has it. */
export function columnOf(heading: string): Column | undefined {
  return columns.get(plainHeading(heading))
}

const plainHeading = (heading: string) => heading.toLowerCase().replaceAll(/[^a-z0-9]/g, '')

type Headed = [heading: string, column: Column]

function headed(headings: string[], meaning: string, put: Column['put']): Headed[] {
  return headings.map((heading) => [plainHeading(heading), { meaning, put }])
}

function columnsOfTransaction({ name, headings, process, prefix }: Transaction): Headed[] {
  const detail = (suffix: string, key: string, read: (cell: string) => unknown = (cell) => cell) =>
    headed([`${prefix}Enrollment${suffix}`], `${ENROLLMENT} ${key} of ${process}`, (row, cell) => {
      row.processes[process] = { ...row.processes[process], [key]: read(cell) }
    })
  return [
    ...headed(headings, name, (row, cell) => {
      row.support[name] = readSupport(cell)
    }),
    ...headed([`${headings[0]}EnrollmentRequired`], `${name} after enrollment`, (row, cell) => {
      row.needsEnrollment[name] = readYesOrNo(cell)
    }),
    ...detail('Type', 'type'),
    ...detail('Timeframe', 'timeframe'),
    ...detail('RequestedEffectiveDate', 'requestedEffectiveDate'),
    ...detail('SupportedAggregationPreferences', 'supportedAggregationPreferences', readList),
  ]
}

/** The prefix of the meanings of columns that make up `payer_enrollment`. */
export const ENROLLMENT = 'enrollment:'

/** Columns of Stedi's list that are not part of the interface. */
const UNUSED = ['OperatingStates', 'ParentPayerGroupId', 'WebsiteUrl', 'ConciseName', 'AvatarUrl']

const columns: ReadonlyMap<string, Column> = new Map([
  ...TEXT_FIELDS.flatMap((field) =>
    headed([field, ...(SYNONYMS[field] ?? [])], field, (row, cell) => {
      row.texts[field] = field === 'stedi_id' ? readStediId(cell) : cell
    }),
  ),
  ...LIST_FIELDS.flatMap((field) =>
    headed([field], field, (row, cell) => {
      row.lists[field] = readList(cell)
    }),
  ),
  ...transactions.flatMap(columnsOfTransaction),
  ...headed(['PtanRequired'], `${ENROLLMENT} ptanRequired`, (row, cell) => {
    row.ptanRequired = readYesOrNo(cell)
  }),
  ...UNUSED.flatMap((heading) => headed([heading], heading, () => {})),
])

function readStediId(cell: string): string {
  if (!isStediId(cell)) throw new Error('must be five uppercase letters')
  return cell
}

/** `A|B|C`, as Stedi writes lists. */
function readList(cell: string): string[] {
  const parts = cell.split('|').map((part) => part.trim())
  return [...new Set(parts)].filter((part) => part !== '')
}

function readYesOrNo(cell: string): boolean {
  const text = cell.toLowerCase()
  if (text !== 'true' && text !== 'false') throw new Error('must be true or false')
  return text === 'true'
}

function readSupport(cell: string): string {
  const text = cell.toUpperCase().replaceAll(/[ -]/g, '_')
  if (text === 'TRUE') return 'SUPPORTED'
  if (text === 'FALSE') return 'NOT_SUPPORTED'
  if (['SUPPORTED', 'NOT_SUPPORTED', 'ENROLLMENT_REQUIRED'].includes(text)) return text
  throw new Error('must be true, false, SUPPORTED, NOT_SUPPORTED or ENROLLMENT_REQUIRED')
}
