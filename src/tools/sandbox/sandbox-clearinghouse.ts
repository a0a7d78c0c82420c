import type { Clearinghouse } from '../../clearinghouses/clearinghouse.ts'
import { createStediClearinghouse } from '../../clearinghouses/stedi/stedi-clearinghouse.ts'
import { stediUrlOf } from './stedi/stedi-path.ts'

/** Checks go over the given connector; for what CORE does not have, the sandbox at the same address plays Stedi. */
export function withRegistryOfSandbox(
  core: Clearinghouse,
  sandboxUrl: string,
  limits: { timeoutMs: number; maxConcurrency: number },
): Clearinghouse {
  const url = stediUrlOf(sandboxUrl)
  const { discoverInsurance, findMedicareNumber, coordinateBenefits, listPayers } = createStediClearinghouse({
    ...limits,
    url,
    payersUrl: url,
    apiKey: 'sandbox',
  })
  return { ...core, discoverInsurance, findMedicareNumber, coordinateBenefits, listPayers }
}
