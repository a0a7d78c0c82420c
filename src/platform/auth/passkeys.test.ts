// A passkey signs in only its own user, only on this site, and once for each challenge.
import { describe, expect, it } from 'vitest'
import { newPasskey, type Passkey } from '../../../test/support/authenticator.ts'
import { createMeanwhile } from '../../../test/support/meanwhile.ts'
import { expectDeclaredAnswer, expectEnvelope } from '../../../test/support/operations.ts'
import {
  GOOD_PASSWORD,
  newPerson,
  openPage,
  type Page,
  type Person,
  pageOf,
  signIn,
} from '../../../test/support/people.ts'
import { type Reply, send, testService } from '../../../test/support/service.ts'
import { passkeyOperations } from './passkey.routes.ts'
import { passkeySite } from './passkey-site.ts'
import { openSessions } from './sessions.ts'

let at = Date.parse('2026-11-22T09:00:00.000Z')
const meanwhile = createMeanwhile()
const service = testService(({ sessionDatabase }) => ({
  now: () => new Date(at),
  sessionDatabase: meanwhile.within(sessionDatabase),
}))
const PASSKEYS = '/anteroom/v1/session/passkeys'
const SIGN_IN = '/anteroom/v1/session/passkey'
const host = 'localhost'
const password = { current_password: GOOD_PASSWORD }
const USERS = '/anteroom/v1/users'
const settings = { name: 'Ana Reyes', role: 'front_desk', disabled: false }

const newAna = async (more: object = {}) =>
  newPerson(service, { organizationId: (await service.newCaller()).organizationId, ...more })

interface Owner {
  ana: Person
  page: Page
  key: Passkey
  id: string
}

const optionsOf = async (page: Page) => (await page.call('POST', `${PASSKEYS}/options`, password, { host })).body

/** A user with a passkey. */
async function owner(more: object = {}): Promise<Owner> {
  const ana = await newAna(more)
  const page = await openPage(service, ana)
  const options = await optionsOf(page)
  const key = newPasskey(options.user.id, { challenge: options.challenge })
  const reply = await page.call('POST', PASSKEYS, { name: 'Desk', credential: key.created }, { host })
  expect(reply.status, reply.text).toBe(200)
  return { ana, page, key, id: reply.body.id }
}

/** A browser that has started a sign-in. */
async function challenged() {
  at += 1000
  const reply = await post(`${SIGN_IN}/options`, {})
  const cookie =
    [reply.headers['set-cookie']]
      .flat()
      .map(String)
      .find((each) => each.startsWith('anteroom_passkey')) ?? ''
  return { challenge: reply.body.challenge as string, cookie: cookie.split(';')[0] ?? '', reply }
}

const post = (url: string, payload: object, headers: Record<string, string> = {}): Promise<Reply> =>
  send(service.app, { method: 'POST', url, payload, headers: { host, ...headers } })

const enter = (credential: object, cookie: string, headers = {}) =>
  post(SIGN_IN, { credential }, { cookie, ...headers })

async function expectRefused(credential: object, cookie: string) {
  const reply = await enter(credential, cookie)
  expectEnvelope(reply, 401)
  expect(String(reply.headers['set-cookie'] ?? '')).not.toContain('anteroom_session')
}

