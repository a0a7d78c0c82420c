import type { Database } from '../platform/database/database.ts'
import { readDirectoryVersion, readPayers } from './directory.ts'
import type { DirectoryPayer } from './directory-payer.ts'
import { indexPayers, type PayerIndex } from './index-payers.ts'
import { withSandboxPayers } from './sandbox-payers.ts'

/** The directory in memory, as current as the database at the time of the call. */
export interface LiveDirectory {
  /** `withSandbox`: appends the sandbox's payers, for organizations whose checks go to the sandbox. */
  index(options: { withSandbox: boolean }): Promise<PayerIndex>
  /** The payers that the sandbox simulates. They count only where checks go to the sandbox. */
  sandboxPayers(): Promise<DirectoryPayer[]>
}

/**
 * Reads the table at the first call and again after every import by any process: each search reads the directory's version, which is one
 * row by its key. The sandbox's payers are read once, when first needed.
 */
export function openLiveDirectory(
  database: Database,
  readSandboxPayers: () => Promise<DirectoryPayer[]>,
): LiveDirectory {
  const cached = new Map<boolean, { version: string; index: Promise<PayerIndex> }>()
  const sandboxPayers = readOnce(readSandboxPayers)
  const readIndex = async (sandbox: DirectoryPayer[] | undefined) =>
    indexPayers(withSandboxPayers(await readPayers(database), sandbox))
  return {
    sandboxPayers,
    async index({ withSandbox }) {
      const sandbox = withSandbox ? await sandboxPayers() : undefined
      // Read before the payers: an import in between makes an index newer than its version, which is then read once more.
      const version = await readDirectoryVersion(database)
      const known = cached.get(withSandbox)
      if (known?.version === version) return known.index
      const index = readIndex(sandbox)
      cached.set(withSandbox, { version, index })
      index.catch(() => cached.delete(withSandbox))
      return index
    },
  }
}

/** Calls `read` once and shares its result; a failed call is repeated at the next use. */
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
