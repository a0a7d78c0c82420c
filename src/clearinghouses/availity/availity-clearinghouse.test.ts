import { readFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'
import { afterEach, describe, expect, test } from 'vitest'
import { failureOf as failureWithout, secretInquiry } from '../../../test/support/secret-inquiry.ts'
import { packageFile } from '../../platform/package-root.ts'
import type { Inquiry } from '../../x12/model.ts'
import type { ClearinghouseError } from '../clearinghouse.ts'
import { createAvailityClearinghouse } from './availity-clearinghouse.ts'
import type { AvailitySettings } from './availity-settings.ts'

const at = new Date('2026-01-31T12:34:56.789Z')
const inquiry: Inquiry = { ...secretInquiry, serviceTypeCodes: ['30', '98'] }
const patient = { firstName: 'JANE', lastName: 'SECRETNAME', birthDate: '2004-04-04T05:00:00.000+0000' }
const complete = {
  id: 'c1',
  statusCode: '4',
  patient: { ...patient, subscriberRelationshipCode: '18', memberId: 'SECRETMEMBER' },
  payer: { name: 'AETNA', payerId: '60054' },
  plans: [{ statusCode: '1', status: 'Active Coverage', benefits: [{ type: '30', statusCode: '1' }] }],
}
const pending = { id: 'c1', status: 'In Progress', statusCode: '0', patient }

const servers: Server[] = []
afterEach(async () => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }
})

async function listen(server: Server, scheme = 'http'): Promise<string> {
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return `${scheme}://127.0.0.1:${(server.address() as AddressInfo).port}/v1`
}

interface Heard {
  method: string
  path: string
  headers: IncomingMessage['headers']
  form: URLSearchParams
}

type Say = [status: number, body: string | Buffer | object, headers?: Record<string, string>]

/**
 * Simulates Availity: issues a token on every token request, and answers every other request with `answer`; `count` numbers all requests.
 */
async function play(answer: (heard: Heard, count: number) => Say | ((response: ServerResponse) => void)) {
  const heard: Heard[] = []
  let tokens = 0
  const listener: RequestListener = async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const form = new URLSearchParams(Buffer.concat(chunks).toString())
    const path = request.url ?? ''
    if (path === '/v1/token') {
      tokens += 1
      const granted = { access_token: `token-${tokens}`, expires_in: 300 }
      return response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(granted))
    }
    heard.push({ method: request.method ?? '', path, headers: request.headers, form })
    const said = answer(heard.at(-1)!, heard.length)
    if (typeof said === 'function') return said(response)
    const [status, body, headers = {}] = said
    const bytes = typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body)
    return response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(bytes)
  }
  return { url: await listen(createServer(listener)), heard, tokens: () => tokens }
}

function connect(url: string, settings: Partial<AvailitySettings> = {}) {
  const options = { url, clientId: 'me', clientSecret: 'pass', timeoutMs: 60_000, pollMs: 2, ...settings }
  const clearinghouse = createAvailityClearinghouse(options)
  const check = (signal?: AbortSignal) =>
    clearinghouse.checkEligibility(inquiry, { controlNumber: 7, at, ...(signal && { signal }) })
  return Object.assign(check, { clearinghouse })
}

// Messages to users speak of "client id and secret".
const failureOf = (check: Promise<unknown>) => failureWithout(check, /secret(member|name)/i)

