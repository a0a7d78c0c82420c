// Users sign in with a password and act with a cookie, which only pages of the service can use.
import { beforeAll, describe, expect, it } from 'vitest'
import { imageSamples } from '../../../test/support/image-samples.ts'
import { endpoints, expectDeclaredAnswer, expectEnvelope, urlOf } from '../../../test/support/operations.ts'
import {
  cookieOf,
  GOOD_PASSWORD,
  newPerson,
  openPage,
  type Page,
  pageOf,
  signIn,
} from '../../../test/support/people.ts'
import { type Reply, send, testService } from '../../../test/support/service.ts'
import type { Statement, SystemDatabase } from '../database/database.ts'
import { scopeOf } from '../http/scopes.ts'
import { sessionOperations } from './session.routes.ts'
import { touchSession } from './session-store.ts'
import { openSessions } from './sessions.ts'

/** What happens between the verification of the next password and its result. */
let meanwhile: (() => Promise<unknown>) | undefined
/** The statements of operations that took one of the few connections by which callers are authenticated. */
const taken: string[] = []
const service = testService(({ passwords, sessionDatabase, limitDatabase }) => ({
  sessionDatabase: noting(sessionDatabase),
  limitDatabase: noting(limitDatabase),
  passwords: {
    ...passwords,
    async matches(...given) {
      const isRight = await passwords.matches(...given)
      const happens = meanwhile
      meanwhile = undefined
      await happens?.()
      return isRight
    },
  },
}))
const SESSION = '/anteroom/v1/session'

function noting(database: SystemDatabase): SystemDatabase {
  const note = (statement: Statement | string) =>
    void taken.push(typeof statement === 'string' ? statement : (statement.name ?? statement.text))
  return {
    ...database,
    rows(statement, ...rest) {
      note(statement)
      return database.rows(statement, ...rest)
    },
    row(statement, ...rest) {
      note(statement)
      return database.row(statement, ...rest)
    },
    transaction(work, ...rest) {
      note('transaction')
      return database.transaction(work, ...rest)
    },
  }
}

const newOrganization = async () => (await service.newCaller()).organizationId
const person = async (options: Partial<Parameters<typeof newPerson>[1]> = {}) =>
  newPerson(service, { organizationId: await newOrganization(), ...options })

const setCookies = ({ headers }: Reply) => [headers['set-cookie']].flat() as string[]

/** As another process would see it, with an empty cache. */
const asElsewhere = (page: Page) => openSessions(service.deps.sessionDatabase).verify(page.cookie.split('=')[1] ?? '')

const ofSession = (set: string, { organizationId }: { organizationId: string }) =>
  service.database.rows(`update user_session set ${set} where organization_id = $1`, [organizationId])

describe('connections by which callers of all organizations are authenticated', () => {
  it('are not taken by what users do with their sessions, however many and long', async () => {
    const ana = await person()
    const [page, other] = [await openPage(service, ana), await openPage(service, ana)]
    taken.length = 0
    expect((await page.call('GET', SESSION)).body.user.id).toBe(ana.id)
    const sessions = (await page.call('GET', '/anteroom/v1/sessions')).body as { id: string; is_current: boolean }[]
    const { id } = sessions.find(({ is_current }) => !is_current) ?? {}
    expect((await page.call('DELETE', `/anteroom/v1/sessions/${id}`)).status).toBe(200)
    expectEnvelope(await other.call('GET', SESSION), 401)
    expect((await page.call('DELETE', SESSION)).status).toBe(200)
    expect(taken).toEqual([])
  })

  it('are used in the places of the organization, also when a session must be read again', async () => {
    const ana = await person()
    const page = await openPage(service, ana)
    const token = page.cookie.split('=')[1] ?? ''
    const { sessions } = service.deps
    expect(sessions.organizationOf(token)).toBeUndefined()
    await page.call('GET', SESSION)
    expect(sessions.organizationOf(token)).toBe(ana.organizationId)
    const forged = `${token.slice(0, -4)}${token.endsWith('AAAA') ? 'BBBB' : 'AAAA'}`
    expect(sessions.organizationOf(forged)).toBeUndefined()
    await page.call('DELETE', SESSION)
    expect(sessions.organizationOf(token)).toBeUndefined()
  })

  it('only count the attempts of somebody who guesses at names and passwords', async () => {
    taken.length = 0
    const guess = { username: 'nobody', password: GOOD_PASSWORD }
    expectEnvelope(await signIn(service, guess, {}, '192.0.2.77'), 401)
    expect(taken).toEqual(['call_window_grant', 'call_window_grant'])
  })
})

