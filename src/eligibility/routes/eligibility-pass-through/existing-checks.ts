import type { Actor } from '../../../contract/actor.ts'
import type { Deps } from '../../../deps.ts'
import { SAME_AND_SUCCESSFUL } from '../../checks/check-store.ts'
import type {
  AvailityEligibilityResult,
  FindAvailityEligibilityResultsRequest,
} from './eligibility-pass-through.schema.ts'

type Needs = Pick<Deps, 'database'>

/** More checks than one visit has; the answer has no pages. */
const RESULTS_MAX = 100

const findStatement = {
  name: 'eligibility_check_existing',
  text: `select id, date_of_service, request ->> 'payer_id', request #>> '{provider,npi}',
      concat_ws(' ', request #>> '{dependent,first_name}', request #>> '{dependent,last_name}'),
      coalesce(parsed_response ->> 'eligibility_status', 'UNKNOWN')
    from eligibility_check
    where organization_id = $1 and request #>> '{subscriber,member_id}' = $2 and request ->> 'payer_id' = $3
      and request #>> '{provider,npi}' = $4 and date_of_service = $5 and ${SAME_AND_SUCCESSFUL}
    order by initiated_at desc, id desc limit ${RESULTS_MAX}`,
}

/**
 * The stored checks without errors about this member, payer, provider and day, the latest first. Our choice: the day is that of the instant
 * in UTC, because callers with a day alone send its midnight in UTC. Source: rules.md 5.
 */
export async function findExistingChecks(
  deps: Needs,
  actor: Actor,
  wanted: FindAvailityEligibilityResultsRequest,
): Promise<{ results: AvailityEligibilityResult[] }> {
  const { member_id, payer_id, provider_npi, date_of_service } = wanted
  const day = date_of_service.slice(0, 10)
  const rows = await deps.database.rows(findStatement, [actor.organizationId, member_id, payer_id, provider_npi, day])
  return {
    results: rows.map(([id = '', dateOfService = '', payerId = '', providerNPI = '', dependent, status]) => ({
      id,
      // In the form of the request; the published client also reads it as an instant.
      dateOfService: `${dateOfService}T00:00:00.000Z`,
      payerId,
      providerNPI,
      ...(dependent?.trim() && { dependent: dependent.trim() }),
      status: status as AvailityEligibilityResult['status'],
    })),
  }
}
