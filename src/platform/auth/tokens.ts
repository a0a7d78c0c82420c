import { randomUUID } from 'node:crypto'
import { type JWK, type JWTHeaderParameters, jwtVerify } from 'jose'
import type { ClientActor } from '../../contract/actor.ts'
import { invalidToken } from '../../contract/errors.ts'
import { isUuid } from '../../contract/formats.ts'
import type { Vault } from '../crypto/encryption.ts'
import type { SystemDatabase } from '../database/database.ts'
import type { Admission } from '../http/authenticate.ts'
import { recentlyUsed } from '../recently-used.ts'
import { openClientStandings, type Standing } from './client-standings.ts'
import { algorithmNames } from './signing-algorithms.ts'
import { openSigningKeys, type SigningKeys, signClaims } from './signing-keys.ts'

/**
 * Issues and verifies access tokens with the keys in the database, so that every process accepts the tokens of all
 * others.
 */
export interface TokenIssuer {
  issue(actor: ClientActor): Promise<string>
  /** The admission of a token that was verified a moment ago; undefined means that the caller must use `verify`. */
  recall(token: string): Admission | undefined
  /** The organization of a token that was verified before and has not expired; its client may have been revoked since. */
  organizationOf(token: string): string | undefined
  /**
   * @throws UnauthorizedError for a token that is malformed, altered, expired or foreign, or whose client was revoked.
   */
  verify(token: string): Promise<Admission>
  /** The current state of a client; undefined when it was revoked. */
  standing(clientId: string): Promise<Standing | undefined>
  /** The published keys. Source: RFC 7517. */
  jwks(): Promise<{ keys: JWK[] }>
  /** The public key of newly issued tokens in PEM. */
  pem(): Promise<string>
}

const AUDIENCE = 'anteroom'
/** The accepted clock difference: a token is accepted this long before it starts and after it ends. */
export const CLOCK_TOLERANCE_SECONDS = 30
/** The longest lifetime that can be configured (TOKEN_LIFETIME_SECONDS). */
const MAX_AGE_SECONDS = 86_400
/** Issued tokens have some 700 characters; longer ones are not parsed. */
const TOKEN_MAX_LENGTH = 4_096
/**
 * A verified signature is remembered until the token expires; beyond this number the least recently used are dropped.
 */
const REMEMBERED_TOKENS = 10_000

interface VerifiedToken {
  actor: ClientActor
  kid: string | undefined
  expiresAt: number
}

/** A fault of a token that jose does not check. */
class TokenFault extends Error {}

interface TokenSettings {
  issuer: string
  lifetimeSeconds: number
  now(): Date
}

/** Loads the signing keys, creating the first when there is none. */
export async function openTokenIssuer({
  database,
  vault,
  ...settings
}: TokenSettings & { database: SystemDatabase; vault: Vault }): Promise<TokenIssuer> {
  const { issuer, lifetimeSeconds, now } = settings
  const keys = await openSigningKeys(database, vault)
  const standings = openClientStandings(database)
  const tokens = new VerifiedTokens(keys, settings)
  /**
   * Other verifiers cache the published keys for longer than a database outage: the known keys are better than a
   * refusal.
   */
  const refreshIfPossible = () => keys.refresh().catch(() => {})

  return {
    async issue(actor) {
      await keys.refresh()
      const issuedAt = Math.floor(now().getTime() / 1000)
      return signClaims(keys.current(), {
        organization_id: actor.organizationId,
        user_id: actor.userId,
        iss: issuer,
        aud: AUDIENCE,
        sub: actor.clientId,
        jti: randomUUID(),
        iat: issuedAt,
        exp: issuedAt + lifetimeSeconds,
      })
    },
    recall(token) {
      const known = tokens.find(token)
      const standing = known && standings.recall(known.actor.clientId)
      return standing && { actor: known.actor, scopes: standing.scopes }
    },
    organizationOf: (token) => tokens.find(token)?.actor.organizationId,
    async verify(token) {
      // Unknown key ids are looked up in the keys that were loaded a few seconds ago, so invented ids cause no queries:
      // a new key is published for longer than that before it signs.
      await keys.refresh()
      const { actor } = await tokens.read(token)
      const standing = await standings.read(actor.clientId)
      if (!standing) {
        // Its calls count for its address from now on.
        tokens.forget(token)
        throw invalidToken('this client has been revoked')
      }
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

/** Tokens whose signature was verified. Whether their clients still exist is not known here. */
class VerifiedTokens {
  readonly #keys: SigningKeys
  readonly #settings: TokenSettings
  readonly #remembered = recentlyUsed<VerifiedToken>(REMEMBERED_TOKENS)

  constructor(keys: SigningKeys, settings: TokenSettings) {
    this.#keys = keys
    this.#settings = settings
  }

  /** A token that was read before, unless it has expired or its key was removed. */
  find(token: string): VerifiedToken | undefined {
    const known = this.#remembered.get(token)
    const now = this.#settings.now().getTime()
    return known && known.expiresAt > now && this.#keys.find(known.kid) ? known : undefined
  }

  /** @throws UnauthorizedError for a token that is malformed, altered, expired or foreign. */
  async read(token: string): Promise<VerifiedToken> {
    const known = this.find(token)
    if (known) return known
    const verified = await this.#check(token).catch((error) => {
      throw isTokenFault(error) ? invalidToken('the access token is not valid or has expired', error) : error
    })
    this.#remembered.set(token, verified)
    return verified
  }

  forget(token: string): void {
    this.#remembered.delete(token)
  }

  async #check(token: string): Promise<VerifiedToken> {
    if (token.length > TOKEN_MAX_LENGTH) throw new TokenFault('the token is too long')
    const { issuer, now } = this.#settings
    const { payload, protectedHeader } = await jwtVerify(token, (header) => this.#publicKeyOf(header), {
      algorithms: algorithmNames,
      issuer,
      audience: AUDIENCE,
      clockTolerance: CLOCK_TOLERANCE_SECONDS,
      // Also refuses a token that was issued in the future.
      maxTokenAge: MAX_AGE_SECONDS,
      currentDate: now(),
      requiredClaims: ['sub', 'exp', 'iat', 'organization_id', 'user_id'],
    })
    const { organization_id: organizationId, user_id: userId, sub: clientId } = payload
    if (!isId(organizationId) || !isId(userId) || !isId(clientId))
      throw new TokenFault('the token names no organization, user or client')
    const expiresAt = ((payload.exp ?? 0) + CLOCK_TOLERANCE_SECONDS) * 1000
    // Each call copies the actor with its audit context: a copy that adds a field takes V8 twenty times as long as one that has it.
    const actor = { organizationId, userId, clientId, auditContext: undefined }
    return { actor, kid: protectedHeader.kid, expiresAt }
  }

  /** The key decides by which algorithm its tokens are verified, not the header of a token. Source: RFC 8725 3.1. */
  async #publicKeyOf({ kid, alg }: JWTHeaderParameters) {
    const key = this.#keys.find(kid)
    if (!key) throw new TokenFault('the token names an unknown key')
    if (alg !== key.jwk.alg) throw new TokenFault('the token names an algorithm that its key does not have')
    return key.publicKey
  }
}

const isId = (claim: unknown): claim is string => typeof claim === 'string' && isUuid(claim)

function isTokenFault(error: unknown): boolean {
  const code = (error as { code?: string }).code ?? ''
  return error instanceof TokenFault || code.startsWith('ERR_JW') || code.startsWith('ERR_JOSE')
}
