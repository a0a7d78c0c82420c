// A second factor refuses an attacker who has only the password, and never locks its user out permanently.
import { Secret, TOTP } from 'otpauth'
import { beforeAll, describe, expect, it } from 'vitest'
import { expectDeclaredAnswer, expectEnvelope } from '../../../test/support/operations.ts'
import { GOOD_PASSWORD, newPerson, openPage, type Page, type Person, pageOf } from '../../../test/support/people.ts'
import { type Reply, send, testService } from '../../../test/support/service.ts'
import { secondFactorOperations } from './second-factor.routes.ts'
import { openSessions } from './sessions.ts'

/** The service's clock. Every test has its own time, because a code is valid once. */
let at = Date.parse('2026-11-22T09:00:00.000Z')
const service = testService(() => ({ now: () => new Date(at) }))
const SESSION = '/anteroom/v1/session'
const FACTOR = `${SESSION}/second-factor`
const STEP_MS = 30_000
const password = { current_password: GOOD_PASSWORD }

const codeOf = (secret: string, timestamp = at) =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp })
const wrongCode = (secret: string) => {
  const good = [-2, -1, 0, 1, 2].map((steps) => codeOf(secret, at + steps * STEP_MS))
  return ['000000', '111111', '222222', '333333', '444444', '555555'].find((code) => !good.includes(code)) ?? ''
}

const newAna = async (more: object = {}) =>
  newPerson(service, { organizationId: (await service.newCaller()).organizationId, ...more })

interface Protected {
  ana: Person
  page: Page
  secret: string
  recovery: string[]
}

/** A user with an active second factor, a minute later. */
async function protectedPerson(more: object = {}): Promise<Protected> {
  const ana = await newAna(more)
  const page = await openPage(service, ana)
  const { body } = await page.call('POST', FACTOR, password)
  const confirmed = await page.call('POST', `${FACTOR}/confirmation`, { one_time_code: codeOf(body.secret) })
  expect(confirmed.status, confirmed.text).toBe(200)
  at += 2 * STEP_MS
  return { ana, page, secret: body.secret, recovery: confirmed.body.recovery_codes }
}

const enter = (
  { username }: Pick<Person, 'username'>,
  code?: string,
  { remoteAddress = '127.0.0.1', word = GOOD_PASSWORD, headers = {} as Record<string, string> } = {},
): Promise<Reply> =>
  send(service.app, {
    method: 'POST',
    url: SESSION,
    payload: { username, password: word, ...(code !== undefined && { one_time_code: code }) },
    headers,
    remoteAddress,
  })

/** No cookie, and a message that names the missing field. */
function expectCodeWanted(reply: Reply) {
  expectEnvelope(reply, 401)
  expect(reply.body.content.message).toMatch(/^one_time_code /)
  expect(reply.headers['set-cookie']).toBeUndefined()
}

