// One attempt of a worker at a check of the queue.
import type { Deps } from '../../deps.ts'
import { withFault } from '../../platform/database/leases/leases.ts'
import type { LogFailure } from '../../platform/failure-log.ts'
import type { CheckOutcome } from '../answers/outcome.ts'
import { ask } from './answer-check.ts'
import { answerFromExisting, checkLeases, type TakenCheck } from './check-queue.ts'
import { FAULTS_MAX, faultDelayMs, givenUp, nextAttemptInMs } from './retry.ts'

type Needs = Pick<
  Deps,
  'config' | 'database' | 'systemDatabase' | 'clearinghouses' | 'breaker' | 'vault' | 'payers' | 'now' | 'newId'
>

interface Options {
  /** No inquiry is sent after it; the check is released. */
  stopping: AbortSignal
  /** Called when the payer has answered, before the answer is read, unless it is large. */
  whenAnswered(): void
  logFailure: LogFailure
}

/**
 * Asks the payer once. Resolves to the outcome that is to be stored; undefined when there is nothing to store: an existing check has answered
 * this one, or it was released for a later attempt. @throws the database error when the check cannot be released.
 */
export function attemptCheck(deps: Needs, check: TakenCheck, options: Options): Promise<CheckOutcome | undefined> {
  return attempt(deps, check, options).catch((error: unknown) => setBack(deps, check, error, options.logFailure))
}

async function attempt(
  deps: Needs,
  check: TakenCheck,
  { stopping, whenAnswered }: Options,
): Promise<CheckOutcome | undefined> {
  if (check.unreadable) throw check.unreadable
  // Every earlier attempt was lost with its process.
  if (check.faults >= FAULTS_MAX) return givenUp()
  if (await answerFromExisting(deps, check)) return undefined
  const connection = await deps.clearinghouses.forPayer(check.organizationId, check.asked.payerId)
  if (stopping.aborted) {
    await checkLeases.release(deps, [check], { delayMs: 0 })
    return undefined
  }
  const outcome = await withDeadline(deps.config.CLEARINGHOUSE_TIMEOUT_MS, (signal) =>
    ask(deps, check, { connection, signal, attempts: 1, withoutResponse: true, whenAnswered }),
  )
  const delayMs = nextAttemptInMs(check, outcome, { retryForMs: connection.retryForMs, now: deps.now() })
  if (delayMs === undefined) return outcome
  await checkLeases.release(deps, [check], { delayMs, faults: 0 })
  return undefined
}

/** After a failure on our side: postpones the check, or returns the error that ends it. */
async function setBack(
  deps: Needs,
  check: TakenCheck,
  error: unknown,
  logFailure: LogFailure,
): Promise<CheckOutcome | undefined> {
  logFailure('a check could not be answered', error, { checkId: check.id })
  const faults = withFault(check, error)
  if (faults >= FAULTS_MAX) return givenUp(error)
  await checkLeases.release(deps, [check], { delayMs: faultDelayMs(faults), faults })
  return undefined
}

/** A timer that ends with the work: otherwise thousands of answered checks would leave theirs running until the deadline. */
async function withDeadline<T>(ms: number, work: (deadline: AbortSignal) => Promise<T>): Promise<T> {
  const ending = new AbortController()
  const timer = setTimeout(() => ending.abort(new DOMException('the deadline has passed', 'TimeoutError')), ms)
  return work(ending.signal).finally(() => clearTimeout(timer))
}
