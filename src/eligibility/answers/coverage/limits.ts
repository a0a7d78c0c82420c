// What limits the active coverage that a payer reports, so that ACTIVE is never shown without its limit. Source: x12-271.md 5, rule 7;
// decisions/0068-limits-of-active-coverage.md.
import { isCaution, withoutCaution } from '../benefits/benefit-notes.ts'
import type { ParsedResponse } from '../wire.ts'
import { isProhibition } from './qualified-beneficiary.ts'

/** The beginnings of cautions, by which they are recognized in a stored answer. */
export const CAUTIONS = {
  otherPayer: 'another payer is primary',
  beforeMedicare: 'pays before Medicare',
  advantage: 'Medicare Advantage pays instead of Original Medicare',
  managedCare: 'a managed care plan pays instead of Medicaid',
  spendDown: 'spend-down not met',
  investigation: 'the payer is still investigating the coverage',
  correction: 'confirm with the patient',
  doubt: "the payer questions the patient's identity",
} as const

/**
 * - COVERAGE: the coverage is for some services only, or does not include the service of the inquiry, or another fact of the answer.
 * - OTHER_PAYER: another payer is primary, or a plan pays instead of the inquired program.
 * - SPEND_DOWN: the patient owes an amount before the coverage pays.
 * - IDENTITY: the payer has different identity data, or questions the person.
 * - CHANGED: the coverage or its patient was changed since, so that the answer, of any status, is not about the data that are stored now.
 *   No answer states it.
 */
export const LIMIT_KINDS = ['COVERAGE', 'OTHER_PAYER', 'SPEND_DOWN', 'IDENTITY', 'CHANGED'] as const

export interface Limit {
  kind: (typeof LIMIT_KINDS)[number]
  /** The payer's statement, or what was changed, in plain words. */
  note: string
}

const KINDS: readonly (readonly [string, Limit['kind']])[] = [
  [CAUTIONS.otherPayer, 'OTHER_PAYER'],
  [CAUTIONS.beforeMedicare, 'OTHER_PAYER'],
  [CAUTIONS.advantage, 'OTHER_PAYER'],
  [CAUTIONS.managedCare, 'OTHER_PAYER'],
  [CAUTIONS.spendDown, 'SPEND_DOWN'],
  [CAUTIONS.correction, 'IDENTITY'],
  [CAUTIONS.doubt, 'IDENTITY'],
]

/** The limits of an answer; none unless it is ACTIVE. A prohibition to bill the patient is a caution, but limits no coverage. */
export function limitsOf(parsed: Pick<ParsedResponse, 'eligibility_status' | 'benefits'> | undefined): Limit[] {
  if (parsed?.eligibility_status !== 'ACTIVE') return []
  const lines = parsed.benefits?.notes?.split('\n') ?? []
  const notes = lines.filter((line) => isCaution(line) && !isProhibition(line)).map(withoutCaution)
  return notes.map((note) => ({
    kind: KINDS.find(([beginning]) => note.startsWith(beginning))?.[1] ?? 'COVERAGE',
    note,
  }))
}

/** ACTIVE in words. Different identity data does not limit the coverage, but leaves open whose it is. */
export function wordOfActive(limits: readonly Limit[]): string {
  if (limits.length === 0) return 'Active'
  return limits.every(({ kind }) => kind === 'IDENTITY') ? 'Active, not confirmed' : 'Active, but limited'
}

/** The limits that remain where the payer that comes first is filed before the coverage, as it should be. */
export function withoutFiledPayer(limits: readonly Limit[]): Limit[] {
  return limits.filter(({ note }) => !FIRST_PAYERS.some((beginning) => note.startsWith(beginning)))
}

const FIRST_PAYERS = [CAUTIONS.otherPayer, CAUTIONS.beforeMedicare]
