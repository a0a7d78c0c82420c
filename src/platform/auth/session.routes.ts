// People sign in, see their sessions and end them. decisions/0045-people-and-sessions.md
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import type { Actor } from '../../contract/actor.ts'
import { badRequest, notFound, unauthorized } from '../../contract/errors.ts'
import { isUuid } from '../../contract/formats.ts'
import type { Deps } from '../../deps.ts'
import { recordWrite } from '../audit/pending.ts'
import { callerAddress } from '../http/caller-address.ts'
import { endpoint, registerEndpoint } from '../http/endpoint.ts'
import { ADMIN, permits } from '../http/scopes.ts'
import { type BrowserSessions, csrfTokenOf } from '../http/session-cookie.ts'
import { knownDevice, rememberDevice } from './known-devices.ts'
import { requireGoodPassword } from './password-rules.ts'
import { scopesOf } from './roles.ts'
import {
  beginSession,
  describeSession,
  endSession,
  endSessionsOf,
  ListedSession,
  listSessions,
  readToken,
  Session,
  type SessionKey,
} from './session-store.ts'
import { admits, findAccount, readAccount } from './sign-in.ts'
import { openSignInLimits, type SignInLimits } from './sign-in-limits.ts'
import { canonicalUsername, changePassword, readUser, type UserKey } from './user-account.ts'

type Needs = Pick<Deps, 'authenticationDatabase' | 'passwords' | 'sessions' | 'vault' | 'newId'>
type SessionNeeds = Needs & { limits: SignInLimits; browser: BrowserSessions }

const PATH = '/anteroom/v1/session'
/** Longer texts than any user name or password are neither hashed nor remembered. */
const TEXT_MAX = 1024
const BODY_LIMIT_BYTES = 16 * 1024

const SignIn = Type.Object({
  username: Type.String({ maxLength: TEXT_MAX }),
  password: Type.String({ maxLength: TEXT_MAX }),
})
const PasswordChange = Type.Object({
  current_password: Type.String({ maxLength: TEXT_MAX }),
  new_password: Type.String({ maxLength: TEXT_MAX }),
})

/** The operations of sessions, which need more than other operations: the cookie and the limits of sign-in. */
export const sessionRoutes = (deps: Needs, browser: BrowserSessions) => async (app: FastifyInstance) => {
  const limits = openSignInLimits(deps.authenticationDatabase)
  for (const operation of sessionOperations) registerEndpoint(app, operation, { ...deps, limits, browser })
}

const signIn = endpoint({
  operation: 'session.create',
  method: 'POST',
  path: PATH,
  bodyLimitBytes: BODY_LIMIT_BYTES,
  summary: 'Signs a person in and sets the session cookie. A session that the request carries ends.',
  body: SignIn,
  answer: Session,
  errors: ['BadRequestError', 'UnauthorizedError', 'TooManyRequestsError'],
  access: 'public',
  async handle(deps: SessionNeeds, { body, request, reply }) {
    deps.browser.requireSameOrigin(request)
    const database = deps.authenticationDatabase
    const username = canonicalUsername(body.username)
    const found = await findAccount(database, username)
    // For the audit trail: whose account it is that somebody tries.
    if (found) request.attemptedUser = { organizationId: found.organizationId, userId: found.id }
    const device = found && knownDevice(deps, request, found.id)
    const account = await deps.limits.attempt(reply, { username, address: request.ip, device }, async () =>
      (await admits(deps.passwords, found, body.password, callerAddress(request.ip))) ? found : undefined,
    )
    if (!account) throw unauthorized('the user name or the password is wrong')
    await endCarried(deps, request)
    return begin(deps, request, reply, account)
  },
})

/** A session that was there before never goes on: its token may be known to somebody else. */
async function endCarried(deps: SessionNeeds, request: FastifyRequest): Promise<void> {
  const carried = readToken(deps.browser.read(request) ?? '')
  if (!carried) return
  const isItsOwn = await deps.sessions.verify(deps.browser.read(request) ?? '', false).then(
    () => true,
    () => false,
  )
  if (!isItsOwn) return
  await endSession(deps.authenticationDatabase, carried)
  deps.sessions.forget(carried.id)
}

