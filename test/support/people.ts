// Users who sign in, for tests: a user of an organization with a browser's cookie jar.
import type { InjectOptions } from 'fastify'
import { v7 as uuidv7 } from 'uuid'
import type { Role } from '../../src/platform/auth/roles.ts'
import { createUser } from '../../src/platform/auth/user-account.ts'
import { type Reply, send, type TestService } from './service.ts'

export const GOOD_PASSWORD = 'lantern orbit velvet cactus'
export interface Person {
  organizationId: string
  id: string
  username: string
}

/** A user with the password GOOD_PASSWORD. */
export async function newPerson(
  { deps }: TestService,
  {
    organizationId,
    role = 'administrator',
    name = 'Ana Reyes',
  }: { organizationId: string; role?: Role; name?: string },
): Promise<Person> {
  const key = { organizationId, id: uuidv7() }
  const username = `ana.${key.id}`
  const hash = await deps.passwords.hash(GOOD_PASSWORD, 'tests')
  await createUser(deps.systemDatabase, key, { username, name, role, hash, isKept: true })
  return { ...key, username }
}

/** A page of the service in a browser: it keeps the cookie and sends the session's CSRF token with every call. */
export interface Page {
  cookie: string
  csrf: string
  call(method: InjectOptions['method'], url: string, body?: unknown, headers?: Record<string, string>): Promise<Reply>
}

export const signIn = (
  { app }: TestService,
  body: { username: string; password: string },
  headers: Record<string, string> = {},
  remoteAddress = '127.0.0.1',
): Promise<Reply> => send(app, { method: 'POST', url: '/anteroom/v1/session', payload: body, headers, remoteAddress })

export async function openPage(service: TestService, { username }: Pick<Person, 'username'>): Promise<Page> {
  const reply = await signIn(service, { username, password: GOOD_PASSWORD })
  if (reply.status !== 200) throw new Error(`sign-in answered ${reply.status} ${reply.text}`)
  return pageOf(service, reply)
}

/** The page of a user after the answer to a sign-in or a password change. */
export function pageOf({ app }: TestService, { headers, body }: Reply): Page {
  const cookie = cookieOf(headers)
  const csrf = body.csrf_token
  return {
    cookie,
    csrf,
    call: (method, url, payload, more = {}) =>
      send(app, {
        method,
        url,
        headers: {
          cookie,
          'x-csrf-token': csrf,
          ...(payload !== undefined && { 'content-type': 'application/json' }),
          ...more,
        },
        ...(payload !== undefined && { payload: JSON.stringify(payload) }),
      }),
  }
}

export const cookieOf = (headers: Record<string, unknown>): string =>
  [headers['set-cookie']].flat().join('; ').split(';')[0] ?? ''
