import { ClearinghouseError, type StediJson } from '../../../clearinghouses/clearinghouse.ts'
import { textOf } from '../../../clearinghouses/json-values.ts'
import type { Actor } from '../../../contract/actor.ts'
import type { Deps } from '../../../deps.ts'
import { endpoint } from '../../../platform/http/endpoint.ts'
import { resource } from '../../../records/resource.ts'
import { type BareError, bareError, bareErrors, bareFailure } from '../../answers/rejections/bare-errors.ts'
import { askDiscovery } from '../../inquiries/shown-answers.ts'
import { answerDeadline } from '../request-fields.ts'
import { toDiscoveryInquiry } from './discovery-request.ts'
import * as schemas from './insurance-discovery.schema.ts'
import { InsuranceDiscoveryRequest, InsuranceDiscoveryResponse } from './insurance-discovery.schema.ts'

type Needs = Pick<Deps, 'clearinghouses'>

const discoverInsurance = endpoint({
  operation: 'insuranceDiscovery',
  method: 'POST',
  path: '/insurance-discovery',
  summary: 'Searches for coverages of a patient whose payer is unknown. A failed search is still a 200, with `errors`.',
  body: InsuranceDiscoveryRequest,
  answer: InsuranceDiscoveryResponse,
  errors: [],
  handle: (deps: Needs, { actor, body }) => discover(deps, actor, body),
})

/** Nothing is stored: a search is not about a coverage of the organization, and it may contain an SSN. */
async function discover(
  deps: Needs,
  actor: Actor,
  request: InsuranceDiscoveryRequest,
): Promise<InsuranceDiscoveryResponse> {
  const inquiry = toDiscoveryInquiry(request)
  const { clearinghouse } = await deps.clearinghouses.standard(actor.organizationId)
  if (!clearinghouse.discoverInsurance) return nothingFound(notOffered)
  try {
    const signal = answerDeadline()
    const { organizationId } = actor
    return toWire(await askDiscovery(clearinghouse.discoverInsurance, inquiry, { organizationId, signal }))
  } catch (error) {
    if (!(error instanceof ClearinghouseError)) throw error
    return nothingFound(bareFailure(error))
  }
}

const notOffered = bareError({
  code: 'NOT_OFFERED',
  description: 'The clearinghouse of this organization does not offer insurance discovery',
})

/** A search always ends here: the interface has no operation for the rest of a PENDING one. Source: rules.md 13.10. */
function nothingFound(error: BareError): InsuranceDiscoveryResponse {
  return { status: 'COMPLETE', items: [], coverages_found: 0, errors: [error] }
}

/** Items are passed on unchanged. */
function toWire(found: StediJson): InsuranceDiscoveryResponse {
  const items = Array.isArray(found.items) ? found.items : []
  const errors = bareErrors(found.errors)
  const id = textOf(found.discoveryId)
  return {
    ...(id !== undefined && { discovery_id: id }),
    status: 'COMPLETE',
    items,
    coverages_found: Number.isInteger(found.coveragesFound) ? Number(found.coveragesFound) : items.length,
    ...(errors.length > 0 && { errors }),
  }
}

export const insuranceDiscovery = resource({
  path: '/eligibility-checks/v1',
  group: 'eligibilityChecks',
  schemas,
  routes: [
    discoverInsurance, // POST   /insurance-discovery
  ],
})
