import type { Database } from '../database/database.ts'
import { readDirectoryVersion, readPayers } from './directory.ts'
import type { DirectoryPayer } from './directory-payer.ts'
import { indexPayers, type PayerIndex } from './index-payers.ts'
import { withSandboxPayers } from './sandbox-payers.ts'

/** The directory in memory, as it stands in the database at the moment of asking. */
export interface LiveDirectory {
  /** @param sandbox the sandbox clearinghouse's payers, where it is the one that answers; they stand behind the table's. */
  index(sandbox?: readonly DirectoryPayer[]): Promise<PayerIndex>
}

/**
 * Reads the table when first asked and again after every import, of whichever process: each question looks at the directory's
 * version, which is one row by its key.
 */
export function openLiveDirectory(database: Database): LiveDirectory {
  const kept = new Map<readonly DirectoryPayer[] | undefined, { version: string; index: Promise<PayerIndex> }>()
  return {
    async index(sandbox) {
      // Read before the payers: an import in between makes an index that is newer than it says, and is read once more.
      const version = await readDirectoryVersion(database)
      const known = kept.get(sandbox)
      if (known?.version === version) return known.index
      const index = readPayers(database).then((payers) => indexPayers(withSandboxPayers(payers, sandbox)))
      kept.set(sandbox, { version, index })
      index.catch(() => kept.delete(sandbox))
      return index
    },
  }
}
