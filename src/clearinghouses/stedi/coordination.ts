import { PLAN_SERVICE } from '../../x12/codes/service-types.ts'
import type { CobInquiry, StediJson } from '../clearinghouse.ts'
import type { StediExchange } from './exchange.ts'
import { takeJson } from './take-answer.ts'
import { stediPayerId } from './write-request.ts'

/** Inquires about a member's plan. @throws ClearinghouseError. Source: clearinghouse.md A8. */
export async function coordinate(
  exchange: StediExchange,
  inquiry: CobInquiry,
  options: { url: string; payerIds?: Readonly<Record<string, string>>; signal?: AbortSignal },
): Promise<StediJson> {
  const { url, payerIds, signal } = options
  const body = {
    ...inquiry,
    tradingPartnerServiceId: stediPayerId(inquiry.tradingPartnerServiceId, payerIds),
    encounter: { ...inquiry.encounter, serviceTypeCode: PLAN_SERVICE },
  }
  return takeJson(await exchange({ method: 'POST', url, body, ...(signal && { signal }) }), new Date())
}
