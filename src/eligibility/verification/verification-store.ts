// Selects appointments for verification, leases them to workers, and stores the results (decisions/0010-verification.md).

import type { Deps } from '../../deps.ts'
import type { TextRow } from '../../platform/database/database.ts'
import { instant } from '../../platform/database/instant.ts'
import { type Hold, LEASE_END, leasesOf } from '../../platform/database/leases.ts'
import type { StoredReadinessIssue } from '../answers/coverage/readiness-issues.ts'
import { orderOfCheck } from '../checks/order-of-checks.ts'
import { type Finding, isFinal } from './decide.ts'
import { type Basis, basisText, isAsDecided } from './visit.ts'

type Needs = Pick<Deps, 'database' | 'systemDatabase' | 'now'>

/** The organization, and how many days ahead. */
export interface Scope {
  /** Without it: every organization that has enabled the verification. */
  organizationId?: string
  /** Without it: the number of days that the organization has set. */
  days?: number
}

/** The finding about one coverage, or why there is none. */
export interface CoverageFinding {
  coverage_id: string
  finding: Finding
  /** Absent when no inquiry was sent. */
  check_id?: string
  /** The reason, for the user; contains no value of the patient. */
  detail?: string
  /** The delay that the clearinghouse requests, in milliseconds. */
  afterMs?: number
}

/** The lease of an appointment. */
export const visitLeases = leasesOf({
  table: 'appointment_verification',
  key: 'appointment_id',
  isOpen: 'j.finished_at is null',
})

/** An appointment held under a lease: `id` is the appointment's. */
export interface Claim extends Hold {
  /** Consecutive earlier holders that failed or were killed. */
  faults: number
  dateOfService: string
  begunAt: string
  retries: number
  answers: CoverageFinding[]
  /** The estimate that a verification wrote to the visit last, in cents. */
  copayCents: number | undefined
}

/** A live holder has the row `j`. */
export const IS_RUNNING = '(j.held and j.finished_at is null and j.due_at > now())'

/**
 * The appointments to take up, of $1 or of all that have it enabled, $2 days ahead of $3: PENDING ones that never were verified, or only
 * for another day, and those with open inquiries whose status no user has changed since. A lateral join reads those days of each organization from
 * the index of starts, regardless of the planner's estimates.
 */
const dueVisits = `select o.id as organization_id, a.id, a.start_timestamp as start, a.day, a.is_known,
      row_number() over (partition by o.id order by a.start_timestamp, a.id) as turn
    from organization o cross join lateral (
      select a.id, a.start_timestamp, day.day, v.appointment_id is not null as is_known
      from appointment a
        cross join lateral (select (a.start_timestamp::timestamptz at time zone o.time_zone)::date::text) day (day)
        left join appointment_verification v on v.organization_id = o.id and v.appointment_id = a.id
      where a.organization_id = o.id and not a.deactivated and a.start_timestamp > $3::text and a.start_timestamp <=
          ${instant("$3::timestamptz + coalesce($2::integer, o.verification_days) * interval '24 hours'")}
        and (
          a.status = 'PENDING' and (v.appointment_id is null or v.finished_at is not null and v.date_of_service <> day.day)
          or v.finished_at is null and v.due_at <= now() and (a.status = 'PENDING' or ${isAsDecided('o.id')})
        )
      offset 0
    ) a
    where case when $1::uuid is null then o.verification else o.id = $1 end`

/** When a verification begins: earlier checks do not count, even if the clock of another process was ahead of this one's. */
const beginning = (organizationId: string, appointmentId: string, now: string) =>
  `greatest(${now}::timestamptz, (select max(c.initiated_at) + interval '1 ms' from eligibility_check c
        where c.organization_id = ${organizationId} and c.appointment_id = ${appointmentId}))`

const CLAIM_COLUMNS = `j.organization_id, j.appointment_id, j.attempt, j.date_of_service, ${instant('j.begun_at')}, j.retries,
      j.answers::text, j.faults, j.copay_cents`

