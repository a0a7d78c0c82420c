// What is stored about the verification of an appointment (decisions/0010-verification.md).

import type { Deps } from '../../deps.ts'
import { instant } from '../../platform/database/instant.ts'
import type { StoredReadinessIssue } from '../answers/coverage/readiness-issues.ts'
import { orderOfCheck } from '../checks/order-of-checks.ts'
import { type Claim, isRunning, visitLeases } from './claim-visits.ts'
import { type CoverageFinding, isFinal } from './decide.ts'
import { type Basis, basisText } from './visit.ts'

type Needs = Pick<Deps, 'database' | 'now'>

const stateStatement = {
  name: 'verification_state',
  text: `select json_strip_nulls(json_build_object('appointment_id', j.appointment_id,
      'state', case when ${isRunning()} then 'RUNNING' when j.finished_at is null then 'WAITING' else 'DONE' end,
      'begun_at', ${instant('j.begun_at')},
      'next_attempt_at', case when j.finished_at is null and o.verification and not ${isRunning()} then ${instant('j.due_at')} end,
      'coverages', j.answers, 'status', coalesce(a.status, 'PENDING'), 'not_ready_reason', a.not_ready_reason))::text
    from appointment_verification j join appointment a on a.organization_id = $1 and a.id = j.appointment_id
      join organization o on o.id = j.organization_id
    where j.organization_id = $1 and j.appointment_id = $2`,
}

/** The state of an appointment's verification, as JSON; undefined when it was never taken up. */
export async function readVerification(
  deps: Pick<Deps, 'database'>,
  organizationId: string,
  appointmentId: string,
): Promise<string | undefined> {
  return (await deps.database.row(stateStatement, [organizationId, appointmentId]))?.[0] ?? undefined
}

const holdStatement = {
  name: 'verification_hold',
  text: `select 1 from appointment_verification j where ${visitLeases.isHeldBy} for update`,
}

/** Locks the appointment's lease until the transaction of `deps` ends; false when another worker holds it already. */
export async function holdClaim(deps: Needs, claim: Claim): Promise<boolean> {
  return (await deps.database.row(holdStatement, keyOf(claim))) !== undefined
}

const settleStatement = {
  name: 'verification_settle',
  text: `update appointment_verification j set answers = $4::jsonb, written_version = coalesce($5::integer, j.written_version),
      ${visitLeases.releasing('coalesce($6::bigint, 0)')}, retries = j.retries + ($6::bigint is not null)::integer,
      finished_at = case when $6::bigint is null then $7::timestamptz end, basis = coalesce($8, j.basis), copay_cents = $9::bigint
    where ${visitLeases.isHeldBy}`,
}

/** Releases the appointment: for good, or for `againInMs`. Changes nothing for a former holder. */
export async function settleClaim(
  deps: Needs,
  claim: Claim,
  result: {
    findings: CoverageFinding[]
    writtenVersion?: number | undefined
    againInMs?: number | undefined
    /** The basis of the decision; without it the earlier one stays. */
    basis?: Basis | undefined
    /** The estimate that the visit has now; undefined when its copay is a user's, or when it has none. */
    copayCents: number | undefined
  },
): Promise<void> {
  const answers = result.findings
    .filter(({ finding }) => isFinal(finding))
    .map(({ coverage_id, check_id, finding }) => ({ coverage_id, check_id, finding }))
  const { writtenVersion, againInMs, basis, copayCents } = result
  await deps.database.rows(settleStatement, [
    ...keyOf(claim),
    JSON.stringify(answers),
    writtenVersion ?? null,
    againInMs === undefined ? null : Math.round(againInMs),
    deps.now().toISOString(),
    basis ? basisText(basis) : null,
    copayCents ?? null,
  ])
}

function keyOf({ organizationId, id, attempt }: Claim): unknown[] {
  return [organizationId, id, attempt]
}

const earlierStatement = {
  name: 'verification_earlier_check',
  text: `select id, status, parsed_response ->> 'eligibility_status', obstacles::text, encode(request_key, 'hex') from eligibility_check
    where organization_id = $1 and appointment_id = $2 and coverage_id = $3 and date_of_service = $4 and initiated_at >= $5
    order by ${orderOfCheck('eligibility_check')} desc limit 1`,
}

interface EarlierCheck {
  checkId: string
  status: string
  eligibility: string | undefined
  readinessIssues: StoredReadinessIssue[]
  /** Of the inquiry (`keyOf`). */
  key: string
}

/** The latest check of this verification about a coverage: a killed worker may have left it answered, or open for the queue. */
export async function findEarlierCheck(
  deps: Needs,
  claim: Claim,
  coverageId: string,
): Promise<EarlierCheck | undefined> {
  const { organizationId, id, dateOfService, begunAt } = claim
  const values = [organizationId, id, coverageId, dateOfService, begunAt]
  const row = await deps.database.row(earlierStatement, values)
  const readinessIssues = JSON.parse(row?.[3] ?? '[]') as EarlierCheck['readinessIssues']
  const key = row?.[4] ?? ''
  return row && { checkId: row[0] ?? '', status: row[1] ?? '', eligibility: row[2] ?? undefined, readinessIssues, key }
}