describe('signing in', () => {
  it('returns the user, and sets a cookie that no script can read and no other site sends', async () => {
    const ana = await person({ role: 'front_desk' })
    const reply = await signIn(service, { username: ` ${ana.username.toUpperCase()} `, password: GOOD_PASSWORD })
    expect(reply.status, reply.text).toBe(200)
    expectDeclaredAnswer(sessionOperations[0], reply)
    expect(reply.body).toMatchObject({
      user: { id: ana.id, username: ana.username, name: 'Ana Reyes', role: 'front_desk' },
      organization: { id: ana.organizationId, time_zone: 'UTC' },
      must_change_password: false,
    })
    expect(reply.body.organization).not.toHaveProperty('npi')
    expect(reply.body.scopes).toContain('*:read')
    expect(setCookies(reply)[0]).toMatch(/^anteroom_session=[\w-]{86}; Path=\/; HttpOnly; SameSite=Strict$/)
    expect(reply.headers['cache-control']).toBe('no-store')
  })

  it('states the NPI of the clinic, with which checks are sent', async () => {
    const ana = await person()
    await service.database.rows(`update organization set npi = '1999999984' where id = $1`, [ana.organizationId])
    const reply = await signIn(service, { username: ana.username, password: GOOD_PASSWORD })
    expectDeclaredAnswer(sessionOperations[0], reply)
    expect(reply.body.organization.npi).toBe('1999999984')
  })

  it('sets a cookie over TLS that only TLS and this host can set or see', async () => {
    const ana = await person()
    const { config } = service.deps
    service.deps.config = { ...config, PUBLIC_URL: 'https://desk.example.com' }
    const { buildApp } = await import('../../main/app.ts')
    const app = buildApp(service.deps)
    service.deps.config = config
    const payload = { username: ana.username, password: GOOD_PASSWORD }
    const reply = await send(app, { method: 'POST', url: SESSION, payload })
    expect(setCookies(reply)[0]).toMatch(
      /^__Host-anteroom_session=[\w-]{86}; Path=\/; HttpOnly; SameSite=Strict; Secure$/,
    )
    const planted = cookieOf(reply.headers).replace('__Host-', '')
    expect((await send(app, { url: SESSION, headers: { cookie: planted } })).status).toBe(401)
    expect((await send(app, { url: SESSION, headers: { cookie: cookieOf(reply.headers) } })).status).toBe(200)
  })

  it('refuses an unknown user, a wrong password, a disabled user and an expired one-time password with the same message', async () => {
    const [wrong, disabled, late] = [await person(), await person(), await person()]
    const set = (what: string, { id }: { id: string }) =>
      service.database.rows(`update user_account set ${what} where id = $1`, [id])
    await set('disabled_at = now()', disabled)
    await set(`password_expires_at = now() - interval '1 second'`, late)
    const replies = [
      await signIn(service, { username: 'nobody', password: GOOD_PASSWORD }),
      await signIn(service, { username: wrong.username, password: `${GOOD_PASSWORD} ` }),
      await signIn(service, { username: disabled.username, password: GOOD_PASSWORD }),
      await signIn(service, { username: late.username, password: GOOD_PASSWORD }),
      await signIn(service, { username: '', password: '' }),
    ]
    for (const reply of replies) {
      expectEnvelope(reply, 401)
      expect(reply.text).toBe(replies[0]?.text)
      expect(reply.headers['set-cookie']).toBeUndefined()
    }
  })

  it('issues a new token each time and ends the session that the request carries, so that a planted one is useless', async () => {
    const ana = await person()
    const before = await openPage(service, ana)
    const reply = await signIn(service, { username: ana.username, password: GOOD_PASSWORD }, { cookie: before.cookie })
    const after = pageOf(service, reply)
    expect(after.cookie).not.toBe(before.cookie)
    expect((await before.call('GET', SESSION)).status).toBe(401)
    expect((await after.call('GET', SESSION)).status).toBe(200)
    const madeUp = `anteroom_session=${'A'.repeat(86)}`
    const fixed = await signIn(service, { username: ana.username, password: GOOD_PASSWORD }, { cookie: madeUp })
    expect(cookieOf(fixed.headers)).not.toBe(madeUp)
  })

  it('is refused to pages of other origins', async () => {
    const ana = await person()
    const body = { username: ana.username, password: GOOD_PASSWORD }
    for (const headers of [
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
      { 'sec-fetch-site': 'none' },
      { origin: 'https://evil.example' },
      { origin: 'null' },
    ] as Record<string, string>[]) {
      const reply = await signIn(service, body, headers)
      expectEnvelope(reply, 403)
      expect(reply.headers['set-cookie']).toBeUndefined()
    }
    expect((await signIn(service, body, { 'sec-fetch-site': 'same-origin' })).status).toBe(200)
    expect((await signIn(service, body, { origin: 'http://localhost:80' })).status).toBe(200)
  })

  it('limits guessing, and attempts from elsewhere lock no user out', async () => {
    const ana = await person()
    const guess = (address: string, password = 'a wrong password') =>
      signIn(service, { username: ana.username, password }, {}, address)
    const guesses = []
    for (let index = 0; index < 11; index++) guesses.push((await guess('203.0.113.7')).status)
    expect(guesses).toEqual([...Array.from({ length: 10 }, () => 401), 429])
    const right = await guess('203.0.113.7', GOOD_PASSWORD)
    expectEnvelope(right, 429)
    expect(Number(right.headers['retry-after'])).toBeGreaterThan(0)
    expect((await guess('198.51.100.9', GOOD_PASSWORD)).status).toBe(200)
  })

  it('succeeds in a browser that the user has used before, regardless of attempts from the same address', async () => {
    const [ana, colleague] = [await person(), await person()]
    const from = (who: { username: string }, password: string, cookie = '') =>
      signIn(service, { username: who.username, password }, { cookie }, '203.0.113.9')
    const deviceOf = (reply: Reply) => setCookies(reply)[1]?.split(';')[0] ?? ''
    const [own, others] = [await from(ana, GOOD_PASSWORD), await from(colleague, GOOD_PASSWORD)]
    expect(setCookies(own)[1]).toMatch(
      /^anteroom_device_\w{32}=[\w.-]+; Max-Age=\d+; Path=\/; HttpOnly; SameSite=Strict$/,
    )
    for (let index = 0; index < 11; index++) await from(ana, 'a guess')
    expect((await from(ana, GOOD_PASSWORD)).status).toBe(429)
    expect((await from(ana, GOOD_PASSWORD, deviceOf(own))).status).toBe(200)
    const renamed = deviceOf(others).replace(/^[^=]+/, deviceOf(own).split('=')[0] ?? '')
    const forged = deviceOf(own).replace(/=.{16}/, `=${'A'.repeat(16)}`)
    for (const cookie of [deviceOf(others), renamed, forged])
      expect((await from(ana, GOOD_PASSWORD, cookie)).status).toBe(429)
    const guesses = []
    for (let index = 0; index < 11; index++) guesses.push((await from(ana, 'a guess', deviceOf(own))).status)
    expect(guesses.at(-1)).toBe(429)
  })

  it('does not count successful attempts', async () => {
    const ana = await person()
    for (let index = 0; index < 12; index++) {
      const reply = await signIn(service, { username: ana.username, password: GOOD_PASSWORD }, {}, '203.0.113.8')
      expect(reply.status).toBe(200)
    }
  })
})

