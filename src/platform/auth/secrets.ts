import { createHash, randomBytes } from 'node:crypto'

/** A client secret: 256 random bits, as 43 characters that are safe in a URL, a form and a shell. */
export function newSecret(): string {
  return randomBytes(32).toString('base64url')
}

/** SHA-256: a secret of 256 random bits needs no slow hash, and issuance stays cheap to check. */
export function hashSecret(secret: string): Buffer {
  return createHash('sha256').update(secret, 'utf8').digest()
}
