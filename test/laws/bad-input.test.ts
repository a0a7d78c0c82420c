// Invalid requests get the declared envelope with a status below 500, and write nothing.
import { beforeAll, describe, expect, it } from 'vitest'
import { buildApp } from '../../src/main/app.ts'
import type { Endpoint } from '../../src/platform/http/endpoint.ts'
import {
  bodiesFor,
  endpoints,
  endpointsWithBody,
  expectEnvelope,
  kindOf,
  messageOf,
  operate,
  pathVersion,
  recordKinds,
  urlOf,
  validBody,
} from '../support/operations.ts'
import { type Caller, deadClearinghouses, type Reply, testService } from '../support/service.ts'

const service = testService(() => ({ clearinghouses: deadClearinghouses }))
const NUL = '\\u0000'
const deep = (levels: number) => `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`
const TOO_LARGE = JSON.stringify({ value: 'x'.repeat(10_000_000) })

/** Of the requests that change nothing, whose answers depend on no record. */
let reader: Caller
beforeAll(async () => {
  reader = await service.newCaller()
})

/** The URL of an operation on an existing record, so that only the body is at fault. */
async function target(caller: Caller, endpoint: Endpoint): Promise<string> {
  const kind = kindOf(endpoint)
  if (!kind || !endpoint.path.includes(':')) return urlOf(endpoint, await bodiesFor(endpoint).target?.(caller))
  const { body } = await operate(caller, kind.endpoint('create'), { body: await kind.make(caller) })
  return urlOf(endpoint, { ...body, version: pathVersion(kind, 'update', body.version) })
}

async function storedCount(): Promise<string | undefined> {
  const counts = recordKinds.map(({ name }) => `(select count(*) from ${name}_history)`)
  return (await service.database.row(`select concat_ws(' ', ${counts})`))?.[0]
}

