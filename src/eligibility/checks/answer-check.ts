// One stored check from inquiry to answer. Source: rules.md 13; clearinghouse.md A3.
import { setTimeout as wait } from 'node:timers/promises'
import type { Connection } from '../../clearinghouses/clearinghouses.ts'
import type { Config } from '../../config.ts'
import type { Actor } from '../../contract/actor.ts'
import type { EligibilityRequest } from '../../contract/eligibility-check.schema.ts'
import type { Deps } from '../../deps.ts'
import type { LateWork } from '../../platform/database/leases/late-work.ts'
import { calendarDay } from '../../records/calendar.ts'
import { type CheckOutcome, failedCheck } from '../answers/outcome.ts'
import type { CheckRequest } from '../inquiries/check-inquiry.ts'
import { runCheck } from '../inquiries/run-check.ts'
import { checkLeases } from './check-queue.ts'
import { type FieldNames, requireAskable, toCheckRequest, withIsoDates } from './check-request.ts'
import { type CheckSubject, type OpenCheck, openCheck } from './check-store.ts'
import { finishReliably } from './finish-reliably.ts'
import { finishForCaller } from './finish-together.ts'
import { findInquiryNames } from './inquiry-names.ts'
import type { InquiryResult } from './payer-breaker.ts'
import { givenUp, retryDelayMs } from './retry.ts'

type Needs = Pick<Deps, 'config' | 'database' | 'clearinghouses' | 'breaker' | 'vault' | 'payers' | 'now' | 'newId'>
/** What asking a payer and storing the answer needs. */
export type AnsweringNeeds = Needs & Pick<Deps, 'background'>

/** How long after the clearinghouse's timeout the queue takes over a check whose process was killed while a caller waited. */
const HOLD_MARGIN_MS = 30_000
/** While a caller waits, a failed transmission is retried this often, with pauses no longer than this. */
const ATTEMPTS_WHILE_WAITING = 3
const LONGEST_PAUSE_WHILE_WAITING_MS = 5_000
/** How long a caller waits for an answer to be stored while the database is unavailable; then the caller gets an error. */
const STORING_LIMIT_MS = 10_000
/** How long it is retried after that; then the queue sends the inquiry again. */
const STORING_LATER_LIMIT_MS = 60 * 60_000

/** The inquiry with its defaults filled in, and when it was initiated. */
interface PreparedInquiry {
  request: EligibilityRequest
  asked: CheckRequest
  initiatedAt: Date
}

/**
 * Fills in the defaults: today in the organization's calendar, service type 30. @throws BadRequestError for a request that cannot be sent,
 * with the fields in the caller's names.
 */
export async function prepareInquiry(
  deps: Needs,
  actor: Actor,
  sent: EligibilityRequest,
  fieldNames?: FieldNames,
): Promise<PreparedInquiry> {
  const initiatedAt = deps.now()
  const today = await calendarDay(deps, actor.organizationId, initiatedAt.toISOString())
  const request = withIsoDates(sent)
  const asked = toCheckRequest(request, today)
  requireAskable(asked, fieldNames)
  return { request, asked, initiatedAt }
}

/** How long a check belongs to the caller who waits for its answer. Nothing renews this lease. */
const callersHoldMs = ({ CLEARINGHOUSE_TIMEOUT_MS }: Pick<Config, 'CLEARINGHOUSE_TIMEOUT_MS'>) =>
  CLEARINGHOUSE_TIMEOUT_MS + HOLD_MARGIN_MS

/**
 * Checks that wait for too long. One that a caller waits for stays the caller's: shortened to the lease of a worker, its inquiry was sent a second time while
 * a slow payer still worked on the first. decisions/0092-clocks-that-are-set-back.md
 */
export const lateChecks = (config: Pick<Config, 'CLEARINGHOUSE_TIMEOUT_MS'>): LateWork =>
  checkLeases.late(callersHoldMs(config))

/** Stores a check for a caller who waits for its answer. */
export function beginCheck(
  deps: Needs,
  actor: Actor,
  inquiry: PreparedInquiry,
  subject: CheckSubject = {},
): Promise<OpenCheck> {
  return openCheck(deps, actor, { ...inquiry, holdMs: callersHoldMs(deps.config) }, subject)
}

/**
 * Sends the inquiry for a waiting caller, and stores the answer with everything that follows from it. A failure before the payer was
 * reached is retried within the caller's time; the payer's own answer is final. `through` overrides the connector of the routes.
 */
