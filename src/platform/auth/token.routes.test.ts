import { randomUUID } from 'node:crypto'
import { createLocalJWKSet, importSPKI, jwtVerify } from 'jose'
import { describe, expect, it } from 'vitest'
import { send as inject, type Reply, testService } from '../../../test/support/service.ts'
import { revokeClient, rotateClient } from './clients.ts'
import { openTokenIssuer } from './tokens.ts'

const URL = '/api/auth/v2/token'
const FORM = 'application/x-www-form-urlencoded'
const WINDOW_MS = 60_000

let clock = new Date()
const service = testService(async ({ config, systemDatabase: database, vault }) => {
  const now = () => clock
  const tokens = await openTokenIssuer({ database, vault, issuer: 'anteroom', lifetimeSeconds: 18_000, now })
  return { now, tokens, config: { ...config, TOKEN_RATE_LIMIT: 5 } }
})

function ask(payload: unknown, headers: Record<string, string> = {}, remoteAddress?: string): Promise<Reply> {
  const isText = typeof payload === 'string' || Buffer.isBuffer(payload)
  return inject(service.app, {
    method: 'POST',
    url: URL,
    headers: { ...(payload !== undefined && { 'content-type': 'application/json' }), ...headers },
    ...(payload !== undefined && { payload: isText ? payload : JSON.stringify(payload) }),
    ...(remoteAddress !== undefined && { remoteAddress }),
  })
}

/** Runs `work` at a later time and resets the clock. */
async function later<T>(ms: number, work: () => Promise<T>): Promise<T> {
  const before = clock
  clock = new Date(before.getTime() + ms)
  try {
    return await work()
  } finally {
    clock = before
  }
}

async function credentials() {
  const { client_id, client_secret } = (await service.newCaller()).credentials
  return { client_id, client_secret }
}

const basic = (id: string, secret: string) => `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`

function expectToken(reply: Reply): string {
  expect(reply.status, reply.text).toBe(200)
  expect(reply.body).toEqual({ access_token: expect.any(String), expires_in: 18_000, token_type: 'Bearer' })
  expect(reply.headers['cache-control']).toBe('no-store')
  return reply.body.access_token
}

const use = (token: string) =>
  inject(service.app, { url: '/coverages/v1', headers: { authorization: `Bearer ${token}` } })