describe('a session', () => {
  it('permits what the role of the user permits, under their own name', async () => {
    const ana = await person({ role: 'front_desk' })
    const page = await openPage(service, ana)
    const note = await page.call('POST', '/notes/v1', { value: 'called the payer' })
    expect(note.status, note.text).toBe(200)
    expect(note.body.updating_user_id).toBe(ana.id)
    expectEnvelope(await page.call('GET', '/anteroom/v1/audit'), 403)
  })

  it('only reads for a user with a read-only role', async () => {
    const page = await openPage(service, await person({ role: 'read_only' }))
    for (const endpoint of endpoints) {
      const { status } = await page.call(endpoint.method, urlOf(endpoint), endpoint.body && {})
      expect(status === 403, endpoint.operation).toBe(!scopeOf(endpoint).endsWith(':read'))
    }
  })

  it('is ignored if the request has an Authorization header, regardless of its value', async () => {
    const page = await openPage(service, await person())
    const caller = await service.newCaller()
    const authorization = `Bearer ${caller.token}`
    const note = await page.call('POST', '/notes/v1', { value: 'x' }, { authorization })
    expect(note.body.organization_id).toBe(caller.organizationId)
    expectEnvelope(
      await page.call('GET', '/notes/v1/scan?since=2020-01-01T00:00:00Z', undefined, { authorization: 'Basic eDp5' }),
      401,
    )
    expectEnvelope(await page.call('GET', SESSION, undefined, { authorization }), 401)
  })

  it('ends after 30 minutes without use and after 12 hours at the latest', async () => {
    for (const end of [`last_used_at = now() - interval '30 minutes'`, 'expires_at = now()']) {
      const ana = await person()
      const page = await openPage(service, ana)
      await ofSession(end, ana)
      expectEnvelope(await page.call('GET', '/patients/v1'), 401)
      await expect(asElsewhere(page)).rejects.toThrow('sign in again')
    }
    const { body } = await (await openPage(service, await person())).call('GET', SESSION)
    const lifetime = (Date.parse(body.expires_at) - Date.now()) / 3_600_000
    expect(lifetime).toBeGreaterThan(11.9)
    expect(lifetime).toBeLessThanOrEqual(12.01)
  })

  it('is not brought back by a call that was admitted just before its end', async () => {
    const ana = await person()
    const page = await openPage(service, ana)
    await ofSession(`last_used_at = now() - interval '31 minutes'`, ana)
    const { organizationId } = ana
    const [id = ''] =
      (await service.database.row('select id from user_session where organization_id = $1', [organizationId])) ?? []
    await touchSession(service.database, { organizationId, id })
    expectEnvelope(await page.call('GET', '/patients/v1'), 401)
  })

  it('is extended by use, but neither by reading its state nor by what a page reads while nobody uses it', async () => {
    const ana = await person()
    const page = await openPage(service, ana)
    const lastUse = async () =>
      (
        await service.database.row(
          `select last_used_at > now() - interval '1 minute' from user_session where organization_id = $1`,
          [ana.organizationId],
        )
      )?.[0]
    await ofSession(`last_used_at = now() - interval '20 minutes'`, ana)
    expect((await page.call('GET', SESSION)).status).toBe(200)
    expect(await lastUse()).toBe('f')
    expect((await page.call('GET', '/coverages/v1', undefined, { 'x-unattended': 'true' })).status).toBe(200)
    expect(await lastUse()).toBe('f')
    expect((await page.call('GET', '/coverages/v1')).status).toBe(200)
    expect(await lastUse()).toBe('t')
  })

  it('ends with the sign-out, in this process at once and in others when their cache expires', async () => {
    const page = await openPage(service, await person())
    const reply = await page.call('DELETE', SESSION)
    expect(reply.status).toBe(200)
    expect(reply.headers['set-cookie']).toContain('Max-Age=0')
    expectEnvelope(await page.call('GET', SESSION), 401)
    await expect(asElsewhere(page)).rejects.toThrow('sign in again')
  })

  it('cannot be derived from the data in the database', async () => {
    const ana = await person()
    const page = await openPage(service, ana)
    const rows = await service.database.rows('select s::text from user_session s where organization_id = $1', [
      ana.organizationId,
    ])
    const secret = Buffer.from(page.cookie.split('=')[1] ?? '', 'base64url').subarray(32)
    expect(rows.join()).not.toContain(secret.toString('hex'))
    expect(rows.join()).not.toContain(page.cookie.split('=')[1])
  })

  it('is not accepted when any character of its cookie was changed', async () => {
    const page = await openPage(service, await person())
    const [name, token = ''] = page.cookie.split('=')
    for (let at = 0; at < token.length; at += 5) {
      const changed = token.slice(0, at) + (token[at] === 'A' ? 'B' : 'A') + token.slice(at + 1)
      const reply = await send(service.app, { url: SESSION, headers: { cookie: `${name}=${changed}` } })
      expect(reply.status, String(at)).toBe(401)
    }
  })
})

