// Access tokens as an attacker forges them, all of which must be refused.
import { createPrivateKey, generateKeyPairSync, type KeyObject, randomUUID } from 'node:crypto'
import { type JWTHeaderParameters, type JWTPayload, SignJWT, UnsecuredJWT } from 'jose'
import { revokeClient } from '../../src/platform/auth/clients.ts'
import type { Caller, TestService } from './service.ts'

/** Claims that differ from those of a good token; undefined leaves one out. */
type Claims = Record<string, unknown>

/** `Authorization` headers without anything that could be a token; undefined means no header. */
export const withoutToken: Record<string, string | undefined> = {
  'no token': undefined,
  'another scheme': `Basic ${Buffer.from('a:b').toString('base64')}`,
  'a bearer without a token': 'Bearer ',
}

/** Signs any claims for the caller's client with the service's key. */
export async function tokenSigner(service: TestService, caller: Caller): Promise<(claims: Claims) => Promise<string>> {
  const { kid, privateKey } = await signingKey(service)
  return (claims) =>
    new SignJWT(goodClaims(caller, claims)).setProtectedHeader({ alg: 'RS256', kid, typ: 'JWT' }).sign(privateKey)
}

/** `Authorization` headers with invalid tokens, by their fault. */
export async function badTokens(service: TestService): Promise<Record<string, string>> {
  const caller = await service.newCaller()
  const { kid, privateKey } = await signingKey(service)
  const header = { alg: 'RS256', kid, typ: 'JWT' }
  const signed = (claims: Claims, as: JWTHeaderParameters = header, key: KeyObject | Uint8Array = privateKey) =>
    new SignJWT(goodClaims(caller, claims)).setProtectedHeader(as).sign(key)
  const foreignKey = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey
  const pem = new TextEncoder().encode(await service.deps.tokens.pem())
  const jwk = new TextEncoder().encode(JSON.stringify((await service.deps.tokens.jwks()).keys[0]))
  const revoked = await service.newCaller()
  await revokeClient(service.database, { id: revoked.credentials.client_id })
  const now = Math.floor(Date.now() / 1000)
  const missing = ['iss', 'aud', 'sub', 'exp', 'iat', 'organization_id', 'user_id']

  const bearers: Record<string, string> = {
    'a malformed token': 'not.a.token',
    'a token of one part': 'token',
    'a token of empty parts': '..',
    'a token of five parts': 'a.b.c.d.e',
    'a token of excessive length': `${caller.token}${'A'.repeat(12_000)}`,
    'an expired token': await signed({ exp: now - 3600 }),
    'a token that is not valid yet': await signed({ nbf: now + 3600 }),
    'a token of the future': await signed({ iat: now + 3600, exp: now + 7200 }),
    'a token older than the longest lifetime': await signed({ iat: now - 90_000 }),
    'a token without a signature': new UnsecuredJWT(goodClaims(caller, {})).encode(),
    'a token truncated before its signature': caller.token.split('.').slice(0, 2).join('.').concat('.'),
    'a token signed with the public key as a shared secret': await signed({}, { ...header, alg: 'HS256' }, pem),
    'a token signed with the published key as a shared secret': await signed({}, { ...header, alg: 'HS256' }, jwk),
    'a token signed by another algorithm of our key': await signed({}, { ...header, alg: 'PS256' }),
    'a token of another issuer': await signed({ iss: 'another issuer' }),
    'a token for another audience': await signed({ aud: 'another audience' }),
    'a token with a changed signature': tampered(caller.token, 2),
    'a token with changed claims': tampered(caller.token, 1),
    'a token with a changed header': tampered(caller.token, 0),
    'a token of an unknown key': await signed({}, { ...header, kid: 'unknown' }),
    'a token without a key': await signed({}, { alg: 'RS256', typ: 'JWT' }),
    'a token that brings its own key': await ownKey(caller),
    'a token with an extension that must be understood': await signed({}, { ...header, crit: ['x'], x: 1 }).catch(
      () => `${Buffer.from('{"alg":"RS256","crit":["x"],"x":1}').toString('base64url')}.e30.AA`,
    ),
    'a token signed by another key under our key id': await signed({}, header, foreignKey),
    'a token of a revoked client': revoked.token,
    'a token of a client that does not exist': await signed({ sub: randomUUID() }),
    'a token of a client whose id is malformed': await signed({ sub: "' or 1=1 --" }),
    'a token of an organization whose id is malformed': await signed({ organization_id: 'x' }),
    'a token whose user is a list': await signed({ user_id: [randomUUID()] }),
    ...Object.fromEntries(
      await Promise.all(
        missing.map(async (claim) => [`a token without ${claim}`, await signed({ [claim]: undefined })] as const),
      ),
    ),
  }
  return {
    'two tokens': `Bearer ${caller.token} ${caller.token}`,
    'a token in quotes': `Bearer "${caller.token}"`,
    ...Object.fromEntries(Object.entries(bearers).map(([name, token]) => [name, `Bearer ${token}`])),
  }
}

/** A token whose header carries the key that verifies it. */
async function ownKey(caller: Caller): Promise<string> {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const jwk = publicKey.export({ format: 'jwk' })
  return new SignJWT(goodClaims(caller, {})).setProtectedHeader({ alg: 'RS256', jwk } as never).sign(privateKey)
}

/** The current signing key, which only the service can decrypt. */
async function signingKey(service: TestService): Promise<{ kid: string; privateKey: KeyObject }> {
  const row = await service.database.row('select kid, private_key from signing_key order by created_at desc limit 1')
  const [kid, encrypted] = row as [string, string]
  const text = service.deps.vault.decrypt(encrypted, { table: 'signing_key', column: 'private_key', id: kid })
  return { kid, privateKey: createPrivateKey({ key: JSON.parse(text), format: 'jwk' }) }
}

function goodClaims(caller: Caller, overrides: Claims): JWTPayload {
  const now = Math.floor(Date.now() / 1000)
  const claims = {
    iss: 'anteroom',
    aud: 'anteroom',
    sub: caller.credentials.client_id,
    organization_id: caller.organizationId,
    user_id: randomUUID(),
    iat: now,
    exp: now + 3600,
    ...overrides,
  }
  return JSON.parse(JSON.stringify(claims))
}

/** The token with one character changed in the middle of one of its three parts. */
function tampered(token: string, part: number): string {
  const parts = token.split('.')
  const text = parts[part] ?? ''
  const at = Math.floor(text.length / 2)
  parts[part] = text.slice(0, at) + (text[at] === 'A' ? 'B' : 'A') + text.slice(at + 1)
  return parts.join('.')
}

/** Every `Authorization` header that must be refused. */
export async function badAuthorizations(service: TestService): Promise<Record<string, string | undefined>> {
  return { ...withoutToken, ...(await badTokens(service)) }
}
