// Visits for which something has changed since the service decided them, and how they are set back (withdraw-decisions.ts).
import type { Deps } from '../../deps.ts'
import { togetherOrEach } from '../../platform/database/all-organizations.ts'
import { instant } from '../../platform/database/instant.ts'
import { type NoteFailure, rethrow } from '../../platform/each-organization.ts'
import type { StoredReadinessIssue } from '../answers/coverage/readiness-issues.ts'
import type { EligibilityStatus } from '../answers/wire.ts'
import { orderOfCheck } from '../checks/order-of-checks.ts'
import { isRunning } from './claim-visits.ts'
import type { CoverageFinding } from './decide.ts'
import type { Scope } from './due-visits.ts'
import { type Basis, basisText, type FiledCoverage, isAsDecided, otherVersionsOf, type Visit } from './visit.ts'

/** `isRunning` of the row `v`. */
const IS_HELD = isRunning().replaceAll('j.', 'v.')

/**
 * The condition that the decision `v` about the appointment `a` is from before the days in which the organization `o` has its visits
 * verified, and that these have begun at `now`. A day more, because the visit may have been moved within its day.
 */
const isOutdated = (now: string) => `(o.verification and a.start_timestamp <=
        ${instant(`${now}::timestamptz + o.verification_days * interval '24 hours'`)}
      and v.begun_at < a.start_timestamp::timestamptz - (o.verification_days + 1) * interval '24 hours')`

/**
 * NOT_READY is set back only where it will be verified again, after its verification has finished, and only while no user has taken over the
 * visit. READY is set back everywhere, but one that was never verified here (a client wrote it, or copied a visit) only where it will be.
 */
const isOurs = (organizationId: 'o.id' | '$1', isAsked: string) => `(
          a.status = 'READY' and a.body ->> 'ready_source' = 'MACHINE'
            and (v.appointment_id is not null or o.verification)
          or a.status = 'NOT_READY' and v.finished_at is not null and (o.verification or ${isAsked})
            and ${isAsDecided(organizationId)}
        )`

// The coming decided visits of each organization are read from the index of statuses. Versions are compared, not times: the clocks of the
// machines may differ, or be set. `isAsked` is SQL: whether a run is for this organization alone.
const changedText = (
  organizationId: 'o.id' | '$1',
  isAsked: string,
) => `select o.id, a.id from organization o cross join lateral (
      select a.id, a.start_timestamp from appointment a
        left join appointment_verification v on v.organization_id = ${organizationId} and v.appointment_id = a.id
        join patient p on p.organization_id = ${organizationId} and p.id = a.patient_id
        ${otherVersionsOf(organizationId)}
      where a.organization_id = ${organizationId} and a.status in ('READY', 'NOT_READY') and not a.deactivated and a.start_timestamp > $2::text
        and ${IS_HELD} is not true
        and (v.basis is distinct from concat_ws(' ', a.version, others.versions) or ${isOutdated('$2')})
        and ${isOurs(organizationId, isAsked)}
      order by a.start_timestamp, a.id limit $3
    ) a
    where ${organizationId === '$1' ? 'o.id = $1' : '$1::uuid is null or o.id = $1'} order by o.id, a.start_timestamp, a.id`

const changedStatement = { name: 'verification_changed', text: changedText('o.id', '$1::uuid is not null') }
const changedOfOneStatement = { name: 'verification_changed_of_one', text: changedText('$1', '$4::boolean') }

const EVERY_ORGANIZATION = 'select id from organization'

/**
 * Coming visits that are READY by MACHINE, or NOT_READY by a verification, and whose decision is based on other versions than the current ones
 * or was made long ago: the soonest of each organization, at most `limit`.
 */
export async function listChangedDecisions(
  { systemDatabase, now }: Pick<Deps, 'systemDatabase' | 'now'>,
  { organizationId, limit, onFailure = rethrow }: Scope & { limit: number; onFailure?: NoteFailure },
): Promise<{ organizationId: string; appointmentId: string }[]> {
  const values = [now().toISOString(), limit]
  const isAsked = organizationId !== undefined
  const rows = await togetherOrEach(systemDatabase, {
    together: () => systemDatabase.rows(changedStatement, [organizationId ?? null, ...values]),
    organizations: async () =>
      isAsked ? [organizationId] : (await systemDatabase.rows(EVERY_ORGANIZATION)).map(([id = '']) => id),
    each: (id) => systemDatabase.rows(changedOfOneStatement, [id, ...values, isAsked]),
    onFailure: isAsked ? rethrow : onFailure,
  })
  return rows.map(([organization = '', appointment = '']) => ({
    organizationId: organization,
    appointmentId: appointment,
  }))
}

