import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject, randomUUID } from 'node:crypto'
import { calculateJwkThumbprint, exportJWK, type JWK, jwtVerify, SignJWT } from 'jose'
import type { WholeDatabase } from '../database/database.ts'
import type { Vault } from '../encryption.ts'
import { unauthorized } from '../errors.ts'
import type { Actor } from '../http/endpoint.ts'
import { isClientActive } from './clients.ts'

/** Signs and verifies access tokens with the keys that the database holds, so that every process accepts every other's. */
export interface TokenIssuer {
  issue(actor: Actor): Promise<string>
  /** Whom a token that was verified a moment ago belongs to; undefined sends the caller to `verify`. */
  recall(token: string): Actor | undefined
  /** @throws UnauthorizedError for a token that is malformed, tampered with, expired, not ours, or whose client was revoked. */
  verify(token: string): Promise<Actor>
  /** The published keys. Source: RFC 7517. */
  jwks(): { keys: JWK[] }
  /** The public key of newly issued tokens in PEM. */
  pem(): string
}

/** The only algorithm that is ever accepted, whatever a token's header says. */
const ALGORITHM = 'RS256'
const AUDIENCE = 'anteroom'
const CLOCK_TOLERANCE_SECONDS = 30
const RSA_BITS = 2048
/** A verified signature is remembered until the token ends; the oldest go when there are many. */
const REMEMBERED_TOKENS = 10_000
/** How long a client counts as active without asking the database again: what bounds the effect of a revocation. */
const REVOCATION_CHECK_MS = 5_000
/** An unknown `kid` makes us look for new keys, at most this often. */
const KEY_RELOAD_MS = 5_000
/** Any number, the same in every process. */
const KEY_CREATION_LOCK = 7_206_052

interface SigningKey {
  kid: string
  privateKey: KeyObject
  publicKey: KeyObject
  jwk: JWK
}

/** Loads the signing keys, making the first when there is none. */
export async function openTokenIssuer(options: {
  database: WholeDatabase
  vault: Vault
  issuer: string
  lifetimeSeconds: number
  now(): Date
}): Promise<TokenIssuer> {
  const { database, vault, issuer, lifetimeSeconds, now } = options
  let keys = await loadKeys(database, vault)
  let keysLoadedAt = Date.now()
  if (keys.length === 0) {
    await createKey(database, vault)
    keys = await loadKeys(database, vault)
  }
  const remembered = new Map<string, { actor: Actor; expiresAt: number }>()
  const activeUntil = new Map<string, number>()

  async function keyFor(kid: string | undefined): Promise<SigningKey> {
    let key = keys.find((each) => each.kid === kid)
    if (!key && Date.now() - keysLoadedAt > KEY_RELOAD_MS) {
      keysLoadedAt = Date.now()
      keys = await loadKeys(database, vault)
      key = keys.find((each) => each.kid === kid)
    }
    if (!key) throw new Error('the token names a key that is not ours')
    return key
  }

  async function readToken(token: string): Promise<{ actor: Actor; expiresAt: number }> {
    const known = remembered.get(token)
    if (known && known.expiresAt > now().getTime()) return known
    const { payload } = await jwtVerify(token, async ({ kid }) => (await keyFor(kid)).publicKey, {
      algorithms: [ALGORITHM],
      issuer,
      audience: AUDIENCE,
      clockTolerance: CLOCK_TOLERANCE_SECONDS,
      currentDate: now(),
      requiredClaims: ['sub', 'exp', 'organization_id', 'user_id'],
    })
    const actor = {
      organizationId: String(payload.organization_id),
      userId: String(payload.user_id),
      clientId: String(payload.sub),
    }
    const verified = { actor, expiresAt: ((payload.exp ?? 0) + CLOCK_TOLERANCE_SECONDS) * 1000 }
    remembered.set(token, verified)
    if (remembered.size > REMEMBERED_TOKENS) remembered.delete(remembered.keys().next().value as string)
    return verified
  }

  async function refuseRevoked(clientId: string): Promise<void> {
    if ((activeUntil.get(clientId) ?? 0) > Date.now()) return
    if (!(await isClientActive(database, clientId))) {
      activeUntil.delete(clientId)
      throw unauthorized('this client has been revoked')
    }
    activeUntil.set(clientId, Date.now() + REVOCATION_CHECK_MS)
  }

  return {
    async issue(actor) {
      const key = keys[0] as SigningKey
      const issuedAt = Math.floor(now().getTime() / 1000)
      return new SignJWT({ organization_id: actor.organizationId, user_id: actor.userId })
        .setProtectedHeader({ alg: ALGORITHM, kid: key.kid, typ: 'JWT' })
        .setIssuer(issuer)
        .setAudience(AUDIENCE)
        .setSubject(actor.clientId)
        .setJti(randomUUID())
        .setIssuedAt(issuedAt)
        .setExpirationTime(issuedAt + lifetimeSeconds)
        .sign(key.privateKey)
    },
    recall(token) {
      const known = remembered.get(token)
      if (!known || known.expiresAt <= now().getTime()) return undefined
      return (activeUntil.get(known.actor.clientId) ?? 0) > Date.now() ? known.actor : undefined
    },
    async verify(token) {
      const { actor } = await readToken(token).catch((error) => {
        throw isInvalidToken(error) ? unauthorized('the access token is not valid or has expired', error) : error
      })
      await refuseRevoked(actor.clientId)
      return actor
    },
    jwks: () => ({ keys: keys.map(({ jwk }) => jwk) }),
    pem: () => String((keys[0] as SigningKey).publicKey.export({ type: 'spki', format: 'pem' })),
  }
}

/** Newest first: the first signs, all verify. */
async function loadKeys(database: WholeDatabase, vault: Vault): Promise<SigningKey[]> {
  const rows = await database.rows(
    'select kid, private_key, public_key::text from signing_key where retired_at is null order by created_at desc, kid',
  )
  return rows.map((row) => {
    const [kid, sealed, publicJwk] = row as [string, string, string]
    const privateKey = createPrivateKey({ key: JSON.parse(vault.open(sealed)), format: 'jwk' })
    const jwk = JSON.parse(publicJwk) as JWK
    return { kid, privateKey, publicKey: createPublicKey({ key: jwk as object, format: 'jwk' } as never), jwk }
  })
}

async function createKey(database: WholeDatabase, vault: Vault): Promise<void> {
  const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: RSA_BITS })
  const publicJwk = await exportJWK(publicKey)
  const kid = await calculateJwkThumbprint(publicJwk)
  const jwk: JWK = { ...publicJwk, kid, use: 'sig', alg: ALGORITHM }
  const sealed = vault.seal(JSON.stringify(privateKey.export({ format: 'jwk' })))
  await database.transaction(async (transaction) => {
    // Two processes that start at once on an empty database make one key between them.
    await transaction.rows('select pg_advisory_xact_lock($1)', [KEY_CREATION_LOCK])
    await transaction.rows(
      'insert into signing_key (kid, private_key, public_key) select $1, $2, $3 where not exists (select from signing_key)',
      [kid, sealed, JSON.stringify(jwk)],
    )
  })
}

function isInvalidToken(error: unknown): boolean {
  const code = (error as { code?: string }).code ?? ''
  return (
    code.startsWith('ERR_JW') || code.startsWith('ERR_JOSE') || (error as Error).message.startsWith('the token names')
  )
}
