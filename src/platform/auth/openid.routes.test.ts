// Users sign in through a real OpenID Connect provider; changed, repeated or injected messages are refused.
import { generateKeyPair } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { promisify } from 'node:util'
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { citusUrl } from '../../../test/support/citus.ts'
import { type IdentityProvider, openIdentityProvider } from '../../../test/support/identity-provider.ts'
import { createMeanwhile } from '../../../test/support/meanwhile.ts'
import { GOOD_PASSWORD, newPerson } from '../../../test/support/people.ts'
import { type Caller, type Reply, send, testService } from '../../../test/support/service.ts'
import { buildApp } from '../../main/app.ts'
import { insertIdentity, removeIdentity } from './openid-identity.ts'
import { readOpenIdSettings } from './openid-settings.ts'

const meanwhile = createMeanwhile()
const service = testService(({ sessionDatabase }) => ({
  sessionDatabase: meanwhile.within(sessionDatabase),
}))
const PUBLIC_URL = 'https://desk.example.com/clinic'
const START = '/anteroom/v1/session/openid'
const CALLBACK = `${START}/callback`
const INSIDE = '/clinic/console/'
const REFUSED = '/clinic/console/refused'

let provider: IdentityProvider
let owner: Caller
let app: FastifyInstance
let settings: Record<string, string>

const withSettings = (more: Record<string, string | undefined>) => ({ ...service.deps.config, ...more }) as never

beforeAll(async () => {
  provider = await openIdentityProvider(`${PUBLIC_URL}${CALLBACK}`)
  owner = await service.newCaller()
  settings = {
    PUBLIC_URL,
    OIDC_ISSUER: provider.issuer,
    OIDC_CLIENT_ID: provider.client.id,
    OIDC_CLIENT_SECRET: provider.client.secret,
    OIDC_ORGANIZATION: owner.organizationId,
    OIDC_ROLES: 'administrator=clinic-admins,front_desk=clinic-desk',
  }
  app = buildApp({ ...service.deps, config: withSettings(settings) })
  await app.ready()
})
afterAll(async () => {
  await app?.close()
  await provider?.close()
})

let number = 0
/** A user of the provider. */
function known(more: object = {}): string {
  const subject = `subject-${++number}`
  provider.people.set(subject, { name: 'Ana Reyes', preferred_username: subject, groups: ['clinic-desk'], ...more })
  return subject
}

const cookiesOf = ({ headers }: Reply) =>
  [headers['set-cookie'] ?? []].flat().map((each) => String(each).split(';')[0] ?? '')
const jar = (reply: Reply) => cookiesOf(reply).join('; ')
const get = (url: string, headers: Record<string, string> = {}, remoteAddress = '127.0.0.1') =>
  send(app, { method: 'GET', url, headers, remoteAddress })

/** Starts a sign-in: the redirect URL and the browser's cookie. */
async function leave(): Promise<{ url: string; cookie: string }> {
  const reply = await get(START)
  expect(reply.status, reply.text).toBe(303)
  return { url: String(reply.headers.location), cookie: jar(reply) }
}

/** Returns to the callback with the provider's answer. */
const comeBack = (address: string, cookie: string, from?: string) =>
  get(`${CALLBACK}${new URL(address).search}`, { cookie, 'sec-fetch-site': 'cross-site' }, from)

async function signIn(subject: string, from?: string): Promise<Reply> {
  const { url, cookie } = await leave()
  return comeBack(await provider.visit(url, subject), cookie, from)
}

async function expectIn(reply: Reply) {
  expect([reply.status, reply.headers.location]).toEqual([303, INSIDE])
  const session = await get('/anteroom/v1/session', { cookie: jar(reply) })
  expect(session.status, session.text).toBe(200)
  return session.body
}

function expectRefused(reply: Reply) {
  expect([reply.status, reply.headers.location]).toEqual([303, REFUSED])
  expect(jar(reply)).not.toContain('anteroom_session')
}

