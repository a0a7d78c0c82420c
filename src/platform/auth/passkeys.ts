// Registration of passkeys, and sign-in with one. A passkey with user verification is both factors: the device, and what unlocks it.
// decisions/0069-passkeys.md
import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server'
import { type Static, Type } from 'typebox'
import { isUuid } from '../../contract/formats.ts'
import type { Database } from '../database/database.ts'
import { credentialIds, findPasskey, type NewPasskey, recordUse } from './passkey-store.ts'
import type { ProvenUser } from './session-store.ts'
import { readAccount } from './sign-in.ts'
import type { User, UserKey } from './user-account.ts'

/** Loaded when the first passkey is used, because loading takes too long for a start. */
const library = () => import('@simplewebauthn/server')

const TEXT_MAX = 8_192
const Text = Type.String({ maxLength: TEXT_MAX })
const ofBrowser = {
  id: Text,
  rawId: Text,
  type: Type.Enum(['public-key']),
  authenticatorAttachment: Type.Optional(Type.Union([Text, Type.Null()])),
  clientExtensionResults: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
}

/** `PublicKeyCredential.toJSON()` of a browser. Source: WebAuthn Level 3, 5.1.1. */
export const NewCredential = Type.Object({
  ...ofBrowser,
  response: Type.Object({
    clientDataJSON: Text,
    attestationObject: Text,
    authenticatorData: Type.Optional(Text),
    transports: Type.Optional(Type.Array(Type.String({ maxLength: 40 }), { maxItems: 10 })),
    publicKey: Type.Optional(Type.Union([Text, Type.Null()])),
    publicKeyAlgorithm: Type.Optional(Type.Integer()),
  }),
})
export const UsedCredential = Type.Object({
  ...ofBrowser,
  response: Type.Object({
    clientDataJSON: Text,
    authenticatorData: Text,
    signature: Text,
    userHandle: Type.Optional(Type.Union([Text, Type.Null()])),
    attestationObject: Type.Optional(Type.Union([Text, Type.Null()])),
  }),
})

/** The site and the challenge that a credential was made for. */
export interface Expected {
  rpId: string
  origin: string
  challenge: string
}

/** Options of `navigator.credentials.create()`. */
export async function registrationOptions(database: Pick<Database, 'rows'>, rpId: string, user: User, key: UserKey) {
  const { generateRegistrationOptions } = await library()
  const known = await credentialIds(database as Database, key)
  return generateRegistrationOptions({
    rpName: 'Anteroom',
    rpID: rpId,
    userID: handleOf(key),
    userName: user.username,
    userDisplayName: user.name,
    attestationType: 'none',
    excludeCredentials: known.map((id) => ({ id })),
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  })
}

/** Undefined for a credential of another site, another challenge, or without user verification. */
export async function verifyRegistration(
  credential: Static<typeof NewCredential>,
  { rpId, origin, challenge }: Expected,
): Promise<Omit<NewPasskey, 'id' | 'name'> | undefined> {
  const { verifyRegistrationResponse } = await library()
  try {
    const { verified, registrationInfo } = await verifyRegistrationResponse({
      response: credential as RegistrationResponseJSON,
      expectedChallenge: challenge,
      expectedOrigin: origin,
      expectedRPID: rpId,
      requireUserVerification: true,
    })
    if (!verified) return undefined
    const { id, publicKey, counter, transports = [] } = registrationInfo.credential
    return { credentialId: id, publicKey, counter, transports }
  } catch {
    return undefined
  }
}

/** Options of `navigator.credentials.get()`: any passkey of this site, which identifies its user. */
export async function signInOptions(rpId: string) {
  const { generateAuthenticationOptions } = await library()
  return generateAuthenticationOptions({ rpID: rpId, userVerification: 'required' })
}

/** The user whose sign-in a credential proves; undefined if it is invalid. `challengeAt`: the time of the challenge. `onKnown`: called with the claimed user. */
export async function admitPasskey(
  database: Database,
  credential: Static<typeof UsedCredential>,
  { rpId, origin, challenge, challengeAt }: Expected & { challengeAt: number },
  onKnown: (key: UserKey) => void,
): Promise<ProvenUser | undefined> {
  const key = keyOfHandle(credential.response.userHandle)
  const passkey = key && (await findPasskey(database, key, credential.id))
  if (!key || !passkey) return undefined
  onKnown(key)
  const counter = await verifyUse(credential, passkey, { rpId, origin, challenge })
  if (counter === undefined) return undefined
  const account = await readAccount(database, key)
  if (!account?.maySignIn) return undefined
  return (await recordUse(database, key, { id: passkey.id, counter, challengeAt })) ? account : undefined
}

async function verifyUse(
  credential: Static<typeof UsedCredential>,
  { credentialId, publicKey, counter }: Awaited<ReturnType<typeof findPasskey>> & object,
  { rpId, origin, challenge }: Expected,
): Promise<number | undefined> {
  const { verifyAuthenticationResponse } = await library()
  try {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: credential as AuthenticationResponseJSON,
      expectedChallenge: challenge,
      expectedOrigin: origin,
      expectedRPID: rpId,
      credential: { id: credentialId, publicKey, counter },
      requireUserVerification: true,
    })
    return verified ? authenticationInfo.newCounter : undefined
  } catch {
    // A wrong signature, site or challenge, a counter that decreased, or a missing user verification.
    return undefined
  }
}

const UUID_BYTES = 16

/** The user handle that an authenticator stores: only ids. */
const handleOf = ({ organizationId, id }: UserKey): Uint8Array<ArrayBuffer> =>
  new Uint8Array(Buffer.from(`${organizationId}${id}`.replaceAll('-', ''), 'hex'))

/** The user named in a handle (base64url); undefined when it is malformed. The user may not exist. */
export function keyOfHandle(handle: string | null | undefined): UserKey | undefined {
  const bytes = Buffer.from(handle ?? '', 'base64url')
  if (bytes.length !== 2 * UUID_BYTES) return undefined
  const uuid = (from: number) =>
    bytes.toString('hex', from, from + UUID_BYTES).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
  const key = { organizationId: uuid(0), id: uuid(UUID_BYTES) }
  return isUuid(key.organizationId) && isUuid(key.id) ? key : undefined
}
