// An operator chooses how access tokens are signed: callers notice nothing, verifiers read the algorithm in the published keys, and the key decides
// by which algorithm its tokens are accepted.
import { createPrivateKey, type KeyObject, randomUUID } from 'node:crypto'
import { createLocalJWKSet, decodeProtectedHeader, importSPKI, jwtVerify, SignJWT } from 'jose'
import { beforeAll, describe, expect, it } from 'vitest'
import { testService } from '../../../test/support/service.ts'
import type { AlgorithmName } from './signing-algorithms.ts'
import { listSigningKeys, rotateSigningKey } from './signing-keys.ts'
import { openTokenIssuer } from './tokens.ts'

const service = testService()
const CLAIMS = { issuer: 'anteroom', audience: 'anteroom' }

/** Issuers load the keys of their own moment: an issuer as of a process that starts now. */
const openIssuer = () => {
  const { systemDatabase: database, vault } = service.deps
  return openTokenIssuer({ database, vault, issuer: 'anteroom', lifetimeSeconds: 60, now: () => new Date() })
}

async function issue(): Promise<{ token: string; issuer: Awaited<ReturnType<typeof openIssuer>> }> {
  const { organizationId, credentials } = await service.newCaller()
  const issuer = await openIssuer()
  const token = await issuer.issue({ organizationId, userId: randomUUID(), clientId: credentials.client_id })
  return { token, issuer }
}

/** Rotates the key, and lets the half minute pass after which it signs. */
async function rotate(name?: AlgorithmName) {
  const made = await rotateSigningKey(service.database, service.deps.vault, name)
  await service.database.rows(`update signing_key set signs_from = now() where kid = $1`, [made.kid])
  return made
}

async function privateKey(kid: string): Promise<KeyObject> {
  const [encrypted] = (await service.database.row('select private_key from signing_key where kid = $1', [kid])) as [
    string,
  ]
  const text = service.deps.vault.decrypt(encrypted, { table: 'signing_key', column: 'private_key', id: kid })
  return createPrivateKey({ key: JSON.parse(text), format: 'jwk' })
}

describe('a key of ES256', () => {
  let old = { kid: '', token: '' }
  let made: Awaited<ReturnType<typeof rotate>>
  beforeAll(async () => {
    const { token } = await issue()
    old = { kid: decodeProtectedHeader(token).kid ?? '', token }
    made = await rotate('ES256')
  })

  it('signs tokens that third parties verify with the published keys, JWKS and PEM', async () => {
    const { token, issuer } = await issue()
    expect(decodeProtectedHeader(token)).toEqual({ alg: 'ES256', typ: 'JWT', kid: made.kid })
    const jwks = await issuer.jwks()
    expect(jwks.keys.map(({ alg, kty, crv }) => [alg, kty, crv])).toEqual([
      ['ES256', 'EC', 'P-256'],
      ['RS256', 'RSA', undefined],
    ])
    expect(JSON.stringify(jwks)).not.toMatch(/"(d|p|q|dp|dq|qi)":/)
    await jwtVerify(token, createLocalJWKSet(jwks), CLAIMS)
    await jwtVerify(token, await importSPKI(await issuer.pem(), 'ES256'), CLAIMS)
  })

  it('leaves tokens of the key before valid', async () => {
    const { token, issuer } = await issue()
    expect((await issuer.verify(token)).actor.organizationId).toBeDefined()
    expect((await issuer.verify(old.token)).actor.organizationId).toBeDefined()
  })

  it('is listed with its algorithm', async () => {
    const listed = (await listSigningKeys(service.database)).map(({ kid, algorithm, state }) => [kid, algorithm, state])
    expect(listed).toEqual([
      [made.kid, 'ES256', 'signing'],
      [old.kid, 'RS256', 'verifying'],
    ])
  })

  it('does not accept a token under the algorithm of another key', async () => {
    const { token, issuer } = await issue()
    const claims = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString())
    const signed = async (alg: AlgorithmName, kid: string, key: string) =>
      new SignJWT(claims).setProtectedHeader({ alg, kid, typ: 'JWT' }).sign(await privateKey(key))
    expect((await issuer.verify(await signed('RS256', old.kid, old.kid))).actor).toBeDefined()
    for (const crossed of [await signed('ES256', old.kid, made.kid), await signed('RS256', made.kid, old.kid)])
      await expect(issuer.verify(crossed)).rejects.toThrow('not valid or has expired')
  })

  it('is followed by a key of the same algorithm, unless another is asked for', async () => {
    expect((await rotate()).algorithm).toBe('ES256')
    expect((await rotate('RS256')).algorithm).toBe('RS256')
    expect((await rotate()).algorithm).toBe('RS256')
  })
})
