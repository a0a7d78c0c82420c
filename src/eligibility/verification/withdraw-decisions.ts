// Sets a visit back to PENDING when the basis of its decision no longer holds: the visit was moved; the patient's identity, the
// coverage, its place in the filing order, or the organization's NPI, time zone or services changed; the payer has since stated the contrary
// about the coverage; or the decision was made long before the visit. It is then verified again like a new one. A READY visit must be
// covered, and a NOT_READY one must have a reason that still holds. Source: rules.md 17; decisions/0105-what-a-decision-rests-on.md.
import type { Deps } from '../../deps.ts'
import type { NoteFailure } from '../../platform/each-organization.ts'
import { takeTurn } from '../../platform/event-loop.ts'
import type { LogFailure } from '../../platform/failure-log.ts'
import { updateRecord } from '../../records/store.ts'
import { appointment } from '../../resources/appointments/appointment.ts'
import { applyStatusRules } from '../../resources/appointments/status-rules.ts'
import { holdBasis, keyOf, readCheckKeys } from './basis.ts'
import { findCopayCents, readRecommendations } from './check-recommendations.ts'
import { type Decided, findAnswer, holdDecided, listChangedDecisions, settleDecided } from './decided-visits.ts'
import type { Scope } from './due-visits.ts'
import { filedBefore, findingOfCoverage } from './findings.ts'
import { isContradicted } from './later-checks.ts'
import { readVisit, systemActor, type Visit, withoutEstimate } from './visit.ts'

type Needs = Pick<
  Deps,
  'config' | 'database' | 'systemDatabase' | 'vault' | 'now' | 'newId' | 'clearinghouses' | 'payers' | 'breaker'
>

/** How many visits of an organization a run reconsiders: after a change of thousands of records, other organizations wait some seconds. */
const AT_A_TIME = 500

interface Run extends Scope {
  logFailure: LogFailure
  /** Of an organization whose visits cannot be read. */
  onFailure: NoteFailure
  signal?: AbortSignal | undefined
}

/** Withdraws the visits of the scope whose answer no longer concerns them. A visit that fails is tried again by the next run. */
export async function withdrawDecisions(deps: Needs, { logFailure, signal, ...scope }: Run): Promise<void> {
  for (const visit of await listChangedDecisions(deps, { ...scope, limit: AT_A_TIME })) {
    if (signal?.aborted) return
    await takeTurn(visit.organizationId)
    await reconsider(deps, visit).catch((error: Error) => {
      logFailure('a decided visit could not be reconsidered', error, { appointmentId: visit.appointmentId })
    })
  }
}

/** A visit that another process verifies or reconsiders is left to it. */
function reconsider(deps: Needs, about: { organizationId: string; appointmentId: string }): Promise<void> {
  const { organizationId, appointmentId } = about
  return deps.database.transaction(async (database) => {
    const inTransaction = { ...deps, database }
    const decided = await holdDecided(inTransaction, organizationId, appointmentId)
    const seen = decided && (await readVisit(inTransaction, organizationId, appointmentId))
    if (!seen) return
    await holdBasis(inTransaction, seen)
    // The lock may have waited for a user's change.
    const visit = await readVisit(inTransaction, organizationId, appointmentId)
    const stillHolds = visit && !visit.isDeactivated && holdingOf(visit, decided)
    if (!stillHolds) return
    const isWithdrawn = decided.isOutdated || !(await stillHolds(inTransaction, visit, decided))
    if (isWithdrawn) await writePending(inTransaction, visit, decided)
    await settleDecided(inTransaction, { organizationId, appointmentId, isWithdrawn, basis: visit })
  })
}

type Holding = (deps: Needs, visit: Visit, decided: Decided) => Promise<boolean>

/** How to determine whether the visit's decision still holds; undefined when its status is not the service's. */
function holdingOf({ body, isAsDecided }: Visit, { isFinished }: Decided): Holding | undefined {
  if (body.status === 'READY' && body.ready_source === 'MACHINE') return isStillReady
  return body.status === 'NOT_READY' && isFinished && isAsDecided ? isStillNotReady : undefined
}

/**
 * True when the payer has answered exactly the inquiry that would be sent about each coverage now, the coverage is active, and nothing has
 * been stated against it since. The estimate must be the primary coverage's: another one may have been the primary when it was written.
 */
async function isStillReady(deps: Needs, visit: Visit, { copayCents }: Decided): Promise<boolean> {
  for (const [place, coverage] of visit.coverages.entries()) {
    const key = keyOf(visit, coverage)
    const answer = key === undefined ? undefined : await findAnswer(deps, visit, coverage, key)
    if (!answer) return false
    const { finding } = findingOfCoverage(answer.status, answer.readinessIssues, filedBefore(visit, coverage))
    if (finding !== 'ACTIVE') return false
    if (place === 0 && !(await statesEstimate(deps, visit, answer.checkId, copayCents))) return false
    if (await isContradicted(deps, visit, coverage, { check_id: answer.checkId, finding })) return false
  }
  return visit.coverages.length > 0
}

/** True when the visit's estimate is the check's, is a user's (other than `copayCents`), or is missing. */
async function statesEstimate(deps: Needs, visit: Visit, checkId: string, copayCents?: number): Promise<boolean> {
  const { estimated_copay_cents: estimate } = visit.body
  if (estimate === undefined || estimate !== copayCents) return true
  const recommended = await readRecommendations(deps, visit.organizationId, [checkId])
  return findCopayCents(recommended.get(checkId) ?? []) === estimate
}

/** True when the same inquiries would be sent, and no check by a user has had another finding since. */
async function isStillNotReady(deps: Needs, visit: Visit, { answers }: Decided): Promise<boolean> {
  const { organizationId, coverages } = visit
  if (coverages.length !== answers.length) return false
  const checkIds = answers.flatMap(({ check_id }) => check_id ?? [])
  const keys = await readCheckKeys(deps, organizationId, checkIds)
  for (const [place, coverage] of coverages.entries()) {
    const { coverage_id, check_id = '', finding } = answers[place]!
    if (coverage_id !== coverage.id || keys.get(check_id) !== keyOf(visit, coverage)) return false
    if (await isContradicted(deps, visit, coverage, { check_id, finding, isNotReady: true })) return false
  }
  return true
}

/** What came from the answer goes with it: the copay, the reason, and the work queue of NOT_READY. */
async function writePending(deps: Needs, visit: Visit, { copayCents }: Decided): Promise<void> {
  const {
    status: _,
    ready_source: _source,
    work_queue: _queue,
    automated_eligibility_check_complete: _complete,
    ...rest
  } = withoutEstimate(visit.body, copayCents)
  const body = applyStatusRules({ ...rest, status: 'PENDING' })
  const target = { id: visit.appointmentId, expectedVersion: visit.version, body }
  await updateRecord(deps, appointment, systemActor(visit.organizationId), target)
}
