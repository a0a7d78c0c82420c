import type { Clearinghouse } from '../../clearinghouses/clearinghouse.ts'
import { createStediClearinghouse } from '../../clearinghouses/stedi/stedi-clearinghouse.ts'
import { stediUrlOf } from './stedi/stedi-path.ts'

/** Checks use the given connector; for operations that CORE lacks, the sandbox at the same address simulates Stedi. */
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
