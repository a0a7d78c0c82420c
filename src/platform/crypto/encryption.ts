// decisions/0014-keys-and-backups.md, decisions/0016-ciphertexts-bound-to-their-place.md
import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto'
import { decryptBytes, encryptBytes } from './aead.ts'
import { type DataKey, fixedRing, KEY_BYTES, type KeyRing } from './key-ring.ts'

/** Where an encrypted value stands. A ciphertext opens in its own place only. */
export interface Place {
  /** The table; for a versioned record the record's, also for what stands in its history. */
  table: string
  /** The column, and the field in it where that is JSON: `body.social_security_number`. */
  column: string
  /** Absent where the table belongs to no organization. */
  organizationId?: string
  /** The rest of the record's key, without its version. */
  id: string
}

/** Encrypts what must be read back: social security numbers, portal passwords, private keys (design.md, "Data model"). */
export interface Vault {
  /** Which key encrypts now: the first 8 hex digits of its SHA-256, stored beside every encrypted value. */
  readonly keyId: string
  /** Every key that decrypts, the encrypting one first. */
  readonly keyIds: readonly string[]
  /** `encrypted:<key id>:<base64url of nonce, tag and ciphertext>`, bound to its place. */
  encrypt(text: string, place: Place): string
  /** The text again. @throws Error when it was encrypted for another place or under a key that is not in the ring, or was changed. */
  decrypt(ciphertext: string, place: Place): string
  /** The text again, or undefined where `decrypt` throws. */
  tryDecrypt(ciphertext: string, place: Place): string | undefined
  /** An opaque text that leaves the service and comes back, good for this context only. */
  writeToken(text: string, context: string): string
  /** What `writeToken` took, or undefined for a token that is not ours, was changed or belongs to another context. */
  readToken(token: string, context: string): string | undefined
  /** A signature that only holders of the key can make, for texts that leave the service and come back. HMAC-SHA-256, base64url. */
  sign(text: string): string
  /** Compares in constant time. A signature under any key of the ring is good. */
  isSigned(text: string, signature: string): boolean
  /** 32 bytes for one purpose and one salt, from the key of this id. @throws Error when the ring does not hold it. */
  deriveKey(keyId: string, purpose: string, salt: Buffer): Buffer
}

export const ENCRYPTED_PREFIX = 'encrypted:'
/** How values began before they were bound to their place. */
export const UNBOUND_PREFIX = 'sealed:'
const CIPHERTEXT = new RegExp(`^(${ENCRYPTED_PREFIX}|${UNBOUND_PREFIX})([0-9a-f]{8}):`)
/** Where values stood before they were bound to their place; nowhere else is an unbound value opened. */
const UNBOUND_COLUMNS: ReadonlySet<string> = new Set([
  'signing_key.private_key',
  'audit_key.sealed_key',
  'connector.settings',
  'eligibility_check.request.portal_password',
  'eligibility_check.raw_inquiry',
  'eligibility_check.raw_response',
  'patient.body.social_security_number',
])
const KEY_ID_BYTES = 4

/** Whether a text has the form of an encrypted value. */
export const isCiphertext = (text: string) => CIPHERTEXT.test(text)

/**
 * A vault over one key or a ring of them. `onUnreadable` learns of every place whose value could not be opened by `tryDecrypt`.
 * @throws Error when a key is not 32 bytes.
 */
export function createVault(key: Buffer | KeyRing, onUnreadable: (place: Place) => void = () => {}): Vault {
  const ring = Buffer.isBuffer(key) ? fixedRing([key]) : key
  const current = () => ring.keys()[0] as DataKey
  const find = (id: string | undefined): DataKey => {
    const withId = (each: DataKey) => each.id === id
    const found = ring.keys().find(withId) ?? ring.refreshed().find(withId)
    if (!found) throw new Error('this value was encrypted under another encryption key')
    return found
  }
  const vault: Vault = {
    get keyId() {
      return current().id
    },
    get keyIds() {
      return ring.keys().map(({ id }) => id)
    },
    encrypt(text, place) {
      const { id, encryptionKey } = current()
      return `${ENCRYPTED_PREFIX}${id}:${encryptBytes(encryptionKey, text, contextOf(place)).toString('base64url')}`
    },
    decrypt(ciphertext, place) {
      const [start = '', prefix, keyId] = CIPHERTEXT.exec(ciphertext) ?? []
      const { bytes: unboundKey, encryptionKey } = find(keyId)
      const bytes = Buffer.from(ciphertext.slice(start.length), 'base64url')
      if (prefix === ENCRYPTED_PREFIX) return decryptBytes(encryptionKey, bytes, contextOf(place))
      if (UNBOUND_COLUMNS.has(`${place.table}.${place.column}`)) return decryptBytes(unboundKey, bytes, '')
      throw new Error('no value of this form belongs here')
    },
    tryDecrypt(ciphertext, place) {
      try {
        return vault.decrypt(ciphertext, place)
      } catch {
        onUnreadable(place)
        return undefined
      }
    },
    writeToken(text, context) {
      const { id, tokenKey } = current()
      return Buffer.concat([Buffer.from(id, 'hex'), encryptBytes(tokenKey, text, context)]).toString('base64url')
    },
    readToken(token, context) {
      const bytes = Buffer.from(token, 'base64url')
      try {
        const { tokenKey } = find(bytes.toString('hex', 0, KEY_ID_BYTES))
        return decryptBytes(tokenKey, bytes.subarray(KEY_ID_BYTES), context)
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

/** Ids are the same in capitals and small letters: callers write them as they like. */
function contextOf({ table, column, organizationId = '', id }: Place): string {
  return JSON.stringify([table, column, organizationId.toLowerCase(), id.toLowerCase()])
}

const signWith = ({ signingKey }: DataKey, text: string) =>
  createHmac('sha256', signingKey).update(text).digest('base64url')

const isEqual = (wanted: Buffer, given: Buffer) => wanted.length === given.length && timingSafeEqual(wanted, given)
