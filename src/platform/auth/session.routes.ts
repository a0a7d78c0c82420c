// Sign-in, and the operations on a user's sessions. decisions/0045-people-and-sessions.md

import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import type { Actor } from '../../contract/actor.ts'
import { badRequest, notFound, unauthorized } from '../../contract/errors.ts'
import { isUuid } from '../../contract/formats.ts'
import type { Deps } from '../../deps.ts'
import { recordWrite } from '../audit/pending.ts'
import { callerSite } from '../http/caller-address.ts'
import { endpoint, registerEndpoint } from '../http/endpoint.ts'
import { ADMIN, permits } from '../http/scopes.ts'
import type { BrowserSessions } from '../http/session-cookie.ts'
import { begin, endCarried, requirePassword, type SessionNeeds, showSession } from './begin-session.ts'
import { writeOwnAccount } from './change-own-account.ts'
import { CREDENTIAL_MAX, CREDENTIALS_BODY_BYTES } from './credential-limits.ts'
import { knownDevice } from './known-devices.ts'
import { readSignInMethods, SignInMethods, serveOpenId } from './openid.routes.ts'
import { readOpenIdSettings } from './openid-settings.ts'
import { passkeyOperations, passkeySchemas } from './passkey.routes.ts'
import { passkeySite } from './passkey-site.ts'
import { requireGoodPassword } from './password-rules.ts'
import { secondFactorOperations, secondFactorSchemas } from './second-factor.routes.ts'
import { takeCode } from './second-factor.ts'
import { endSession, endSessionsOf, ListedSession, listSessions, Session, type SessionKey } from './session-store.ts'
import { admits, findAccount } from './sign-in.ts'
import { openSignInLimits } from './sign-in-limits.ts'
import { canonicalUsername, changePassword } from './user-account.ts'

const PATH = '/anteroom/v1/session'

const SignIn = Type.Object({
  username: Type.String({ maxLength: CREDENTIAL_MAX }),
  password: Type.String({ maxLength: CREDENTIAL_MAX, 'x-secret': true }),
  one_time_code: Type.Optional(Type.String({ maxLength: CREDENTIAL_MAX })),
})
const PasswordChange = Type.Object({
  current_password: Type.String({ maxLength: CREDENTIAL_MAX, 'x-secret': true }),
  new_password: Type.String({ maxLength: CREDENTIAL_MAX, 'x-secret': true }),
})

/** The session operations. Unlike other operations they need the session cookie, the sign-in limits and the identity provider. */
export function sessionRoutes(
  { config, ...deps }: Omit<SessionNeeds, 'limits' | 'browser' | 'openid' | 'passkeys'> & Pick<Deps, 'config'>,
  browser: BrowserSessions,
) {
  const openid = readOpenIdSettings(config)
  const passkeys = passkeySite(config.PUBLIC_URL)
  return async (app: FastifyInstance) => {
    const needs = { ...deps, limits: openSignInLimits(deps.limitDatabase), browser, openid, passkeys }
    for (const operation of sessionOperations) registerEndpoint(app, operation, needs)
    if (openid) serveOpenId(app, needs, openid)
  }
}

const signIn = endpoint({
  operation: 'session.create',
  method: 'POST',
  path: PATH,
  bodyLimitBytes: CREDENTIALS_BODY_BYTES,
  summary:
    'Signs a user in and sets the session cookie. A session that the request carries ends. If the user has a second factor, a 401 after the right password names one_time_code.',
  body: SignIn,
  answer: Session,
  errors: ['BadRequestError', 'UnauthorizedError', 'TooManyRequestsError'],
  access: 'public',
  async handle(deps: SessionNeeds, { body, request, reply }) {
    deps.browser.requireSameOrigin(request)
    const database = deps.sessionDatabase
    const username = canonicalUsername(body.username)
    const found = await findAccount(database, username)
    // For the audit trail: the account of the attempt.
    if (found) request.attemptedUser = { organizationId: found.organizationId, userId: found.id }
    const device = found && knownDevice(deps, request, found.id)
    const outcome = await deps.limits.attempt(reply, { username, address: request.ip, device }, async () => {
      const isRight = await admits(deps.passwords, found, body.password, callerSite(request.ip))
      if (!isRight || !found?.hasSecondFactor) return isRight ? found : undefined
      const { one_time_code: code } = body
      // A page requests the password first, so a missing code does not count as a guess.
      if (code === undefined) return CODE_MISSING
      const { id: userId } = found
      const isTaken = await deps.limits.attemptCode(reply, { userId, device }, () =>
        takeCode({ ...deps, database }, found, code),
      )
      // Thrown, not returned: a wrong code counts like a wrong password.
      if (!isTaken) throw codeNeeded()
      return found
    })
    if (outcome === CODE_MISSING) throw codeNeeded()
    if (!outcome) throw unauthorized('incorrect username or password')
    await endCarried(deps, request)
    return begin(deps, request, reply, outcome)
  },
})