const holdStatement = {
  name: 'verification_hold_decided',
  text: `select v.answers::text, v.copay_cents, v.finished_at is not null, ${isOutdated('$3')}
    from appointment_verification v
      join appointment a on a.organization_id = $1 and a.id = v.appointment_id
      join organization o on o.id = v.organization_id
    where v.organization_id = $1 and v.appointment_id = $2 and not ${IS_HELD} for update of v skip locked`,
}

const existsStatement = {
  name: 'verification_exists',
  text: 'select 1 from appointment_verification where organization_id = $1 and appointment_id = $2',
}

/** Of a visit that was never verified here: it has no row to record that its state was confirmed. */
const NEVER_VERIFIED: Decided = { answers: [], copayCents: undefined, isFinished: false, isOutdated: true }

/** A verification that no process is running at the moment. */
export interface Decided {
  answers: CoverageFinding[]
  /** The estimate that it wrote to the visit, in cents. */
  copayCents: number | undefined
  /** False while a payer may still answer. */
  isFinished: boolean
  /** The decision was made longer before the visit than the organization has its visits verified, or nowhere here. */
  isOutdated: boolean
}

/** A verification, locked until the transaction of `deps` ends; undefined while another process has it. */
export async function holdDecided(
  deps: Pick<Deps, 'database' | 'now'>,
  organizationId: string,
  appointmentId: string,
): Promise<Decided | undefined> {
  const row = await deps.database.row(holdStatement, [organizationId, appointmentId, deps.now().toISOString()])
  if (!row) {
    const isHeld = await deps.database.row(existsStatement, [organizationId, appointmentId])
    return isHeld ? undefined : NEVER_VERIFIED
  }
  const [answers, copayCents, isFinished, outdated] = row
  return {
    answers: JSON.parse(answers ?? '[]') as CoverageFinding[],
    copayCents: copayCents == null ? undefined : Number(copayCents),
    isFinished: isFinished === 't',
    isOutdated: outdated === 't',
  }
}

const answerStatement = {
  name: 'verification_answer',
  text: `select id, parsed_response ->> 'eligibility_status', obstacles::text from eligibility_check
    where organization_id = $1 and appointment_id = $2 and coverage_id = $3 and request_key = decode($4, 'hex') and status = 'COMPLETED'
    order by ${orderOfCheck('eligibility_check')} desc limit 1`,
}

/** The latest answer to the inquiry with this key about a coverage of the visit. */
export async function findAnswer(
  deps: Pick<Deps, 'database'>,
  { organizationId, appointmentId }: Visit,
  { id }: FiledCoverage,
  key: string,
): Promise<{ checkId: string; status: EligibilityStatus; readinessIssues: StoredReadinessIssue[] } | undefined> {
  const row = await deps.database.row(answerStatement, [organizationId, appointmentId, id, key])
  if (!row) return undefined
  const [checkId = '', status, readinessIssues] = row
  return {
    checkId: checkId ?? '',
    status: (status ?? 'UNKNOWN') as EligibilityStatus,
    readinessIssues: JSON.parse(readinessIssues ?? '[]') as StoredReadinessIssue[],
  }
}

// Without a day it is due again (`dueVisits`), as after a move to another day.
const settleStatement = {
  name: 'verification_settle_decided',
  text: `update appointment_verification set basis = $5, finished_at = case when $4 then $3::timestamptz else finished_at end,
      date_of_service = case when $4 then '' else date_of_service end, answers = case when $4 then '[]' else answers end,
      copay_cents = case when $4 then null else copay_cents end
    where organization_id = $1 and appointment_id = $2`,
}

/** Records that a decision was reconsidered, and that the visit is due again if it was withdrawn. */
export async function settleDecided(
  deps: Pick<Deps, 'database' | 'now'>,
  about: { organizationId: string; appointmentId: string; isWithdrawn: boolean; basis: Basis },
): Promise<void> {
  const { organizationId, appointmentId, isWithdrawn, basis } = about
  const values = [organizationId, appointmentId, deps.now().toISOString(), isWithdrawn, basisText(basis)]
  await deps.database.rows(settleStatement, values)
}
