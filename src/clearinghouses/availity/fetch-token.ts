import type { ClearinghouseFailure } from '../clearinghouse.ts'
import { toError } from '../failures.ts'
import { type JsonObject, readJsonObject, textOf } from '../json-values.ts'
import type { FetchedToken } from './access-token.ts'
import { type AvailitySettings, DEFAULT_SCOPE } from './availity-settings.ts'
import { failureOfAnswer, refusedClient } from './failures.ts'
import { FORM, type Sender } from './send.ts'

/** Requests an access token. @throws ClearinghouseError. Source: clearinghouse.md C. */
export async function fetchToken(settings: AvailitySettings, send: Sender): Promise<FetchedToken> {
  const { clientId, clientSecret, scope = DEFAULT_SCOPE, timeoutMs = 55_000 } = settings
  const parameters = { grant_type: 'client_credentials', client_id: clientId, client_secret: clientSecret, scope }
  const message = { headers: { 'content-type': FORM }, body: new URLSearchParams(parameters).toString() }
  const answer = await send('/token', message, { wholeMs: timeoutMs, leftMs: () => timeoutMs })
  const json = readJsonObject(answer.body.toString('utf8'))
  const failure = failureOfAnswer(answer, json, new Date())
  // OAuth rejects a client with 400 as well as with 401 (RFC 6749 5.2).
  if (failure) throw toError(answer.status === 400 ? { ...failure, message: refusedClient } : failure)
  const { access_token, expires_in } = json as JsonObject
  const token = textOf(access_token)
  // A header value: visible ASCII only (RFC 9110 5.5).
  if (token === undefined || !/^[\x21-\x7e]+$/.test(token)) throw toError(noToken)
  const seconds = Number(expires_in)
  return { token, lifetimeMs: seconds > 0 ? seconds * 1000 : undefined }
}

const noToken: ClearinghouseFailure = {
  code: 'NoToken',
  retryable: false,
  message: 'The clearinghouse answered without an access token; check the configured URL',
}
