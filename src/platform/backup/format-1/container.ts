// A backup file of format 1, which earlier releases wrote: a readable header, then the entries, compressed and
// encrypted. This format is only read. decisions/0014-keys-and-backups.md
import { createHmac, scrypt, timingSafeEqual } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import { promisify } from 'node:util'
import { createGunzip } from 'node:zlib'
import { EncryptedStreamError, openStream, type StreamKey } from '../../crypto/encrypted-stream.ts'
import type { Vault } from '../../crypto/encryption.ts'
import { codeOf } from '../../error-code.ts'
import { StartupError } from '../../startup-error.ts'
import { alteredBackup, notABackup, openToRead, unknownFormat } from '../refusals.ts'

/**
 * The secret for a backup of this format: a passphrase, or the encryption key itself when the backup contains no keys.
 */
export type BackupSecret = { passphrase: string } | { vault: Vault }

interface Header {
  version: number
  created_at: string
  sealed_under: { passphrase: ScryptCost } | { key_id: string }
  /** base64url. */
  salt: string
}

interface ScryptCost {
  N: number
  r: number
  p: number
}

/** The first bytes of such a file. */
export const MAGIC = Buffer.from('ANTEROOM BACKUP\n')
const VERSION = 1
const MAX_HEADER_BYTES = 4096
const CHECK_BYTES = 16
const SCRYPT_MEMORY_BYTES = 160 * 1024 * 1024

/** The decrypted content. @throws StartupError for another file, another secret, and every alteration. */
export async function* readContainer(
  path: string,
  findSecret: (encryptedUnder: { keyId: string } | 'passphrase') => Promise<BackupSecret>,
): AsyncGenerator<Buffer> {
  const header = await readHeader(path)
  const streamKey = await streamKeyOf(header, findSecret)
  const encrypted = createReadStream(path, { start: header.bytes.length })
  const gunzip = createGunzip()
  const reading = pipeline(encrypted, (source) => openStream(source, streamKey), gunzip)
  // The failure is reported to the reader.
  reading.catch(() => {})
  try {
    yield* gunzip
    await reading
  } catch (error) {
    if (error instanceof EncryptedStreamError || codeOf(error)?.startsWith('Z_')) {
      throw alteredBackup(path, { cause: error })
    }
    throw error
  } finally {
    encrypted.destroy()
  }
}

async function readHeader(path: string): Promise<Header & { bytes: Buffer }> {
  const file = await openToRead(path)
  try {
    const start = Buffer.alloc(MAX_HEADER_BYTES)
    const { bytesRead } = await file.read(start, 0, MAX_HEADER_BYTES, 0)
    const lengthAt = MAGIC.length
    if (!start.subarray(0, lengthAt).equals(MAGIC)) throw notABackup(path)
    const end = lengthAt + 4 + start.readUInt32BE(lengthAt)
    if (end + CHECK_BYTES > bytesRead) throw alteredBackup(path)
    const header = parseHeader(path, start.toString('utf8', lengthAt + 4, end))
    return { ...header, bytes: start.subarray(0, end + CHECK_BYTES) }
  } finally {
    await file.close()
  }
}

function parseHeader(path: string, text: string): Header {
  let header: Header
  try {
    header = JSON.parse(text)
  } catch (cause) {
    throw alteredBackup(path, { cause })
  }
  if (header.version === VERSION) return header
  throw unknownFormat(header.version)
}

async function streamKeyOf(
  header: Header & { bytes: Buffer },
  findSecret: Parameters<typeof readContainer>[1],
): Promise<StreamKey> {
  const { sealed_under: under, bytes } = header
  const secret = await findSecret('key_id' in under ? { keyId: under.key_id } : 'passphrase')
  const key = await deriveKey(secret, under, Buffer.from(header.salt, 'base64url'))
  if (!timingSafeEqual(checkOf(key), bytes.subarray(bytes.length - CHECK_BYTES))) {
    throw new StartupError(
      'passphrase' in secret
        ? 'the backup was made with another passphrase, or its header was altered'
        : 'the header of the backup was altered',
    )
  }
  return { key, header: bytes }
}

async function deriveKey(secret: BackupSecret, under: Header['sealed_under'], salt: Buffer): Promise<Buffer> {
  if ('vault' in secret && 'key_id' in under) return secret.vault.deriveKey(under.key_id, 'anteroom backup', salt)
  if (!('passphrase' in secret && 'passphrase' in under)) throw new Error('this secret does not fit the backup')
  const { N, r, p } = under.passphrase
  // An altered header must not make this program compute for a very long time.
  if (N * r * 128 > SCRYPT_MEMORY_BYTES || p > 4) throw new StartupError('the header of the backup was altered')
  const derive = promisify<string, Buffer, number, object, Buffer>(scrypt)
  return derive(secret.passphrase.normalize('NFKC'), salt, 32, { N, r, p, maxmem: 2 * SCRYPT_MEMORY_BYTES })
}

/** Distinguishes a wrong passphrase from a damaged file; it reveals nothing about the key. */
const checkOf = (key: Buffer) => createHmac('sha256', key).update('anteroom backup').digest().subarray(0, CHECK_BYTES)