describe('a call with the cookie', () => {
  const mutating = endpoints.filter((endpoint) => endpoint.method !== 'GET' || scopeOf(endpoint).endsWith(':write'))
  let page: Page
  let stranger: Page
  beforeAll(async () => {
    page = await openPage(service, await person())
    stranger = await openPage(service, await person())
  })
  it.each([...mutating, ...sessionOperations.filter(({ method, access }) => method !== 'GET' && access === 'session')])(
    '$operation is refused without the CSRF token and from pages of other origins',
    async (endpoint) => {
      const forgeries: Record<string, string>[] = [
        { 'x-csrf-token': '' },
        { 'x-csrf-token': stranger.csrf },
        { 'x-csrf-token': page.csrf.toLowerCase() },
        { 'sec-fetch-site': 'cross-site' },
        { 'sec-fetch-site': 'same-site' },
        { 'sec-fetch-site': 'none' },
        { origin: 'https://evil.example' },
        { origin: 'null' },
      ]
      for (const headers of forgeries) {
        const reply = await page.call(endpoint.method, urlOf(endpoint), endpoint.body && {}, headers)
        expectEnvelope(reply, 403)
      }
      expect((await page.call('GET', SESSION)).status).toBe(200)
    },
  )

  it('that only reads is also refused to other origins', async () => {
    const page = await openPage(service, await person())
    const read = (headers: Record<string, string>) => page.call('GET', '/coverages/v1', undefined, headers)
    expectEnvelope(await read({ 'sec-fetch-site': 'cross-site' }), 403)
    expectEnvelope(await read({ 'sec-fetch-site': 'same-site' }), 403)
    expect((await read({ 'sec-fetch-site': 'none', 'x-csrf-token': '' })).status).toBe(200)
  })
})

