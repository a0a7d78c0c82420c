// Operations on the second factor of the signed-in user. decisions/0058-second-factor.md

import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { badRequest } from '../../contract/errors.ts'
import type { Database } from '../database/database.ts'
import { endpoint } from '../http/endpoint.ts'
import { type SessionNeeds, signedInUser } from './begin-session.ts'
import { changeOwnAccount, PasswordProof, provenUser } from './change-own-account.ts'
import { CREDENTIAL_MAX, CREDENTIALS_BODY_BYTES } from './credential-limits.ts'
import { confirm, enrol, recoveryCodesLeft, removeSecondFactor, renewRecoveryCodes } from './second-factor.ts'
import { endSessionsOf } from './session-store.ts'
import type { UserKey } from './user-account.ts'

const PATH = '/anteroom/v1/session/second-factor'

const OneTimeCode = Type.Object({ one_time_code: Type.String({ maxLength: CREDENTIAL_MAX }) })
const SecondFactor = Type.Object({ enabled: Type.Boolean(), recovery_codes_left: Type.Integer() })
const SecondFactorSecret = Type.Object({ secret: Type.String(), otpauth_url: Type.String() })
const RecoveryCodes = Type.Object({ recovery_codes: Type.Array(Type.String()) })

const read = endpoint({
  operation: 'secondFactor.get',
  method: 'GET',
  path: PATH,
  summary: 'Whether sign-in requires a second factor of the user, and how many recovery codes are left.',
  answer: SecondFactor,
  errors: [],
  access: 'session',
  async handle(deps: SessionNeeds, { request }) {
    const left = await recoveryCodesLeft(deps.database, signedInUser(request))
    return { enabled: left !== undefined, recovery_codes_left: left ?? 0 }
  },
})

const begin = endpoint({
  operation: 'secondFactor.create',
  method: 'POST',
  path: PATH,
  bodyLimitBytes: CREDENTIALS_BODY_BYTES,
  summary:
    'Creates a secret for an authenticator app (TOTP, RFC 6238) and shows it once. Sign-in requires codes after the first one has confirmed it.',
  body: PasswordProof,
  answer: SecondFactorSecret,
  errors: ['BadRequestError', 'TooManyRequestsError'],
  access: 'session',
  handle: (deps: SessionNeeds, { body, request, reply }) =>
    change(
      deps,
      request,
      reply,
      { name: 'create', password: body.current_password },
      async (database, key, username) => {
        const made = await enrol({ ...deps, database }, key, username)
        if (!made) throw badRequest('the second factor is on: remove it first')
        return made
      },
    ),
})

const confirmFirst = endpoint({
  operation: 'secondFactor.confirm',
  method: 'POST',
  path: `${PATH}/confirmation`,
  bodyLimitBytes: CREDENTIALS_BODY_BYTES,
  summary:
    'Confirms the secret with one of its codes. The answer shows recovery codes, once. Other sessions of the user end.',
  body: OneTimeCode,
  answer: RecoveryCodes,
  errors: ['BadRequestError', 'TooManyRequestsError'],
  access: 'session',
  handle: (deps: SessionNeeds, { body, request, reply }) =>
    change(deps, request, reply, { name: 'confirm' }, async (database, key) => {
      let codes: string[] | undefined
      await deps.limits.attemptCode(reply, { userId: key.id, device: undefined }, async () => {
        codes = await confirm({ ...deps, database }, key, body.one_time_code)
        return codes !== undefined
      })
      if (!codes) {
        throw badRequest('one_time_code is incorrect: check the clock of the device; if it is correct, start again')
      }
      await endSessionsOf(database, key, request.actor.sessionId)
      return { recovery_codes: codes }
    }),
})

const renewCodes = endpoint({
  operation: 'secondFactor.renewRecoveryCodes',
  method: 'POST',
  path: `${PATH}/recovery-codes`,
  bodyLimitBytes: CREDENTIALS_BODY_BYTES,
  summary: 'Creates new recovery codes, shown once; the earlier ones are no longer valid.',
  body: PasswordProof,
  answer: RecoveryCodes,
  errors: ['BadRequestError', 'TooManyRequestsError'],
  access: 'session',
  handle: (deps: SessionNeeds, { body, request, reply }) =>
    change(
      deps,
      request,
      reply,
      { name: 'renewRecoveryCodes', password: body.current_password },
      async (database, key) => {
        const codes = await renewRecoveryCodes(database, key)
        if (!codes) throw badRequest('the second factor is off: there are no recovery codes')
        return { recovery_codes: codes }
      },
    ),
})

const remove = endpoint({
  operation: 'secondFactor.remove',
  method: 'POST',
  path: `${PATH}/removal`,
  bodyLimitBytes: CREDENTIALS_BODY_BYTES,
  summary:
    'Removes the second factor and its recovery codes: sign-in requires only the password. Other sessions of the user end.',
  body: PasswordProof,
  errors: ['BadRequestError', 'TooManyRequestsError'],
  access: 'session',
  handle: (deps: SessionNeeds, { body, request, reply }) =>
    change(deps, request, reply, { name: 'remove', password: body.current_password }, async (database, key) => {
      await removeSecondFactor(database, key)
      await endSessionsOf(database, key, request.actor.sessionId)
      return undefined
    }),
})

/** @throws UnauthorizedError, BadRequestError, TooManyRequestsError */
async function change<T>(
  deps: SessionNeeds,
  request: FastifyRequest,
  reply: FastifyReply,
  { name, password }: { name: string; password?: string },
  work: (database: Database, key: UserKey, username: string) => Promise<T>,
): Promise<T> {
  const user = password === undefined ? undefined : await provenUser(deps, request, reply, password)
  return changeOwnAccount(deps, request, `secondFactor.${name}`, (database, key) =>
    work(database, key, user?.username ?? ''),
  )
}

export const secondFactorSchemas = { PasswordProof, OneTimeCode, SecondFactor, SecondFactorSecret, RecoveryCodes }

export const secondFactorOperations = [read, begin, confirmFirst, renewCodes, remove] as const
