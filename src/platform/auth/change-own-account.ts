// Changes that signed-in users make to their own account: password, passkeys and the second factor.

import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { recordWrite } from '../audit/pending.ts'
import type { Database } from '../database/database.ts'
import { passwordFirst } from '../http/authenticate.ts'
import { requirePassword, type SessionNeeds, signedInUser } from './begin-session.ts'
import { CREDENTIAL_MAX } from './credential-limits.ts'
import { holdLiveSession } from './session-store.ts'
import type { User, UserKey } from './user-account.ts'

/** The body of a change that requires the password again. */
export const PasswordProof = Type.Object({
  current_password: Type.String({ maxLength: CREDENTIAL_MAX, 'x-secret': true }),
})

/**
 * The signed-in user, whose password proves their identity. A one-time password that another user created is not accepted as proof.
 * @throws UnauthorizedError (403), BadRequestError, TooManyRequestsError
 */
export async function provenUser(
  deps: SessionNeeds,
  request: FastifyRequest,
  reply: FastifyReply,
  password: string,
): Promise<User> {
  if (request.mustChangePassword) throw passwordFirst()
  return requirePassword(deps, request, reply, password)
}

/**
 * Changes the account of the signed-in user and records the audit event, both or neither. `operation` is the name of the event.
 * @throws UnauthorizedError: when the session has ended meanwhile (401), or a new password must be chosen first (403)
 */
export async function changeOwnAccount<T>(
  deps: Pick<SessionNeeds, 'database'>,
  request: FastifyRequest,
  operation: string,
  work: (database: Database, key: UserKey) => Promise<T>,
): Promise<T> {
  if (request.mustChangePassword) throw passwordFirst()
  return writeOwnAccount(deps, request, operation, work)
}

/** The same for the password itself, which is changed first. @throws UnauthorizedError (401) when the session has ended meanwhile */
export async function writeOwnAccount<T>(
  deps: Pick<SessionNeeds, 'database'>,
  request: FastifyRequest,
  operation: string,
  work: (database: Database, key: UserKey) => Promise<T>,
): Promise<T> {
  const key = signedInUser(request)
  return deps.database.transaction(async (transaction) => {
    await holdLiveSession(transaction, request.actor)
    const result = await work(transaction, key)
    await recordWrite(transaction, request.actor, { name: operation, type: 'user', ids: [key.id] })
    return result
  })
}
