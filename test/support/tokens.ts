// Access tokens as an attacker would make them: every one must be refused.
import { createPrivateKey, generateKeyPairSync, type KeyObject, randomUUID } from 'node:crypto'
import { type JWTHeaderParameters, SignJWT, UnsecuredJWT } from 'jose'
import { revokeClient } from '../../src/auth/clients.ts'
import type { Caller, TestService } from './service.ts'

interface Claims {
  issuer?: string
  audience?: string
  expiresAt?: string | number
  clientId?: string
}

/** `Authorization` headers that are no access, by what is wrong with them; undefined is no header at all. */
export async function badAuthorizations(service: TestService): Promise<Record<string, string | undefined>> {
  const caller = await service.newCaller()
  const { kid, privateKey } = await signingKey(service)
  const header = { alg: 'RS256', kid, typ: 'JWT' }
  const claims = (overrides: Claims = {}) => claimsOf(caller, overrides)
  const signed = (overrides: Claims, as: JWTHeaderParameters = header, key: KeyObject | Uint8Array = privateKey) =>
    claims(overrides).setProtectedHeader(as).sign(key)
  const foreignKey = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey
  const pem = new TextEncoder().encode(await service.deps.tokens.pem())
  const revoked = await service.newCaller()
  await revokeClient(service.database, revoked.credentials.client_id)

  const bearers: Record<string, string> = {
    'a malformed token': 'not.a.token',
    'an expired token': await signed({ expiresAt: Math.floor(Date.now() / 1000) - 3600 }),
    'a token without a signature': new UnsecuredJWT(claimSet(caller)).encode(),
    'a token signed with the public key as a shared secret': await signed({}, { ...header, alg: 'HS256' }, pem),
    'a token of another issuer': await signed({ issuer: 'somebody else' }),
    'a token for another audience': await signed({ audience: 'somebody else' }),
    'a token with a changed signature': tampered(caller.token, 2),
    'a token with changed claims': tampered(caller.token, 1),
    'a token of an unknown key': await signed({}, { ...header, kid: 'unknown' }),
    'a token signed by a stranger under our key id': await signed({}, header, foreignKey),
    'a token without an expiry': await new SignJWT(claimSet(caller)).setProtectedHeader(header).sign(privateKey),
    'a token of a revoked client': revoked.token,
    'a token of a client that does not exist': await signed({ clientId: randomUUID() }),
  }
  return {
    'no token': undefined,
    'another scheme': `Basic ${Buffer.from('a:b').toString('base64')}`,
    'a bearer without a token': 'Bearer ',
    ...Object.fromEntries(Object.entries(bearers).map(([name, token]) => [name, `Bearer ${token}`])),
  }
}

/** The key that signs now, as only the service can read it. */
async function signingKey(service: TestService): Promise<{ kid: string; privateKey: KeyObject }> {
  const row = await service.database.row('select kid, private_key from signing_key order by created_at desc limit 1')
  const [kid, sealed] = row as [string, string]
  return { kid, privateKey: createPrivateKey({ key: JSON.parse(service.deps.vault.open(sealed)), format: 'jwk' }) }
}

function claimSet(caller: Caller) {
  return {
    iss: 'anteroom',
    aud: 'anteroom',
    sub: caller.credentials.client_id,
    organization_id: caller.organizationId,
    user_id: randomUUID(),
  }
}

function claimsOf(caller: Caller, { issuer, audience, expiresAt, clientId }: Claims): SignJWT {
  const claims = claimSet(caller)
  return new SignJWT(claims)
    .setIssuer(issuer ?? claims.iss)
    .setAudience(audience ?? claims.aud)
    .setSubject(clientId ?? claims.sub)
    .setExpirationTime(expiresAt ?? '1h')
}

/** The token with one letter in the middle of one of its three parts changed. */
function tampered(token: string, part: number): string {
  const parts = token.split('.')
  const text = parts[part] ?? ''
  const at = Math.floor(text.length / 2)
  parts[part] = text.slice(0, at) + (text[at] === 'A' ? 'B' : 'A') + text.slice(at + 1)
  return parts.join('.')
}