describe('setting up the second factor', () => {
  it('shows a secret once, as text and for a QR code, and sign-in requires it only after a code has confirmed it', async () => {
    const ana = await newAna()
    const page = await openPage(service, ana)
    const made = await page.call('POST', FACTOR, password)
    expectDeclaredAnswer(secondFactorOperations[1], made)
    const { secret, otpauth_url } = made.body
    expect(Buffer.from(Secret.fromBase32(secret).bytes).length).toBe(20)
    expect(new URL(otpauth_url).searchParams.get('secret')).toBe(secret)
    expect(decodeURIComponent(otpauth_url)).toContain(`Anteroom:${ana.username}`)
    expect((await page.call('GET', FACTOR)).body).toEqual({ enabled: false, recovery_codes_left: 0 })
    expect((await enter(ana)).status).toBe(200)
    expectEnvelope(await page.call('POST', `${FACTOR}/confirmation`, { one_time_code: wrongCode(secret) }), 400)
    const confirmed = await page.call('POST', `${FACTOR}/confirmation`, { one_time_code: codeOf(secret) })
    expectDeclaredAnswer(secondFactorOperations[2], confirmed)
    expect(new Set(confirmed.body.recovery_codes).size).toBe(10)
    const state = await page.call('GET', FACTOR)
    expect(state.body).toEqual({ enabled: true, recovery_codes_left: 10 })
    expect(state.text).not.toContain(secret)
    expectCodeWanted(await enter(ana))
  })

  it('requires the password, so that an unattended screen is not enough', async () => {
    const { page } = await protectedPerson()
    const other = await openPage(service, await newAna())
    for (const path of [FACTOR, `${FACTOR}/removal`, `${FACTOR}/recovery-codes`]) {
      for (const who of [page, other])
        expectEnvelope(await who.call('POST', path, { current_password: 'not the password' }), 400)
    }
    expect((await page.call('GET', FACTOR)).body.enabled).toBe(true)
    expect((await other.call('GET', FACTOR)).body.enabled).toBe(false)
  })

  it('does not replace an active secret: a second confirmation and another set-up are refused', async () => {
    const { page, secret } = await protectedPerson()
    expectEnvelope(await page.call('POST', FACTOR, password), 400)
    expectEnvelope(await page.call('POST', `${FACTOR}/confirmation`, { one_time_code: codeOf(secret) }), 400)
  })

  it('ends the other sessions of the user, and not this one', async () => {
    const ana = await newAna()
    const [page, other] = [await openPage(service, ana), await openPage(service, ana)]
    const { body } = await page.call('POST', FACTOR, password)
    await page.call('POST', `${FACTOR}/confirmation`, { one_time_code: codeOf(body.secret) })
    // As another process with an empty cache sees it.
    const elsewhere = openSessions(service.deps.sessionDatabase)
    await expect(elsewhere.verify(other.cookie.split('=')[1] ?? '')).rejects.toThrow('ended')
    expect((await page.call('GET', SESSION)).status).toBe(200)
  })

  it('cannot be confirmed by guessing, nor after an hour', async () => {
    const begin = async () => {
      const ana = await newAna()
      const page = await openPage(service, ana)
      const { body } = await page.call('POST', FACTOR, password)
      const send = (one_time_code: string) => page.call('POST', `${FACTOR}/confirmation`, { one_time_code })
      return { ana, secret: body.secret, send }
    }
    const guessed = await begin()
    const statuses = []
    for (let index = 0; index < 21; index++) statuses.push((await guessed.send(wrongCode(guessed.secret))).status)
    expect(statuses).toEqual([...Array.from({ length: 20 }, () => 400), 429])
    expectEnvelope(await guessed.send(codeOf(guessed.secret)), 429)
    const late = await begin()
    await service.database.rows(
      `update user_second_factor set created_at = created_at - interval '61 minutes' where user_id = $1`,
      [late.ana.id],
    )
    expectEnvelope(await late.send(codeOf(late.secret)), 400)
  })

  it('is refused until the user has chosen their own password', async () => {
    const caller = await service.newCaller()
    const made = await caller.call('POST', '/anteroom/v1/users', {
      username: `new.${caller.organizationId}`,
      name: 'New',
      role: 'billing',
    })
    const one = made.body.one_time_password
    const page = pageOf(service, await enter(made.body, undefined, { word: one }))
    for (const path of [FACTOR, `${FACTOR}/removal`, `${FACTOR}/recovery-codes`])
      expectEnvelope(await page.call('POST', path, { current_password: one }), 403)
    expectEnvelope(await page.call('POST', `${FACTOR}/confirmation`, { one_time_code: '000000' }), 403)
  })
})

