// The client of the identity provider: the authorization URL and the verified answer. Authorization Code with PKCE, state and nonce; the
// signature of the ID token is verified as well, although it comes from the provider itself (OpenID Connect Core 1.0, 3.1.3.7 no. 6).
// Source: OpenID Connect Core 1.0, 3.1; RFC 9700 2.1; decisions/0059-openid-connect.md
import type { Configuration } from 'openid-client'
import type { Dispatcher, RequestInit as UndiciInit } from 'undici'
import { steadyLookup } from '../outbound/steady-lookup.ts'
import { isLoopback, type OpenIdSettings } from './openid-settings.ts'

/** The state of a started sign-in, kept encrypted in the browser until the callback. */
export interface PendingSignIn {
  state: string
  nonce: string
  verifier: string
}

/** The user whom the provider has signed in. */
export interface OpenIdClaims {
  subject: string
  name: string | undefined
  username: string | undefined
  /** The values of the role claim. */
  values: readonly string[]
}

export interface OpenIdProvider {
  /** `isAnother`: the provider asks who it is, although it knows who was there last. */
  start(isAnother: boolean): Promise<{ url: URL; pending: PendingSignIn }>
  /** @throws if this is not the answer to the pending sign-in. */
  finish(query: string, pending: PendingSignIn): Promise<OpenIdClaims>
}

const TIMEOUT_SECONDS = 10
/** Metadata, keys, tokens and claims take a few kilobytes. */
const ANSWER_MAX_BYTES = 1024 * 1024
/** The provider's metadata are read again after this time, its keys whenever one is unknown. */
const KNOWN_MS = 3_600_000

/** The library is loaded, and the provider contacted, at the first sign-in. */
export function openOpenIdProvider(settings: OpenIdSettings): OpenIdProvider {
  let known: { configuration: Promise<Configuration>; until: number } | undefined

  async function load() {
    const client = await import('openid-client')
    const now = performance.now()
    if (!known || known.until <= now) {
      const { issuer, clientId, clientSecret } = settings
      const configuration = client.discovery(issuer, clientId, undefined, client.ClientSecretBasic(clientSecret), {
        timeout: TIMEOUT_SECONDS,
        [client.customFetch]: boundedFetch,
        // Without the first, the ID token is trusted because of the connection that it came over.
        execute: [client.enableNonRepudiationChecks, ...(isLoopback(issuer) ? [client.allowInsecureRequests] : [])],
      })
      known = { configuration, until: now + KNOWN_MS }
      configuration.catch(() => {
        known = undefined
      })
    }
    return { client, configuration: await known.configuration }
  }

  return {
    async start(isAnother) {
      const { client, configuration } = await load()
      const pending = {
        state: client.randomState(),
        nonce: client.randomNonce(),
        verifier: client.randomPKCECodeVerifier(),
      }
      const url = client.buildAuthorizationUrl(configuration, {
        redirect_uri: settings.redirectUri,
        scope: 'openid profile email',
        response_type: 'code',
        state: pending.state,
        nonce: pending.nonce,
        code_challenge: await client.calculatePKCECodeChallenge(pending.verifier),
        code_challenge_method: 'S256',
        ...(isAnother && { prompt: 'login' }),
      })
      return { url, pending }
    },
    async finish(query, { state, nonce, verifier }) {
      const { client, configuration } = await load()
      const tokens = await client.authorizationCodeGrant(configuration, new URL(`${settings.redirectUri}${query}`), {
        pkceCodeVerifier: verifier,
        expectedState: state,
        expectedNonce: nonce,
        idTokenExpected: true,
      })
      const claims = tokens.claims()
      if (!claims) throw new Error('the provider sent no ID token')
      // Many providers put only the subject into the ID token.
      const more = configuration.serverMetadata().userinfo_endpoint
        ? await client.fetchUserInfo(configuration, tokens.access_token, claims.sub)
        : {}
      return readClaims({ ...more, ...claims }, settings.roleClaim)
    },
  }
}

let connections: Dispatcher | undefined

/** @throws if the answer is longer than `ANSWER_MAX_BYTES`. */
async function boundedFetch(url: string, options: RequestInit): Promise<Response> {
  const { fetch, Agent } = await import('../outbound/undici.ts')
  connections ??= new Agent({ connect: { lookup: steadyLookup } })
  const answer = await fetch(url, { ...(options as UndiciInit), dispatcher: connections })
  const parts: Uint8Array[] = []
  let length = 0
  for await (const part of answer.body ?? []) {
    length += part.length
    if (length > ANSWER_MAX_BYTES) throw new Error('the answer of the provider is too long')
    parts.push(part)
  }
  const { status, statusText } = answer
  return new Response(length > 0 ? Buffer.concat(parts) : null, { status, statusText, headers: [...answer.headers] })
}

function readClaims(claims: Record<string, unknown>, roleClaim: string): OpenIdClaims {
  const text = (value: unknown) => (typeof value === 'string' && value.trim() !== '' ? value : undefined)
  const values = [claims[roleClaim]].flat().filter((value): value is string => typeof value === 'string')
  return {
    subject: String(claims.sub),
    name: text(claims.name),
    username: text(claims.preferred_username) ?? text(claims.email),
    values,
  }
}