describe('signing in through the identity provider', () => {
  it('starts the same session as a password, with the role that the provider gives', async () => {
    const { url, cookie } = await leave()
    const asked = new URL(url).searchParams
    expect(url.startsWith(provider.issuer)).toBe(true)
    expect(asked.get('code_challenge_method')).toBe('S256')
    expect([asked.get('state'), asked.get('nonce')].map((text) => (text ?? '').length >= 40)).toEqual([true, true])
    const subject = known({ groups: ['others', 'clinic-desk'] })
    const reply = await comeBack(await provider.visit(url, subject), cookie)
    const session = await expectIn(reply)
    expect(session).toMatchObject({
      user: { username: subject, name: 'Ana Reyes', role: 'front_desk' },
      organization: { id: owner.organizationId },
      must_change_password: false,
      has_password: false,
    })
    const set = [reply.headers['set-cookie']].flat().map(String)
    expect(set.find((each) => each.startsWith('__Host-anteroom_session'))).toMatch(/HttpOnly; SameSite=Strict; Secure$/)
    // The state of the sign-in is removed from the browser, and was unreadable while it was there.
    expect(set[0]).toMatch(/^__Host-anteroom_openid=; Max-Age=0/)
    for (const name of ['state', 'nonce']) expect(decodeURIComponent(cookie)).not.toContain(asked.get(name))
    const again = await expectIn(await signIn(subject))
    expect(again.user.id).toBe(session.user.id)
  })

  it('is offered on the sign-in screen only if it is configured', async () => {
    const path = '/anteroom/v1/session/methods'
    expect((await get(path)).body).toMatchObject({ identity_provider: { name: 'your identity provider', path: START } })
    expect((await send(service.app, { method: 'GET', url: path })).body).not.toHaveProperty('identity_provider')
    for (const url of [START, CALLBACK]) expect((await send(service.app, { method: 'GET', url })).status).toBe(404)
  })

  it('never matches an account by name or e-mail address, only by a link of issuer and subject', async () => {
    const ana = await newPerson(service, { organizationId: owner.organizationId, role: 'administrator' })
    const eve = known({ preferred_username: ana.username, email: ana.username, groups: ['clinic-admins'] })
    expectRefused(await signIn(eve))
    const own = known({ preferred_username: undefined, email: 'someone@clinic.example' })
    const identity = { issuer: new URL(provider.issuer).href, subject: own }
    await insertIdentity(service.database, ana, identity, false)
    const session = await expectIn(await signIn(own))
    // A linked user keeps the role of the account.
    expect(session.user).toMatchObject({ id: ana.id, role: 'administrator' })
    expect(session.has_password).toBe(true)
    expectRefused(await signIn(eve))
    await expect(insertIdentity(service.database, ana, { ...identity, subject: eve }, false)).rejects.toThrow('linked')
    expect(await removeIdentity(service.database, ana)).toBe(true)
    expect((await expectIn(await signIn(own))).user.id).not.toBe(ana.id)
  })

  it('does not recognize a subject of another issuer', async () => {
    const ana = await newPerson(service, { organizationId: owner.organizationId })
    const subject = known()
    await insertIdentity(service.database, ana, { issuer: 'https://other.example/', subject }, false)
    expect((await expectIn(await signIn(subject))).user.id).not.toBe(ana.id)
  })

  it('chooses another username if another organization uses it, and signs the user in', async () => {
    const { organizationId } = await service.newCaller()
    const { username } = await newPerson(service, { organizationId })
    const session = await expectIn(await signIn(known({ preferred_username: username })))
    expect(session.user.username).toMatch(new RegExp(`^${username.slice(0, 80)}.*\\.\\d{4}$`))
  })

  it('names a user by the id if the provider has no name that a user can have here', async () => {
    for (const preferred_username of [undefined, '', 'Ana Reyes', 'ana/reyes', 'a'.repeat(101)]) {
      const { user } = await expectIn(await signIn(known({ preferred_username })))
      expect(user.username, preferred_username).toBe(`user.${user.id}`)
    }
  })

  it('refuses users to whom the provider gives no role, who lost their role, or who are disabled in Anteroom', async () => {
    expectRefused(await signIn(known({ groups: [] })))
    expectRefused(await signIn(known({ groups: ['administrator', 'CLINIC-ADMINS'] })))
    const subject = known()
    const { user } = await expectIn(await signIn(subject))
    const person = provider.people.get(subject) ?? {}
    person.groups = ['clinic-admins']
    const promoted = await signIn(subject)
    expect((await expectIn(promoted)).user.role).toBe('administrator')
    person.groups = []
    expectRefused(await signIn(subject))
    person.groups = ['clinic-desk']
    const body = { name: 'Ana', role: 'front_desk', disabled: true }
    expect((await owner.call('PUT', `/anteroom/v1/users/${user.id}`, body)).status).toBe(200)
    expectRefused(await signIn(subject))
    await service.deps.audit.flush()
    const { body: trail } = await owner.call('GET', '/anteroom/v1/audit')
    const own = trail.items.filter((event: { user_id?: string }) => event.user_id === user.id)
    const names: string[] = own.map(({ operation }: { operation: string }) => operation)
    expect(names.sort().filter((name) => name.endsWith('ByProvider'))).toEqual([
      'session.createByProvider',
      'session.createByProvider',
      'session.refuseByProvider',
      'session.refuseByProvider',
    ])
  })

  it('creates no password that would allow a sign-in without the provider', async () => {
    const subject = known()
    const { user } = await expectIn(await signIn(subject))
    for (const password of ['', GOOD_PASSWORD]) {
      const payload = { username: subject, password }
      expect((await send(app, { method: 'POST', url: '/anteroom/v1/session', payload })).status).toBe(401)
    }
    expect((await owner.call('POST', `/anteroom/v1/users/${user.id}/password-reset`)).status).toBe(400)
  })
})