describe('signing in with a second factor', () => {
  let known: Protected
  beforeAll(async () => {
    known = await protectedPerson()
  })

  it('is not revealed without the right password', async () => {
    const { ana, secret } = known
    const unknown = await enter({ username: 'nobody' }, codeOf(secret), { remoteAddress: '192.0.2.1' })
    for (const code of [undefined, '', codeOf(secret), wrongCode(secret)]) {
      const reply = await enter(ana, code, { word: 'not the password', remoteAddress: '192.0.2.1' })
      expectEnvelope(reply, 401)
      expect(reply.text).toBe(unknown.text)
    }
  })

  it('returns the same message for a missing, a wrong, a malformed, an old and a used code', async () => {
    const { ana, secret, recovery } = known
    at += 10 * STEP_MS
    const good = codeOf(secret)
    expect((await enter(ana, `${good.slice(0, 3)} ${good.slice(3)}`)).status).toBe(200)
    const foreign = (await protectedPerson()).recovery[0] ?? ''
    const codes = [
      undefined,
      '',
      good,
      wrongCode(secret),
      codeOf(secret, at - 4 * STEP_MS),
      codeOf(secret, at + 4 * STEP_MS),
      `${codeOf(secret)}0`,
      '%',
      foreign,
    ]
    const replies: Reply[] = []
    for (const [index, code] of codes.entries()) {
      replies.push(await enter(ana, code, { remoteAddress: `192.0.2.${index + 10}` }))
    }
    for (const reply of replies) {
      expectCodeWanted(reply)
      expect(reply.text).toBe(replies[0]?.text)
    }
    expect(replies[0]?.text).not.toContain(recovery[0])
  })

  it('accepts the code of one step before or after, and none older than an accepted one', async () => {
    const { ana, secret } = known
    at += 10 * STEP_MS
    const [before, present, after] = [-1, 0, 1].map((steps) => codeOf(secret, at + steps * STEP_MS))
    expect((await enter(ana, before)).status).toBe(200)
    expect((await enter(ana, after)).status).toBe(200)
    for (const code of [before, present, after])
      expectCodeWanted(await enter(ana, code, { remoteAddress: '192.0.2.2' }))
  })

  it('accepts each code once, also if it is sent many times concurrently', async () => {
    const { ana, secret, recovery } = known
    at += 10 * STEP_MS
    for (const code of [codeOf(secret), recovery[1]]) {
      const replies = await Promise.all(
        Array.from({ length: 4 }, (_, index) => enter(ana, code, { remoteAddress: `192.0.2.${100 + index}` })),
      )
      expect(replies.map(({ status }) => status).sort()).toEqual([200, 401, 401, 401])
    }
  })

  it('accepts a recovery code once, in upper or lower case, from a user who has lost the app', async () => {
    const { ana, page, recovery } = known
    const left = (await page.call('GET', FACTOR)).body.recovery_codes_left
    expect((await enter(ana, recovery[2]?.toUpperCase())).status).toBe(200)
    expectCodeWanted(await enter(ana, recovery[2]))
    expect((await page.call('GET', FACTOR)).body.recovery_codes_left).toBe(left - 1)
    const renewed = await page.call('POST', `${FACTOR}/recovery-codes`, password)
    expect(renewed.body.recovery_codes).toHaveLength(10)
    expectCodeWanted(await enter(ana, recovery[3]))
    expect((await enter(ana, renewed.body.recovery_codes[3])).status).toBe(200)
  })
})

describe('guessing codes', () => {
  it('is limited per address like guessing passwords, and a missing code does not count', async () => {
    const { ana, secret } = await protectedPerson()
    const from = { remoteAddress: '198.51.100.7' }
    for (let index = 0; index < 12; index++) expectCodeWanted(await enter(ana, undefined, from))
    const statuses = []
    for (let index = 0; index < 11; index++) statuses.push((await enter(ana, wrongCode(secret), from)).status)
    expect(statuses).toEqual([...Array.from({ length: 10 }, () => 401), 429])
    expectEnvelope(await enter(ana, codeOf(secret), from), 429)
  })

  it('is limited per user over all addresses, and does not affect a browser that the user has used before', async () => {
    const { ana, page, secret } = await protectedPerson()
    const own = await enter(ana, codeOf(secret))
    const device = [own.headers['set-cookie']].flat().map((each) => String(each).split(';')[0])[1] ?? ''
    at += 10 * STEP_MS
    for (let index = 0; index < 20; index++)
      expectCodeWanted(await enter(ana, wrongCode(secret), { remoteAddress: `198.51.100.${20 + index}` }))
    expectEnvelope(await enter(ana, codeOf(secret), { remoteAddress: '198.51.100.99' }), 429)
    // A caller without the password gets the usual answer and learns nothing.
    expectEnvelope(await enter(ana, '000000', { remoteAddress: '198.51.100.98', word: 'another' }), 401)
    expect((await enter(ana, codeOf(secret), { headers: { cookie: device } })).status).toBe(200)
    expect((await page.call('GET', SESSION)).status).toBe(200)
  })
})