const CODE_MISSING = Symbol('code missing')
/** The same message for a missing, a wrong and a used code. */
const codeNeeded = () =>
  unauthorized('one_time_code is required: a current, unused code of the authenticator app, or a recovery code')

const keyOf = ({ organizationId, sessionId = '' }: Actor): SessionKey => ({ organizationId, id: sessionId })

const read = endpoint({
  operation: 'session.get',
  method: 'GET',
  path: PATH,
  summary: 'The signed-in user, their permissions and the end of the session. This call does not extend the session.',
  answer: Session,
  errors: [],
  access: 'session',
  prolongsSession: false,
  handle: (deps: SessionNeeds, { actor, request }) => showSession(deps, keyOf(actor), deps.browser.read(request) ?? ''),
})

const signOut = endpoint({
  operation: 'session.remove',
  method: 'DELETE',
  path: PATH,
  summary: 'Signs out: ends the session and removes its cookie.',
  errors: [],
  access: 'session',
  async handle(deps: SessionNeeds, { actor, request, reply }) {
    await end(deps, actor, 'session.remove', keyOf(actor))
    deps.browser.clear(request, reply)
    return undefined
  },
})

const changeOwnPassword = endpoint({
  operation: 'session.changePassword',
  method: 'PUT',
  path: `${PATH}/password`,
  bodyLimitBytes: CREDENTIALS_BODY_BYTES,
  summary: "Changes the caller's password. Every session of the user ends; the answer starts a new one.",
  body: PasswordChange,
  answer: Session,
  errors: ['BadRequestError', 'TooManyRequestsError'],
  access: 'session',
  async handle(deps: SessionNeeds, { actor, body, request, reply }) {
    const user = await requirePassword(deps, request, reply, body.current_password)
    if (body.new_password === body.current_password) throw badRequest('new_password must differ from the current one')
    await requireGoodPassword('new_password', body.new_password, [user.username, user.name])
    const hash = await deps.passwords.hash(body.new_password, callerSite(request.ip))
    const proven = await writeOwnAccount(deps, request, 'session.changePassword', async (transaction, key) => {
      await changePassword(transaction, key, hash)
      return endSessionsOf(transaction, key)
    })
    deps.sessions.forget(actor.sessionId ?? '')
    return begin(deps, request, reply, proven)
  },
})

const list = endpoint({
  operation: 'sessions.getMulti',
  method: 'GET',
  path: '/anteroom/v1/sessions',
  summary: 'Lists the live sessions: those of the organization for administrators, their own for other users.',
  answer: Type.Array(ListedSession),
  errors: [],
  access: 'session',
  async handle(deps: SessionNeeds, { actor, request }) {
    const sessions = await listSessions(deps.database, keyOf(actor), whose(actor, request))
    return `[${sessions.join(',')}]`
  },
})

const remove = endpoint({
  operation: 'sessions.remove',
  method: 'DELETE',
  path: '/anteroom/v1/sessions/:session_id',
  summary: 'Ends a session: any of the organization for administrators, their own for other users.',
  errors: ['NotFoundError'],
  access: 'session',
  async handle(deps: SessionNeeds, { actor, params, request }) {
    const id = params.session_id ?? ''
    const key = { organizationId: actor.organizationId, id }
    if (!isUuid(id) || !(await end(deps, actor, 'sessions.remove', key, whose(actor, request))))
      throw notFound('Session')
    return undefined
  },
})

/** The user whose sessions the caller may see and end; undefined means all users of the organization. */
const whose = ({ userId }: Actor, { scopes }: FastifyRequest) => (permits(scopes, ADMIN) ? undefined : userId)

/** Ends a session and records the audit event in one transaction. */
async function end(
  { database, sessions }: SessionNeeds,
  actor: Actor,
  name: string,
  key: SessionKey,
  userId?: string,
): Promise<boolean> {
  const isEnded = await database.transaction(async (transaction) => {
    if (!(await endSession(transaction, key, userId))) return false
    await recordWrite(transaction, actor, { name, type: 'session', ids: [key.id] })
    return true
  })
  sessions.forget(key.id)
  return isEnded
}

export const sessionSchemas = {
  Session,
  SignIn,
  PasswordChange,
  ListedSession,
  SignInMethods,
  ...secondFactorSchemas,
  ...passkeySchemas,
}

export const sessionOperations = [
  signIn,
  read,
  signOut,
  changeOwnPassword,
  list,
  remove,
  readSignInMethods,
  ...secondFactorOperations,
  ...passkeyOperations,
] as const
