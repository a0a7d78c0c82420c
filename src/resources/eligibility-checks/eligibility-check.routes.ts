import type { Deps } from '../../deps.ts'
import { runCheck } from '../../eligibility/check.ts'
import { type Actor, endpoint } from '../../http/endpoint.ts'
import type { Route } from '../../records/endpoints.ts'
import { resource } from '../../records/resource.ts'
import { checkKey, toCheckRequest } from './check-request.ts'
import { findSame, storeOutcome, storeQuestion, toWire } from './check-store.ts'
import { EligibilityCheck, EligibilityRequest } from './eligibility-check.schema.ts'
import { getMulti } from './list-checks.ts'

const check: Route = (deps, base) =>
  endpoint({
    operation: 'post',
    method: 'POST',
    path: base,
    summary: 'Asks the payer in real time. A check that fails is still a 200; the reasons stand in `errors`.',
    body: EligibilityRequest,
    answer: EligibilityCheck,
    errors: [],
    handle: ({ actor, body }) => checkEligibility(deps, actor, body),
  })

/** Stores the question, asks, stores the answer. Source: rules.md 13.1 to 13.5. */
async function checkEligibility(deps: Deps, actor: Actor, request: EligibilityRequest): Promise<string | object> {
  const initiatedAt = deps.now()
  const asked = toCheckRequest(request, await today(deps, actor, initiatedAt))
  const key = checkKey(asked)
  const { dateOfService } = asked
  const after = request.get_existing_check_initiated_after
  const existing = after === undefined ? undefined : await findSame(deps, actor, key, after)
  if (existing !== undefined) return existing

  const { id, controlNumber } = await storeQuestion(deps, actor, { request, key, dateOfService, initiatedAt })
  const { clearinghouse } = await deps.clearinghouses.forPayer(actor.organizationId, asked.payerId)
  const outcome = await runCheck(clearinghouse, asked, { checkId: id, controlNumber, at: initiatedAt })
  await storeOutcome(deps, actor, id, outcome)
  return toWire(request, outcome)
}

const todayStatement = {
  name: 'organization_today',
  text: `select to_char($2::timestamptz at time zone time_zone, 'YYYY-MM-DD') from organization where id = $1`,
}

/** The day that the organization's calendar shows. */
async function today(deps: Deps, actor: Actor, at: Date): Promise<string> {
  const row = await deps.database.row(todayStatement, [actor.organizationId, at.toISOString()])
  return row?.[0] ?? at.toISOString().slice(0, 10)
}

export const eligibilityChecks = resource('/eligibility-checks/v1', 'eligibilityChecks', [
  check, // POST   /
  getMulti, // GET    /get-multi/
])
