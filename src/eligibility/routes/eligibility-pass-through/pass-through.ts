import { findRefusedField } from '../../../clearinghouses/availity/failures.ts'
import { type Clearinghouse, ClearinghouseError } from '../../../clearinghouses/clearinghouse.ts'
import type { Connection } from '../../../clearinghouses/clearinghouses.ts'
import type { Actor } from '../../../contract/actor.ts'
import { invalidCoreField, notFound } from '../../../contract/errors.ts'
import { turnsFor } from '../../answers/read-answer.ts'
import { type AnsweringNeeds, answerCheck, beginCheck, prepareInquiry } from '../../checks/answer-check.ts'
import { askCoverage } from '../../inquiries/shown-answers.ts'
import { type Parameters, toEligibilityRequest } from './availity-parameters.ts'
import { toCoverage, toFailedCoverage } from './coverage-form.ts'

/** These names always mean the organization's default connector. Source: rules.md 5, 18.13. */
const DEFAULT_PARTNERS = new Set(['partner', 'availity'])

type FetchCoverage = NonNullable<Clearinghouse['fetchCoverage']>

/**
 * Sends an inquiry with Availity's own names, and answers in Availity's own form: through a connector that supports them, or as an
 * eligibility check that is stored like any other. A failed inquiry is an answer, too, as with every check (rules.md 13.2).
 *
 * Our choice: a name without a connector of the organization is 404 `NotFoundError`, like every other unknown id in a path; the declared
 * 422 concerns the parameters.
 */
export async function passThrough(
  deps: AnsweringNeeds,
  actor: Actor,
  partner: string,
  parameters: Parameters,
): Promise<object> {
  const isDefault = DEFAULT_PARTNERS.has(partner)
  const connection = isDefault
    ? await deps.clearinghouses.standard(actor.organizationId)
    : await deps.clearinghouses.named(actor.organizationId, partner)
  if (!connection) throw notFound('Connector')
  const { fetchCoverage } = connection.clearinghouse
  if (fetchCoverage) return answerWithCoverage(deps, actor, fetchCoverage, parameters)
  // The default uses the organization's routes to select the connector for the payer.
  return checkInstead(deps, actor, parameters, isDefault ? undefined : connection)
}

async function answerWithCoverage(
  deps: AnsweringNeeds,
  { organizationId }: Actor,
  fetchCoverage: FetchCoverage,
  parameters: Parameters,
): Promise<object> {
  try {
    const signal = AbortSignal.timeout(deps.config.CLEARINGHOUSE_TIMEOUT_MS)
    return ((await askCoverage(fetchCoverage, parameters, { organizationId, signal })) ?? {}) as object
  } catch (error) {
    if (!(error instanceof ClearinghouseError)) throw error
    const refused = error.code === 'HTTP 400' ? findRefusedField(error.rawResponse ?? '') : undefined
    if (refused?.field) throw invalidCoreField(refused.field, refused.message ?? `${refused.field} is not valid`)
    return toFailedCoverage(error)
  }
}

async function checkInstead(
  deps: AnsweringNeeds,
  actor: Actor,
  parameters: Parameters,
  connection: Connection | undefined,
): Promise<object> {
  const inquiry = await prepareInquiry(deps, actor, toEligibilityRequest(parameters))
  const check = await beginCheck(deps, actor, inquiry)
  const outcome = await answerCheck(deps, check, connection)
  const { payerId, dateOfService, serviceTypeCodes } = check.asked
  const frame = {
    id: check.id,
    createdAt: check.initiatedAt,
    payerId,
    dateOfService,
    serviceTypeCodes,
    controlNumber: String(check.controlNumber),
  }
  return toCoverage(outcome, frame, turnsFor({ rawResponse: outcome.rawResponse ?? '' }, actor.organizationId))
}