describe('registering a passkey', () => {
  it('requires the password, and the answer of the browser to the options of this session', async () => {
    const ana = await newAna()
    const page = await openPage(service, ana)
    expectEnvelope(await page.call('POST', `${PASSKEYS}/options`, { current_password: 'wrong' }, { host }), 400)
    const begun = await page.call('POST', `${PASSKEYS}/options`, password, { host })
    expectDeclaredAnswer(passkeyOperations[1], begun)
    expect(begun.body).toMatchObject({
      rp: { id: 'localhost' },
      user: { name: ana.username },
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    })
    const { created } = newPasskey(begun.body.user.id, { challenge: begun.body.challenge })
    const stored = await page.call('POST', PASSKEYS, { name: ' Desk ', credential: created }, { host })
    expectDeclaredAnswer(passkeyOperations[2], stored)
    const listed = await page.call('GET', PASSKEYS)
    expect(listed.body).toEqual([{ id: stored.body.id, name: 'Desk', created_at: expect.any(String) }])
  })

  it.each([
    ['another origin', { origin: 'https://localhost.evil.example' }],
    ['another site', { rpId: 'evil.example' }],
    ['a person whom the device did not verify', { isVerified: false }],
    ['another challenge', { challenge: 'AAAA' }],
  ])('refuses a credential of %s', async (_, made) => {
    const page = await openPage(service, await newAna())
    const options = await optionsOf(page)
    const { created } = newPasskey(options.user.id, { challenge: options.challenge, ...made })
    expectEnvelope(await page.call('POST', PASSKEYS, { name: 'x', credential: created }, { host }), 400)
    expect((await page.call('GET', PASSKEYS)).body).toEqual([])
  })

  it('ends with the session: an administrator has reset the password of the user meanwhile', async () => {
    const ana = await newAna()
    const page = await openPage(service, ana)
    const admin = await openPage(service, await newPerson(service, { organizationId: ana.organizationId }))
    const options = await optionsOf(page)
    const { created } = newPasskey(options.user.id, { challenge: options.challenge })
    expect((await admin.call('POST', `/anteroom/v1/users/${ana.id}/password-reset`)).status).toBe(200)
    expectEnvelope(await page.call('POST', PASSKEYS, { name: 'x', credential: created }, { host }), 401)
    const kept = await service.database.rows('select 1 from user_passkey where user_id = $1', [ana.id])
    expect(kept).toEqual([])
  })

  it('accepts a challenge once, in the session that started it, and within five minutes', async () => {
    const ana = await newAna()
    const [page, other] = [await openPage(service, ana), await openPage(service, ana)]
    const options = await optionsOf(page)
    const { created } = newPasskey(options.user.id, { challenge: options.challenge })
    const body = { name: 'x', credential: created }
    expectEnvelope(await other.call('POST', PASSKEYS, body, { host }), 400)
    const both = await Promise.all([1, 2].map(() => page.call('POST', PASSKEYS, body, { host })))
    expect(both.map(({ status }) => status).sort()).toEqual([200, 400])
    await page.call('POST', `${PASSKEYS}/${both.find(({ status }) => status === 200)?.body.id}/removal`, password)
    expectEnvelope(await page.call('POST', PASSKEYS, body, { host }), 400)
    const late = await optionsOf(page)
    await service.database.rows(
      `update user_passkey_challenge set created_at = created_at - interval '6 minutes' where user_id = $1`,
      [ana.id],
    )
    const tooLate = newPasskey(late.user.id, { challenge: late.challenge }).created
    expectEnvelope(await page.call('POST', PASSKEYS, { name: 'x', credential: tooLate }, { host }), 400)
  })

  it('is renamed and, after the password, removed only by its user, which ends the sessions of a lost device', async () => {
    const { page, id, ana } = await owner()
    const lost = await openPage(service, ana)
    const { organizationId } = ana
    const colleague = await openPage(service, await newPerson(service, { organizationId }))
    for (const path of [`${PASSKEYS}/${id}`, `${PASSKEYS}/nothing`]) {
      expectEnvelope(await colleague.call('PUT', path, { name: 'Mine' }), 404)
      expectEnvelope(await colleague.call('POST', `${path}/removal`, password), 404)
    }
    expect((await page.call('PUT', `${PASSKEYS}/${id}`, { name: 'Laptop' })).body).toMatchObject({ id, name: 'Laptop' })
    expectEnvelope(await page.call('PUT', `${PASSKEYS}/${id}`, { name: ' ' }), 400)
    expectEnvelope(await page.call('POST', `${PASSKEYS}/${id}/removal`, { current_password: 'wrong' }), 400)
    expect((await page.call('POST', `${PASSKEYS}/${id}/removal`, password)).status).toBe(200)
    expect((await page.call('GET', PASSKEYS)).body).toEqual([])
    // As another process with an empty cache sees it.
    const elsewhere = openSessions(service.deps.sessionDatabase)
    await expect(elsewhere.verify(lost.cookie.split('=')[1] ?? '')).rejects.toThrow('ended')
  })
})

