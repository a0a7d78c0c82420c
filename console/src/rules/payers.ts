// What the directory says about a payer before anything is asked. Source: eligibility/users.md 12.
import type { StediPayer } from '../api/generated.ts'

const warnings: Readonly<Record<string, string>> = {
  NOT_SUPPORTED: 'no eligibility checks',
  ENROLLMENT_REQUIRED: 'enrollment required before checks',
}

/** Why a check with this payer cannot succeed; undefined when it can, or when the directory does not say. */
export function checkWarning({
  transaction_support: support,
}: Pick<StediPayer, 'transaction_support'>): string | undefined {
  const { eligibilityCheck } = (support ?? {}) as { eligibilityCheck?: unknown }
  return typeof eligibilityCheck === 'string' ? warnings[eligibilityCheck] : undefined
}
