import type { Database } from '../platform/database/database.ts'
import { readDirectoryVersion, readPayers } from './directory.ts'
import type { DirectoryPayer } from './directory-payer.ts'
import { indexPayers, type PayerIndex } from './index-payers.ts'
import { withSandboxPayers } from './sandbox-payers.ts'

/** The directory in memory, as it stands in the database at the moment of asking. */
export interface LiveDirectory {
  /** `withSandbox`: the sandbox's payers stand behind the table's, where the sandbox is the clearinghouse that answers. */
  index(options: { withSandbox: boolean }): Promise<PayerIndex>
  /** The payers that the sandbox plays. They count only where the sandbox is the clearinghouse that answers. */
  sandboxPayers(): Promise<DirectoryPayer[]>
}

/**
 * Reads the table when first asked and again after every import, of whichever process: each search looks at the directory's
 * version, which is one row by its key. The payers of the sandbox are read once, when first asked for.
 */
export function openLiveDirectory(
  database: Database,
  readSandboxPayers: () => Promise<DirectoryPayer[]>,
): LiveDirectory {
  const kept = new Map<boolean, { version: string; index: Promise<PayerIndex> }>()
  const sandboxPayers = readOnce(readSandboxPayers)
  const readIndex = async (sandbox: DirectoryPayer[] | undefined) =>
    indexPayers(withSandboxPayers(await readPayers(database), sandbox))
  return {
    sandboxPayers,
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
