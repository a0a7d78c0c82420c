import { encryptBytes } from '../../src/platform/crypto/aead.ts'
import { UNBOUND_PREFIX } from '../../src/platform/crypto/encryption.ts'
import { fixedRing } from '../../src/platform/crypto/key-ring.ts'

/** A value in the encrypted form of releases before values were bound to their place. */
export function unbound(key: Buffer, text: string): string {
  const [{ id, bytes } = { id: '', bytes: key }] = fixedRing([key]).keys()
  return `${UNBOUND_PREFIX}${id}:${encryptBytes(bytes, text, '').toString('base64url')}`
}
