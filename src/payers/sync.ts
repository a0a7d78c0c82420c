// Imports the directory from a clearinghouse's own payer list.
import type { StediJson } from '../clearinghouses/clearinghouse.ts'
import { StartupError } from '../platform/startup-error.ts'
import type { ImportCounts, PayerUpdate } from './plan-import.ts'
import { readStediPayer } from './stedi-payer.ts'

interface SyncCounts extends ImportCounts {
  /** Entries without an id or a name, which are left out. */
  unusable: number
}

/**
 * Passes the whole list to `store`, or nothing: the list is read to the end before anything is written, so a list that breaks off changes
 * nothing, and neither does an empty one. @throws the errors of the list and of `store`; StartupError for an empty list.
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
