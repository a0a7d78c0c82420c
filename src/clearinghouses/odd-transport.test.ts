// Answers in other encodings, compressions and lengths than usual, through a connector of JSON and one of X12. decisions/0215-odd-shapes-and-odd-transport.md
import type { ServerResponse } from 'node:http'
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { answerText } from '../../test/support/answers.ts'
import { clearinghouseServers } from '../../test/support/clearinghouse-servers.ts'
import type { Inquiry } from '../x12/model.ts'
import type { Clearinghouse } from './clearinghouse.ts'
import { createCoreClearinghouse } from './core/core-clearinghouse.ts'
import { writeEnvelope } from './core/envelope.ts'
import { createStediClearinghouse } from './stedi/stedi-clearinghouse.ts'

const { serve } = clearinghouseServers()

const INQUIRY: Inquiry = {
  reference: 'R1',
  traceNumber: 'T1',
  payer: { id: 'P1', name: 'NORTHWIND' },
  provider: { npi: '1999999984', organizationName: 'Clinic' },
  subscriber: { memberId: 'NW-100200', firstName: 'José', lastName: 'Marlowe', dateOfBirth: '1984-02-29' },
  dateOfService: '2026-03-09',
  serviceTypeCodes: ['30'],
}
const JSON_TEXT = JSON.stringify({
  payer: { name: 'NORTHWIND' },
  subscriber: { memberId: 'NW-100200', firstName: 'José', lastName: 'Marlowe' },
  benefitsInformation: [{ code: '1', serviceTypeCodes: ['30'] }],
})
const X12_TEXT = answerText('EB*1**30~MSG*José~')
const SOAP_TEXT = writeEnvelope('soap12', 'Response', {
  PayloadType: 'X12_271_Response_005010X279A1',
  ErrorCode: 'Success',
  Payload: X12_TEXT,
}).body.toString()

const stedi = (url: string) =>
  createStediClearinghouse({
    url: `${url}/2024-04-01`,
    apiKey: 'KEY',
    timeoutMs: 60_000,
    eligibilityVersion: '2024-04-01',
  })
const core = (url: string) =>
  createCoreClearinghouse({ url, senderId: 'A', receiverId: 'B', timeoutMs: 60_000 } as Parameters<
    typeof createCoreClearinghouse
  >[0])
const KINDS = {
  json: [stedi, JSON_TEXT, 'application/json'],
  soap: [core, SOAP_TEXT, 'application/soap+xml'],
  x12: [core, X12_TEXT, 'text/plain'],
} as const

const ask = (clearinghouse: Clearinghouse) =>
  clearinghouse.checkEligibility(INQUIRY, { controlNumber: 1, at: new Date(0) })

type Respond = (response: ServerResponse, text: string, contentType: string) => void

async function answered(kind: keyof typeof KINDS, respond: Respond) {
  const [open, text, contentType] = KINDS[kind]
  const url = await serve((request, response) => {
    request.resume().on('end', () => respond(response, text, contentType))
  })
  return ask(open(url))
}

const utf16 = (text: string, isBig = false) => {
  const bytes = Buffer.from(`\uFEFF${text}`, 'utf16le')
  return isBig ? bytes.swap16() : bytes
}
const body =
  (bytes: (text: string) => Buffer, headers: (contentType: string) => Record<string, string> = () => ({})): Respond =>
  (response, text, contentType) =>
    response.writeHead(200, { 'content-type': contentType, ...headers(contentType) }).end(bytes(text))
const encoded = (encoding: string) => () => ({ 'content-encoding': encoding })