describe('while the identity provider signs a user in', () => {
  /** A user who gets another role from the provider at the next sign-in, and what changes the user in Anteroom. */
  async function promoted() {
    const subject = known()
    const { user } = await expectIn(await signIn(subject))
    const person = provider.people.get(subject) ?? {}
    const path = `/anteroom/v1/users/${user.id}`
    const change = (more: object) =>
      owner.call('PUT', path, { name: 'Ana', role: 'front_desk', disabled: false, ...more })
    return { subject, user, person, change }
  }

  it('an administrator disables them: the user stays disabled and gets no session', async () => {
    const { subject, user, person, change } = await promoted()
    person.groups = ['clinic-admins']
    let disabling: Promise<Reply> | undefined
    // The administrator's call ends, or waits for the sign-in.
    meanwhile.after('user_account_get', async () => {
      disabling = change({ disabled: true })
      await Promise.race([disabling, untilBlocked()])
    })
    const reply = await signIn(subject)
    expect((await disabling)?.status).toBe(200)
    const session = await get('/anteroom/v1/session', { cookie: jar(reply) })
    expect(session.status).toBe(401)
    const account = 'select disabled_at is not null from user_account where id = $1'
    expect(await service.database.row(account, [user.id])).toEqual(['t'])
    expectRefused(await signIn(subject))
  })

  it.each(['user_identity_find', 'user_session_count_end'])(
    'an administrator changes their role or disables them for a while after %s: the sign-in starts no session',
    async (statement) => {
      const { subject, person, change } = await promoted()
      if (statement === 'user_session_count_end') person.groups = ['clinic-admins']
      let changing: Promise<unknown> | undefined
      meanwhile.after(statement, async () => {
        changing = (async () => {
          for (const disabled of [true, false]) await change({ disabled })
        })()
        await Promise.race([changing, untilBlocked()])
      })
      const reply = await signIn(subject)
      await changing
      expect((await get('/anteroom/v1/session', { cookie: jar(reply) })).status).toBe(401)
    },
  )
})

