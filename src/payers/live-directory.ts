import { readRoster } from '../clearinghouses/sandbox/roster.ts'
import type { Database } from '../database/database.ts'
import { readDirectoryVersion, readPayers } from './directory.ts'
import type { DirectoryPayer } from './directory-payer.ts'
import { indexPayers, type PayerIndex } from './index-payers.ts'
import { sandboxPayersOf, withSandboxPayers } from './sandbox-payers.ts'

/** The directory in memory, as it stands in the database at the moment of asking. */
export interface LiveDirectory {
  /** `withSandbox`: the sandbox's payers stand behind the table's, where the sandbox is the clearinghouse that answers. */
  index(options: { withSandbox: boolean }): Promise<PayerIndex>
}

/**
 * Reads the table when first asked and again after every import, of whichever process: each question looks at the directory's
 * version, which is one row by its key. `rosterFile`: the sandbox's roster, unless it is the one that comes with the program.
 */
export function openLiveDirectory(database: Database, rosterFile: string | undefined): LiveDirectory {
  const kept = new Map<boolean, { version: string; index: Promise<PayerIndex> }>()
  const sandboxPayers = readOnce(async () => sandboxPayersOf(await readRoster(rosterFile)))
  const readIndex = async (sandbox: DirectoryPayer[] | undefined) =>
    indexPayers(withSandboxPayers(await readPayers(database), sandbox))
  return {
    async index({ withSandbox }) {
      const sandbox = withSandbox ? await sandboxPayers() : undefined
      // Read before the payers: an import in between makes an index that is newer than it says, and is read once more.
      const version = await readDirectoryVersion(database)
      const known = kept.get(withSandbox)
      if (known?.version === version) return known.index
      const index = readIndex(sandbox)
      kept.set(withSandbox, { version, index })
      index.catch(() => kept.delete(withSandbox))
      return index
    },
  }
}

/** What was read, or is being read, is not read again; what failed is. */
function readOnce<T>(read: () => Promise<T>): () => Promise<T> {
  let reading: Promise<T> | undefined
  return () => {
    reading ??= read().catch((error) => {
      reading = undefined
      throw error
    })
    return reading
  }
}
