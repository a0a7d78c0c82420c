import { createCipheriv, createDecipheriv } from 'node:crypto'

const CHUNK_BYTES = 64 * 1024
const TAG_BYTES = 16
const NONCE_BYTES = 12

export interface StreamKey {
  /** The 32 bytes that encrypt this one stream: the nonces count its chunks. */
  key: Buffer
  /** The unencrypted text before the stream, which is authenticated as well. */
  header: Buffer
}

/**
 * Encrypts a stream of any length in chunks of 64 KiB, AES-256-GCM each. A chunk's nonce is its number and whether it is the last,
 * so that none can be dropped, moved or added. Source: Hoang, Reyhanitabar, Rogaway, Vizár, "Online Authenticated-Encryption and
 * its Nonce-Reuse Misuse-Resistance" (STREAM).
 */
export async function* encryptStream(
  source: AsyncIterable<Buffer>,
  { key, header }: StreamKey,
): AsyncGenerator<Buffer> {
  let number = 0
  for await (const { bytes, isLast } of inChunks(source, CHUNK_BYTES)) {
    const cipher = createCipheriv('aes-256-gcm', key, nonceOf(number, isLast)).setAAD(header)
    const ciphertext = Buffer.concat([cipher.update(bytes), cipher.final()])
    yield Buffer.concat([ciphertext, cipher.getAuthTag()])
    number += 1
  }
}

/** Decrypts the stream, chunk by chunk. @throws EncryptedStreamError for an altered or truncated stream. */
export async function* openStream(source: AsyncIterable<Buffer>, { key, header }: StreamKey): AsyncGenerator<Buffer> {
  let number = 0
  for await (const { bytes, isLast } of inChunks(source, CHUNK_BYTES + TAG_BYTES)) {
    if (bytes.length < TAG_BYTES) throw new EncryptedStreamError()
    const decipher = createDecipheriv('aes-256-gcm', key, nonceOf(number, isLast)).setAAD(header)
    decipher.setAuthTag(bytes.subarray(bytes.length - TAG_BYTES))
    const text = decipher.update(bytes.subarray(0, bytes.length - TAG_BYTES))
    try {
      decipher.final()
    } catch (cause) {
      throw new EncryptedStreamError({ cause })
    }
    if (text.length > 0) yield text
    number += 1
  }
}

export class EncryptedStreamError extends Error {
  constructor(options?: ErrorOptions) {
    super('these bytes were altered or truncated after they were encrypted', options)
  }
}

/** Chunks of one size, the last with the rest; an empty source is one empty chunk. */
async function* inChunks(
  source: AsyncIterable<Buffer>,
  size: number,
): AsyncGenerator<{ bytes: Buffer; isLast: boolean }> {
  let waiting: Buffer[] = []
  let waitingBytes = 0
  for await (const piece of source) {
    waiting.push(piece)
    waitingBytes += piece.length
    if (waitingBytes <= size) continue
    const all = Buffer.concat(waiting)
    let from = 0
    // The last chunk is known only when the source ends, so a full chunk waits for a byte after it.
    for (; all.length - from > size; from += size) yield { bytes: all.subarray(from, from + size), isLast: false }
    waiting = [all.subarray(from)]
    waitingBytes = all.length - from
  }
  yield { bytes: Buffer.concat(waiting), isLast: true }
}

function nonceOf(number: number, isLast: boolean): Buffer {
  const nonce = Buffer.alloc(NONCE_BYTES)
  nonce.writeUIntBE(number, NONCE_BYTES - 7, 6)
  nonce[NONCE_BYTES - 1] = isLast ? 1 : 0
  return nonce
}