describe('the password', () => {
  const change = (page: Page, current: string, next: string) =>
    page.call('PUT', `${SESSION}/password`, { current_password: current, new_password: next })

  it('can be changed with the current one: every other session ends, and this one continues with a new token', async () => {
    const ana = await person()
    const [page, other] = [await openPage(service, ana), await openPage(service, ana)]
    expectEnvelope(await change(page, 'wrong', 'quartz meadow anchor violin'), 400)
    const reply = await change(page, GOOD_PASSWORD, 'quartz meadow anchor violin')
    expect(reply.status, reply.text).toBe(200)
    const next = pageOf(service, reply)
    expect((await next.call('GET', SESSION)).status).toBe(200)
    expect((await page.call('GET', SESSION)).status).toBe(401)
    await expect(asElsewhere(other)).rejects.toThrow('sign in again')
    expect((await signIn(service, { username: ana.username, password: GOOD_PASSWORD })).status).toBe(401)
    const again = await signIn(service, { username: ana.username, password: 'quartz meadow anchor violin' })
    expect(again.status).toBe(200)
  })

  it.each([
    'short',
    'passwordpassword',
    'Password1234!',
    'qwertyuiopas',
    '123456789012',
    'aaaaaaaaaaaaaa',
    'abcdefghijkl',
    'anteroom2026',
    'x'.repeat(257),
  ])('is not %s, which is short, long or easily guessed', async (password) => {
    const page = await openPage(service, await person())
    const reply = await change(page, GOOD_PASSWORD, password)
    expectEnvelope(reply, 400)
    expect(reply.body.content.message).toContain('new_password')
    expect(reply.text).not.toContain(password)
  })

  it('must not be the name of the user', async () => {
    const page = await openPage(service, await person({ name: 'Wilhelmina Przybylski' }))
    expectEnvelope(await change(page, GOOD_PASSWORD, 'wilhelminaprzybylski'), 400)
  })
})

