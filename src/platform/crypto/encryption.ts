// decisions/0014-keys-and-backups.md, decisions/0016-bound-ciphertexts-links-and-tokens.md
import { createHmac, hkdfSync } from 'node:crypto'
import { decryptBytes, encryptBytes } from './aead.ts'
import { isEqual } from './constant-time.ts'
import { type DataKey, fixedRing, KEY_BYTES, type KeyRing } from './key-ring.ts'

/** The place of an encrypted value. A ciphertext can be decrypted only in its own place. */
export interface Place {
  /** The table; for a versioned record the record's table, also for values in its history. */
  table: string
  /** The column, and the field within it for JSON: `body.social_security_number`. */
  column: string
  /** Absent when the table belongs to no organization. */
  organizationId?: string
  /** The rest of the record's key, without its version. */
  id: string
}

/**
 * Encrypts values that must be read back: social security numbers, portal passwords, private keys (design.md, "Data
 * model").
 */
export interface Vault {
  /** The id of the current encryption key: the first 8 hex digits of its SHA-256, stored with every encrypted value. */
  readonly keyId: string
  /** The ids of all keys that decrypt, the encrypting one first. */
  readonly keyIds: readonly string[]
  /** `encrypted:<key id>:<base64url of nonce, tag and ciphertext>`, bound to its place. */
  encrypt(text: string, place: Place): string
  /** Returns the text. @throws Error when it was encrypted for another place or with an unknown key, or was altered. */
  decrypt(ciphertext: string, place: Place): string
  /** Returns the text, or undefined where `decrypt` throws. */
  tryDecrypt(ciphertext: string, place: Place): string | undefined
  /** An opaque text for clients to send back, valid for this context only. */
  writeToken(text: string, context: string): string
  /** The text of `writeToken`, or undefined for a token that is foreign, was altered or belongs to another context. */
  readToken(token: string, context: string): string | undefined
  /** A signature that requires the key, for texts that clients send back. HMAC-SHA-256, base64url. */
  sign(text: string): string
  /** Compares in constant time. A signature with any key of the ring is valid. */
  isSigned(text: string, signature: string): boolean
  /** 32 bytes for one purpose and one salt, derived from the key with this id. @throws Error when the ring lacks it. */
  deriveKey(keyId: string, purpose: string, salt: Buffer): Buffer
}

export const ENCRYPTED_PREFIX = 'encrypted:'
/** The prefix of values from before they were bound to their place. */
export const UNBOUND_PREFIX = 'sealed:'
const CIPHERTEXT = new RegExp(`^(${ENCRYPTED_PREFIX}|${UNBOUND_PREFIX})([0-9a-f]{8}):`)
/**
 * The columns that had values before these were bound to their place; an unbound value anywhere else is not decrypted.
 */
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
 * A vault with one key or a ring of keys. `onUnreadable` is called with the place of every value that `tryDecrypt`
 * could not decrypt.
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
      throw new Error('an unbound value is not allowed in this column')
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
      // Node skips what is not base64url, so that many texts would be the same token.
      if (bytes.toString('base64url') !== token) return undefined
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

/** Ids are compared ignoring case, because callers write them in either. */
function contextOf({ table, column, organizationId = '', id }: Place): string {
  return JSON.stringify([table, column, organizationId.toLowerCase(), id.toLowerCase()])
}

const signWith = ({ signingKey }: DataKey, text: string) =>
  createHmac('sha256', signingKey).update(text).digest('base64url')
