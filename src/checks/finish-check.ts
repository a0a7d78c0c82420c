// What follows from a check's answer, with the answer or not at all. Source: rules.md 10.3, 13.8.
import type { Deps } from '../deps.ts'
import type { CheckOutcome } from '../eligibility/check.ts'
import { type OpenCheck, storeAnswer } from './check-store.ts'

/** Stores the answer and what follows from it; false when the check was taken from this holder meanwhile, who changes nothing. */
export async function finishCheck(deps: Deps, check: OpenCheck, outcome: CheckOutcome): Promise<boolean> {
  return storeAnswer(deps, check, outcome)
}
