// Token issuance, the first call of a client. Source: rules.md 3; RFC 6749 4.4 for the OAuth forms.

import type { FastifyInstance, FastifyRequest } from 'fastify'
import { type Static, Type } from 'typebox'
import { invalidContentType, invalidCoreRequest, unauthorized } from '../../contract/errors.ts'
import type { Deps } from '../../deps.ts'
import { readText } from '../http/body-reader.ts'
import { endpoint, registerEndpoint } from '../http/endpoint.ts'
import { verifyCredentials } from './clients.ts'
import { CREDENTIALS_BODY_BYTES } from './credential-limits.ts'
import { openTokenLimits } from './token-limits.ts'

/** Issued credentials have 36 and 43 characters; longer ones are neither looked up, hashed nor remembered. */
const CREDENTIAL_MAX = 256
export const AuthGetTokenRequest = Type.Object({
  client_id: Type.String({ maxLength: CREDENTIAL_MAX }),
  client_secret: Type.String({ maxLength: CREDENTIAL_MAX }),
})
export const AuthGetTokenResponse = Type.Object({
  access_token: Type.String(),
  expires_in: Type.Integer(),
  token_type: Type.String(),
})

const FORM = 'application/x-www-form-urlencoded'

type Needs = Pick<Deps, 'authenticationDatabase' | 'limitDatabase' | 'config' | 'tokens'>
type IssuerNeeds = Needs & { limits: ReturnType<typeof openTokenLimits> }

/**
 * The token operation, in a separate scope: it is the only one that accepts forms, and it returns 415 where the others
 * do.
 */
export function tokenRoutes(deps: Needs) {
  return async (app: FastifyInstance): Promise<void> => {
    app.addContentTypeParser(FORM, async (_request: FastifyRequest, payload: FastifyRequest['raw']) =>
      Object.fromEntries(new URLSearchParams(await readText(payload, CREDENTIALS_BODY_BYTES))),
    )
    // Requests without content type or body never reach a parser.
    app.addHook('preValidation', async (request) => {
      if (!request.headers['content-type']) throw invalidContentType(`send application/json or ${FORM}`)
      request.body = withBasicCredentials(request)
    })
    const limits = openTokenLimits(deps.limitDatabase, deps.config.TOKEN_RATE_LIMIT)
    registerEndpoint(app, issueToken, { ...deps, limits })
  }
}

export const issueToken = endpoint({
  operation: 'auth.getToken',
  method: 'POST',
  path: '/api/auth/v2/token',
  bodyLimitBytes: CREDENTIALS_BODY_BYTES,
  summary: 'Exchanges a client id and secret for an access token.',
  body: AuthGetTokenRequest,
  bodyTypes: ['application/json', FORM],
  answer: AuthGetTokenResponse,
  errors: ['TooManyRequestsError', 'InvalidContentTypeError'],
  access: 'public',
  async handle(deps: IssuerNeeds, { body, request, reply }) {
    const actor = await verifyCredentials(deps.authenticationDatabase, body.client_id, body.client_secret)
    const refusal = await deps.limits.count(reply, { claimed: body.client_id, address: request.ip, actor })
    if (refusal) throw refusal
    if (!actor) throw unauthorized('incorrect client id or client secret')
    // The client, for the audit trail.
    request.actor = actor
    // Source: RFC 6749 5.1.
    reply.header('cache-control', 'no-store')
    const answer: Static<typeof AuthGetTokenResponse> = {
      access_token: await deps.tokens.issue(actor),
      expires_in: deps.config.TOKEN_LIFETIME_SECONDS,
      token_type: 'Bearer',
    }
    return answer
  },
})

/** The body, with the credentials of HTTP Basic when it has none. Source: RFC 6749 2.3.1. */
function withBasicCredentials(request: FastifyRequest): unknown {
  const body = (request.body ?? {}) as Record<string, unknown>
  const grant = body.grant_type
  if (grant !== undefined && grant !== null && grant !== 'client_credentials') {
    throw invalidCoreRequest('grant_type', 'grant_type must be client_credentials')
  }
  const basic = /^Basic +([A-Za-z0-9+/]+=*)$/i.exec(request.headers.authorization ?? '')?.[1]
  if (basic === undefined || body.client_secret !== undefined) return body
  const [id = '', ...secret] = Buffer.from(basic, 'base64').toString('utf8').split(':')
  return { ...body, client_id: formDecoded(id), client_secret: formDecoded(secret.join(':')) }
}

function formDecoded(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    return text
  }
}