describe.each(endpointsWithBody)('$operation', (endpoint) => {
  let aim: Promise<{ caller: Caller; url: string }> | undefined
  /** One record for all requests, because a refused request does not change it. */
  const aimed = () => {
    aim ??= service.newCaller().then(async (caller) => ({ caller, url: await target(caller, endpoint) }))
    return aim
  }

  async function refused(body: string | Buffer, headers?: Record<string, string>): Promise<Reply> {
    const { caller, url } = await aimed()
    const before = await storedCount()
    const reply = await caller.call(endpoint.method, url, body, headers)
    expectEnvelope(reply, (status) => status >= 400 && status < 500)
    expect(await storedCount()).toEqual(before)
    return reply
  }

  const isUnderstood = (body: string) => {
    const required = (endpoint.body as { required?: string[] }).required ?? []
    // When no field is required, an object of unknown keys is a valid empty body, and so is none.
    return required.length === 0 && /^({"a":|{}$|$)/.test(body)
  }

  it.each(
    Object.entries({
      'malformed JSON': '{"value": ',
      'a trailing comma': '{"value": "x",}',
      'two documents': '{} {}',
      'no body': '',
      null: 'null',
      'a number': '5',
      'a text': '"secret"',
      'an array': '[]',
      'an empty object': '{}',
      '50 levels': deep(50),
      '100,000 levels': deep(100_000),
      '100,000 levels of arrays': `${'['.repeat(100_000)}${']'.repeat(100_000)}`,
      'a byte order mark alone': '\uFEFF',
    }).filter(([, body]) => !isUnderstood(body)),
  )('refuses %s as a body', async (_what, body) => {
    const reply = await refused(body)
    expect([400, 422]).toContain(reply.status)
    expect(messageOf(reply)).not.toContain('secret')
  })

  it('refuses bytes that are not UTF-8', async () => {
    const reply = await refused(Buffer.from('{"value":"\xff\xfe"}', 'latin1'))
    expect([reply.status, messageOf(reply)]).toEqual([400, 'the body is not UTF-8 text'])
  })

  it.each([
    'text/plain',
    'application/xml',
    'application/x-www-form-urlencoded',
    'multipart/form-data',
    'nonsense',
    '',
  ])('refuses the content type "%s"', async (type) => {
    const reply = await refused('{"value":"x"}', { 'content-type': type })
    expect([400, 415]).toContain(reply.status)
  })

  it('accepts application/json with a charset', async () => {
    const caller = await service.newCaller()
    const url = await target(caller, endpoint)
    const body = await validBody(endpoint, caller)
    const reply = await caller.call(endpoint.method, url, body, { 'content-type': 'application/json; charset=utf-8' })
    expect(reply.status, reply.text).toBe(200)
  })

  it('refuses a body of 10 MB with 413', async () => {
    expect((await refused(TOO_LARGE)).status).toBe(413)
  })

  it.each([
    ['a NUL', NUL],
    ['a lone high surrogate', '\\ud800'],
    ['a lone low surrogate', '\\udc00'],
  ])('refuses %s in any text and names the field', async (_what, escaped) => {
    const caller = await service.newCaller()
    const body = JSON.stringify(await validBody(endpoint, caller))
    const texts = [...body.matchAll(/"([A-Za-z_]+)":\[?"/g)]
    const wrong: string[] = []
    for (const { 0: match, 1: field = '', index } of texts) {
      const spoilt = `${body.slice(0, index + match.length)}canary${escaped}${body.slice(index + match.length)}`
      const reply = await refused(spoilt)
      if (!messageOf(reply).includes(field) || reply.text.includes('canary')) wrong.push(`${field}: ${reply.text}`)
    }
    expect(wrong).toEqual([])
  })

  it('drops keys of Object.prototype, and stores none of them', async () => {
    const caller = await service.newCaller()
    const body = JSON.stringify(await validBody(endpoint, caller))
    for (const key of ['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty']) {
      const url = await target(caller, endpoint)
      const spoilt = body.replaceAll('{', `{"${key}":{"prototype":{"canary":true},"canary":true},`)
      const reply = await caller.call(endpoint.method, url, spoilt)
      expect(reply.status).toBeLessThan(500)
      expect(reply.text).not.toContain('canary')
    }
    expect(({} as { canary?: boolean }).canary).toBeUndefined()
  })
})

describe('every URL', () => {
  it('that does not exist is 404 in the envelope', async () => {
    const { call } = await service.newCaller()
    for (const url of [
      '/',
      '/nothing',
      '/notes',
      '/notes/v2/x',
      '/notes/v1/a/b/c/d',
      '/api/nothing',
      '/notes/v1/%2e%2e',
    ]) {
      expectEnvelope(await call('GET', url), 404)
    }
  })

  it('that is malformed is 4xx in the envelope', async () => {
    const { call } = await service.newCaller()
    for (const url of [
      '/notes/v1/%zz',
      '/%',
      '/notes/v1/%c3%28',
      '/coverages/v1?patient_id=%zz',
      `/notes/v1/${'a'.repeat(600)}`,
    ]) {
      const reply = await call('GET', url)
      if (reply.status !== 200) expectEnvelope(reply, (status) => status >= 400 && status < 500)
    }
  })

  it('returns 405 with Allow for a method that it does not support', async () => {
    const { call } = await service.newCaller()
    for (const { path } of endpoints) {
      const taken = new Set(methodsOf(path))
      for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const) {
        if (taken.has(method)) continue
        const reply = await call(method, path.replaceAll(/:\w+/g, 'x'))
        expectEnvelope(reply, 405)
        const allowed = String(reply.headers.allow).split(', ')
        for (const each of taken) expect(allowed).toContain(each)
      }
    }
  })

  it('is the same with a trailing slash and with double slashes', async () => {
    const { call } = await service.newCaller()
    const { body: note } = await call('POST', '/notes/v1/', { value: 'x' })
    for (const url of ['/notes/v1//', '//notes//v1', '/notes/v1?x=1', '/notes/v1/?x=1']) {
      expect((await call('POST', url, { value: 'x' })).status, url).toBe(200)
    }
    for (const url of [
      `/notes/v1//${note.id}`,
      `/notes/v1/${note.id}/`,
      `/notes/v1/${note.id}//`,
      `///notes/v1/${note.id}`,
    ]) {
      expect((await call('GET', url)).body, url).toEqual(note)
    }
    expect((await call('DELETE', `/notes/v1//${note.id}//1/`)).status).toBe(200)
  })

  it.each(endpoints)('$operation is also found with extra slashes in its path', async (endpoint) => {
    const caller = await service.newCaller()
    // The previous call is in the trail, so the trail is read up to a past time.
    const plain = urlOf(endpoint) + (endpoint.operation === 'audit.getMulti' ? '?to=2020-01-01T00:00:00Z' : '')
    const [path = '', query] = plain.split('?')
    const slashed = `${path.replace('/v1', '/v1/')}/${query === undefined ? '' : `?${query}`}`
    const [first, second] = [await caller.call(endpoint.method, plain), await caller.call(endpoint.method, slashed)]
    expect([second.status, second.body]).toEqual([first.status, first.body])
    expect(second.body?.content?.message).not.toBe('address not found')
  })
})

describe.each(endpoints.filter(({ query }) => query))('the parameters of $operation', (endpoint) => {
  const properties = Object.entries((endpoint.query as { properties: Record<string, { type?: string }> }).properties)

  it.each([
    '%00',
    '%ED%A0%80',
    '',
    'canary',
    '-1',
    '1.5',
    '1e999',
    '99999999999999999999',
    '2025-02-30',
    'null',
    '[]',
    '%7B%7D',
    'x'.repeat(5000),
  ])('with the value %s are accepted, or refused by name, without repeating it', async (value) => {
    for (const [name] of properties) {
      const base = urlOf(endpoint).replace(new RegExp(`[?&]${name}=[^&]*`), '')
      const reply = await reader.call(endpoint.method, `${base}${base.includes('?') ? '&' : '?'}${name}=${value}`)
      expect(reply.status, `${name} ${reply.text}`).toBeLessThan(500)
      if (reply.status === 200) continue
      expectEnvelope(reply, (status) => status >= 400)
      expect(reply.text).not.toContain('canary')
    }
  })

  it('are no server error when repeated or named like a key of Object.prototype', async () => {
    for (const [name] of properties) {
      for (const query of [`${name}=1&${name}=2`, `${name}[]=1`, `${name}[a]=1`, '__proto__=1', 'constructor=1']) {
        const url = urlOf(endpoint)
        const reply = await reader.call(endpoint.method, `${url}${url.includes('?') ? '&' : '?'}${query}`)
        expect(reply.status, `${query} ${reply.text}`).toBeLessThan(500)
      }
    }
  })
})

it('a date-time parameter of any operation may lack seconds that are zero, as the published client of Java writes it', async () => {
  const asked: string[] = []
  for (const endpoint of endpoints) {
    const { properties = {} } = (endpoint.query ?? {}) as { properties?: Record<string, { format?: string }> }
    const names = Object.keys(properties).filter((name) => properties[name]?.format === 'date-time')
    for (const name of names) {
      const base = urlOf(endpoint).replace(new RegExp(`[?&]${name}=[^&]*`), '')
      const ask = (text: string) =>
        reader.call(endpoint.method, `${base}${base.includes('?') ? '&' : '?'}${name}=${encodeURIComponent(text)}`)
      const replies = [
        await ask('2026-01-15T09:30:00Z'),
        await ask('2026-01-15T09:30Z'),
        await ask('2026-01-15T09:30+01:00'),
      ]
      const [status] = replies.map((reply) => reply.status)
      expect(status, endpoint.operation).not.toBe(400)
      expect(
        replies.map((reply) => reply.status),
        endpoint.operation,
      ).toEqual([status, status, status])
      asked.push(endpoint.operation)
    }
  }
  expect(asked).toContain('patients.scan')
})

it.each(endpoints.filter(({ path }) => path.includes(':')))(
  '$operation refuses parameters in its path that no record can have',
  async (endpoint) => {
    for (const value of ['%00', 'a%00b', '%F0%9F%92%A9', '%20', '..%2F..', "'", '*', 'x'.repeat(400)]) {
      const reply = await reader.call(endpoint.method, endpoint.path.replaceAll(/:\w+/g, value), endpoint.body && '{}')
      // The timeline of a patient that does not exist is an empty page (rules.md 6), unless the id is impossible.
      if (endpoint.operation === 'patients.getEligibilityTimeline' && reply.body.total === 0) continue
      expectEnvelope(reply, (status) => status >= 400 && status < 500)
    }
  },
)

function methodsOf(path: string): string[] {
  const shape = (text: string) => text.replaceAll(/:\w+/g, 'x')
  // A parameter accepts any text, so `/patients/v1/:id/:version` also matches `/patients/v1/x/history`.
  const matches = (pattern: string) => new RegExp(`^${pattern.replaceAll(/:\w+/g, '[^/]+')}$`).test(shape(path))
  return endpoints.filter((each) => matches(each.path)).map(({ method }) => method)
}

it('a fresh app gives the same refusals: the faults above leave no state behind', async () => {
  const app = buildApp(service.deps)
  const { token } = await service.newCaller()
  const reply = await app.inject({ url: '/coverages/v1', headers: { authorization: `Bearer ${token}` } })
  expect([reply.statusCode, reply.body]).toEqual([200, '[]'])
  await app.close()
})