describe('the inquiry', () => {
  test('is a form with Availity’s field names, and its coverage is polled by its id until it is complete', async () => {
    const { url, heard } = await play(({ method }, count) =>
      method === 'POST' ? [202, pending] : count === 2 ? [202, pending] : [200, complete],
    )
    const answer = await connect(url, { submitterId: 'S1' })()
    expect(heard.map(({ method, path }) => `${method} ${path}`)).toEqual([
      'POST /v1/coverages',
      'GET /v1/coverages/c1',
      'GET /v1/coverages/c1',
    ])
    expect(heard[0]?.headers['content-type']).toBe('application/x-www-form-urlencoded')
    expect(heard[0]?.form.getAll('serviceType')).toEqual(['30', '98'])
    expect(Object.fromEntries(heard[0]?.form ?? [])).toMatchObject({
      payerId: '60054',
      submitterId: 'S1',
      providerNpi: '1999999984',
      providerLastName: 'Clinic',
      asOfDate: '2026-01-31',
      memberId: 'SECRETMEMBER',
      patientLastName: 'Secretname',
      patientFirstName: 'Jane',
      patientBirthDate: '2004-04-04',
      subscriberRelationship: '18',
    })
    expect(answer.rawInquiry).toBe(heard[0]?.form.toString())
    expect(JSON.parse(answer.rawResponse)).toEqual(complete)
    expect(answer.responses?.[0]?.patients[0]?.benefits[0]).toMatchObject({ code: '1', serviceTypeCodes: ['30'] })
  })

  test('about a dependent contains the dependent and the relationship', async () => {
    const { url, heard } = await play(() => [200, complete])
    const dependent = { firstName: 'Tom', lastName: 'Secretname', relationshipCode: '19' } as const
    await connect(url).clearinghouse.checkEligibility({ ...inquiry, dependent }, { controlNumber: 1, at })
    const form = Object.fromEntries(heard[0]?.form ?? [])
    expect(form).toMatchObject({ patientFirstName: 'Tom', memberId: 'SECRETMEMBER', subscriberRelationship: '19' })
  })

  test('goes to the configured host only, regardless of the address in the answer', async () => {
    const elsewhere = await play(() => [200, complete])
    const { id: _id, ...nameless } = pending
    const { url, heard } = await play(({ method }) =>
      method === 'POST'
        ? [202, nameless, { location: `${elsewhere.url}/coverages/c9` }]
        : [200, { ...complete, id: 'c9' }],
    )
    await connect(url)()
    expect([heard.at(-1)?.path, elsewhere.heard]).toEqual(['/v1/coverages/c9', []])
  })

  test.each([
    [{ url: 'ftp://x' }, /url/],
    [{ timeoutMs: 0 }, /timeoutMs/],
  ])('is never sent with settings %j, which are rejected immediately', (settings, message) => {
    expect(() => connect('http://127.0.0.1:1/v1', settings)).toThrow(message)
  })
})

describe('the token', () => {
  test('is fetched once for concurrent checks, and reused by the next', async () => {
    const { url, tokens, heard } = await play(() => [200, complete])
    const check = connect(url)
    await Promise.all(Array.from({ length: 10 }, () => check()))
    await check()
    expect(tokens()).toBe(1)
    expect(new Set(heard.map(({ headers }) => headers.authorization))).toEqual(new Set(['Bearer token-1']))
  })

  test('that is rejected is replaced once, for all checks', async () => {
    const { url, tokens } = await play(({ headers }) =>
      headers.authorization === 'Bearer token-1' ? [401, {}] : [200, complete],
    )
    const check = connect(url)
    await Promise.all(Array.from({ length: 5 }, () => check()))
    expect(tokens()).toBe(2)
  })

  test('that is rejected again is reported as rejected credentials', async () => {
    const { url, tokens } = await play(() => [401, { userMessage: 'Not Authorized' }])
    const failure = await failureOf(connect(url)())
    expect(failure).toMatchObject({ code: 'HTTP 401', retryable: false, detail: 'Not Authorized' })
    expect([failure.message, tokens()]).toEqual([expect.stringMatching(/client id and secret/), 2])
  })

  test.each<[string, number, string, Partial<ClearinghouseError>]>([
    ['refused with 401', 401, '{"error":"invalid_client"}', { code: 'HTTP 401', retryable: false }],
    ['refused with 400', 400, '{"error":"invalid_scope"}', { code: 'HTTP 400', retryable: false }],
    ['busy', 429, '', { code: 'HTTP 429', retryable: true }],
    ['a page', 200, '<html></html>', { code: 'HtmlResponse', retryable: true }],
    ['no token', 200, '{"token":"x"}', { code: 'NoToken', retryable: false }],
    ['no header value', 200, '{"access_token":"a\\nb"}', { code: 'NoToken', retryable: false }],
  ])('%s is a failure, and the next check requests a token again', async (_, status, body, expected) => {
    let asked = 0
    const url = await listen(
      createServer((request, response) => {
        asked += 1
        request.resume().on('end', () => response.writeHead(status).end(body))
      }),
    )
    const check = connect(url)
    expect(await failureOf(check())).toMatchObject(expected)
    await failureOf(check())
    expect(asked).toBe(2)
  })
})

