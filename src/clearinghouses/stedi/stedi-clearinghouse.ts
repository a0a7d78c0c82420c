import type { Clearinghouse } from '../clearinghouse.ts'
import { coordinate } from './coordination.ts'
import { discover } from './discovery.ts'
import { createExchange } from './exchange.ts'
import { listPayers } from './payers.ts'
import { PLANS_VERSION, requireUsable, type StediSettings } from './stedi-settings.ts'
import { takeEligibility } from './take-answer.ts'
import { writePlanRequest } from './write-plan-request.ts'
import { MEDICARE_NUMBER_PAYER, writeRecord, writeRequest } from './write-request.ts'

/**
 * A connector to Stedi's JSON interface: eligibility in both of its forms, discovery, coordination of benefits, payers.
 * @throws Error immediately when the settings are unusable. Source: clearinghouse.md A.
 */
export function createStediClearinghouse(settings: StediSettings): Required<Omit<Clearinghouse, 'fetchCoverage'>> {
  const urls = requireUsable(settings)
  const exchange = createExchange(settings)
  const { timeoutMs = 65_000, pollEveryMs = 1000, eligibilityVersion = PLANS_VERSION } = settings
  const payerIds = settings.payerIds && { payerIds: settings.payerIds }

  const checkEligibility: Clearinghouse['checkEligibility'] = async (
    inquiry,
    { controlNumber, at, portal, signal },
  ) => {
    // The newer operation has no field for an account at a payer's portal.
    const form = eligibilityVersion === PLANS_VERSION && portal === undefined ? 'plans' : 'benefits'
    const body =
      form === 'plans'
        ? writePlanRequest(inquiry, { at, ...payerIds })
        : writeRequest(inquiry, { at, controlNumber, ...(portal && { portal }), ...payerIds })
    const rawInquiry = writeRecord(body)
    const url = form === 'plans' ? urls.eligibility : `${urls.healthcare}/change/medicalnetwork/eligibility/v3`
    const answer = await exchange({ method: 'POST', url, body, rawInquiry, ...(signal && { signal }) })
    return takeEligibility(answer, { rawInquiry, traceNumber: inquiry.traceNumber, at, form })
  }

  return {
    name: settings.name ?? 'stedi',

    checkEligibility,

    findMedicareNumber: (inquiry, options) =>
      checkEligibility({ ...inquiry, payer: { id: MEDICARE_NUMBER_PAYER } }, options),

    discoverInsurance: (inquiry, options = {}) =>
      discover(exchange, inquiry, {
        url: `${urls.healthcare}/insurance-discovery/check/v1`,
        timeoutMs,
        pollEveryMs,
        ...options,
      }),

    coordinateBenefits: (inquiry, options = {}) =>
      coordinate(exchange, inquiry, { url: `${urls.healthcare}/coordination-of-benefits`, ...payerIds, ...options }),

    listPayers: (options = {}) => listPayers(exchange, { url: urls.payers, ...options }),
  }
}
