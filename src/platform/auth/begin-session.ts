// The start of a session, for every way to sign in. decisions/0045-people-and-sessions.md
import type { FastifyReply, FastifyRequest } from 'fastify'
import { badRequest } from '../../contract/errors.ts'
import type { Deps } from '../../deps.ts'
import { callerSite } from '../http/caller-address.ts'
import { type BrowserSessions, csrfTokenOf } from '../http/session-cookie.ts'
import { knownDevice, rememberDevice } from './known-devices.ts'
import type { OpenIdSettings } from './openid-settings.ts'
import type { PasskeySite } from './passkey-site.ts'
import { scopesOf } from './roles.ts'
import {
  beginSession,
  describeSession,
  endSession,
  type ProvenUser,
  readToken,
  type Session,
  type SessionKey,
  sessionEnded,
} from './session-store.ts'
import { admits, readAccount } from './sign-in.ts'
import type { SignInLimits } from './sign-in-limits.ts'
import { readUser, type User, type UserKey } from './user-account.ts'

/** The dependencies of session operations: the session cookie and the sign-in limits in addition to those of all operations. */
export type SessionNeeds = Pick<
  Deps,
  'database' | 'sessionDatabase' | 'limitDatabase' | 'passwords' | 'sessions' | 'vault' | 'newId' | 'now'
> & {
  limits: SignInLimits
  browser: BrowserSessions
  openid: OpenIdSettings | undefined
  passkeys: PasskeySite | undefined
}

/** Ends the session that the request carries, because its token may be known to an attacker (session fixation). */
export async function endCarried(deps: SessionNeeds, request: FastifyRequest): Promise<void> {
  const carried = readToken(deps.browser.read(request) ?? '')
  if (!carried) return
  const isItsOwn = await deps.sessions.verify(deps.browser.read(request) ?? '', false).then(
    () => true,
    () => false,
  )
  if (!isItsOwn) return
  await endSession(deps.sessionDatabase, carried)
  deps.sessions.forget(carried.id)
}

/** Starts a session of a user who has proven their identity. @throws UnauthorizedError when that proof was withdrawn meanwhile */
export async function begin(deps: SessionNeeds, request: FastifyRequest, reply: FastifyReply, user: ProvenUser) {
  const { organizationId, id: userId } = user
  const key = { organizationId, id: deps.newId() }
  const token = await beginSession(deps.sessionDatabase, {
    ...key,
    user,
    address: request.ip,
    userAgent: request.headers['user-agent'],
  })
  if (token === undefined) throw sessionEnded()
  request.actor = { organizationId, userId, sessionId: key.id }
  deps.browser.set(request, reply, token)
  rememberDevice(deps, request, reply, userId)
  return showSession(deps, key, token)
}

/** The session as its user sees it: without scopes while a new password must be chosen. @throws UnauthorizedError when it was removed. */
export async function showSession(deps: SessionNeeds, key: SessionKey, token: string): Promise<Session> {
  const session = await describeSession(deps.database, key)
  if (!session) throw sessionEnded()
  const scopes = session.must_change_password ? [] : [...scopesOf(session.user.role)]
  return { ...session, scopes, csrf_token: csrfTokenOf(token) }
}

/** The user of the session that made the request. */
export function signedInUser({ actor: { organizationId, userId: id } }: FastifyRequest): UserKey {
  return { organizationId, id }
}

/** Protects against stolen sessions: their holder does not know the password. @throws BadRequestError, TooManyRequestsError */
export async function requirePassword(
  deps: SessionNeeds,
  request: FastifyRequest,
  reply: FastifyReply,
  password: string,
): Promise<User> {
  const { database, passwords } = deps
  const key = signedInUser(request)
  const [account, user] = [await readAccount(database, key), await readUser(database, key)]
  const attempt = { username: user?.username ?? '', address: request.ip, device: knownDevice(deps, request, key.id) }
  const isRight = await deps.limits.attempt(reply, attempt, async () =>
    (await admits(passwords, account, password, callerSite(request.ip))) ? true : undefined,
  )
  if (!isRight || !user) throw badRequest('current_password is incorrect')
  return user
}
