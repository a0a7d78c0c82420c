import { LEGACY_VERSION, PLANS_VERSION } from '../../../clearinghouses/stedi/stedi-settings.ts'

/** The version segment that begins all of Stedi's paths, here on one host. Source: clearinghouse.md A1. */
export const stediPath = `/${LEGACY_VERSION}`

/** The version segment of the eligibility check that groups benefits by plan. */
export const plansPath = `/${PLANS_VERSION}`

/** The root of Stedi's paths at the sandbox whose CORE endpoint has this address. */
export function stediUrlOf(coreUrl: string): string {
  return new URL(stediPath, coreUrl).href
}
