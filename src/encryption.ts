import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createHmac,
  hkdfSync,
  randomBytes,
  timingSafeEqual,
} from 'node:crypto'

/** Encrypts what must be read back: social security numbers, portal passwords, private keys (design.md, "Data model"). */
export interface Vault {
  /** Which key seals now: the first 8 hex digits of its SHA-256, stored beside every sealed value. */
  keyId: string
  /** `sealed:<key id>:<base64url of nonce, tag and ciphertext>`. AES-256-GCM, a fresh 96-bit nonce each time (NIST SP 800-38D). */
  seal(text: string): string
  /** The text again. @throws Error when it was sealed under another key or was changed. */
  open(sealed: string): string
  /** The text again, or undefined when this vault did not seal it. */
  tryOpen(sealed: string): string | undefined
  /** A signature that only holders of the key can make, for texts that leave the house and come back. HMAC-SHA-256, base64url. */
  sign(text: string): string
  /** Compares in constant time. */
  isSigned(text: string, signature: string): boolean
}

export const SEALED_PREFIX = 'sealed:'
const KEY_BYTES = 32
const NONCE_BYTES = 12
const TAG_BYTES = 16

/** @throws Error when the key is not 32 bytes. */
export function createVault(key: Buffer): Vault {
  if (key.length !== KEY_BYTES) throw new Error('the encryption key must be 32 bytes')
  const keyId = createHash('sha256').update(key).digest('hex').slice(0, 8)
  const prefix = `${SEALED_PREFIX}${keyId}:`
  // A key of its own: one key must not serve two algorithms (NIST SP 800-57, 5.2).
  const signingKey = Buffer.from(hkdfSync('sha256', key, '', 'anteroom signatures', KEY_BYTES))
  const vault: Vault = {
    keyId,
    seal(text) {
      const nonce = randomBytes(NONCE_BYTES)
      const cipher = createCipheriv('aes-256-gcm', key, nonce)
      const ciphertext = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
      return prefix + Buffer.concat([nonce, cipher.getAuthTag(), ciphertext]).toString('base64url')
    },
    open(sealed) {
      if (!sealed.startsWith(prefix)) throw new Error('this value was sealed under another encryption key')
      const bytes = Buffer.from(sealed.slice(prefix.length), 'base64url')
      const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, NONCE_BYTES))
      decipher.setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES))
      return Buffer.concat([decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES)), decipher.final()]).toString(
        'utf8',
      )
    },
    tryOpen(sealed) {
      try {
        return vault.open(sealed)
      } catch {
        return undefined
      }
    },
    sign: (text) => createHmac('sha256', signingKey).update(text).digest('base64url'),
    isSigned(text, signature) {
      const wanted = Buffer.from(vault.sign(text))
      const given = Buffer.from(signature)
      return wanted.length === given.length && timingSafeEqual(wanted, given)
    },
  }
  return vault
}
