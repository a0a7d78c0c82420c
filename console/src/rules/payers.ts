// What the directory says about a payer before anything is asked. Source: eligibility/users.md 12.
import type { StediPayer } from '../api/generated.ts'

const warnings: Readonly<Record<string, string>> = {
  NOT_SUPPORTED: 'no eligibility checks',
  ENROLLMENT_REQUIRED: 'enrollment required before checks',
}

const NOT_STATED = 'not stated'

/** What the directory says about checks with this payer, also when it says nothing. */
export function checkSupport(payer: Pick<StediPayer, 'transaction_support'>): string {
  return checkWarning(payer) ?? (statedFor(payer) === 'SUPPORTED' ? 'supported' : NOT_STATED)
}

/** Why a check with this payer cannot succeed; undefined when it can, or when the directory does not say. */
export function checkWarning(payer: Pick<StediPayer, 'transaction_support'>): string | undefined {
  return warnings[statedFor(payer) ?? '']
}

function statedFor({ transaction_support: support }: Pick<StediPayer, 'transaction_support'>): string | undefined {
  const { eligibilityCheck } = (support ?? {}) as { eligibilityCheck?: unknown }
  return typeof eligibilityCheck === 'string' ? eligibilityCheck : undefined
}
