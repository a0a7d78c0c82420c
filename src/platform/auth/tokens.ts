import { randomUUID } from 'node:crypto'
import { type JWK, jwtVerify, SignJWT } from 'jose'
import { LRUCache } from 'lru-cache'
import type { ClientActor } from '../../contract/actor.ts'
import { invalidToken } from '../../contract/errors.ts'
import { isUuid } from '../../contract/formats.ts'
import type { Vault } from '../crypto/encryption.ts'
import type { SystemDatabase } from '../database/database.ts'
import type { Admission } from '../http/authenticate.ts'
import { openClientStandings, type Standing } from './client-standings.ts'
import { ALGORITHM, openSigningKeys } from './signing-keys.ts'

/** Signs and verifies access tokens with the keys that the database holds, so that every process accepts every other's. */
export interface TokenIssuer {
  issue(actor: ClientActor): Promise<string>
  /** Whom a token that was verified a moment ago admits; undefined sends the caller to `verify`. */
  recall(token: string): Admission | undefined
  /** @throws UnauthorizedError for a token that is malformed, tampered with, expired, not ours, or whose client was revoked. */
  verify(token: string): Promise<Admission>
  /** What holds of a client at present, by whatever it was let in; undefined for one that was revoked. */
  standing(clientId: string): Promise<Standing | undefined>
  /** The published keys. Source: RFC 7517. */
  jwks(): Promise<{ keys: JWK[] }>
  /** The public key of newly issued tokens in PEM. */
  pem(): Promise<string>
}

const AUDIENCE = 'anteroom'
/** How far clocks may differ: a token is accepted this long before it begins and after it ends. */
export const CLOCK_TOLERANCE_SECONDS = 30
/** The longest life that can be set (TOKEN_LIFETIME_SECONDS). */
const MAX_AGE_SECONDS = 86_400
/** Ours have some 700 letters; nothing longer is looked at. */
const TOKEN_MAX_LENGTH = 4_096
/** A verified signature is remembered until the token ends; the least recently used are dropped when there are many. */
const REMEMBERED_TOKENS = 10_000

interface VerifiedToken {
  actor: ClientActor
  kid: string | undefined
  expiresAt: number
}

/** What jose does not know to be wrong with a token. */
class TokenFault extends Error {}

/** Loads the signing keys, making the first when there is none. */
export async function openTokenIssuer(options: {
  database: SystemDatabase
  vault: Vault
  issuer: string
  lifetimeSeconds: number
  now(): Date
}): Promise<TokenIssuer> {
  const { database, vault, issuer, lifetimeSeconds, now } = options
  const keys = await openSigningKeys(database, vault)
  const standings = openClientStandings(database)
  const remembered = new LRUCache<string, VerifiedToken>({ max: REMEMBERED_TOKENS })

  async function readToken(token: string): Promise<VerifiedToken> {
    const known = remembered.get(token)
    if (known && known.expiresAt > now().getTime() && keys.find(known.kid)) return known
    if (token.length > TOKEN_MAX_LENGTH) throw new TokenFault('the token is too long')
    const keyOf = async ({ kid }: { kid?: string }) => {
      const key = keys.find(kid)
      if (!key) throw new TokenFault('the token names a key that is not ours')
      return key.publicKey
    }
    const { payload, protectedHeader } = await jwtVerify(token, keyOf, {
      algorithms: [ALGORITHM],
      issuer,
      audience: AUDIENCE,
      clockTolerance: CLOCK_TOLERANCE_SECONDS,
      // Refuses one that was issued in the future, too.
      maxTokenAge: MAX_AGE_SECONDS,
      currentDate: now(),
      requiredClaims: ['sub', 'exp', 'iat', 'organization_id', 'user_id'],
    })
    const { organization_id: organizationId, user_id: userId, sub: clientId } = payload
    if (!isId(organizationId) || !isId(userId) || !isId(clientId)) throw new TokenFault('the token names nobody')
    const expiresAt = ((payload.exp ?? 0) + CLOCK_TOLERANCE_SECONDS) * 1000
    const verified = { actor: { organizationId, userId, clientId }, kid: protectedHeader.kid, expiresAt }
    remembered.set(token, verified)
    return verified
  }

  /** Verifiers elsewhere keep the published keys for longer than a database is away: what is known is better than a refusal. */
  const refreshIfPossible = () => keys.refresh().catch(() => {})

  return {
    async issue(actor) {
      await keys.refresh()
      const key = keys.current()
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
      if (!known || known.expiresAt <= now().getTime() || !keys.find(known.kid)) return undefined
      const standing = standings.recall(known.actor.clientId)
      return standing && { actor: known.actor, scopes: standing.scopes }
    },
    async verify(token) {
      // Whatever ids of keys strangers invent, they are looked up in what was loaded a few seconds ago: a new key is published
      // longer than that before it signs.
      await keys.refresh()
      const { actor } = await readToken(token).catch((error) => {
        throw isTokenFault(error) ? invalidToken('the access token is not valid or has expired', error) : error
      })
      const standing = await standings.read(actor.clientId)
      if (!standing) throw invalidToken('this client has been revoked')
      return { actor, scopes: standing.scopes }
    },
    standing: (clientId) => standings.read(clientId),
    async jwks() {
      await refreshIfPossible()
      return { keys: keys.published() }
    },
    async pem() {
      await refreshIfPossible()
      return String(keys.current().publicKey.export({ type: 'spki', format: 'pem' }))
    },
  }
}

const isId = (claim: unknown): claim is string => typeof claim === 'string' && isUuid(claim)

function isTokenFault(error: unknown): boolean {
  const code = (error as { code?: string }).code ?? ''
  return error instanceof TokenFault || code.startsWith('ERR_JW') || code.startsWith('ERR_JOSE')
}
