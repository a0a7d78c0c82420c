// The directory from a clearinghouse's own list of payers.
import type { StediJson } from '../clearinghouses/clearinghouse.ts'
import type { WholeDatabase } from '../database/database.ts'
import { StartupError } from '../startup-error.ts'
import { importPayers } from './directory.ts'
import type { ImportCounts, PayerUpdate } from './plan-import.ts'
import { readStediPayer } from './stedi-payer.ts'

export interface SyncCounts extends ImportCounts {
  /** Without an id or a name: left out. */
  unusable: number
}

/**
 * Takes a whole list into the directory, or nothing of it: a list that breaks off changes nothing, and neither does an empty
 * one. With `replace` the payers that are not in the list go. @throws what the list throws; StartupError for an empty list.
 */
export async function syncPayers(
  database: WholeDatabase,
  list: AsyncIterable<StediJson>,
  options: { replace?: boolean } = {},
): Promise<SyncCounts> {
  const payers = new Map<string, PayerUpdate>()
  let unusable = 0
  for await (const json of list) {
    const payer = readStediPayer(json)
    if (!payer) unusable++
    else payers.set(payer.stedi_id, payer)
  }
  if (payers.size === 0) throw new StartupError('the list has no payers: nothing was changed')
  return { ...(await importPayers(database, [...payers.values()], options)), unusable }
}