describe('the database', () => {
  it('contains neither the secret nor a recovery code in clear text, and a copied ciphertext cannot be decrypted', async () => {
    const [ana, eve] = [await protectedPerson(), await protectedPerson()]
    const rows = await service.database.rows(
      `select f::text, (select string_agg(c::text, ' ') from user_recovery_code c where c.user_id = f.user_id)
       from user_second_factor f where user_id = $1`,
      [ana.ana.id],
    )
    const text = rows.join().toLowerCase()
    for (const hidden of [
      ana.secret,
      Buffer.from(Secret.fromBase32(ana.secret).bytes).toString('hex'),
      ...ana.recovery,
    ])
      expect(text).not.toContain(hidden.toLowerCase())
    await service.database.rows(
      `update user_second_factor set secret = (select secret from user_second_factor where user_id = $2) where user_id = $1`,
      [ana.ana.id, eve.ana.id],
    )
    expectCodeWanted(await enter(ana.ana, codeOf(eve.secret)))
    expectCodeWanted(await enter(ana.ana, codeOf(ana.secret)))
    expect((await enter(ana.ana, ana.recovery[0])).status).toBe(200)
  })
})

describe('removing the second factor', () => {
  it('needs the password of the user, removes the recovery codes and ends the other sessions', async () => {
    const { ana, page, recovery, secret } = await protectedPerson()
    const other = pageOf(service, await enter(ana, codeOf(secret)))
    expect((await page.call('POST', `${FACTOR}/removal`, password)).status).toBe(200)
    // As another process with an empty cache sees it.
    const elsewhere = openSessions(service.deps.sessionDatabase)
    await expect(elsewhere.verify(other.cookie.split('=')[1] ?? '')).rejects.toThrow('ended')
    expect((await page.call('GET', SESSION)).status).toBe(200)
    expect((await enter(ana)).status).toBe(200)
    const { body } = await page.call('POST', FACTOR, password)
    await page.call('POST', `${FACTOR}/confirmation`, { one_time_code: codeOf(body.secret) })
    expectCodeWanted(await enter(ana, recovery[0]))
    expectEnvelope(await page.call('POST', `${FACTOR}/recovery-codes`, { current_password: 'x' }), 400)
  })

  it('is permitted to an administrator for other users, except users with more rights', async () => {
    const owner = await service.newCaller()
    const { organizationId } = owner
    const { ana, page } = await protectedPerson({ organizationId, role: 'billing' })
    const reset = ({ id }: Person) => `/anteroom/v1/users/${id}/second-factor-reset`
    const chief = await protectedPerson({ organizationId })
    const client = await service.newCaller({ beside: owner, scopes: ['admin'] })
    expectEnvelope(await client.call('POST', reset(chief.ana)), 403)
    expectEnvelope(await page.call('POST', reset(chief.ana)), 403)
    expectEnvelope(await (await service.newCaller()).call('POST', reset(ana)), 404)
    // Administrators need their own password for their own second factor: neither this operation nor a new password bypasses it.
    expectEnvelope(await chief.page.call('POST', reset(chief.ana)), 400)
    expectEnvelope(await chief.page.call('POST', `/anteroom/v1/users/${chief.ana.id}/password-reset`), 400)
    // As the console lists it.
    const listed = await chief.page.call('GET', '/anteroom/v1/users')
    expect(listed.body.map(({ second_factor }: { second_factor: boolean }) => second_factor)).toEqual([true, true])
    expect((await chief.page.call('POST', reset(ana))).status).toBe(200)
    expect((await enter(ana)).status).toBe(200)
    const elsewhere = openSessions(service.deps.sessionDatabase)
    await expect(elsewhere.verify(page.cookie.split('=')[1] ?? '')).rejects.toThrow('ended')
  })

  it('does not happen with a new password: its holder still needs a code', async () => {
    const { ana } = await protectedPerson({ role: 'front_desk' })
    const chief = await openPage(service, await newPerson(service, { organizationId: ana.organizationId }))
    const { body } = await chief.call('POST', `/anteroom/v1/users/${ana.id}/password-reset`)
    expectCodeWanted(await enter(ana, undefined, { word: body.one_time_password }))
  })
})
