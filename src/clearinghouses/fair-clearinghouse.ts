import { createFairShare } from '../platform/fair-share.ts'
import type { Clearinghouse } from './clearinghouse.ts'
import type { Connection } from './clearinghouses.ts'
import { failureOfExchange, toError } from './failures.ts'
import { enter, MAX_WAITING } from './semaphore.ts'

/** A shared connection of the settings, as used by one of the organizations. */
type SharedConnection = (organizationId: string) => Connection

/**
 * Divides the concurrency limit of a clearinghouse among the organizations that use it: a payer that does not answer one of them takes no
 * capacity from the others. decisions/0019-fairness.md
 */
export function shareFairly(connection: Connection, places: number): SharedConnection {
  const share = createFairShare({ places, maxWaiting: MAX_WAITING })
  const { clearinghouse } = connection

  return (organizationId) => {
    const pass = async <T>(signal: AbortSignal | undefined, send: () => Promise<T>): Promise<T> => {
      await enter(share, organizationId, signal).catch((cause: unknown) => {
        throw toError(failureOfExchange(cause, { timeoutMs: 0, signal }), { cause })
      })
      return send().finally(() => share.leave(organizationId))
    }
    return { ...connection, clearinghouse: throughShare(clearinghouse, pass) }
  }
}

type Pass = <T>(signal: AbortSignal | undefined, send: () => Promise<T>) => Promise<T>

/** Passes every inquiry through `pass`; the payer list, which only operators read, is unchanged. */
function throughShare(clearinghouse: Clearinghouse, pass: Pass): Clearinghouse {
  const { discoverInsurance, findMedicareNumber, coordinateBenefits, fetchCoverage } = clearinghouse
  return {
    ...clearinghouse,
    checkEligibility: (inquiry, options) =>
      pass(options.signal, async () => clearinghouse.checkEligibility(inquiry, options)),
    ...(discoverInsurance && {
      discoverInsurance: (inquiry, options) => pass(options?.signal, async () => discoverInsurance(inquiry, options)),
    }),
    ...(findMedicareNumber && {
      findMedicareNumber: (inquiry, options) => pass(options.signal, async () => findMedicareNumber(inquiry, options)),
    }),
    ...(coordinateBenefits && {
      coordinateBenefits: (inquiry, options) => pass(options?.signal, async () => coordinateBenefits(inquiry, options)),
    }),
    ...(fetchCoverage && {
      fetchCoverage: (parameters, options) => pass(options?.signal, async () => fetchCoverage(parameters, options)),
    }),
  }
}
