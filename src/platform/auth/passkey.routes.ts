// Operations to register, list, rename and remove passkeys, and to sign in with one. decisions/0069-passkeys.md
import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { badRequest, notFound, unauthorized } from '../../contract/errors.ts'
import { isUuid } from '../../contract/formats.ts'
import { passwordFirst } from '../http/authenticate.ts'
import { endpoint } from '../http/endpoint.ts'
import { begin, endCarried, type SessionNeeds, signedInUser } from './begin-session.ts'
import { changeOwnAccount, PasswordProof, provenUser } from './change-own-account.ts'
import { knownDevice } from './known-devices.ts'
import {
  insertPasskey,
  listPasskeys,
  PASSKEYS_MAX,
  Passkey,
  putChallenge,
  removePasskeys,
  renamePasskey,
  takeChallenge,
} from './passkey-store.ts'
import {
  admitPasskey,
  type Expected,
  keyOfHandle,
  NewCredential,
  registrationOptions,
  signInOptions,
  UsedCredential,
  verifyRegistration,
} from './passkeys.ts'
import { endSessionsOf, Session } from './session-store.ts'

const PATH = '/anteroom/v1/session/passkeys'
const SIGN_IN_PATH = '/anteroom/v1/session/passkey'
const BODY_LIMIT_BYTES = 64 * 1024
const NAME_MAX = 100

const PasskeyOptions = Type.Record(Type.String(), Type.Unknown())
const PasskeyName = Type.Object({ name: Type.String({ minLength: 1, maxLength: NAME_MAX }) })
const NewPasskey = Type.Object({ ...PasskeyName.properties, credential: NewCredential })
const PasskeySignIn = Type.Object({ credential: UsedCredential })

const list = endpoint({
  operation: 'passkeys.getMulti',
  method: 'GET',
  path: PATH,
  summary: 'Lists the passkeys of the signed-in user.',
  answer: Type.Array(Passkey),
  errors: [],
  access: 'session',
  handle: async (deps: SessionNeeds, { request }) =>
    `[${(await listPasskeys(deps.database, signedInUser(request))).join(',')}]`,
})

const start = endpoint({
  operation: 'passkeys.begin',
  method: 'POST',
  path: `${PATH}/options`,
  bodyLimitBytes: BODY_LIMIT_BYTES,
  summary:
    'Begins the registration of a passkey after the password: the options of the browser’s navigator.credentials.create(), with a challenge that this session can use once within five minutes.',
  body: PasswordProof,
  answer: PasskeyOptions,
  errors: ['BadRequestError', 'TooManyRequestsError'],
  access: 'session',
  async handle(deps: SessionNeeds, { body, request, reply }) {
    const { rpId } = expectedOf(deps, request)
    const user = await provenUser(deps, request, reply, body.current_password)
    const options = await registrationOptions(deps.database, rpId, user, signedInUser(request))
    await putChallenge(deps.database, signedInUser(request), request.actor.sessionId ?? '', options.challenge)
    return { ...options }
  },
})

const create = endpoint({
  operation: 'passkeys.create',
  method: 'POST',
  path: PATH,
  bodyLimitBytes: BODY_LIMIT_BYTES,
  summary: 'Stores the passkey that the browser has created with the options.',
  body: NewPasskey,
  answer: Passkey,
  errors: ['BadRequestError'],
  access: 'session',
  async handle(deps: SessionNeeds, { body, request }) {
    if (request.mustChangePassword) throw passwordFirst()
    const [site, key] = [expectedOf(deps, request), signedInUser(request)]
    const challenge = await takeChallenge(deps.database, key, request.actor.sessionId ?? '')
    const made = challenge === undefined ? undefined : await verifyRegistration(body.credential, { ...site, challenge })
    if (!made) throw badRequest('credential does not answer the latest options of this session: start again')
    return changeOwnAccount(deps, request, 'passkeys.create', async (database) => {
      const stored = await insertPasskey(database, key, { ...made, id: deps.newId(), name: body.name.trim() })
      return stored ?? refuse(`credential is registered already, or there are ${PASSKEYS_MAX} passkeys`)
    })
  },
})

const rename = endpoint({
  operation: 'passkeys.update',
  method: 'PUT',
  path: `${PATH}/:passkey_id`,
  bodyLimitBytes: BODY_LIMIT_BYTES,
  summary: "Renames one of the caller's passkeys.",
  body: PasskeyName,
  answer: Passkey,
  errors: ['BadRequestError', 'NotFoundError'],
  access: 'session',
  handle: (deps: SessionNeeds, { body, params, request }) =>
    changeOwnAccount(
      deps,
      request,
      'passkeys.update',
      async (database, key) => (await renamePasskey(database, key, idOf(params), body.name.trim())) ?? missing(),
    ),
})