describe('the answer', () => {
  const half = Buffer.from(JSON.stringify(complete)).subarray(0, 120)

  test.each<[string, Say, Partial<ClearinghouseError>]>([
    ['a page with 200', [200, '<html><body>hi</body></html>'], { code: 'HtmlResponse', retryable: true }],
    ['nothing', [200, ''], { code: 'EmptyResponse', retryable: true }],
    ['half a coverage', [200, half], { code: 'TruncatedResponse', retryable: true }],
    ['prose', [200, 'hello'], { code: 'UnknownResponse', retryable: false }],
    ['a list', [200, '[]'], { code: 'UnknownResponse', retryable: false }],
    ['a redirect', [302, '', { location: 'http://127.0.0.1:1/' }], { code: 'HTTP 302', retryable: false }],
    ['403', [403, {}], { code: 'HTTP 403', retryable: false }],
    ['415', [415, {}], { code: 'HTTP 415', retryable: false }],
    ['429 without Retry-After', [429, ''], { code: 'HTTP 429', retryable: true, retryAfterMs: undefined }],
    ['429 with Retry-After', [429, '', { 'retry-after': '7' }], { retryable: true, retryAfterMs: 7000 }],
    ['500', [500, {}], { code: 'HTTP 500', retryable: true }],
    ['503', [503, ''], { code: 'HTTP 503', retryable: true }],
    ['no id', [202, { statusCode: '0' }], { code: 'NoCoverageId', retryable: true }],
    ['communication trouble', [200, { id: 'c1', statusCode: '7' }], { code: 'Status7', retryable: true }],
    ['a payer down for maintenance', [200, { id: 'c1', statusCode: '15' }], { code: 'Status15', retryable: true }],
    [
      '400 with the fields that are wrong',
      [400, { userMessage: 'Bad', errors: [{ field: 'patientBirthDate', errorMessage: 'Invalid date' }] }],
      { code: 'HTTP 400', retryable: false, detail: 'patientBirthDate: Invalid date' },
    ],
    [
      'very many benefits',
      [200, { ...complete, plans: [{ benefits: Array(6_000).fill({ type: '30', statusCode: '1' }) }] }],
      { code: 'AnswerTooLarge', retryable: false },
    ],
    [
      'very many figures of one benefit',
      [
        200,
        {
          ...complete,
          plans: [{ benefits: [{ type: '30', amounts: { coPayment: { inNetwork: Array(6_000).fill({}) } } }] }],
        },
      ],
      { code: 'AnswerTooLarge', retryable: false },
    ],
    [
      'notes of a benefit that each of its statuses repeats',
      [
        200,
        {
          ...complete,
          plans: [
            {
              benefits: [
                {
                  type: '30',
                  statusCode: '1',
                  payerNotes: Array(10_000).fill('A'),
                  statusDetails: { inNetwork: Array(300).fill({ statusCode: '1' }) },
                },
              ],
            },
          ],
        },
      ],
      { code: 'AnswerTooLarge', retryable: false },
    ],
    [
      'the name of a plan that each benefit repeats',
      [
        200,
        {
          ...complete,
          plans: [{ planName: 'GOLD'.repeat(2_000), benefits: Array(1_000).fill({ type: '98', statusCode: '1' }) }],
        },
      ],
      { code: 'AnswerTooLarge', retryable: false },
    ],
    [
      'a rejection in words',
      [
        200,
        { id: 'c1', statusCode: '19', validationMessages: [{ field: 'memberId', errorMessage: 'Bad check digit' }] },
      ],
      { code: 'Status19', retryable: false, detail: 'memberId: Bad check digit' },
    ],
  ])('%s becomes a failure with a code and a decision on retrying', async (_, said, expected) => {
    const { url } = await play(() => said)
    const failure = await failureOf(connect(url)())
    expect(failure).toMatchObject(expected)
    expect(failure.rawInquiry).toContain('SECRETMEMBER')
  })

  test('that rejects with X12 reasons is an answer, with each reason at the level of its field', async () => {
    const validationMessages = [
      { field: 'providerNpi', code: '50', errorMessage: 'Provider Ineligible for Inquiries' },
      { field: 'patientLastName', code: '73' },
      { code: '42' },
    ]
    const { url } = await play(() => [200, { ...pending, statusCode: '19', validationMessages }])
    const [response] = (await connect(url)()).responses ?? []
    expect(response?.rejections).toEqual([
      { reasonCode: '50', loop: '2100B' },
      { reasonCode: '73', loop: '2100C' },
      { reasonCode: '42', loop: '2100A' },
    ])
  })

  test('that rejects for a private reason beside an X12 one is an answer with both', async () => {
    const validationMessages = [{ code: '33' }, { field: 'memberId', code: 'RC' }, { errorMessage: 'Bad check digit' }]
    const { url } = await play(() => [200, { ...pending, statusCode: '4', validationMessages }])
    const [response] = (await connect(url)()).responses ?? []
    expect(response?.rejections).toEqual([
      { reasonCode: '33', loop: '2100C' },
      { reasonCode: 'RC', loop: '2100C' },
      { loop: '2100C' },
    ])
  })

  test('is bounded, both as sent and decompressed', async () => {
    const large = Buffer.alloc(20_000_000, 'x')
    const sent = await play(() => [200, large])
    expect(await failureOf(connect(sent.url)())).toMatchObject({ code: 'ResponseTooLarge', retryable: false })
    const bomb = await play(() => [200, gzipSync(large), { 'content-encoding': 'gzip' }])
    expect(await failureOf(connect(bomb.url)())).toMatchObject({ code: 'ResponseTooLarge' })
  })

  test('that never arrives ends at the deadline, also when it trickles in or stays in progress', async () => {
    const silent = await play(() => () => {})
    const drip = await play(() => (response) => {
      const timer = setInterval(() => response.write(' '), 10)
      response.on('close', () => clearInterval(timer))
    })
    const slow = await play(() => [202, pending])
    for (const { url } of [silent, drip, slow]) {
      const failure = await failureOf(connect(url, { timeoutMs: 150 })())
      expect(failure).toMatchObject({ code: 'Timeout', retryable: true })
      expect(failure.message).toMatch(/within 0\.15 s$/)
    }
  })

  test('is polled further after a rate limit', async () => {
    const { url } = await play((_, count) => (count === 1 ? [202, pending] : count < 4 ? [429, ''] : [200, complete]))
    await expect(connect(url)()).resolves.toBeDefined()
  })

  test('that is the coverage of another inquiry is not used', async () => {
    const { url } = await play(({ method }) => (method === 'POST' ? [202, pending] : [200, { ...complete, id: 'c2' }]))
    expect(await failureOf(connect(url)())).toMatchObject({ code: 'MisdirectedAnswer', retryable: true })
  })

  test('that was deleted before it was complete may be retried', async () => {
    const { url } = await play(({ method }) => (method === 'POST' ? [202, pending] : [404, {}]))
    expect(await failureOf(connect(url)())).toMatchObject({ code: 'HTTP 404', retryable: true })
  })

  test('from a host with an untrusted certificate is not accepted', async () => {
    const file = (name: string) => readFileSync(packageFile('test', 'support', 'tls', name))
    const server = createTlsServer({ cert: file('server.pem'), key: file('server-key.pem') }, (_, response) =>
      response.end(),
    )
    const failure = await failureOf(connect(await listen(server as unknown as Server, 'https'))())
    expect(failure).toMatchObject({ retryable: false, message: expect.stringMatching(/not trusted/) })
  })

  test('is abandoned when the caller aborts, before and during the exchange', async () => {
    const { url } = await play(() => () => {})
    const check = connect(url)
    expect(await failureOf(check(AbortSignal.abort()))).toMatchObject({ code: 'Aborted', retryable: true })
    const giving = new AbortController()
    const during = failureOf(check(giving.signal))
    giving.abort()
    expect(await during).toMatchObject({ code: 'Aborted' })
  })
})

test('no more than maxConcurrency inquiries are open at a time, and all are answered', async () => {
  let most = 0
  const open: ServerResponse[] = []
  // Answers once three are open, a little later, in which a fourth would arrive.
  const { url } = await play(() => (response) => {
    most = Math.max(most, open.push(response))
    if (open.length !== 3) return
    setTimeout(() => {
      for (const each of open.splice(0)) each.writeHead(200).end(JSON.stringify(complete))
    }, 5)
  })
  const check = connect(url, { maxConcurrency: 3 })
  await Promise.all(Array.from({ length: 12 }, () => check()))
  expect(most).toBe(3)
})

test('parameters under Availity’s own names are passed on unchanged, and its coverage is returned unchanged', async () => {
  const { url, heard } = await play(({ method }) => (method === 'POST' ? [202, pending] : [200, complete]))
  const { fetchCoverage } = connect(url).clearinghouse
  const coverage = await fetchCoverage?.({ payerId: 'X', 'serviceType[]': ['30', '98'], anything: 'else' })
  expect(coverage).toEqual(complete)
  expect(heard[0]?.form.toString()).toBe('payerId=X&serviceType%5B%5D=30&serviceType%5B%5D=98&anything=else')
})
