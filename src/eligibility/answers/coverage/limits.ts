// What limits the active coverage that a payer reports, so that ACTIVE is never shown without its limit. Source: x12-271.md 5, rule 7;
// decisions/0068-limits-of-active-coverage.md.
import { ALERT_KINDS, ALERTS, isAlert, kindOfAlert, withoutAlert } from '../../../contract/answer-notes.ts'
import type { ParsedResponse } from '../wire.ts'
import { isProhibition } from './qualified-beneficiary.ts'

/**
 * - COVERAGE: the coverage is for some services only, or does not include the service of the inquiry, or another fact of the answer.
 * - OTHER_PAYER: another payer is primary, or a plan pays instead of the inquired program.
 * - SPEND_DOWN: the patient owes an amount before the coverage pays.
 * - IDENTITY: the payer has different identity data, or questions the person.
 * - CHANGED: the coverage or its patient was changed since, so that the answer, of any status, is not about the data that are stored now.
 *   No answer states it.
 */
export const LIMIT_KINDS = [...ALERT_KINDS, 'CHANGED'] as const

export interface CoverageLimit {
  kind: (typeof LIMIT_KINDS)[number]
  /** The payer's statement, or what was changed, in plain words. */
  note: string
}

/** The alerts of an ACTIVE answer with their kinds; none of another answer. A prohibition to bill the patient limits no coverage. */
export function limitsOf(parsed: Pick<ParsedResponse, 'eligibility_status' | 'benefits'> | undefined): CoverageLimit[] {
  if (parsed?.eligibility_status !== 'ACTIVE') return []
  const lines = parsed.benefits?.notes?.split('\n') ?? []
  const notes = lines.filter((line) => isAlert(line) && !isProhibition(line)).map(withoutAlert)
  return notes.map((note) => ({ kind: kindOfAlert(note), note }))
}

/** ACTIVE in words. Different identity data does not limit the coverage, but leaves open whose it is. */
export function wordOfActive(limits: readonly CoverageLimit[]): string {
  if (limits.length === 0) return 'Active'
  return limits.every(({ kind }) => kind === 'IDENTITY') ? 'Active, not confirmed' : 'Active, but limited'
}

/** The limits that remain where the payer that comes first is filed before the coverage, as it should be. */
export function withoutFiledPayer(limits: readonly CoverageLimit[]): CoverageLimit[] {
  return limits.filter(({ note }) => !FIRST_PAYERS.some((beginning) => note.startsWith(beginning)))
}

const FIRST_PAYERS = [ALERTS.otherPayer, ALERTS.beforeMedicare]
