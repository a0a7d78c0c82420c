// The results of a batch of checks, on the screen and as CSV.
import type { EligibilityCheck } from '../api/generated.ts'
import { limitsIn } from './benefits.ts'
import { lightWords, limitedWord } from './light.ts'
import { explainCode } from './reject-words.ts'

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
  return csvOf([heads, ...lines])
}

export const csvOf = (rows: readonly (readonly (string | undefined)[])[]) =>
  `\uFEFF${rows.map((cells) => cells.map(csvCell).join(',')).join('\r\n')}\r\n`

/**
 * A text that a spreadsheet would evaluate as a formula, in some languages with full-width characters too, gets a leading apostrophe, because it may come from a payer or a patient. Source:
 * OWASP, CSV Injection.
 */
export function csvCell(text: string | undefined): string {
  const safe = /^[\s\p{Cf}]*[=+\-@|%＝＋－＠]|^[\t\r\n]/u.test(text ?? '') ? `'${text}` : (text ?? '')
  return /[",\r\n']/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