// One worker inserts a new row, and the others wait for it, so all insert in the order of the keys (decisions/0021-lock-order.md).
// One worker locks an existing row, and the others skip it. Organizations take turns.
const claimStatement = {
  name: 'verification_claim',
  text: `with due as (${dueVisits}),
    next as (select * from due where organization_id <> all($5::uuid[]) order by turn, start limit $4),
    fresh as (
      insert into appointment_verification as j (organization_id, appointment_id, date_of_service, begun_at, attempt, held, due_at)
      select organization_id, id, day, $3::timestamptz, 1, true, ${LEASE_END} from next where not is_known
      order by organization_id, id
      on conflict do nothing returning ${CLAIM_COLUMNS}
    ),
    known as (
      select v.organization_id, v.appointment_id, next.day, v.date_of_service <> next.day as is_moved,
        case when v.date_of_service <> next.day then ${beginning('v.organization_id', 'v.appointment_id', '$3')} end as begun_at
      from next join appointment_verification v on v.organization_id = next.organization_id and v.appointment_id = next.id
      where next.is_known and (v.finished_at is null and v.due_at <= now() or v.finished_at is not null and v.date_of_service <> next.day)
      for update of v skip locked
    ),
    again as (
      update appointment_verification j set ${visitLeases.taking}, date_of_service = known.day, finished_at = null,
        begun_at = coalesce(known.begun_at, j.begun_at),
        retries = case when known.is_moved then 0 else j.retries end,
        answers = case when known.is_moved then '[]' else j.answers end
      from known where j.organization_id = known.organization_id and j.appointment_id = known.appointment_id
      returning ${CLAIM_COLUMNS}
    )
    select (select count(*) from next), claimed.* from (select) always
      left join (select * from fresh union all select * from again) claimed on true`,
}

/** Attempts, because other workers may take the same appointments first. */
const TRIES = 5

/** Takes up to `limit` appointments, none of `except`. An empty result means that nothing is due. */
export async function claimVisits(
  deps: Needs,
  scope: Scope,
  { limit, except = [] }: { limit: number; except?: string[] },
): Promise<Claim[]> {
  for (let attempt = 0; attempt < TRIES; attempt++) {
    const rows = await deps.systemDatabase.rows(claimStatement, [...scopeValues(deps, scope), limit, except])
    const claims = rows.filter(([, organizationId]) => organizationId !== null).map(([, ...row]) => toClaim(row))
    if (claims.length > 0 || rows[0]?.[0] === '0') return claims
  }
  return []
}

// A leased appointment is not taken. The given version counts as written by a verification, so that it may be replaced.
const claimOneStatement = {
  name: 'verification_claim_one',
  text: `insert into appointment_verification as j
      (organization_id, appointment_id, date_of_service, begun_at, attempt, held, due_at, written_version)
    values ($1, $2, $3, ${beginning('$1', '$2', '$4')}, 1, true, ${LEASE_END}, $5)
    on conflict (organization_id, appointment_id) do update set ${visitLeases.taking}, date_of_service = excluded.date_of_service,
      begun_at = excluded.begun_at, retries = 0, answers = '[]', written_version = excluded.written_version, finished_at = null
    where not ${IS_RUNNING}
    returning ${CLAIM_COLUMNS}`,
}

/** Takes one appointment in the version that was read, to be verified from the beginning; undefined while another worker verifies it. */
export async function claimVisit(
  deps: Needs,
  visit: { organizationId: string; appointmentId: string; dateOfService: string; version: number },
): Promise<Claim | undefined> {
  const { organizationId, appointmentId, dateOfService, version } = visit
  const values = [organizationId, appointmentId, dateOfService, deps.now().toISOString(), version]
  const row = await deps.database.row(claimOneStatement, values)
  return row && toClaim(row)
}

const stateStatement = {
  name: 'verification_state',
  text: `select json_strip_nulls(json_build_object('appointment_id', j.appointment_id,
      'state', case when ${IS_RUNNING} then 'RUNNING' when j.finished_at is null then 'WAITING' else 'DONE' end,
      'begun_at', ${instant('j.begun_at')},
      'next_attempt_at', case when j.finished_at is null and o.verification and not ${IS_RUNNING} then ${instant('j.due_at')} end,
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

const dueStatement = {
  name: 'verification_due',
  text: `select organization_id, id from (${dueVisits}) due order by organization_id, start, id`,
}

/** The visits that `claimVisits` would take, without taking them. */
export async function listDueVisits(
  deps: Needs,
  scope: Scope,
): Promise<{ organizationId: string; appointmentId: string }[]> {
  const rows = await deps.systemDatabase.rows(dueStatement, scopeValues(deps, scope))
  return rows.map(([organizationId = '', appointmentId = '']) => ({ organizationId, appointmentId }))
}

function scopeValues(deps: Needs, { organizationId, days }: Scope): unknown[] {
  return [organizationId ?? null, days ?? null, deps.now().toISOString()]
}

function toClaim(row: TextRow): Claim {
  const [organizationId = '', id = '', attempt, dateOfService = '', begunAt = '', retries, answers = '[]', ...rest] =
    row
  const [faults, copayCents] = rest as (string | null)[]
  return {
    organizationId,
    id,
    attempt: Number(attempt),
    faults: Number(faults),
    dateOfService,
    begunAt,
    retries: Number(retries),
    answers: JSON.parse(answers) as CoverageFinding[],
    copayCents: copayCents == null ? undefined : Number(copayCents),
  }
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
