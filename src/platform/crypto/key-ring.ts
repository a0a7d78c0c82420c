// The keys of the service: the first encrypts, all decrypt. decisions/0014-keys-and-backups.md
import { createHash, hkdfSync, randomBytes, randomUUID } from 'node:crypto'
import { existsSync, readFileSync, statSync } from 'node:fs'
import { constants, copyFile, link, mkdir, open, readdir, rename, rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import type { Config } from '../../config.ts'
import { isUuid } from '../../contract/formats.ts'
import { codeOf } from '../error-code.ts'
import { StartupError } from '../startup-error.ts'

export const KEY_BYTES = 32

export interface DataKey {
  /** The first 8 hex digits of its SHA-256. */
  id: string
  bytes: Buffer
  /**
   * A separate key for each purpose (NIST SP 800-57, 5.2). `bytes` itself encrypted the values that are not yet bound
   * to their place.
   */
  encryptionKey: Buffer
  tokenKey: Buffer
  signingKey: Buffer
}

export interface KeyRing {
  /** At least one; the ring of a key file is at most a second behind the file. */
  keys(): readonly DataKey[]
  /** The keys as they are now: for a value that names a key which `keys` lacks. */
  refreshed(): readonly DataKey[]
}

/** How long a process may use the ring that it read last. */
export const RING_STALE_MS = 1_000

/** @throws Error when a key is not 32 bytes or occurs twice. */
export function fixedRing(keys: readonly Buffer[]): KeyRing {
  const ring = keys.map(toDataKey)
  if (ring.length === 0 || new Set(ring.map(({ id }) => id)).size < ring.length) {
    throw new Error('there must be at least one encryption key, and all must differ')
  }
  return { keys: () => ring, refreshed: () => ring }
}

/**
 * The ring of these settings: `ENCRYPTION_KEY`, or the key file. If `mayCreate`, a missing file is created, readable by
 * its owner only.
 * @throws StartupError for a file that is missing otherwise: with a new key nothing that is stored could be read.
 */
export async function openKeyRing(config: Config, mayCreate = async () => false): Promise<KeyRing> {
  if (config.ENCRYPTION_KEY !== undefined) return ringOf(config.ENCRYPTION_KEY, 'ENCRYPTION_KEY')
  const path = keyFileOf(config)
  if (!existsSync(path)) {
    if (!(await mayCreate())) throw new StartupError(`the key file ${path} is missing: ${PUT_BACK}`)
    await createKeyFile(path).catch((error: Error) => {
      throw new StartupError(`the encryption key cannot be stored in ${path}`, { cause: error })
    })
  }
  return fileRing(path)
}

/** What to do about a key that is not there. */
export const PUT_BACK =
  'put its copy back, or set ENCRYPTION_KEY; a backup holds the key as well, unless it was made without'

/** Where the keys are without ENCRYPTION_KEY. */
export const keyFileOf = (config: Config) => join(config.DATA_DIR, 'encryption-key')

/**
 * Keys of 64 hexadecimal digits, separated by commas or lines. @throws StartupError that names the place and shows no
 * digit.
 */
export function ringOf(text: string, place: string): KeyRing {
  const words = text.split(/[\s,]+/).filter(Boolean)
  const isWhole = words.every((word) => /^[0-9a-f]{64}$/i.test(word))
  if (words.length === 0 || !isWhole) {
    throw new StartupError(`${place} does not contain keys of 64 hexadecimal digits`)
  }
  if (new Set(words.map((word) => word.toLowerCase())).size < words.length) {
    throw new StartupError(`${place} contains the same key twice`)
  }
  return fixedRing(words.map((word) => Buffer.from(word, 'hex')))
}

/** The ring in the form that `ringOf` reads. */
export function ringText(keys: readonly DataKey[]): string {
  return keys.map(({ bytes }) => `${bytes.toString('hex')}\n`).join('')
}

/** Replaces the key file. */
export function writeKeyFile(path: string, keys: readonly DataKey[]): Promise<void> {
  return placeKeyFile(path, keys, rename)
}

/** Creates the key file with a new key. Of several processes that start at once, the first creates it and the others leave it. */
function createKeyFile(path: string): Promise<void> {
  return placeKeyFile(path, [newDataKey()], placeNew)
}

/** A link never replaces a file. Some network folders have no links (Azure Files over SMB); there it is a copy. */
async function placeNew(fresh: string, path: string): Promise<void> {
  try {
    await link(fresh, path).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'EEXIST') throw error
      return copyFile(fresh, path, constants.COPYFILE_EXCL)
    })
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error
  }
}

/** Neither a reader nor a crash sees half of a key file: it is complete on the disk before `place` gives it its name. */
async function placeKeyFile(
  path: string,
  keys: readonly DataKey[],
  place: (fresh: string, path: string) => Promise<void>,
): Promise<void> {
  await mkdir(dirname(path), { recursive: true })
  const fresh = `${path}.${randomUUID()}`
  try {
    const file = await open(fresh, 'wx', 0o600)
    try {
      await file.writeFile(ringText(keys))
      await file.sync()
    } finally {
      await file.close()
    }
    await place(fresh, path)
  } finally {
    await rm(fresh, { force: true })
  }
  const folder = await open(dirname(path))
  await folder.sync().finally(() => folder.close())
}

/** Removes what killed processes left of key files that they wrote: these hold keys which the ring no longer has. */
export async function removeUnfinishedKeyFiles(path: string): Promise<void> {
  const isUnfinished = (name: string) =>
    name.startsWith(`${basename(path)}.`) && isUuid(name.slice(basename(path).length + 1))
  for (const name of (await readdir(dirname(path))).filter(isUnfinished)) await rm(join(dirname(path), name))
}

/** A new key that is not stored yet. */
export function newDataKey(): DataKey {
  return toDataKey(randomBytes(KEY_BYTES))
}

/**
 * Reads the file again when it has changed: it is checked once a second while in use, and at once for an unknown key.
 */
function fileRing(path: string): KeyRing {
  let known = ringOf(readFileSync(path, 'utf8'), path).keys()
  let seen = stampOf(path)
  let lookedAt = Date.now()
  const refreshed = () => {
    lookedAt = Date.now()
    const stamp = stampOf(path)
    // A missing or unreadable file removes no key from a running process.
    if (stamp === undefined || stamp === seen) return known
    try {
      known = ringOf(readFileSync(path, 'utf8'), path).keys()
      seen = stamp
    } catch {}
    return known
  }
  return { keys: () => (Math.abs(Date.now() - lookedAt) < RING_STALE_MS ? known : refreshed()), refreshed }
}

function stampOf(path: string): string | undefined {
  const found = statSync(path, { throwIfNoEntry: false })
  return found && `${found.ino} ${found.mtimeMs} ${found.size}`
}

function toDataKey(bytes: Buffer): DataKey {
  if (bytes.length !== KEY_BYTES) throw new Error('an encryption key must be 32 bytes')
  const id = createHash('sha256').update(bytes).digest('hex').slice(0, 8)
  const derive = (purpose: string) => Buffer.from(hkdfSync('sha256', bytes, '', purpose, KEY_BYTES))
  return {
    id,
    bytes,
    encryptionKey: derive('anteroom values'),
    tokenKey: derive('anteroom tokens'),
    signingKey: derive('anteroom signatures'),
  }
}
