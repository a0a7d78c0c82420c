// Users of an organization, for its administrators. decisions/0045-people-and-sessions.md
import { Type } from 'typebox'
import type { Actor } from '../../contract/actor.ts'
import { alreadyInUse, badRequest, forbidden, notFound } from '../../contract/errors.ts'
import { isUuid } from '../../contract/formats.ts'
import type { Deps } from '../../deps.ts'
import { recordWrite } from '../../platform/audit/pending.ts'
import { removePasskeys } from '../../platform/auth/passkey-store.ts'
import { makePassword } from '../../platform/auth/passwords.ts'
import { mayGrant, type Role } from '../../platform/auth/roles.ts'
import { removeSecondFactor } from '../../platform/auth/second-factor.ts'
import { endSessionsOf } from '../../platform/auth/session-store.ts'
import {
  canonicalUsername,
  createUser,
  holdUser,
  isLastAdministrator,
  listUsers,
  NAME_MAX,
  RoleName,
  readUser,
  resetPassword,
  USERNAME,
  User,
  type UserKey,
  UsernameTaken,
  updateUser,
} from '../../platform/auth/user-account.ts'
import type { Database } from '../../platform/database/database.ts'
import { endpoint } from '../../platform/http/endpoint.ts'
import type { Scopes } from '../../platform/http/scopes.ts'
import { answerOf, readByPlace, textsOf } from '../../records/read-all.ts'
import { resource } from '../../records/resource.ts'

type Needs = Pick<Deps, 'database' | 'passwords' | 'newId'>

const Name = Type.String({ minLength: 1, maxLength: NAME_MAX })

const NewUser = Type.Object({ username: Type.String(), name: Name, role: RoleName })
const MutableUser = Type.Object({ name: Name, role: RoleName, disabled: Type.Boolean() })
const UserWithPassword = Type.Object({ ...User.properties, one_time_password: Type.String() })
const OneTimePassword = Type.Object({ one_time_password: Type.String() })

const list = endpoint({
  operation: 'getMulti',
  method: 'GET',
  path: '',
  accessType: 'admin',
  summary: 'Lists the users of the organization, oldest first.',
  answer: Type.Array(User),
  errors: [],
  handle({ database }: Needs, { actor: { organizationId } }) {
    const chunks = readByPlace((from, count) => listUsers(database, organizationId, { from, count }))
    return answerOf(textsOf(chunks, ([json]) => json ?? ''))
  },
})

const create = endpoint({
  operation: 'create',
  method: 'POST',
  path: '',
  accessType: 'admin',
  summary: 'Creates a user. The answer shows the one-time password, once.',
  body: NewUser,
  answer: UserWithPassword,
  errors: ['BadRequestError', 'VersionConflictError'],
  async handle(deps: Needs, { actor, body, request }) {
    const username = canonicalUsername(body.username)
    if (!USERNAME.test(username)) {
      throw badRequest('username must have 2 to 100 letters, digits or . _ @ + - and begin with a letter or a digit')
    }
    requireGrant(request.scopes, body.role)
    const key = { organizationId: actor.organizationId, id: deps.newId() }
    const { password, hash } = await makePassword(deps.passwords, key.organizationId)
    return deps.database.transaction(async (transaction) => {
      await createUser(transaction, key, { ...body, username, hash }).catch((error: unknown) => {
        throw error instanceof UsernameTaken ? alreadyInUse('username is taken') : error
      })
      await tell(transaction, actor, key, 'create')
      return { ...(await readUser(transaction, key)), one_time_password: password }
    })
  },
})

const update = endpoint({
  operation: 'update',
  method: 'PUT',
  path: '/:user_id',
  accessType: 'admin',
  summary:
    'Changes the name, the role and whether the user may sign in. The sessions of the user end when the role changes or the user is disabled.',
  body: MutableUser,
  answer: User,
  errors: ['BadRequestError', 'NotFoundError'],
  handle: (deps: Needs, { actor, params, body, request }) =>
    change(deps, actor, params, 'update', async (transaction, key, before) => {
      requireGrant(request.scopes, before.role)
      requireGrant(request.scopes, body.role)
      const keepsRights = body.role === before.role && !body.disabled
      if (!keepsRights && (await isLastAdministrator(transaction, key))) {
        throw badRequest('this is the last administrator: create another one first')
      }
      await updateUser(transaction, key, body)
      if (!keepsRights) await endSessionsOf(transaction, key)
      return readUser(transaction, key)
    }),
})

