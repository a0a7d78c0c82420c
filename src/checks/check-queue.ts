// Pending checks are the queue (decisions/0009-check-queue.md). Any number of processes take from it: a taken check is out of
// the others' sight while its holder lives, and comes back soon after its holder has died.
import { actText } from '../audit/act.ts'
import type { TextRow } from '../database/database.ts'
import { instant } from '../database/instant.ts'
import type { Deps } from '../deps.ts'
import type { EligibilityRequest } from '../resources/eligibility-checks/eligibility-check.schema.ts'
import { placeOfCheck } from './check-place.ts'
import { toCheckRequest } from './check-request.ts'
import { answeredEvent, answerer, type OpenCheck, portalOf, SAME_AND_SUCCESSFUL, STILL_PENDING } from './check-store.ts'

/** How long a taken check stays out of sight unless its holder says that it is still at work. */
export const LEASE_MS = 20_000

/** A check in the hands of a worker. */
export interface TakenCheck extends OpenCheck {
  /** An earlier check of the same that was initiated after this may answer it instead (rules.md 13.5). */
  existingAfter?: string
}

// Every organization has its turn: the longest batch of one does not hold up the others. A lateral join reads the partial index
// of each, and what another process has just taken is skipped, not waited for.
const takeStatement = {
  name: 'check_queue_take',
  text: `with due as (
      select c.organization_id, c.id, row_number() over (partition by c.organization_id order by c.due_at) as turn
      from organization o cross join lateral (
        select organization_id, id, due_at from eligibility_check
        where organization_id = o.id and status = 'PENDING' and due_at <= now()
        order by due_at limit $1 for update skip locked
      ) c
    ),
    taken as (select organization_id, id from due order by turn limit $1)
    update eligibility_check e set attempt = attempt + 1, due_at = now() + $2 * interval '1 millisecond'
    from taken where e.organization_id = taken.organization_id and e.id = taken.id
    returning e.organization_id, e.id, e.user_id, ${instant('e.initiated_at')}, e.attempt, e.request::text,
      e.date_of_service, e.coverage_id, e.appointment_id, nextval('interchange_control_number')`,
}

/** Takes up to `limit` checks that are due, of any organization. */
export async function takeChecks(deps: Deps, limit: number): Promise<TakenCheck[]> {
  const rows = await deps.acrossOrganizations.rows(takeStatement, [limit, LEASE_MS])
  return rows.map((row) => toTaken(deps, row))
}

function toTaken(deps: Deps, row: TextRow): TakenCheck {
  const [organizationId = '', id = '', userId = '', initiatedAt = '', attempt, text = '', day = '', ...rest] = row
  const [coverageId, appointmentId, controlNumber] = rest as (string | null)[]
  const request = JSON.parse(text) as EligibilityRequest
  const { portal_password: sealed, get_existing_check_initiated_after: existingAfter, ...others } = request
  const place = placeOfCheck({ organizationId, id }, 'request.portal_password')
  const password = sealed === undefined ? undefined : deps.vault.tryDecrypt(sealed, place)
  return {
    organizationId,
    id,
    userId,
    initiatedAt: new Date(initiatedAt),
    attempt: Number(attempt),
    controlNumber: Number(controlNumber),
    asked: toCheckRequest(request, day),
    // One that cannot be opened any more is not sent at all.
    ...portalOf(password === undefined ? others : { ...others, portal_password: password }),
    ...(coverageId && { coverageId }),
    ...(appointmentId && { appointmentId }),
    ...(existingAfter !== undefined && { existingAfter }),
  }
}

const postponeStatement = {
  name: 'check_queue_postpone',
  text: `update eligibility_check e set due_at = now() + held.delay * interval '1 millisecond'
    from unnest($1::uuid[], $2::uuid[], $3::integer[], $4::bigint[]) as held (organization_id, id, attempt, delay)
    where e.organization_id = held.organization_id and e.id = held.id and e.attempt = held.attempt and ${STILL_PENDING}`,
}

/** Sets when checks that are still in this holder's hands are next due; those that were taken from it stay as they are. */
export async function postponeChecks(deps: Deps, checks: OpenCheck[], delayMs: number): Promise<void> {
  if (checks.length === 0) return
  await deps.acrossOrganizations.rows(postponeStatement, [
    checks.map(({ organizationId }) => organizationId),
    checks.map(({ id }) => id),
    checks.map(({ attempt }) => attempt),
    checks.map(() => Math.round(delayMs)),
  ])
}

const answerFromStatement = {
  name: 'check_queue_answer_from',
  text: `with answered as (
    update eligibility_check e set status = s.status, completed_at = now(), response = s.response,
      parsed_response = s.parsed_response, request_corrections = s.request_corrections
    from (
      select * from eligibility_check same where same.organization_id = $1 and ${SAME_AND_SUCCESSFUL}
        and same.initiated_at > $4 and same.id <> $2
        and same.request_key = (select request_key from eligibility_check where organization_id = $1 and id = $2)
      order by same.initiated_at desc limit 1
    ) s
    where e.organization_id = $1 and e.id = $2 and e.attempt = $3 and ${STILL_PENDING} returning e.id, e.coverage_id
    ),
    ${answeredEvent('$5')}
    select id from answered`,
}

/** Answers a check from the latest successful one that asked the same after an instant (rules.md 13.5); false where there is none. */
export async function answerFromExisting(deps: Deps, check: TakenCheck): Promise<boolean> {
  if (check.existingAfter === undefined) return false
  const { organizationId, id, attempt, existingAfter } = check
  const act = actText(answerer(organizationId), 'eligibility_check.answer')
  return (await deps.database.row(answerFromStatement, [organizationId, id, attempt, existingAfter, act])) !== undefined
}
