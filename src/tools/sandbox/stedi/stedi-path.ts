import { LEGACY_VERSION, PLANS_VERSION } from '../../../clearinghouses/stedi/stedi-settings.ts'

/** The version segment under which all of Stedi's paths stand, here on one host. Source: clearinghouse.md A1. */
export const stediPath = `/${LEGACY_VERSION}`

/** The same of the eligibility check that groups benefits by plan. */
export const plansPath = `/${PLANS_VERSION}`

/** Where the sandbox that answers CORE at this address plays Stedi: the root of all of Stedi's paths. */
export function stediUrlOf(coreUrl: string): string {
  return new URL(stediPath, coreUrl).href
}