describe('what is proven while all sessions of the user are ended', () => {
  const users = '/anteroom/v1/users'
  const newWords = 'quartz meadow anchor violin'
  const settings = { name: 'Ana Reyes', role: 'front_desk', disabled: false }
  async function setting() {
    const ana = await person({ role: 'front_desk' })
    const admin = await openPage(service, await person({ organizationId: ana.organizationId }))
    const reset = () => admin.call('POST', `${users}/${ana.id}/password-reset`)
    return { ana, admin, reset, page: await openPage(service, ana) }
  }
  type Setting = Awaited<ReturnType<typeof setting>>

  it.each<[string, (setting: Setting) => Promise<unknown>]>([
    [
      'changed their password',
      ({ page }) =>
        page.call('PUT', `${SESSION}/password`, { current_password: GOOD_PASSWORD, new_password: newWords }),
    ],
    ['got a one-time password', ({ reset }) => reset()],
    ['got another role', ({ admin, ana }) => admin.call('PUT', `${users}/${ana.id}`, { ...settings, role: 'billing' })],
    [
      'was disabled for a while',
      async ({ admin, ana }) => {
        for (const disabled of [true, false]) await admin.call('PUT', `${users}/${ana.id}`, { ...settings, disabled })
      },
    ],
    ['lost a second factor', ({ admin, ana }) => admin.call('POST', `${users}/${ana.id}/second-factor-reset`)],
  ])('starts no session: the user %s while the password was verified', async (_, happens) => {
    const it = await setting()
    meanwhile = () => happens(it)
    const reply = await signIn(service, { username: it.ana.username, password: GOOD_PASSWORD })
    expectEnvelope(reply, 401)
    expect(reply.headers['set-cookie']).toBeUndefined()
    const sessions = await service.database.rows('select 1 from user_session where user_id = $1', [it.ana.id])
    expect(sessions.length).toBeLessThanOrEqual(1)
  })

  it('changes no password: the one-time password of an administrator stays', async () => {
    const { ana, page, reset } = await setting()
    let oneTime = ''
    meanwhile = async () => {
      oneTime = (await reset()).body.one_time_password
    }
    const body = { current_password: GOOD_PASSWORD, new_password: newWords }
    expectEnvelope(await page.call('PUT', `${SESSION}/password`, body), 401)
    expect((await signIn(service, { username: ana.username, password: newWords })).status).toBe(401)
    expect((await signIn(service, { username: ana.username, password: oneTime })).status).toBe(200)
  })
})

it('an image URL that was issued to a user works as long as their session', async () => {
  const page = await openPage(service, await person({ role: 'front_desk' }))
  const body = { file_name: 'card.png', display_name: 'Card', file_type: 'image/png', status: 'PENDING' }
  const { body: image } = await page.call('POST', '/images/v1', body)
  const url = new URL(image.signed_url)
  const put = () =>
    send(service.app, {
      method: 'PUT',
      url: url.pathname + url.search,
      headers: { 'content-type': 'image/png' },
      payload: imageSamples['image/png'],
    })
  expect((await put()).status).toBe(200)
  const { body: shown } = await page.call('GET', `/images/v1/${image.id}`)
  const again = new URL(shown.signed_url)
  expect((await send(service.app, { url: again.pathname + again.search })).status).toBe(200)
  await page.call('DELETE', SESSION)
  expect((await send(service.app, { url: again.pathname + again.search })).status).toBe(403)
})