const READ: Readonly<Record<string, Respond>> = {
  'UTF-8 with a byte order mark': body((text) => Buffer.from(`\uFEFF${text}`)),
  'UTF-16 with a mark': body((text) => utf16(text)),
  'UTF-16 of the other order with a mark': body((text) => utf16(text, true)),
  'UTF-16 without a mark': body((text) => utf16(text).subarray(2)),
  'UTF-16 as declared': body(
    (text) => utf16(text),
    (type) => ({ 'content-type': `${type}; charset=utf-16` }),
  ),
  // An even number of bytes is valid UTF-16, whatever they say; one of these two is even.
  'UTF-8 declared as UTF-16': body(
    (text) => Buffer.from(text),
    (type) => ({ 'content-type': `${type}; charset=utf-16` }),
  ),
  'UTF-8 declared as UTF-16, a blank longer': body(
    (text) => Buffer.from(`${text} `),
    (type) => ({ 'content-type': `${type}; charset=utf-16` }),
  ),
  'Latin-1 as declared': body(
    (text) => Buffer.from(text, 'latin1'),
    (type) => ({ 'content-type': `${type}; charset=ISO-8859-1` }),
  ),
  'Latin-1 without a declaration': body((text) => Buffer.from(text, 'latin1')),
  'Latin-1 declared as UTF-8': body(
    (text) => Buffer.from(text, 'latin1'),
    (type) => ({ 'content-type': `${type}; charset=utf-8` }),
  ),
  'an unknown encoding': body(
    (text) => Buffer.from(text),
    (type) => ({ 'content-type': `${type}; charset=x-none` }),
  ),
  'no content type': (response, text) => response.writeHead(200).end(text),
  'another content type': (response, text) => response.writeHead(200, { 'content-type': 'text/html' }).end(text),
  'a blank line before it': body((text) => Buffer.from(`\r\n\r\n${text}`)),
  gzip: body((text) => gzipSync(text), encoded('gzip')),
  'gzip in capitals': body((text) => gzipSync(text), encoded('GZIP')),
  deflate: body((text) => deflateSync(text), encoded('deflate')),
  'deflate without its header': body((text) => deflateRawSync(text), encoded('deflate')),
  brotli: body((text) => brotliCompressSync(text), encoded('br')),
  'gzip twice': body((text) => gzipSync(gzipSync(text)), encoded('gzip, gzip')),
  'deflate and then gzip': body((text) => gzipSync(deflateSync(text)), encoded('deflate, gzip')),
  identity: body((text) => Buffer.from(text), encoded('identity')),
  'gzip that a proxy has undone': body((text) => Buffer.from(text), encoded('gzip')),
  'brotli that a proxy has undone': body((text) => Buffer.from(text), encoded('br')),
  'a trailer': (response, text, type) => {
    response.writeHead(200, { 'content-type': type, trailer: 'x-sum' }).write(text)
    response.addTrailers({ 'x-sum': '1' })
    response.end()
  },
  'interim responses before it': (response, text, type) => {
    for (let count = 0; count < 3; count++) response.writeProcessing()
    response.writeHead(200, { 'content-type': type }).end(text)
  },
}

test.each(Object.entries(READ))('an answer in %s is read', async (_, respond) => {
  const read = await Promise.all((['json', 'soap', 'x12'] as const).map((kind) => answered(kind, respond)))
  const [json, soap, x12] = read.map(({ rawResponse }) => rawResponse.trim())
  expect(json).toBe(JSON_TEXT)
  expect([soap, x12]).toEqual([X12_TEXT.trim(), X12_TEXT.trim()])
})

const LOGIN = '<!DOCTYPE html><html><head><title>Sign in</title></head><body>José Marlowe</body></html>'

test.each<[string, Respond, string, boolean]>([
  ['a page to sign in', body(() => Buffer.from(LOGIN)), 'HtmlResponse', true],
  ['half of gzip', body((text) => gzipSync(text).subarray(0, 60), encoded('gzip')), 'TruncatedResponse', true],
  [
    'half of brotli',
    body((text) => brotliCompressSync(text).subarray(0, 60), encoded('br')),
    'TruncatedResponse',
    true,
  ],
  ['a bomb', body(() => gzipSync(Buffer.alloc(50_000_000)), encoded('gzip')), 'ResponseTooLarge', false],
  [
    'a bomb in a bomb',
    body(() => gzipSync(gzipSync(Buffer.alloc(50_000_000))), encoded('gzip, gzip')),
    'ResponseTooLarge',
    false,
  ],
  ['nothing', body(() => Buffer.alloc(0)), 'EmptyResponse', true],
  ['no content', (response) => response.writeHead(204).end(), 'HTTP 204', true],
  ['an acceptance', (response) => response.writeHead(202).end('{}'), 'HTTP 202', false],
  ['several statuses', (response, text) => response.writeHead(207).end(text), 'HTTP 207', true],
  ['a part', (response, text) => response.writeHead(206).end(text), 'HTTP 206', true],
  [
    'fewer bytes than announced',
    (response, text) => {
      response.writeHead(200, { 'content-length': String(text.length + 100) }).write(text)
      setTimeout(() => response.destroy(), 50)
    },
    'UND_ERR_SOCKET',
    true,
  ],
  ['no answer at all', (response) => response.destroy(), 'UND_ERR_SOCKET', true],
  [
    'huge headers',
    (response, text) => response.writeHead(200, { 'x-large': 'a'.repeat(100_000) }).end(text),
    'UND_ERR_HEADERS_OVERFLOW',
    true,
  ],
])('%s is no answer: it is said why, without anything of the patient', async (_, respond, code, retryable) => {
  for (const kind of ['json', 'soap', 'x12'] as const) {
    const failure = await answered(kind, respond).catch((error: unknown) => error)
    expect(failure, kind).toMatchObject({ code, retryable })
    expect(String((failure as Error).message)).not.toMatch(/Jos|Marlowe|NW-100200/i)
  }
})

test('a redirect is not followed, so that no credentials go to another host', async () => {
  let asked = 0
  const other = await serve((_, response) => {
    asked += 1
    response.end(JSON_TEXT)
  })
  for (const status of [301, 302, 303, 307, 308]) {
    const redirect: Respond = (response) => response.writeHead(status, { location: `${other}/elsewhere` }).end()
    await expect(answered('json', redirect)).rejects.toMatchObject({ code: `HTTP ${status}`, retryable: false })
    await expect(answered('soap', redirect)).rejects.toMatchObject({ code: `HTTP ${status}`, retryable: false })
  }
  expect(asked).toBe(0)
})