async function begin(deps: SessionNeeds, request: FastifyRequest, reply: FastifyReply, user: UserKey) {
  const { organizationId, id: userId } = user
  const key = { organizationId, id: deps.newId() }
  const token = await beginSession(deps.authenticationDatabase, {
    ...key,
    userId,
    address: request.ip,
    userAgent: request.headers['user-agent'],
  })
  request.actor = { organizationId, userId, sessionId: key.id }
  deps.browser.set(request, reply, token)
  rememberDevice(deps, request, reply, userId)
  return describe(deps, key, token)
}

async function describe(deps: Needs, key: SessionKey, token: string): Promise<Session> {
  const session = await describeSession(deps.authenticationDatabase, key)
  if (!session) throw unauthorized('the session has ended: sign in again')
  const scopes = session.must_change_password ? [] : [...scopesOf(session.user.role)]
  return { ...session, scopes, csrf_token: csrfTokenOf(token) }
}

const keyOf = ({ organizationId, sessionId = '' }: Actor): SessionKey => ({ organizationId, id: sessionId })

const read = endpoint({
  operation: 'session.get',
  method: 'GET',
  path: PATH,
  summary: 'Who has signed in, what they may do and until when. Asking does not keep the session from ending.',
  answer: Session,
  errors: [],
  access: 'session',
  prolongsSession: false,
  handle: (deps: SessionNeeds, { actor, request }) => describe(deps, keyOf(actor), deps.browser.read(request) ?? ''),
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
  bodyLimitBytes: BODY_LIMIT_BYTES,
  summary: 'Changes the own password. Every session of the person ends; the answer begins another one.',
  body: PasswordChange,
  answer: Session,
  errors: ['BadRequestError', 'TooManyRequestsError'],
  access: 'session',
  async handle(deps: SessionNeeds, { actor, body, request, reply }) {
    const database = deps.authenticationDatabase
    const key = { organizationId: actor.organizationId, id: actor.userId }
    const [account, user] = [await readAccount(database, key), await readUser(database, key)]
    const device = knownDevice(deps, request, actor.userId)
    const attempt = { username: user?.username ?? '', address: request.ip, device }
    const isRight = await deps.limits.attempt(reply, attempt, async () =>
      (await admits(deps.passwords, account, body.current_password, callerAddress(request.ip))) ? true : undefined,
    )
    if (!isRight || !user) throw badRequest('current_password is wrong')
    if (body.new_password === body.current_password) throw badRequest('new_password must be another one')
    await requireGoodPassword('new_password', body.new_password, [user.username, user.name])
    const hash = await deps.passwords.hash(body.new_password, callerAddress(request.ip))
    await database.transaction(async (transaction) => {
      await changePassword(transaction, key, hash)
      await endSessionsOf(transaction, key.organizationId, key.id)
      await recordWrite(transaction, actor, { name: 'session.changePassword', type: 'user', ids: [key.id] })
    })
    deps.sessions.forget(actor.sessionId ?? '')
    return begin(deps, request, reply, key)
  },
})

const list = endpoint({
  operation: 'sessions.getMulti',
  method: 'GET',
  path: '/anteroom/v1/sessions',
  summary: 'The sessions that go on: those of the organization for administrators, the own ones for everybody else.',
  answer: Type.Array(ListedSession),
  errors: [],
  access: 'session',
  async handle(deps: SessionNeeds, { actor, request }) {
    const sessions = await listSessions(deps.authenticationDatabase, keyOf(actor), whose(actor, request))
    return `[${sessions.join(',')}]`
  },
})

const remove = endpoint({
  operation: 'sessions.remove',
  method: 'DELETE',
  path: '/anteroom/v1/sessions/:session_id',
  summary: 'Ends a session: any of the organization for administrators, an own one for everybody else.',
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

/** Whose sessions somebody may see and end; undefined is everybody's in the organization. */
const whose = ({ userId }: Actor, { scopes }: FastifyRequest) => (permits(scopes, ADMIN) ? undefined : userId)

/** Ends a session and leaves the event of it, both or neither. */
async function end(
  { authenticationDatabase, sessions }: Needs,
  actor: Actor,
  name: string,
  key: SessionKey,
  userId?: string,
): Promise<boolean> {
  const isEnded = await authenticationDatabase.transaction(async (transaction) => {
    if (!(await endSession(transaction, key, userId))) return false
    await recordWrite(transaction, actor, { name, type: 'session', ids: [key.id] })
    return true
  })
  sessions.forget(key.id)
  return isEnded
}

export const sessionSchemas = { Session, SignIn, PasswordChange, ListedSession }

export const sessionOperations = [signIn, read, signOut, changeOwnPassword, list, remove] as const
