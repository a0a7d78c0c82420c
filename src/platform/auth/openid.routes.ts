// Sign-in by an identity provider: two URLs for browsers, the redirect to the provider and its callback. decisions/0059-openid-connect.md
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { recordWrite } from '../audit/pending.ts'
import { endpoint } from '../http/endpoint.ts'
import { StartupError } from '../startup-error.ts'
import { begin, endCarried, type SessionNeeds } from './begin-session.ts'
import { findOrganization } from './clients.ts'
import { shareExchanges } from './openid-exchanges.ts'
import { admitIdentity, IdentityRefused } from './openid-identity.ts'
import { type OpenIdProvider, openOpenIdProvider, type PendingSignIn } from './openid-provider.ts'
import { CALLBACK_PATH, OPENID_PATH, type OpenIdSettings } from './openid-settings.ts'

/** The time between the redirect and the callback. */
const PENDING_SECONDS = 600
const COOKIE = 'anteroom_openid'
/** The parameter of a sign-in after another user of the same browser has signed out or was refused. */
const ANOTHER_USER = 'another_user'
const CONTEXT = 'sign-in by an identity provider'

export const SignInMethods = Type.Object({
  identity_provider: Type.Optional(Type.Object({ name: Type.String(), path: Type.String() })),
  /** The host name whose pages can use passkeys. */
  passkeys: Type.Optional(Type.Object({ relying_party: Type.String() })),
})

export const readSignInMethods = endpoint({
  operation: 'session.methods',
  method: 'GET',
  path: '/anteroom/v1/session/methods',
  summary:
    'Whether users can sign in with an identity provider, and the URL where that starts; and the host on which they can sign in with passkeys.',
  answer: SignInMethods,
  errors: [],
  access: 'public',
  async handle({ openid, passkeys }: SessionNeeds) {
    return {
      ...(openid && { identity_provider: { name: openid.name, path: OPENID_PATH } }),
      ...(passkeys && { passkeys: { relying_party: passkeys.id } }),
    }
  },
})

/** Only browsers use these URLs, so the OpenAPI description omits them. */
export function serveOpenId(app: FastifyInstance, deps: SessionNeeds, settings: OpenIdSettings): void {
  const provider = shareExchanges(openOpenIdProvider(settings))
  const leave = (reply: FastifyReply, to: string) => reply.redirect(`${settings.consolePath}${to}`, 303)

  app.get(OPENID_PATH, { config: { access: 'public' } }, async (request, reply) => {
    deps.browser.requireOwnVisit(request)
    try {
      const { url, pending } = await provider
        .for(request.ip)
        .start(Object.hasOwn(request.query as object, ANOTHER_USER))
      const until = deps.now().getTime() + PENDING_SECONDS * 1000
      const value = deps.vault.writeToken(JSON.stringify({ ...pending, until }), CONTEXT)
      deps.browser.setVisitCookie(request, reply, COOKIE, `${value}; Max-Age=${PENDING_SECONDS}`)
      return reply.redirect(url.href, 303)
    } catch (error) {
      request.log.warn({ reason: reasonOf(error) }, 'the identity provider cannot be reached')
      return leave(reply, 'refused')
    }
  })

  app.get(
    CALLBACK_PATH,
    { config: { access: 'public', operation: 'session.createByProvider' } },
    async (request, reply) => {
      const pending = readPending(deps, request)
      // Valid once, regardless of the result.
      deps.browser.clearVisitCookie(request, reply, COOKIE)
      const isIn = await deps.limits
        .attempt(reply, { address: request.ip }, () =>
          finish(deps, { provider: provider.for(request.ip), settings }, request, reply, pending),
        )
        .catch((error: unknown) => {
          request.log.warn({ reason: reasonOf(error) }, 'a sign-in with the identity provider was refused')
          noteRefusal(request, error)
          return false
        })
      // Only to the console: no redirect address comes from the request.
      return leave(reply, isIn ? '' : 'refused')
    },
  )
}

async function finish(
  deps: SessionNeeds,
  { provider, settings }: { provider: OpenIdProvider; settings: OpenIdSettings },
  request: FastifyRequest,
  reply: FastifyReply,
  pending: PendingSignIn | undefined,
): Promise<true> {
  if (!pending) throw new IdentityRefused('the sign-in did not start in this browser, or started too long ago')
  const claims = await provider.finish(new URL(request.url, 'http://localhost').search, pending)
  const { organization_id: organizationId } = await findOrganization(deps.sessionDatabase, settings.organization)
  const { user } = await deps.sessionDatabase.transaction(async (transaction) => {
    const needs = { settings, organizationId, newId: deps.newId }
    const admitted = await admitIdentity(transaction, needs, settings.issuer.href, claims)
    if (admitted.isNew) {
      const { auditContext } = request
      const actor = { organizationId, userId: admitted.user.id, ...(auditContext && { auditContext }) }
      await recordWrite(transaction, actor, { name: 'session.createByProvider', type: 'user', ids: [admitted.user.id] })
    }
    return admitted
  })
  await endCarried(deps, request)
  await begin(deps, request, reply, user)
  return true
}

/** The answer is always a redirect, so the audit trail records the refusal by the event's name, with the user if known. */
function noteRefusal(request: FastifyRequest, error: unknown): void {
  if (request.auditContext) request.auditContext.operation = 'session.refuseByProvider'
  const user = error instanceof IdentityRefused ? error.user : undefined
  if (user) request.attemptedUser = { organizationId: user.organizationId, userId: user.id }
}

function readPending(deps: SessionNeeds, request: FastifyRequest): PendingSignIn | undefined {
  const text = deps.vault.readToken(deps.browser.readCookie(request, COOKIE) ?? '', CONTEXT)
  if (text === undefined) return undefined
  const { until, ...pending } = JSON.parse(text) as PendingSignIn & { until: number }
  return until > deps.now().getTime() ? pending : undefined
}

/** The reason for the log: a code of the library or a word of the provider, without data of the user. */
function reasonOf(error: unknown): string {
  if (error instanceof IdentityRefused || error instanceof StartupError) return error.message
  const { code, error: word, name } = error as { code?: unknown; error?: unknown; name?: unknown }
  return [code, word].filter((part) => typeof part === 'string' && /^\w{1,60}$/.test(part)).join(' ') || String(name)
}
