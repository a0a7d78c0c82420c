import type { Readable } from 'node:stream'

/**
 * Where files are kept. A key is `<UUID>/<UUID>`, made by us and never from a client's text; a file under a key is whole, and
 * never replaced. Everything here rejects with a WireError (503) when the place cannot be reached.
 */
export interface FileStorage {
  /** A folder of this machine in which files wait until they are whole. */
  incomingFolder: string
  /** Keeps a whole file under a key that has none; when it resolves, the file survives a crash. */
  keep(key: string, file: WholeFile): Promise<void>
  /** The bytes, or undefined when there are none under this key. */
  open(key: string): Promise<Readable | undefined>
  /** Does nothing when there is no such file. */
  remove(key: string): Promise<void>
}

/** A file on this machine that was received to its end and found good. */
export interface WholeFile {
  path: string
  /** Its media type by content, e.g. `image/png`. */
  contentType: string
  sizeBytes: number
}

const KEY = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** False for anything that could name another place than a file of ours. */
export const isStorageKey = (key: string): boolean => KEY.test(key)

/** @throws Error for what is no storage key. */
export function requireKey(key: string): string {
  if (!isStorageKey(key)) throw new Error('a storage key is two UUIDs')
  return key
}
