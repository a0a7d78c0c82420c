// AES-256-GCM with a fresh 96-bit nonce per text (NIST SP 800-38D), as bytes: nonce, tag, ciphertext.
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'

const NONCE_BYTES = 12
const TAG_BYTES = 16

/**
 * Random bytes are generated in blocks, because a single nonce costs as much as a whole block. Each byte is used once.
 */
const NONCES_AT_ONCE = 256
let nonces = Buffer.alloc(0)

function nextNonce(): Buffer {
  if (nonces.length === 0) nonces = randomBytes(NONCES_AT_ONCE * NONCE_BYTES)
  const nonce = nonces.subarray(0, NONCE_BYTES)
  nonces = nonces.subarray(NONCE_BYTES)
  return nonce
}

/** @param context the additional authenticated data that the ciphertext is bound to. */
export function encryptBytes(key: Buffer, text: string, context: string): Buffer {
  const nonce = nextNonce()
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(context))
  const ciphertext = cipher.update(text, 'utf8')
  // In this mode the final call adds nothing to the ciphertext (NIST SP 800-38D).
  cipher.final()
  return Buffer.concat([nonce, cipher.getAuthTag(), ciphertext])
}

/** @throws Error for bytes that were altered, truncated, or encrypted with another key or for another context. */
export function decryptBytes(key: Buffer, bytes: Buffer, context: string): string {
  if (bytes.length < NONCE_BYTES + TAG_BYTES) throw new Error('this is not a ciphertext')
  const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, NONCE_BYTES)).setAAD(Buffer.from(context))
  decipher.setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES))
  return Buffer.concat([decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES)), decipher.final()]).toString('utf8')
}
