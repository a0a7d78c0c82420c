import { setTimeout as wait } from 'node:timers/promises'
import type { Deps } from '../../deps.ts'
import { type BackOff, backOffMs } from '../../platform/back-off.ts'
import { isConnectionFailure, isTransientDatabaseError } from '../../platform/database/errors.ts'
import type { CheckOutcome } from '../answers/outcome.ts'
import { type OpenCheck, storeAnswers } from './check-store.ts'
import { finishCheck } from './finish-check.ts'
import { notStored } from './retry.ts'

type Needs = Pick<Deps, 'config' | 'database' | 'clearinghouses' | 'vault' | 'payers' | 'now' | 'newId'>

/** How often storing an answer with everything that follows is attempted before it is stored alone. */
const STORE_ATTEMPTS = 3
const BACK_OFF: BackOff = { firstMs: 200, longestMs: 5_000 }

/**
 * Stores an answer that must not be requested from the payer again. Storing is retried: a few times with everything that follows from the
 * answer, and as long as the database is unavailable; then the answer is stored alone, with an error that states this. Returns what was
 * stored. @throws the last database error, when `signal` ends the attempts or the check cannot be written at all.
 */
export async function finishReliably(
  deps: Needs,
  check: OpenCheck,
  outcome: CheckOutcome,
  { signal, logFailure = () => {} }: { signal: AbortSignal; logFailure?: (error: unknown) => void },
): Promise<CheckOutcome> {
  const kept = notStored(outcome)
  const alone = (stored: CheckOutcome) => storeAnswers(deps, check.organizationId, [{ check, outcome: stored }])
  const ways: [stored: CheckOutcome, attempts: number, store: (stored: CheckOutcome) => Promise<unknown>][] = [
    [outcome, STORE_ATTEMPTS, (stored) => finishCheck(deps, check, stored)],
    [kept, 1, (stored) => finishCheck(deps, check, stored)],
    [kept, 1, alone],
    [notStored({ status: 'FAILED', errors: [] }), 1, alone],
  ]
  let failure: unknown
  for (const [stored, attempts, store] of ways) {
    try {
      await insist(() => store(stored), attempts, signal)
      return stored
    } catch (error) {
      if (signal.aborted) throw error
      logFailure(error)
      failure = error
    }
  }
  throw failure
}

/** Repeats `store` up to `attempts` times, not counting failures because the database is unavailable. */
async function insist(store: () => Promise<unknown>, attempts: number, signal: AbortSignal): Promise<void> {
  let failures = 0
  for (let round = 1; ; round++) {
    try {
      await store()
      return
    } catch (error) {
      if (!isConnectionFailure(error) && !isTransientDatabaseError(error)) failures += 1
      if (failures === attempts) throw error
      await wait(backOffMs(BACK_OFF, round), undefined, { signal }).catch(() => {})
      if (signal.aborted) throw error
    }
  }
}
