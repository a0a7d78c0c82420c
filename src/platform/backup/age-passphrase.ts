// Passphrases of age with the scrypt of OpenSSL, in half the time of the library's own, and beside the event loop.
// Source: https://age-encryption.org/v1, "The scrypt recipient type".
import { createCipheriv, createDecipheriv, randomBytes, scrypt } from 'node:crypto'
import { promisify } from 'node:util'
import { type Identity, type Recipient, Stanza } from 'age-encryption'

const LABEL = Buffer.from('age-encryption.org/v1/scrypt')
const SALT_BYTES = 16
const FILE_KEY_BYTES = 16
const TAG_BYTES = 16
/** A gigabyte of memory. Whoever writes the file chooses it. */
const MAX_WORK_FACTOR = 20
/** Each key encrypts one file key. */
const NONCE = Buffer.alloc(12)
const ALGORITHM = 'chacha20-poly1305'
const TAG = { authTagLength: TAG_BYTES }

/** Derives a key. OpenSSL counts a little more than the 1,024 bytes for each step. */
async function keyOf(passphrase: string, salt: Buffer, workFactor: number): Promise<Buffer> {
  const N = 2 ** workFactor
  const derive = promisify<string, Buffer, number, object, Buffer>(scrypt)
  return derive(passphrase, Buffer.concat([LABEL, salt]), 32, { N, r: 8, p: 1, maxmem: 1024 * N + 2 ** 20 })
}

/** Encrypts a file for one passphrase, which must be its only recipient. */
export function passphraseRecipient(passphrase: string, workFactor: number): Recipient {
  return {
    async wrapFileKey(fileKey) {
      const salt = randomBytes(SALT_BYTES)
      const cipher = createCipheriv(ALGORITHM, await keyOf(passphrase, salt, workFactor), NONCE, TAG)
      const body = Buffer.concat([cipher.update(fileKey), cipher.final(), cipher.getAuthTag()])
      return [new Stanza(['scrypt', salt.toString('base64').replaceAll('=', ''), String(workFactor)], body)]
    },
  }
}

/** Decrypts a file that a passphrase encrypts. Another file, and one of another passphrase, is `null`. */
export function passphraseIdentity(passphrase: string): Identity {
  return {
    async unwrapFileKey(stanzas) {
      const stanza = stanzas.find(({ args }) => args[0] === 'scrypt')
      if (!stanza) return null
      if (stanzas.length !== 1) throw new Error('a passphrase is not the only recipient of the file')
      const { salt, workFactor } = readStanza(stanza)
      const decipher = createDecipheriv(ALGORITHM, await keyOf(passphrase, salt, workFactor), NONCE, TAG)
      decipher.setAuthTag(stanza.body.subarray(FILE_KEY_BYTES))
      const fileKey = decipher.update(stanza.body.subarray(0, FILE_KEY_BYTES))
      try {
        decipher.final()
      } catch {
        return null
      }
      return fileKey
    },
  }
}

/** @throws when it is not as age writes it. */
function readStanza({ args, body }: Stanza): { salt: Buffer; workFactor: number } {
  const [, salt = '', factor = '', ...more] = args
  const bytes = Buffer.from(salt, 'base64')
  const isWhole = bytes.length === SALT_BYTES && bytes.toString('base64') === `${salt}==`
  if (!isWhole || more.length > 0 || body.length !== FILE_KEY_BYTES + TAG_BYTES)
    throw new Error('invalid scrypt stanza')
  if (!/^[1-9][0-9]?$/.test(factor) || Number(factor) > MAX_WORK_FACTOR)
    throw new Error('the work factor of the passphrase is none, or too high')
  return { salt: bytes, workFactor: Number(factor) }
}