describe('signing in with a passkey', () => {
  it('starts the session of its user without a password or a code, and records an event with their name', async () => {
    const { key, ana } = await owner({ role: 'front_desk' })
    const { challenge, cookie, reply } = await challenged()
    expectDeclaredAnswer(passkeyOperations[5], reply)
    expect(reply.body).toMatchObject({ rpId: 'localhost', userVerification: 'required' })
    expect(reply.body.allowCredentials ?? []).toEqual([])
    const entered = await enter(key.use({ challenge }), cookie)
    expectDeclaredAnswer(passkeyOperations[6], entered)
    expect(entered.body.user).toMatchObject({ id: ana.id, role: 'front_desk' })
    const page = pageOf(service, entered)
    expect((await page.call('GET', PASSKEYS)).body[0].last_used_at).toEqual(expect.any(String))
    const admin = await openPage(service, await newPerson(service, { organizationId: ana.organizationId }))
    const trail = await admin.call('GET', `/anteroom/v1/audit?user_id=${ana.id}&operation=session.createByPasskey`)
    expect(trail.body.items?.[0] ?? trail.body).toMatchObject({ operation: 'session.createByPasskey', user_id: ana.id })
  })

  it('requires no code if the user also has an authenticator app', async () => {
    const { key, ana } = await owner()
    await service.database.rows(
      `insert into user_second_factor (organization_id, user_id, secret, confirmed_at) values ($1, $2, 'x', now())`,
      [ana.organizationId, ana.id],
    )
    expectEnvelope(await signIn(service, { username: ana.username, password: GOOD_PASSWORD }), 401)
    const { challenge, cookie } = await challenged()
    expect((await enter(key.use({ challenge }), cookie)).status).toBe(200)
  })

  it('accepts an answer once: not again, not concurrently, not with an earlier challenge', async () => {
    const { key } = await owner()
    const early = await challenged()
    const { challenge, cookie } = await challenged()
    const used = key.use({ challenge, counter: 0 })
    const both = await Promise.all([enter(used, cookie), enter(used, cookie)])
    expect(both.map(({ status }) => status).sort()).toEqual([200, 401])
    await expectRefused(used, cookie)
    await expectRefused(key.use({ challenge: early.challenge, counter: 0 }), early.cookie)
  })

  it('refuses a counter that decreased, which indicates a copied authenticator', async () => {
    const { key } = await owner()
    const first = await challenged()
    expect((await enter(key.use({ challenge: first.challenge, counter: 7 }), first.cookie)).status).toBe(200)
    const second = await challenged()
    await expectRefused(key.use({ challenge: second.challenge, counter: 7 }), second.cookie)
  })

  it.each([
    ['another origin', { origin: 'https://localhost.evil.example' }],
    ['another site', { rpId: 'evil.example' }],
    ['a person whom the device did not verify', { isVerified: false }],
    ['another challenge', { challenge: 'AAAA' }],
  ])('refuses an answer of %s', async (_, made) => {
    const { key } = await owner()
    const { challenge, cookie } = await challenged()
    await expectRefused(key.use({ challenge, ...made }), cookie)
    expect((await enter(key.use({ challenge }), cookie)).status).toBe(200)
  })

  it('refuses an answer without the cookie, with a forged one, of another browser, and after five minutes', async () => {
    const { key } = await owner()
    const [here, there] = [await challenged(), await challenged()]
    const used = () => key.use({ challenge: here.challenge, counter: 0 })
    await expectRefused(used(), '')
    await expectRefused(used(), 'anteroom_passkey=forged')
    await expectRefused(used(), there.cookie)
    at += 301_000
    await expectRefused(used(), here.cookie)
  })

  it('signs in only its user, not a colleague or a user of another organization', async () => {
    const [{ key, ana }, stranger] = [await owner(), await owner()]
    const colleague = await newPerson(service, { organizationId: ana.organizationId })
    const handle = ({ organizationId, id }: Person) =>
      Buffer.from(`${organizationId}${id}`.replaceAll('-', ''), 'hex').toString('base64url')
    for (const as of [handle(colleague), handle(stranger.ana), 'AAAA', '']) {
      const { challenge, cookie } = await challenged()
      await expectRefused(key.use({ challenge, as }), cookie)
    }
    const { challenge, cookie } = await challenged()
    const foreign = { ...key.use({ challenge, as: handle(stranger.ana) }), id: stranger.key.id, rawId: stranger.key.id }
    await expectRefused(foreign, cookie)
  })

  it('is not blocked by wrong passwords, but is refused to a disabled user', async () => {
    const { key, ana } = await owner()
    for (let attempt = 0; attempt < 11; attempt += 1)
      await signIn(service, { username: ana.username, password: 'wrong' })
    expect((await signIn(service, { username: ana.username, password: GOOD_PASSWORD })).status).toBe(429)
    const first = await challenged()
    expect((await enter(key.use({ challenge: first.challenge }), first.cookie)).status).toBe(200)
    await service.database.rows('update user_account set disabled_at = now() where organization_id = $1 and id = $2', [
      ana.organizationId,
      ana.id,
    ])
    const second = await challenged()
    await expectRefused(key.use({ challenge: second.challenge }), second.cookie)
  })

  it('is no longer possible after an administrator resets the password or the second factor', async () => {
    for (const reset of ['password-reset', 'second-factor-reset']) {
      const { key, ana } = await owner({ role: 'front_desk' })
      const admin = await openPage(service, await newPerson(service, { organizationId: ana.organizationId }))
      expect((await admin.call('POST', `/anteroom/v1/users/${ana.id}/${reset}`)).status).toBe(200)
      const { challenge, cookie } = await challenged()
      await expectRefused(key.use({ challenge }), cookie)
    }
  })

  describe.each(['user_account_by_key', 'user_passkey_use'])('starts no session if, after %s,', (statement) => {
    it.each<[string, (owner: Owner, admin: Page) => Promise<unknown>]>([
      ['the password was reset', ({ ana }, admin) => admin.call('POST', `${USERS}/${ana.id}/password-reset`)],
      ['the second factor was reset', ({ ana }, admin) => admin.call('POST', `${USERS}/${ana.id}/second-factor-reset`)],
      [
        'the role changed',
        ({ ana }, admin) => admin.call('PUT', `${USERS}/${ana.id}`, { ...settings, role: 'billing' }),
      ],
      [
        'the user was disabled for a while',
        async ({ ana }, admin) => {
          await admin.call('PUT', `${USERS}/${ana.id}`, { ...settings, disabled: true })
          return admin.call('PUT', `${USERS}/${ana.id}`, settings)
        },
      ],
      ['the user removed the passkey', ({ page, id }) => page.call('POST', `${PASSKEYS}/${id}/removal`, password)],
    ])('%s', async (_, happens) => {
      const it = await owner({ role: 'front_desk' })
      const { organizationId } = it.ana
      const admin = await openPage(service, await newPerson(service, { organizationId }))
      const { challenge, cookie } = await challenged()
      let status = 0
      meanwhile.after(statement, async () => {
        status = ((await happens(it, admin)) as Reply).status
      })
      await expectRefused(it.key.use({ challenge }), cookie)
      expect(status).toBe(200)
    })
  })

  it('cannot be started or finished by a page of another site', async () => {
    const { key } = await owner()
    const { challenge, cookie } = await challenged()
    const cross = { 'sec-fetch-site': 'cross-site' }
    expectEnvelope(await post(`${SIGN_IN}/options`, {}, cross), 403)
    expectEnvelope(await enter(key.use({ challenge }), cookie, cross), 403)
  })
})

describe('the site of passkeys', () => {
  it.each([
    [undefined, 'localhost'],
    ['https://anteroom.example.org/desk', 'anteroom.example.org'],
    ['http://localhost:4000', 'localhost'],
    ['http://anteroom.example.org', undefined],
    ['https://192.0.2.7', undefined],
    ['https://[::1]:8443', undefined],
  ])('of PUBLIC_URL %s is %s', (url, id) => expect(passkeySite(url)?.id).toBe(id))

  it('is returned only for a matching host, and refuses other hosts', async () => {
    const methods = await send(service.app, { method: 'GET', url: '/anteroom/v1/session/methods' })
    expect(methods.body).toMatchObject({ passkeys: { relying_party: 'localhost' } })
    expectEnvelope(await post(`${SIGN_IN}/options`, {}, { host: 'clinic.example' }), 400)
  })
})
