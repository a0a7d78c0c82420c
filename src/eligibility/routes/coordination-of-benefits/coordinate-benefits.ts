import { type Clearinghouse, ClearinghouseError, type CobInquiry } from '../../../clearinghouses/clearinghouse.ts'
import type { Actor } from '../../../contract/actor.ts'
import type { Deps } from '../../../deps.ts'
import { endpoint } from '../../../platform/http/endpoint.ts'
import { calendarDay } from '../../../records/calendar.ts'
import { resource } from '../../../records/resource.ts'
import { bareFailure } from '../../answers/rejections/bare-errors.ts'
import { askRegistry } from '../../inquiries/shown-answers.ts'
import { answerDeadline } from '../request-fields.ts'
import { toWire } from './cob-answer.ts'
import { toCobInquiry } from './cob-request.ts'
import * as schemas from './coordination-of-benefits.schema.ts'
import { CoordinationOfBenefitsRequest, CoordinationOfBenefitsResponse } from './coordination-of-benefits.schema.ts'
import { answerFromCheck } from './partial-answer.ts'

type Needs = Pick<Deps, 'config' | 'database' | 'clearinghouses' | 'payers' | 'now' | 'newId'>

const coordinateBenefits = endpoint({
  operation: 'coordinationOfBenefits',
  method: 'POST',
  path: '/coordination-of-benefits',
  summary:
    'Determines whether a patient has other coverages, and which payer pays first. A failure is still a 200, with `errors`.',
  body: CoordinationOfBenefitsRequest,
  answer: CoordinationOfBenefitsResponse,
  errors: [],
  handle: (deps: Needs, { actor, body }) => coordinate(deps, actor, body),
})

/** Nothing is stored: the answer is a registry's information of the day, and the inquiry may contain an SSN. */
async function coordinate(
  deps: Needs,
  actor: Actor,
  request: CoordinationOfBenefitsRequest,
): Promise<CoordinationOfBenefitsResponse> {
  const today = await calendarDay(deps, actor.organizationId, deps.now().toISOString())
  const inquiry = toCobInquiry(request, today)
  const signal = answerDeadline()
  const { clearinghouse } = await deps.clearinghouses.forPayer(actor.organizationId, inquiry.tradingPartnerServiceId)
  const registry = await findRegistry(deps, actor, clearinghouse)
  return registry
    ? answerFromRegistry(registry, inquiry, { organizationId: actor.organizationId, signal })
    : answerFromCheck(deps, actor.organizationId, clearinghouse, inquiry, signal)
}

type Registry = NonNullable<Clearinghouse['coordinateBenefits']>

/** The payer's own connector, else the organization's default: a registry has the members of all payers. */
async function findRegistry(deps: Needs, actor: Actor, ofPayer: Clearinghouse): Promise<Registry | undefined> {
  if (ofPayer.coordinateBenefits) return ofPayer.coordinateBenefits
  const { clearinghouse } = await deps.clearinghouses.standard(actor.organizationId)
  return clearinghouse.coordinateBenefits
}

async function answerFromRegistry(
  registry: Registry,
  inquiry: CobInquiry,
  options: { organizationId: string; signal: AbortSignal },
): Promise<CoordinationOfBenefitsResponse> {
  try {
    return toWire(await askRegistry(registry, inquiry, options))
  } catch (error) {
    if (!(error instanceof ClearinghouseError)) throw error
    return { errors: [bareFailure(error)] }
  }
}

export const coordinationOfBenefits = resource({
  path: '/eligibility-checks/v1',
  group: 'eligibilityChecks',
  schemas,
  routes: [
    coordinateBenefits, // POST   /coordination-of-benefits
  ],
})
