// The results of a batch of checks, on the screen and as CSV.

import { PROHIBITION } from '../../../src/contract/answer-notes.ts'
import type { EligibilityCheck } from '../api/generated.ts'
import { limitsIn, notesOf } from './benefits.ts'
import { lightWords, limitedWord, statusNotesIn } from './light.ts'
import { capital } from './names.ts'
import { explainCode } from './reject-words.ts'

export type Outcome = 'active' | 'limited' | 'inactive' | 'unknown'

interface Finding {
  outcome: Outcome
  /** The outcome in words. */
  word: string
  reason: string
  /** The patient may not be billed. */
  isBillingProhibited: boolean
  /** Values of the payer that differ from the request. */
  changes: string[]
}

export function findingOf(check: EligibilityCheck): Finding {
  const changes = (check.request_corrections ?? []).map(
    ({ property, corrected_value }) => `${property.replaceAll(/[._]/g, ' ')}: ${corrected_value}`,
  )
  const { prohibitsBilling: isBillingProhibited } = notesOf(check.parsed_response?.benefits?.notes)
  return { ...outcomeOf(check), isBillingProhibited, changes }
}

type Told = Pick<Finding, 'outcome' | 'word' | 'reason'>

function outcomeOf({ parsed_response: parsed, errors = [] }: EligibilityCheck): Told {
  const status = parsed?.eligibility_status
  const of = (outcome: Outcome, reason: string, word = lightWords[outcome]) => ({ outcome, word, reason })
  const [first] = errors
  const code = first?.errorDetails.code ?? first?.errorDetails['code?']
  const description = first?.errorDetails.description ?? first?.errorDetails['description?']
  const notes = status === 'ACTIVE' ? parsed?.benefits?.notes : undefined
  const limits = limitsIn(notes)
  if (limits.length > 0) return of('limited', limits.map(({ note }) => note).join('; '), limitedWord(limits))
  if (status === 'ACTIVE' && !first) return of('active', statusNotesIn(notes).join('; '))
  if (status === 'INACTIVE') {
    const why = notesOf(parsed?.benefits?.notes).alerts.find((alert) => alert.startsWith('not in force '))
    return of('inactive', why ? capital(why) : 'The payer reports that the coverage is not active.')
  }
  const reason = explainCode(code)?.means ?? description ?? 'The payer did not state whether the coverage is active.'
  return of(status === 'ACTIVE' ? 'active' : 'unknown', reason)
}

export const needsAttention = ({ outcome, reason, isBillingProhibited, changes }: Finding) =>
  outcome !== 'active' || reason !== '' || isBillingProhibited || changes.length > 0

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
    const { word, reason, isBillingProhibited, changes } = findingOf(check)
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
      [isBillingProhibited ? PROHIBITION : '', reason].filter(Boolean).join('; '),
      plan?.payer_name,
      plan?.plan_name,
      plan?.start_date,
      plan?.end_date,
      changes.join('; '),
    ]
  })
  return csvOf([heads, ...lines])
}

export const csvOf = (rows: readonly (readonly (string | undefined)[])[]) =>
  `\uFEFF${rows.map((cells) => cells.map(csvCell).join(',')).join('\r\n')}\r\n`

/**
 * Where a spreadsheet would read a formula, in some languages with full-width characters too: at the start of a cell, and behind a semicolon, tab or line
 * break, where a spreadsheet of another language begins a cell regardless of the quotation marks. Source: OWASP, CSV Injection.
 */
const FORMULA = /(^|[;\t\r\n])((?:(?![\t\r\n])[\s\p{Cf}])*[=+\-@|%＝＋－＠])/gu

/** A text that came from a payer or a patient, as a cell that holds no formula: an apostrophe stands before what would begin one. */
export function csvCell(text = ''): string {
  const guarded = text.replaceAll(FORMULA, "$1'$2")
  const safe = /^[\t\r\n]/.test(guarded) ? `'${guarded}` : guarded
  return /[",;\t\r\n']/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

/** The text of a cell that `csvCell` wrote. */
export const readCell = (cell: string): string => cell.replace(/^'(?=[\s\p{Cf}]*[=+\-@|%＝＋－＠])/u, '')