/** Resolves once a statement waits for a lock in the database: on Citus, in one of its servers. */
async function untilBlocked(): Promise<void> {
  const statement = citusUrl
    ? 'select 1 from citus_lock_waits'
    : `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
  while (!(await service.database.row(statement))) await delay(5)
}

describe('an attacker', () => {
  const change = (address: string, changes: Record<string, string | undefined>) => {
    const url = new URL(address)
    for (const [name, value] of Object.entries(changes)) {
      if (value === undefined) url.searchParams.delete(name)
      else url.searchParams.set(name, value)
    }
    return url.href
  }

  it('is refused with another state, without one, or with the answer to another browser’s sign-in', async () => {
    const subject = known()
    for (const state of ['x'.repeat(43), '', undefined]) {
      const { url, cookie } = await leave()
      expectRefused(await comeBack(change(await provider.visit(url, subject), { state }), cookie))
    }
    const [victim, attacker] = [await leave(), await leave()]
    const answer = await provider.visit(attacker.url, subject)
    expectRefused(await comeBack(answer, victim.cookie))
    expectRefused(await comeBack(answer, ''))
    // A stolen code with the victim's own state fails because the verifier differs.
    const own = new URL(victim.url).searchParams.get('state') ?? ''
    expectRefused(await comeBack(change(answer, { state: own }), victim.cookie))
  })

  it('is refused with a code that was used, also with the cookie of the first use', async () => {
    const { url, cookie } = await leave()
    const answer = await provider.visit(url, known())
    await expectIn(await comeBack(answer, cookie))
    expectRefused(await comeBack(answer, cookie))
    expectRefused(await comeBack(answer, ''))
  })

  it('is refused with the answer of another issuer, another nonce or another challenge', async () => {
    const subject = known()
    for (const iss of ['https://evil.example', undefined]) {
      const { url, cookie } = await leave()
      expectRefused(await comeBack(change(await provider.visit(url, subject), { iss }), cookie))
    }
    for (const name of ['nonce', 'code_challenge']) {
      const { url, cookie } = await leave()
      expectRefused(await comeBack(await provider.visit(change(url, { [name]: 'A'.repeat(43) }), subject), cookie))
    }
  })

  it('is refused with a cookie that is invented, changed, older than ten minutes or made for another purpose', async () => {
    const subject = known()
    const { vault } = service.deps
    const pending = { state: 'a', nonce: 'b', verifier: 'c'.repeat(43), until: Date.now() + 60_000 }
    const foreign = vault.writeToken(JSON.stringify(pending), 'another purpose')
    const late = vault.writeToken(
      JSON.stringify({ ...pending, until: Date.now() - 1 }),
      'sign-in by an identity provider',
    )
    for (const value of ['', 'x', foreign, late]) {
      const { url } = await leave()
      const answer = change(await provider.visit(url, subject), { state: 'a' })
      expectRefused(await comeBack(answer, `__Host-anteroom_openid=${value}`))
    }
  })

  it('cannot redirect a user elsewhere: no address, header or error leads out of the console', async () => {
    const evil = 'https://evil.example'
    const more = `?return_to=${evil}&redirect_uri=${evil}&next=//evil.example&iss=${evil}`
    const reply = await get(`${START}${more}`, { 'x-forwarded-host': 'evil.example' })
    expect(String(reply.headers.location).startsWith(provider.issuer)).toBe(true)
    expect(new URL(String(reply.headers.location)).searchParams.get('redirect_uri')).toBe(`${PUBLIC_URL}${CALLBACK}`)
    expect(String(reply.headers.location)).not.toContain('evil')
    for (const query of [
      more,
      `?error=access_denied&error_description=<script>&error_uri=${evil}`,
      '?code=//evil',
      '',
    ]) {
      expectRefused(await get(`${CALLBACK}${query}`, { cookie: jar(reply), 'x-forwarded-host': 'evil.example' }))
    }
    const { url, cookie } = await leave()
    const answer = await provider.visit(url, known())
    await expectIn(await comeBack(`${answer}&return_to=${evil}`, cookie))
  })

  it('cannot start a user’s sign-in from another site', async () => {
    for (const site of ['cross-site', 'same-site'])
      expect((await get(START, { 'sec-fetch-site': site })).status).toBe(403)
    expect((await get(START, { 'sec-fetch-site': 'none' })).status).toBe(303)
  })

  it('cannot cause unlimited requests to the provider', async () => {
    const subject = known()
    const guesses = Array.from({ length: 100 }, () => comeBack(`${PUBLIC_URL}${CALLBACK}?code=x`, '', '203.0.113.8'))
    for (const reply of await Promise.all(guesses)) expectRefused(reply)
    expectRefused(await signIn(subject, '203.0.113.8'))
    await expectIn(await signIn(subject, '203.0.113.9'))
  })
})