const remove = endpoint({
  operation: 'passkeys.remove',
  method: 'POST',
  path: `${PATH}/:passkey_id/removal`,
  bodyLimitBytes: BODY_LIMIT_BYTES,
  summary: "Removes one of the caller's passkeys, after the password. Other sessions of the user end.",
  body: PasswordProof,
  errors: ['BadRequestError', 'NotFoundError', 'TooManyRequestsError'],
  access: 'session',
  async handle(deps: SessionNeeds, { body, params, request, reply }) {
    const id = idOf(params)
    await provenUser(deps, request, reply, body.current_password)
    return changeOwnAccount(deps, request, 'passkeys.remove', async (database, key) => {
      if ((await removePasskeys(database, key, id)) === 0) missing()
      // The device that held it may be lost, and signed in.
      await endSessionsOf(database, key, request.actor.sessionId)
      return undefined
    })
  },
})

const COOKIE = 'anteroom_passkey'
const CONTEXT = 'sign-in by a passkey'
const PENDING_SECONDS = 300

const challenge = endpoint({
  operation: 'session.challenge',
  method: 'POST',
  path: `${SIGN_IN_PATH}/options`,
  bodyLimitBytes: BODY_LIMIT_BYTES,
  summary:
    'Begins a sign-in with a passkey: the options of the browser’s navigator.credentials.get(). A cookie binds the challenge to this browser for five minutes.',
  answer: PasskeyOptions,
  errors: ['BadRequestError'],
  access: 'public',
  async handle(deps: SessionNeeds, { request, reply }) {
    deps.browser.requireSameOrigin(request)
    const { rpId } = expectedOf(deps, request)
    const options = await signInOptions(rpId)
    const pending = { challenge: options.challenge, at: deps.now().getTime() }
    const token = deps.vault.writeToken(JSON.stringify(pending), CONTEXT)
    deps.browser.setCookie(request, reply, COOKIE, `${token}; Max-Age=${PENDING_SECONDS}`)
    return { ...options }
  },
})

const signIn = endpoint({
  operation: 'session.createByPasskey',
  method: 'POST',
  path: SIGN_IN_PATH,
  bodyLimitBytes: BODY_LIMIT_BYTES,
  summary:
    'Signs a user in with a passkey, which counts as password and second factor, and sets the session cookie. A session that the request carries ends.',
  body: PasskeySignIn,
  answer: Session,
  errors: ['BadRequestError', 'UnauthorizedError', 'TooManyRequestsError'],
  access: 'public',
  async handle(deps: SessionNeeds, { body: { credential }, request, reply }) {
    deps.browser.requireSameOrigin(request)
    const site = expectedOf(deps, request)
    const pending = readPending(deps, request)
    const claimed = keyOfHandle(credential.response.userHandle)
    const device = claimed && knownDevice(deps, request, claimed.id)
    const user = await deps.limits.attempt(reply, { address: request.ip, device }, async () => {
      if (!pending) return undefined
      const expected = { ...site, challenge: pending.challenge, challengeAt: pending.at }
      return admitPasskey(deps.sessionDatabase, credential, expected, ({ organizationId, id }) => {
        // For the audit trail: the account of the attempt.
        request.attemptedUser = { organizationId, userId: id }
      })
    })
    if (!user) throw unauthorized('the passkey is unknown or was not accepted: try again')
    await endCarried(deps, request)
    const session = await begin(deps, request, reply, user)
    deps.browser.clearCookie(request, reply, COOKIE)
    return session
  },
})

function readPending(deps: SessionNeeds, request: FastifyRequest): { challenge: string; at: number } | undefined {
  const text = deps.vault.readToken(deps.browser.readCookie(request, COOKIE) ?? '', CONTEXT)
  if (text === undefined) return undefined
  const pending = JSON.parse(text) as { challenge: string; at: number }
  return pending.at + PENDING_SECONDS * 1000 > deps.now().getTime() ? pending : undefined
}

/** @throws BadRequestError if browsers do not support passkeys at this address */
function expectedOf({ passkeys }: SessionNeeds, request: FastifyRequest): Omit<Expected, 'challenge'> {
  const origin = passkeys?.originOf(request)
  if (!passkeys || origin === undefined) {
    throw badRequest('passkeys need an https address with a name as PUBLIC_URL, or http://localhost')
  }
  return { rpId: passkeys.id, origin }
}

const idOf = ({ passkey_id: id = '' }: Record<string, string>): string => (isUuid(id) ? id : missing())

function missing(): never {
  throw notFound('Passkey')
}

function refuse(message: string): never {
  throw badRequest(message)
}

export const passkeySchemas = { Passkey, PasskeyOptions, PasskeyName, NewPasskey, PasskeySignIn }

export const passkeyOperations = [list, start, create, rename, remove, challenge, signIn] as const