export async function answerCheck(deps: AnsweringNeeds, check: OpenCheck, through?: Connection): Promise<CheckOutcome> {
  const connection = through ?? (await deps.clearinghouses.forPayer(check.organizationId, check.asked.payerId))
  const signal = AbortSignal.timeout(deps.config.CLEARINGHOUSE_TIMEOUT_MS)
  // Any error of a connector ends the check: the caller decides whether to repeat it.
  const outcome = await ask(deps, check, { connection, signal, attempts: ATTEMPTS_WHILE_WAITING }).catch(givenUp)
  return finishForCaller(deps, { check, outcome }).then(
    () => outcome,
    () => finishWithin(deps, check, outcome),
  )
}

/** Stores the answer in the background when the caller has waited long enough: the payer has answered, and is not asked again. */
async function finishWithin(deps: AnsweringNeeds, check: OpenCheck, outcome: CheckOutcome): Promise<CheckOutcome> {
  const signal = AbortSignal.timeout(STORING_LIMIT_MS)
  try {
    return await finishReliably(deps, check, outcome, { signal })
  } catch (error) {
    if (signal.aborted) {
      const later = finishReliably(deps, check, outcome, { signal: AbortSignal.timeout(STORING_LATER_LIMIT_MS) })
      deps.background.carry(later, async () => {})
    }
    throw error
  }
}

interface AskingOptions {
  connection: Connection
  signal: AbortSignal
  /** True when no caller waits for the answer. */
  withoutResponse?: boolean
  /** Called when the payer has answered, before the answer is read, unless it is large. */
  whenAnswered?(): void
}

/** Sends the inquiry, up to `attempts` times in a row; a payer with an open circuit gets none. */
export async function ask(
  deps: Needs,
  check: OpenCheck,
  { connection, attempts, ...options }: AskingOptions & { attempts: number },
): Promise<CheckOutcome> {
  const { signal } = options
  const payer = {
    organizationId: check.organizationId,
    connection: connection.name,
    payerId: check.asked.payerId,
  }
  const openForMs = deps.breaker.waitMs(payer)
  if (openForMs > 0) return circuitOpen(openForMs)
  let outcome = await askOnce(deps, check, connection, options)
  for (let attempt = 1; attempt < attempts && (await pause(attempt, outcome, signal)); attempt++) {
    outcome = await askOnce(deps, check, connection, options)
  }
  deps.breaker.record(payer, resultOf(outcome), connection.breakAfter ?? BREAK_AFTER)
  return outcome
}

/** A payer that does not answer takes the places of its connector; the checks that wait behind it are not outages of their payers. */
function resultOf({ outage }: CheckOutcome): InquiryResult {
  if (outage?.isOurs) return 'ours'
  return outage ? 'outage' : 'answer'
}

async function askOnce(
  deps: Needs,
  check: OpenCheck,
  connection: Connection,
  options: Omit<AskingOptions, 'connection'>,
): Promise<CheckOutcome> {
  const { id, controlNumber, asked, portal, organizationId } = check
  const { clearinghouse } = connection
  return runCheck(clearinghouse, asked, {
    names: await findInquiryNames(deps, { organizationId, clearinghouse, payerId: asked.payerId }),
    organizationId,
    checkId: id,
    controlNumber,
    at: deps.now(),
    ...options,
    ...(portal && { portal }),
  })
}

/** Waits before the next attempt; false when there is none. */
async function pause(attempt: number, { outage }: CheckOutcome, signal: AbortSignal): Promise<boolean> {
  if (!outage || outage.isAnswered) return false
  const pauseMs = outage.afterMs ?? retryDelayMs(attempt, outage) / 4
  if (pauseMs > LONGEST_PAUSE_WHILE_WAITING_MS) return false
  await wait(pauseMs, undefined, { signal }).catch(() => {})
  return !signal.aborted
}

/** Consecutive outages after which a payer's circuit opens, unless its connector specifies another number. */
const BREAK_AFTER = 20

function circuitOpen(forMs: number): CheckOutcome {
  const seconds = Math.ceil(forMs / 1000)
  return {
    ...failedCheck({
      code: 'PAYER_UNAVAILABLE',
      description: `the payer did not answer the latest checks and gets no inquiries for the next ${seconds} s`,
    }),
    outage: { afterMs: forMs, isAnswered: false },
  }
}