describe('POST /api/auth/v2/token', () => {
  it('answers JSON credentials with a token that works for five hours, as expires_in states', async () => {
    const token = expectToken(await ask(await credentials()))
    expect((await use(token)).status).toBe(200)
    const statusAfter = (ms: number) => later(ms, async () => (await use(token)).status)
    expect([await statusAfter(17_999_000), await statusAfter(18_060_000)]).toEqual([200, 401])
  })

  it('accepts a form, with and without a charset', async () => {
    const form = new URLSearchParams(await credentials()).toString()
    for (const type of [FORM, `${FORM}; charset=UTF-8`]) expectToken(await ask(form, { 'content-type': type }))
  })

  it('accepts the OAuth forms: grant_type and HTTP Basic', async () => {
    const body = await credentials()
    const grant = 'grant_type=client_credentials'
    expectToken(await ask({ ...body, grant_type: 'client_credentials', scope: 'ignored' }))
    const authorization = basic(body.client_id, encodeURIComponent(body.client_secret))
    expectToken(await ask(grant, { 'content-type': FORM, authorization }))
    expectToken(await ask({}, { authorization: basic(body.client_id, body.client_secret) }))
  })

  it.each([{ grant_type: 'password' }, { grant_type: 5 }, { grant_type: '' }])('answers 422 to %o', async (grant) => {
    const reply = await ask({ ...(await credentials()), ...grant })
    expect(reply.status).toBe(422)
    expect(reply.body).toEqual({
      errorName: 'HttpRequestValidationsError',
      content: [{ fieldName: 'grant_type', humanReadableMessage: 'grant_type must be client_credentials' }],
    })
  })

  it.each([
    ['client_id', {}],
    ['client_id', { client_id: null, client_secret: 'x' }],
    ['client_id', { client_id: 5, client_secret: 'x' }],
    ['client_secret', { client_id: 'x' }],
    ['client_secret', { client_id: 'x', client_secret: ['x'] }],
  ])('answers 422 by the name of the field when %s is wrong or missing', async (fieldName, body) => {
    const reply = await ask(body)
    expect(reply.status).toBe(422)
    expect(reply.body.errorName).toBe('HttpRequestValidationsError')
    expect(reply.body.content).toEqual([{ fieldName, humanReadableMessage: expect.stringContaining(fieldName) }])
  })

  it.each(['client_id', 'client_secret'])('answers 422 to a %s longer than any valid one', async (fieldName) => {
    const reply = await ask({ ...(await credentials()), [fieldName]: 'x'.repeat(257) })
    expect(reply.status).toBe(422)
    expect(reply.body.content).toEqual([{ fieldName, humanReadableMessage: expect.stringContaining(fieldName) }])
  })

  it.each(['text/plain', 'application/xml', 'multipart/form-data; boundary=x', 'nonsense', '*/*'])(
    'answers 415 to the content type %s',
    async (type) => {
      const reply = await ask(JSON.stringify(await credentials()), { 'content-type': type })
      expect([reply.status, reply.body.errorName]).toEqual([415, 'InvalidContentTypeError'])
      expect(reply.body.content.message).not.toBe('')
    },
  )

  it('answers 415 to a missing or empty content type, with and without a body', async () => {
    for (const reply of [
      await ask(undefined),
      await ask('{}', { 'content-type': '' }),
      await ask(undefined, { 'content-type': '' }),
      await ask(undefined, { authorization: basic('a', 'b') }),
    ]) {
      expect([reply.status, reply.body.errorName]).toEqual([415, 'InvalidContentTypeError'])
    }
  })

  it.each(['{"client_id": ', '', '[]', 'null', '5', '"text"'])('answers 4xx to the body %s', async (body) => {
    const reply = await ask(body)
    expect([400, 422]).toContain(reply.status)
    expect(Object.keys(reply.body).sort()).toEqual(['content', 'errorName'])
  })

  it('answers 413 to a form larger than any credentials', async () => {
    const reply = await ask(`client_id=${'x'.repeat(20_000)}`, { 'content-type': FORM })
    expect([reply.status, reply.body.errorName]).toEqual([413, 'BadRequestError'])
  })

  it('answers 401 alike to an unknown id, a malformed id, a wrong secret and a revoked client', async () => {
    const [good, revoked] = [await credentials(), await credentials()]
    await revokeClient(service.database, { id: revoked.client_id })
    const replies = [
      await ask({ ...good, client_secret: 'wrong' }),
      await ask({ ...good, client_secret: '' }),
      await ask({ ...good, client_id: randomUUID() }),
      await ask({ ...good, client_id: 'no uuid' }),
      await ask({ ...good, client_id: "' or 1=1 --" }),
      await ask(revoked),
    ]
    for (const reply of replies) {
      expect([reply.status, reply.text]).toEqual([401, replies[0]?.text])
      expect(reply.body.errorName).toBe('UnauthorizedError')
      expect(reply.headers['www-authenticate']).toBe('Bearer')
    }
  })

  it.each(['\\u0000', '\\ud800'])('answers %s in the credentials with 4xx', async (text) => {
    const reply = await ask(`{"client_id":"${text}","client_secret":"${text}"}`)
    expect(reply.status).toBeGreaterThanOrEqual(400)
    expect(reply.status).toBeLessThan(500)
    const form = await ask('client_id=%00&client_secret=%00', { 'content-type': FORM })
    expect(form.status).toBeLessThan(500)
  })
})

describe('the token rate limit', () => {
  it('answers 429 with Retry-After, by client id and address', async () => {
    const [body, other] = [await credentials(), await credentials()]
    for (let attempt = 0; attempt < 5; attempt++) expectToken(await ask(body))
    const refused = await ask(body)
    expect([refused.status, refused.body.errorName]).toEqual([429, 'TooManyRequestsError'])
    expect(refused.body.content.message).not.toBe('')
    const retryAfter = Number(refused.headers['retry-after'])
    expect(retryAfter).toBeGreaterThan(0)
    expect(retryAfter).toBeLessThanOrEqual(WINDOW_MS / 1000)

    expectToken(await ask(other))
    expectToken(await ask(body, {}, '203.0.113.9'))
    expect(refused.headers['ratelimit-policy']).toBe('"token";q=5;w=60')
    expect(refused.headers.ratelimit).toBe(`"token";r=0;t=${retryAfter}`)
  })

  it('counts wrong secrets, and answers 429 to a caller that sends too many', async () => {
    const body = await credentials()
    for (let attempt = 0; attempt < 5; attempt++) expect((await ask({ ...body, client_secret: 'no' })).status).toBe(401)
    expect((await ask({ ...body, client_secret: 'no' })).status).toBe(429)
  })

  it.each(['203.0.113.77', '203.0.113.76'])(
    'never locks out the client at 203.0.113.77 because of wrong secrets sent for it from %s',
    async (address) => {
      const body = await credentials()
      const guesses = Array.from({ length: 60 }, () => ask({ ...body, client_secret: 'no' }, {}, address))
      expect(new Set((await Promise.all(guesses)).map(({ status }) => status))).toEqual(new Set([401, 429]))
      expectToken(await ask(body, {}, '203.0.113.77'))
    },
  )

  it('refuses guesses alike whether or not the client exists', async () => {
    const address = '203.0.113.78'
    const statuses = async (client_id: string) => {
      const found = []
      for (let attempt = 0; attempt < 7; attempt++) {
        found.push((await ask({ client_id, client_secret: 'no' }, {}, address)).status)
      }
      return found
    }
    expect(await statuses((await credentials()).client_id)).toEqual(await statuses(randomUUID()))
  })

  it('counts an IPv6 /64 network as one address', async () => {
    const body = { ...(await credentials()), client_secret: 'no' }
    for (let host = 1; host <= 5; host++) expect((await ask(body, {}, `2001:db8:7:7::${host}`)).status).toBe(401)
    expect((await ask(body, {}, '2001:db8:7:7:ffff::1')).status).toBe(429)
    expect((await ask(body, {}, '2001:db8:7:8::1')).status).toBe(401)
  })

  it('counts another spelling of the id as the same id', async () => {
    const body = await credentials()
    for (let attempt = 0; attempt < 5; attempt++) await ask(body)
    expect((await ask({ ...body, client_id: body.client_id.toUpperCase() })).status).toBe(429)
  })
})