describe('a provider that is not itself', () => {
  const METADATA = '/.well-known/openid-configuration'
  const asked = (path: string) => fetch(`${provider.issuer}${path}`)

  /** Runs with a service that knows nothing of the provider yet, while other answers are in its place. */
  async function withAnswers(answers: Record<string, () => string>, run: () => Promise<void>) {
    const usual = app
    app = buildApp({ ...service.deps, config: withSettings(settings) })
    for (const [path, answer] of Object.entries(answers)) provider.instead.set(path, answer)
    try {
      await app.ready()
      await run()
    } finally {
      provider.instead.clear()
      app = usual
    }
  }

  it('signs nobody in with a token of another key', async () => {
    const { keys } = (await (await asked('/jwks')).json()) as { keys: object[] }
    const { publicKey } = await promisify(generateKeyPair)('rsa', { modulusLength: 2048 })
    const others = keys.map((key) => ({ ...key, ...publicKey.export({ format: 'jwk' }) }))
    await withAnswers({ '/jwks': () => JSON.stringify({ keys: others }) }, async () => {
      expectRefused(await signIn(known()))
    })
    await withAnswers({ '/jwks': () => JSON.stringify({ keys }) }, async () => {
      await expectIn(await signIn(known()))
    })
  })

  it('cannot fill the memory: answers of more than a megabyte are refused', async () => {
    const metadata = await (await asked(METADATA)).text()
    for (const [bytes, isAccepted] of [
      [1000 * 1024, true],
      [1100 * 1024, false],
    ] as const) {
      await withAnswers({ [METADATA]: () => metadata + ' '.repeat(bytes - metadata.length) }, async () => {
        const { headers } = await get(START)
        expect(headers.location === REFUSED).toBe(!isAccepted)
      })
    }
  })
})

describe('the settings', () => {
  it('are refused at the start if one is missing or the issuer’s connection could be intercepted', () => {
    expect(readOpenIdSettings(withSettings({ OIDC_ISSUER: undefined }))).toBeUndefined()
    for (const name of Object.keys(settings).filter((each) => each !== 'OIDC_ISSUER'))
      expect(() => readOpenIdSettings(withSettings({ ...settings, [name]: undefined })), name).toThrow(name)
    const wrong = (more: object) => () => readOpenIdSettings(withSettings({ ...settings, ...more }))
    expect(wrong({ OIDC_ISSUER: 'http://login.example.com' })).toThrow('https')
    for (const OIDC_ROLES of ['owner=x', 'billing', 'billing=', '=x', 'billing=x,'])
      expect(wrong({ OIDC_ROLES }), OIDC_ROLES).toThrow('OIDC_ROLES')
  })
})