const reset = endpoint({
  operation: 'resetPassword',
  method: 'POST',
  path: '/:user_id/password-reset',
  accessType: 'admin',
  summary:
    'Sets a new one-time password, shown once, which the user must change at sign-in. Their sessions end, and their passkeys are removed.',
  answer: OneTimePassword,
  errors: ['BadRequestError', 'NotFoundError'],
  async handle(deps: Needs, { actor, params, request }) {
    const { password, hash } = await makePassword(deps.passwords, actor.organizationId)
    return change(deps, actor, params, 'resetPassword', async (transaction, key, before) => {
      requireGrant(request.scopes, before.role)
      requireAnother(actor, key)
      const isReset = await resetPassword(transaction, key, hash)
      if (!isReset) throw badRequest('this user has no password and signs in with the identity provider')
      await removePasskeys(transaction, key)
      await endSessionsOf(transaction, key)
      return { one_time_password: password }
    })
  },
})

const resetSecondFactor = endpoint({
  operation: 'resetSecondFactor',
  method: 'POST',
  path: '/:user_id/second-factor-reset',
  accessType: 'admin',
  summary:
    'Removes the second factor and the passkeys of a user who has lost them: sign-in then requires only the password. Their sessions end.',
  errors: ['BadRequestError', 'NotFoundError'],
  handle: (deps: Needs, { actor, params, request }) =>
    change(deps, actor, params, 'resetSecondFactor', async (transaction, key, before) => {
      requireGrant(request.scopes, before.role)
      requireAnother(actor, key)
      await removeSecondFactor(transaction, key)
      await removePasskeys(transaction, key)
      await endSessionsOf(transaction, key)
      return undefined
    }),
})

/** Administrators need their own password for their own account, which the holder of a stolen session does not have. @throws BadRequestError */
function requireAnother(actor: Actor, { id }: UserKey): void {
  if (actor.sessionId !== undefined && actor.userId === id) {
    throw badRequest('this is your own account: use /anteroom/v1/session')
  }
}

/** A caller who could create a user with more rights could sign in as that user. @throws UnauthorizedError (403) */
function requireGrant(scopes: Scopes, role: Role): void {
  if (!mayGrant(scopes, role)) throw forbidden(`role ${role} has more permissions than you: ask an administrator`)
}

/** Changes a user and records the audit event in one transaction. @throws NotFoundError */
function change<T>(
  deps: Needs,
  actor: Actor,
  { user_id: id = '' }: Record<string, string>,
  operation: string,
  work: (database: Database, key: UserKey, before: User) => Promise<T>,
): Promise<T> {
  const key = { organizationId: actor.organizationId, id: id.toLowerCase() }
  return deps.database.transaction(async (transaction) => {
    const before = isUuid(id) ? await holdUser(transaction, key) : undefined
    if (!before) throw notFound('User')
    const result = await work(transaction, key, before)
    await tell(transaction, actor, key, operation)
    return result
  })
}

const tell = (database: Database, actor: Actor, { id }: UserKey, operation: string) =>
  recordWrite(database, actor, { name: `users.${operation}`, type: 'user', ids: [id] })

export const users = resource({
  path: '/anteroom/v1/users',
  group: 'users',
  about: 'Users who sign in.',
  schemas: { User, NewUser, MutableUser, UserWithPassword, OneTimePassword },
  routes: [
    list, // GET    /
    create, // POST   /
    update, // PUT    /:user_id
    reset, // POST   /:user_id/password-reset
    resetSecondFactor, // POST   /:user_id/second-factor-reset
  ],
})