describe('a token', () => {
  it('can be verified by third parties with the published keys, JWKS and PEM', async () => {
    const caller = await service.newCaller()
    const token = expectToken(await ask(caller.credentials))
    const jwks = await inject(service.app, { url: '/.well-known/jwks.json' })
    const pem = await inject(service.app, { url: '/pem' })
    expect(JSON.stringify(jwks.body)).not.toMatch(/"(d|p|q|dp|dq|qi)":/)
    const expected = { issuer: 'anteroom', audience: 'anteroom', currentDate: clock }
    const { payload, protectedHeader } = await jwtVerify(token, createLocalJWKSet(jwks.body), expected)
    expect(protectedHeader).toEqual({ alg: 'RS256', typ: 'JWT', kid: jwks.body.keys[0].kid })
    expect(payload).toMatchObject({ sub: caller.credentials.client_id, organization_id: caller.organizationId })
    expect((payload.exp ?? 0) - (payload.iat ?? 0)).toBe(18_000)
    await jwtVerify(token, await importSPKI(pem.text, 'RS256'), expected)
  })

  it('names the acting user, who is recorded on the records it writes', async () => {
    const caller = await service.newCaller()
    const token = expectToken(await ask(caller.credentials))
    const { payload } = await jwtVerify(token, await importSPKI(await service.deps.tokens.pem(), 'RS256'), {
      currentDate: clock,
    })
    const reply = await caller.call('POST', '/notes/v1', { value: 'x' }, { authorization: `Bearer ${token}` })
    expect(reply.body.updating_user_id).toBe(payload.user_id)
  })
})

describe('rotating a secret', () => {
  it('issues a new one and keeps the old one valid for a day', async () => {
    const old = await credentials()
    const { client_secret } = await rotateClient(service.database, { id: old.client_id })
    expect(client_secret).not.toBe(old.client_secret)
    expectToken(await ask({ ...old, client_secret }))
    expectToken(await ask(old))
    await service.database.rows(
      `update client set previous_secret_expires_at = previous_secret_expires_at - interval '24 hours' where id = $1`,
      [old.client_id],
    )
    expect((await ask(old)).status).toBe(401)
    expectToken(await ask({ ...old, client_secret }))
  })

  it('twice ends the first secret at once', async () => {
    const first = await credentials()
    const second = await rotateClient(service.database, { id: first.client_id })
    const third = await rotateClient(service.database, { id: first.client_id })
    expect((await ask(first)).status).toBe(401)
    expectToken(await ask({ ...first, client_secret: second.client_secret }))
    expectToken(await ask({ ...first, client_secret: third.client_secret }))
  })

  it('of a revoked client shows no secret, because none of it would work', async () => {
    const { client_id } = await credentials()
    await revokeClient(service.database, { id: client_id })
    await expect(rotateClient(service.database, { id: client_id })).rejects.toThrow(`client ${client_id} is revoked`)
  })
})

it('no secret is stored, neither new nor old', async () => {
  const old = await credentials()
  const { client_secret } = await rotateClient(service.database, { id: old.client_id })
  const stored = JSON.stringify(await service.database.rows('select c::text from client c'))
  for (const secret of [old.client_secret, client_secret]) {
    expect(stored).not.toContain(secret)
    expect(stored).not.toContain(Buffer.from(secret).toString('hex'))
  }
})
