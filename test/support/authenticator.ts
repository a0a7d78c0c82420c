// An authenticator in software, as WebAuthn describes one: it makes a passkey and signs with it. Source: WebAuthn Level 3, 6.1 and 6.5; RFC 9052.
import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto'

interface Made {
  rpId?: string
  origin?: string
  challenge: string
  /** Whether the device verified the person by a PIN or biometrics. */
  isVerified?: boolean
}

export interface Passkey {
  id: string
  counter: number
  /** `PublicKeyCredential.toJSON()` after `navigator.credentials.create()`. */
  created: object
  /** The same after `navigator.credentials.get()`. `as`: whose it claims to be. */
  use(made: Made & { as?: string; counter?: number }): object
}

const USER_PRESENT = 0x01
const USER_VERIFIED = 0x04
const HAS_CREDENTIAL = 0x40

/** A passkey for the person of `userId` (base64url), made for the options of a site. */
export function newPasskey(userId: string, made: Made): Passkey {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const rawId = randomBytes(16)
  const id = rawId.toString('base64url')
  const credential = Buffer.concat([Buffer.alloc(16), Buffer.from([0, rawId.length]), rawId, coseKey(publicKey)])
  const data = authenticatorData(made, 0, credential)
  const response = { clientDataJSON: clientData('webauthn.create', made), attestationObject: attestation(data) }
  return {
    id,
    counter: 0,
    created: credentialOf(id, response),
    use(asked) {
      this.counter = asked.counter ?? this.counter + 1
      const authenticator = authenticatorData(asked, this.counter)
      const client = clientData('webauthn.get', asked)
      const signature = signed(privateKey, authenticator, client)
      return credentialOf(id, {
        clientDataJSON: client,
        authenticatorData: authenticator.toString('base64url'),
        signature,
        userHandle: asked.as ?? userId,
      })
    },
  }
}

const credentialOf = (id: string, response: object) => ({
  id,
  rawId: id,
  type: 'public-key',
  clientExtensionResults: {},
  response,
})

const clientData = (type: string, { challenge, origin = 'http://localhost' }: Made) =>
  Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false })).toString('base64url')

function authenticatorData(
  { rpId = 'localhost', isVerified = true }: Made,
  counter: number,
  credential?: Buffer,
): Buffer {
  const flags = USER_PRESENT | (isVerified ? USER_VERIFIED : 0) | (credential ? HAS_CREDENTIAL : 0)
  const count = Buffer.alloc(4)
  count.writeUInt32BE(counter)
  const hash = createHash('sha256').update(rpId).digest()
  return Buffer.concat([hash, Buffer.from([flags]), count, credential ?? Buffer.alloc(0)])
}

function signed(key: KeyObject, data: Buffer, client: string): string {
  const hash = createHash('sha256').update(Buffer.from(client, 'base64url')).digest()
  return sign('sha256', Buffer.concat([data, hash]), key).toString('base64url')
}

/** `{1: 2, 3: -7, -1: 1, -2: x, -3: y}` in CBOR: an EC2 key for ES256. */
function coseKey(key: KeyObject): Buffer {
  const { x = '', y = '' } = key.export({ format: 'jwk' })
  const part = (name: number, text: string) =>
    Buffer.concat([Buffer.from([name, 0x58, 32]), Buffer.from(text, 'base64url')])
  return Buffer.concat([Buffer.from([0xa5, 1, 2, 3, 0x26, 0x20, 1]), part(0x21, x), part(0x22, y)])
}

/** `{fmt: 'none', attStmt: {}, authData}` in CBOR. */
function attestation(data: Buffer): string {
  const text = (word: string) => Buffer.from([0x60 + word.length, ...Buffer.from(word)])
  const bytes = Buffer.concat([Buffer.from([0x59, data.length >> 8, data.length & 0xff]), data])
  const parts = [text('fmt'), text('none'), text('attStmt'), Buffer.from([0xa0]), text('authData'), bytes]
  return Buffer.concat([Buffer.from([0xa3]), ...parts]).toString('base64url')
}
