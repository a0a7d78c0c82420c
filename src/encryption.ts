import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto'
import { type DataKey, fixedRing, KEY_BYTES, type KeyRing } from './keys/key-ring.ts'

/** Encrypts what must be read back: social security numbers, portal passwords, private keys (design.md, "Data model"). */
export interface Vault {
  /** Which key seals now: the first 8 hex digits of its SHA-256, stored beside every sealed value. */
  readonly keyId: string
  /** Every key that opens, the sealing one first. */
  readonly keyIds: readonly string[]
  /** `sealed:<key id>:<base64url of nonce, tag and ciphertext>`. AES-256-GCM, a fresh 96-bit nonce each time (NIST SP 800-38D). */
  seal(text: string): string
  /** The text again. @throws Error when it was sealed under a key that is not in the ring, or was changed. */
  open(sealed: string): string
  /** The text again, or undefined when this vault did not seal it. */
  tryOpen(sealed: string): string | undefined
  /** A signature that only holders of the key can make, for texts that leave the house and come back. HMAC-SHA-256, base64url. */
  sign(text: string): string
  /** Compares in constant time. A signature under any key of the ring is good. */
  isSigned(text: string, signature: string): boolean
  /** 32 bytes for one purpose and one salt, from the key of this id. @throws Error when the ring does not hold it. */
  deriveKey(keyId: string, purpose: string, salt: Buffer): Buffer
}

export const SEALED_PREFIX = 'sealed:'
const NONCE_BYTES = 12
const TAG_BYTES = 16
const SEALED = new RegExp(`^${SEALED_PREFIX}([0-9a-f]{8}):`)

/** A vault over one key or a ring of them. @throws Error when a key is not 32 bytes. */
export function createVault(key: Buffer | KeyRing): Vault {
  const ring = Buffer.isBuffer(key) ? fixedRing([key]) : key
  const current = () => ring.keys()[0] as DataKey
  const find = (id: string | undefined): DataKey => {
    const withId = (each: DataKey) => each.id === id
    const found = ring.keys().find(withId) ?? ring.refreshed().find(withId)
    if (!found) throw new Error('this value was sealed under another encryption key')
    return found
  }
  const vault: Vault = {
    get keyId() {
      return current().id
    },
    get keyIds() {
      return ring.keys().map(({ id }) => id)
    },
    seal: (text) => sealWith(current(), text),
    open: (sealed) => openWith(find(SEALED.exec(sealed)?.[1]), sealed),
    tryOpen(sealed) {
      try {
        return vault.open(sealed)
      } catch {
        return undefined
      }
    },
    sign: (text) => signWith(current(), text),
    isSigned(text, signature) {
      const given = Buffer.from(signature)
      const isBy = (each: DataKey) => isEqual(Buffer.from(signWith(each, text)), given)
      return ring.keys().some(isBy) || ring.refreshed().some(isBy)
    },
    deriveKey: (keyId, purpose, salt) => Buffer.from(hkdfSync('sha256', find(keyId).bytes, salt, purpose, KEY_BYTES)),
  }
  return vault
}

function sealWith({ id, bytes }: DataKey, text: string): string {
  const nonce = randomBytes(NONCE_BYTES)
  const cipher = createCipheriv('aes-256-gcm', bytes, nonce)
  const ciphertext = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
  return `${SEALED_PREFIX}${id}:${Buffer.concat([nonce, cipher.getAuthTag(), ciphertext]).toString('base64url')}`
}

function openWith({ id, bytes }: DataKey, sealed: string): string {
  const content = Buffer.from(sealed.slice(SEALED_PREFIX.length + id.length + 1), 'base64url')
  const decipher = createDecipheriv('aes-256-gcm', bytes, content.subarray(0, NONCE_BYTES))
  decipher.setAuthTag(content.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES))
  const text = Buffer.concat([decipher.update(content.subarray(NONCE_BYTES + TAG_BYTES)), decipher.final()])
  return text.toString('utf8')
}

const signWith = ({ signingKey }: DataKey, text: string) =>
  createHmac('sha256', signingKey).update(text).digest('base64url')

const isEqual = (wanted: Buffer, given: Buffer) => wanted.length === given.length && timingSafeEqual(wanted, given)
