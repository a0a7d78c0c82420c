// How many callers exchange anything with the identity provider at a time. decisions/0019-fairness.md
import { createFairShare } from '../fair-share.ts'
import { callerSite } from '../http/caller-address.ts'
import { asOverload } from '../overload.ts'
import type { OpenIdProvider } from './openid-provider.ts'

/**
 * An exchange takes a tenth of a second, or ten seconds while the provider does not answer, and anyone may ask for one. Those who are in one or wait are
 * among the places of all callers without a token, which others need for their tokens and passwords.
 */
const EXCHANGES = { places: 32, maxWaiting: 64, patienceMs: 5_000 }

/** `for`: the provider for a caller at this address. Its calls throw InternalError (503) when too many wait, or too long. */
export function shareExchanges(provider: OpenIdProvider): { for(address: string): OpenIdProvider } {
  const exchanges = createFairShare(EXCHANGES)
  const pass = <T>(address: string, exchange: () => Promise<T>): Promise<T> =>
    exchanges.pass(callerSite(address), undefined, exchange).catch((error: unknown) => {
      throw asOverload(error)
    })
  return {
    for: (address) => ({
      start: (isAnother) => pass(address, () => provider.start(isAnother)),
      finish: (query, pending) => pass(address, () => provider.finish(query, pending)),
    }),
  }
}
