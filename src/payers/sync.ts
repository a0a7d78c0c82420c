// The directory from a clearinghouse's own list of payers.
import type { StediJson } from '../clearinghouses/clearinghouse.ts'
import { StartupError } from '../platform/startup-error.ts'
import type { ImportCounts, PayerUpdate } from './plan-import.ts'
import { readStediPayer } from './stedi-payer.ts'

export interface SyncCounts extends ImportCounts {
  /** Without an id or a name: left out. */
  unusable: number
}

/**
 * Hands a whole list to `store`, or nothing of it: it is read to its end before anything is written, so a list that breaks off changes
 * nothing, and neither does an empty one. @throws what the list and `store` throw; StartupError for an empty list.
 */
export async function syncPayers(
  list: AsyncIterable<StediJson>,
  store: (payers: PayerUpdate[]) => Promise<ImportCounts>,
): Promise<SyncCounts> {
  const payers = new Map<string, PayerUpdate>()
  let unusable = 0
  for await (const json of list) {
    const payer = readStediPayer(json)
    if (!payer) unusable++
    else payers.set(payer.stedi_id, payer)
  }
  if (payers.size === 0) throw new StartupError('the list has no payers, so nothing was changed')
  return { ...(await store([...payers.values()])), unusable }
}
