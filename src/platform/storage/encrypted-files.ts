// Files as they are stored: encrypted with the encryption key, in a folder and in a bucket alike.
// decisions/0014-keys-and-backups.md
import { randomBytes } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { unavailable } from '../../contract/errors.ts'
import { EncryptedStreamError, encryptStream, openStream, type StreamKey } from '../crypto/encrypted-stream.ts'
import type { Vault } from '../crypto/encryption.ts'
import { StatedReason } from '../stated-reason.ts'
import { derivedStream } from './derived-stream.ts'
import { type FileStorage, requireKey, type WholeFile } from './storage.ts'
import { NotAsUploaded, type UploadedBytes, unchanged } from './uploaded-bytes.ts'

// No picture and no PDF starts with one of these.
const MAGIC = Buffer.from('anteroom-file-2\n')
/** The prefix that earlier releases wrote, whose files were not bound to their storage key. */
const UNBOUND_MAGIC = Buffer.from('anteroom-sealed\n')
const KEY_ID_LENGTH = 8
const SALT_BYTES = 32
const HEADER_BYTES = MAGIC.length + KEY_ID_LENGTH + SALT_BYTES

export interface EncryptedStorage extends FileStorage {
  /**
   * Encrypts a file with the current key when it uses another key, is unencrypted, or is not bound to its place; false
   * when there is nothing to do. Only the bytes of the upload replace the file, and it counts only once the storage has it.
   * @throws an error that is not a WireError when the stored bytes are damaged or are not those of the upload.
   */
  reencrypt(key: string, upload: UploadedBytes): Promise<boolean>
}

/** Encrypts the files of the storage. Files that were stored before encryption existed are read unchanged. */
export function encryptFiles(storage: FileStorage, vault: Vault): EncryptedStorage {
  const encrypted: EncryptedStorage = {
    incomingFolder: storage.incomingFolder,
    async keep(key, file) {
      const { keyId } = vault
      await keepEncrypted(storage, vault, key, () => createReadStream(file.path))
      // If the key was replaced meanwhile, it may be dropped before a re-encryption finds this file.
      if (vault.keyId !== keyId) await encrypted.keep(key, file)
    },
    async open(key) {
      const kept = await storage.open(key)
      return kept && derivedStream(kept, (source) => opened(source, vault, key))
    },
    remove: (key) => storage.remove(key),
    async reencrypt(key, upload) {
      if (await isUnderPresentKey(storage, vault, key)) return false
      const bytes = await encrypted.open(key)
      if (!bytes) return false
      await keepEncrypted(storage, vault, key, () => derivedStream(bytes, (source) => unchanged(source, upload)))
      // A storage that believes it has the new file may still have the old one, which is as long; its key is dropped next.
      if (!(await isUnderPresentKey(storage, vault, key))) throw notReplaced()
      return true
    },
  }
  return encrypted
}

async function keepEncrypted(storage: FileStorage, vault: Vault, key: string, source: () => Readable): Promise<void> {
  const path = join(storage.incomingFolder, `${requireKey(key).slice(-36)}.${randomBytes(4).toString('hex')}`)
  try {
    const file = await writeEncrypted(source, vault, { key, path })
    await storage.keep(key, file)
  } finally {
    await rm(path, { force: true })
  }
}

async function writeEncrypted(
  source: () => Readable,
  vault: Vault,
  { key, path }: { key: string; path: string },
): Promise<WholeFile> {
  const { keyId } = vault
  const header = Buffer.concat([MAGIC, Buffer.from(keyId), randomBytes(SALT_BYTES)])
  const streamKey = streamKeyOf(vault, header, key)
  const whole = async function* () {
    yield header
    yield* encryptStream(source(), streamKey)
  }
  try {
    await pipeline(whole, createWriteStream(path, { flags: 'wx', mode: 0o600 }))
    return { path, contentType: 'application/octet-stream', sizeBytes: (await stat(path)).size }
  } catch (error) {
    if (error instanceof EncryptedStreamError || error instanceof NotAsUploaded) throw error
    throw cannotKeep(error)
  }
}

const cannotKeep = (cause: unknown) => unavailable('the image cannot be kept right now', cause)
const notReplaced = () => cannotKeep(new StatedReason('the storage took the new file and still has the old one'))

async function* opened(kept: Readable, vault: Vault, key: string): AsyncGenerator<Buffer> {
  const { header, rest } = await readHeader(kept)
  if (header === undefined) yield* rest
  else yield* openStream(rest, streamKeyOf(vault, header, key))
}

async function isUnderPresentKey(storage: FileStorage, vault: Vault, key: string): Promise<boolean> {
  const kept = await storage.open(key)
  if (!kept) return false
  const { header } = await readHeader(kept)
  kept.destroy()
  return header !== undefined && isBound(header) && keyIdIn(header) === vault.keyId
}

async function readHeader(kept: Readable): Promise<{ header: Buffer | undefined; rest: AsyncGenerator<Buffer> }> {
  const pieces = kept.iterator({ destroyOnReturn: true })
  let start: Buffer = Buffer.alloc(0)
  while (start.length < HEADER_BYTES) {
    const { done, value } = await pieces.next()
    if (done) break
    start = Buffer.concat([start, value])
  }
  const isEncrypted = start.length >= HEADER_BYTES && (isBound(start) || startsWith(start, UNBOUND_MAGIC))
  const rest = async function* () {
    yield isEncrypted ? start.subarray(HEADER_BYTES) : start
    yield* pieces
  }
  return { header: isEncrypted ? start.subarray(0, HEADER_BYTES) : undefined, rest: rest() }
}

const keyIdIn = (header: Buffer) => header.toString('latin1', MAGIC.length, MAGIC.length + KEY_ID_LENGTH)

const startsWith = (bytes: Buffer, magic: Buffer) => bytes.subarray(0, magic.length).equals(magic)
const isBound = (header: Buffer) => startsWith(header, MAGIC)

/** A file can be decrypted only under its own storage key: one that was copied over another is refused. */
function streamKeyOf(vault: Vault, header: Buffer, key: string): StreamKey {
  const salt = header.subarray(HEADER_BYTES - SALT_BYTES)
  const streamKey = vault.deriveKey(keyIdIn(header), 'anteroom files', salt)
  return { key: streamKey, header: isBound(header) ? Buffer.concat([header, Buffer.from(key)]) : header }
}
