// The stored checks of an encounter in the form of the interface.
import type { Static } from 'typebox'
import { isUuid } from '../../../contract/formats.ts'
import type { Deps } from '../../../deps.ts'
import type { TextRow } from '../../../platform/database/database.ts'
import { CHUNK_BYTES } from '../../../records/read-all.ts'
import type { EligibilitySource, EncounterEligibility } from './encounter-eligibility.schema.ts'

type Needs = Pick<Deps, 'database' | 'clearinghouses'>

/** Our choice: this many of the latest checks are shown; an appointment has a handful. */
const CHECKS_SHOWN = 1000

const checksStatement = {
  name: 'encounter_checks',
  // A request may be nearly as large as a body, and the newest checks are those that matter.
  maxBytes: CHUNK_BYTES,
  text: `select id, date_of_service, request ->> 'payer_id', request #>> '{provider,npi}',
      case when request ? 'dependent' then trim(concat(request #>> '{dependent,first_name}', ' ', request #>> '{dependent,last_name}')) end,
      parsed_response ->> 'eligibility_status', errors::text
    from eligibility_check where organization_id = $1 and appointment_id = $2 and ($3::uuid is null or id = $3)
    order by initiated_at desc, id desc limit ${CHECKS_SHOWN}`,
}

/** The newest checks of an appointment, up to a thousand and about a megabyte; none if there is no such appointment. */
export async function readEncounterChecks(
  deps: Needs,
  organizationId: string,
  appointmentId: string,
  checkId?: string,
): Promise<Static<typeof EncounterEligibility>[]> {
  if (!isUuid(appointmentId)) return []
  const rows = await deps.database.rows(checksStatement, [organizationId, appointmentId, checkId ?? null])
  return Promise.all(rows.map((row) => toEncounterEligibility(deps, organizationId, row)))
}

/** A check without a payer or a provider names none. */
async function toEncounterEligibility(deps: Needs, organizationId: string, row: TextRow) {
  const [id, dateOfService, payerId, npi, dependent, status, errors] = row as (string | null)[]
  return {
    id: id ?? '',
    source: await sourceOf(deps, organizationId, payerId ?? ''),
    dateOfService: dateOfService ?? '',
    payerId: payerId ?? '',
    providerNPI: npi ?? '',
    ...(dependent != null && { dependent: { name: dependent } }),
    status: (status ?? 'UNKNOWN') as Static<typeof EncounterEligibility>['status'],
    errors: errors == null ? [] : JSON.parse(errors),
  }
}

/**
 * The source of the payer's connector: only Availity's returns coverages in Availity's own form. Our choice: connectors with X12 count as
 * STEDI, because the interface has no name for them.
 */
async function sourceOf(
  deps: Needs,
  organizationId: string,
  payerId: string,
): Promise<Static<typeof EligibilitySource>> {
  const { clearinghouse } = await deps.clearinghouses.forPayer(organizationId, payerId)
  return clearinghouse.fetchCoverage ? 'AVAILITY' : 'STEDI'
}
