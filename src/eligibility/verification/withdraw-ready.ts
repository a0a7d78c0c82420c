// Sets a visit back to PENDING when it is READY by MACHINE on an answer that no longer concerns it: the visit was moved; the patient's
// identity, the coverage, its place in the filing order, or the organization's NPI, time zone or services changed; or the payer has since
// refused the coverage. It is then verified again like a new one. Source: rules.md 17; decisions/0010-verification.md.
import type { Deps } from '../../deps.ts'
import { takeTurn } from '../../platform/event-loop.ts'
import type { LogFailure } from '../../platform/failure-log.ts'
import { updateRecord } from '../../records/store.ts'
import { appointment } from '../../resources/appointments/appointment.ts'
import { applyStatusRules } from '../../resources/appointments/status-rules.ts'
import type { MutableCoverage } from '../../resources/coverages/coverage.schema.ts'
import { holdBasis, keyOf, readCheckKeys } from './basis.ts'
import { type Finished, holdFinished, listChangedReady, settleFinished } from './ready-visits.ts'
import type { CoverageFinding, Scope } from './verification-store.ts'
import { readVisit, systemActor, type Visit, withoutEstimate } from './visit.ts'

type Needs = Pick<
  Deps,
  'config' | 'database' | 'systemDatabase' | 'vault' | 'now' | 'newId' | 'clearinghouses' | 'payers' | 'breaker'
>

/** How many visits of an organization a run reconsiders: after a change of thousands of records, other organizations wait some seconds. */
const AT_A_TIME = 500

interface Run extends Scope {
  logFailure: LogFailure
  signal?: AbortSignal | undefined
}

/** Withdraws the visits of the scope whose answer no longer concerns them. A visit that fails is tried again by the next run. */
export async function withdrawReady(deps: Needs, { logFailure, signal, ...scope }: Run): Promise<void> {
  for (const visit of await listChangedReady(deps, { ...scope, limit: AT_A_TIME })) {
    if (signal?.aborted) return
    await takeTurn(visit.organizationId)
    await reconsider(deps, visit).catch((error: Error) => {
      logFailure('a READY visit could not be reconsidered', error, { appointmentId: visit.appointmentId })
    })
  }
}

/** A visit that another process verifies or reconsiders is left to it. */
function reconsider(deps: Needs, about: { organizationId: string; appointmentId: string }): Promise<void> {
  const { organizationId, appointmentId } = about
  return deps.database.transaction(async (database) => {
    const inTransaction = { ...deps, database }
    const finished = await holdFinished(inTransaction, organizationId, appointmentId)
    const seen = finished && (await readVisit(inTransaction, organizationId, appointmentId))
    if (!seen) return
    await holdBasis(inTransaction, seen)
    // The lock may have waited for a user's change.
    const visit = await readVisit(inTransaction, organizationId, appointmentId)
    if (!visit || !isReadyByMachine(visit)) return
    const isWithdrawn = !(await stillHolds(inTransaction, visit, finished.answers))
    if (isWithdrawn) await writePending(inTransaction, visit, finished)
    await settleFinished(inTransaction, { organizationId, appointmentId, isWithdrawn, basis: visit })
  })
}

function isReadyByMachine({ isDeactivated, body: { status, ready_source } }: Visit): boolean {
  return !isDeactivated && status === 'READY' && ready_source === 'MACHINE'
}

/** True when there is an answer to exactly the inquiry that would be sent about each coverage now, and none of the payer against it since. */
async function stillHolds(deps: Needs, visit: Visit, answers: readonly CoverageFinding[]): Promise<boolean> {
  const { organizationId, coverages } = visit
  if (coverages.length === 0 || coverages.length !== answers.length) return false
  const keys = await readCheckKeys(
    deps,
    organizationId,
    answers.flatMap(({ check_id }) => check_id ?? []),
  )
  return coverages.every((coverage, place) => {
    const { coverage_id, check_id = '', finding } = answers[place]!
    if (coverage_id !== coverage.id || finding !== 'ACTIVE') return false
    const key = keyOf(visit, coverage)
    return (
      key !== undefined &&
      keys.get(check_id) === key &&
      !isRefusedSince(coverage.body.latest_eligibility_check, check_id)
    )
  })
}

/** Our own codes for an answer about another person (eligibility/answers/read-answer.ts). */
const ABOUT_OTHERS: ReadonlySet<string | undefined> = new Set(['PATIENT_MISMATCH', 'PATIENT_NOT_NAMED'])
/** AAA03 of a payer that cannot answer now, which says nothing about the coverage. Source: x12-271.md 8. */
const OUTAGES: ReadonlySet<string | undefined> = new Set(['42', '79', '80'])

/**
 * Another check is the latest of the coverage by now (decisions/0088-order-of-checks.md), and in it the payer denied it or did not find the
 * person; a timeout leaves the earlier answer standing.
 */
function isRefusedSince(latest: MutableCoverage['latest_eligibility_check'], checkId: string): boolean {
  if (!latest || latest.check_id === checkId || latest.status === 'ACTIVE') return false
  if (latest.status === 'INACTIVE') return true
  return (latest.errors ?? []).some(
    ({ field, code }) => ABOUT_OTHERS.has(code) || (field === 'AAA' && !OUTAGES.has(code)),
  )
}

/** A copay that came from the answer goes with it. */
async function writePending(deps: Needs, visit: Visit, { copayCents }: Finished): Promise<void> {
  const {
    status: _,
    ready_source: _source,
    automated_eligibility_check_complete: _complete,
    ...rest
  } = withoutEstimate(visit.body, copayCents)
  const body = applyStatusRules({ ...rest, status: 'PENDING' })
  const target = { id: visit.appointmentId, expectedVersion: visit.version, body }
  await updateRecord(deps, appointment, systemActor(visit.organizationId), target)
}
