import { createServer, type RequestListener, type Server, type ServerResponse } from 'node:http'
import { type AddressInfo, createServer as createTcpServer } from 'node:net'
import { gzipSync } from 'node:zlib'
import { afterEach, describe, expect, test } from 'vitest'
import { failureWithInquiryOf as failureOf, secretInquiry as inquiry } from '../../../test/support/secret-inquiry.ts'
import { sendChunks } from '../../../test/support/send-chunks.ts'
import { answersInMemory } from '../answers-in-memory.ts'
import type { ClearinghouseError } from '../clearinghouse.ts'
import { type CoreSettings, createCoreClearinghouse } from './core-clearinghouse.ts'
import { readCoreMessage, writeEnvelope } from './envelope.ts'
import type { CoreFields, CoreForm, CoreReading } from './fields.ts'
import { writeFault } from './soap.ts'

const at = new Date('2026-01-31T12:34:56.789Z')
const answer271 = 'ISA*00*~ST*271*0001~SE*2*0001~IEA*1*000000001~'
const success: CoreFields = { PayloadID: 'not-ours', Payload: answer271, ErrorCode: 'Success', ErrorMessage: '' }

const servers: Server[] = []
afterEach(async () => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }
})

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener)
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/core`
}

/** A server that answers every request the same. */
function serveAlways(status: number, body: string | Buffer, headers: Record<string, string> = {}): Promise<string> {
  return serve((request, response) => {
    request.resume().on('end', () => response.writeHead(status, headers).end(body))
  })
}

function connect(url: string, settings: Partial<CoreSettings> = {}) {
  const clearinghouse = createCoreClearinghouse({
    url,
    senderId: 'ANTEROOM',
    receiverId: 'PARTNER',
    timeoutMs: 30_000,
    newId: () => '5f0e7e4c-6d4e-4b9d-9d3a-0c3b8b1c9f11',
    ...settings,
  })
  return (signal?: AbortSignal) =>
    clearinghouse.checkEligibility(inquiry, { controlNumber: 7, at, ...(signal && { signal }) })
}

describe('the request', () => {
  test.each<CoreForm>(['soap12', 'soap11', 'mime'])('in %s carries every field of the settings', async (form) => {
    let seen: CoreReading | undefined
    let headers: Record<string, unknown> = {}
    const url = await serve(async (request, response) => {
      const chunks: Buffer[] = []
      for await (const chunk of request) chunks.push(chunk)
      headers = request.headers
      seen = readCoreMessage(request.headers['content-type'] ?? '', Buffer.concat(chunks))
      const reply = writeEnvelope(form, 'Response', success)
      response.writeHead(200, reply.headers).end(reply.body)
    })
    const settings = { username: 'me', password: 'pass', usage: 'T', payerIds: { '60054': 'AET01' } } as const
    const answer = await connect(url, { form, ...settings, forwardedFor: '198.51.100.7' })()
    expect(answer.rawResponse).toBe(answer271)
    expect(answer.rawInquiry).toContain('NM1*PR*2*AET01*****PI*AET01~')
    expect(answer.rawInquiry).toContain('*000000007*0*T*:~')
    expect(headers['x-forwarded-for']).toBe('198.51.100.7')
    expect(seen).toEqual({
      kind: 'envelope',
      fields: {
        PayloadType: 'X12_270_Request_005010X279A1',
        ProcessingMode: 'RealTime',
        PayloadID: '5f0e7e4c-6d4e-4b9d-9d3a-0c3b8b1c9f11',
        TimeStamp: '2026-01-31T12:34:56Z',
        UserName: 'me',
        Password: 'pass',
        SenderID: 'ANTEROOM',
        ReceiverID: 'PARTNER',
        CORERuleVersion: '2.2.0',
        Payload: answer.rawInquiry,
      },
    })
  })

  test.each([
    [{ url: 'ftp://x' }, /url/],
    [{ url: 'not a url' }, /url/],
    [{ url: 'https://me:secret@x/' }, /credentials/],
    [{ senderId: 'x'.repeat(51) }, /senderId/],
    [{ timeoutMs: 0 }, /timeoutMs/],
  ])('is never sent with settings %j, which are rejected immediately', (settings, message) => {
    expect(() => connect('http://127.0.0.1:1/', settings)).toThrow(message)
  })
})

describe('the answer', () => {
  test('is accepted in any form, label and compression, regardless of those of the request', async () => {
    for (const form of ['soap12', 'soap11', 'mime'] as const) {
      const reply = writeEnvelope(form, 'Response', success)
      const type = form === 'mime' ? reply.headers['content-type'] : 'text/plain'
      const url = await serveAlways(200, gzipSync(reply.body), {
        'content-type': `${type}`,
        'content-encoding': 'gzip',
      })
      await expect(connect(url)()).resolves.toMatchObject({ rawResponse: answer271 })
    }
  })

  const envelope = (code: string) =>
    writeEnvelope('soap12', 'Response', { PayloadID: 'x', ErrorCode: code, ErrorMessage: 'why' }).body
  const unknownPayer = '{"errors":[{"code":"79","description":"Invalid Participant Identification"}]}'

  test.each<[string, number, string | Buffer, Partial<ClearinghouseError>]>([
    ['a page with 200', 200, '<html><body>hi</body></html>', { code: 'HtmlResponse', retryable: true }],
    ['a page with 502', 502, '<html><body>hi</body></html>', { code: 'HTTP 502', retryable: true }],
    ['nothing', 200, '', { code: 'EmptyResponse', retryable: true }],
    ['half an envelope', 200, envelope('Success').subarray(0, 200), { code: 'TruncatedResponse', retryable: true }],
    ['prose', 200, 'hello', { code: 'UnknownResponse', retryable: false }],
    ['no payload', 200, envelope('Success'), { code: 'EmptyPayload', retryable: true }],
    ['202', 202, envelope('Success'), { code: 'HTTP 202', retryable: false }],
    ['400', 400, 'bad', { code: 'HTTP 400', retryable: false }],
    [
      '400 with AAA 79',
      400,
      unknownPayer,
      { code: '79', retryable: false, detail: 'Invalid Participant Identification' },
    ],
    ['401', 401, '', { code: 'HTTP 401', retryable: false }],
    ['403', 403, '', { code: 'HTTP 403', retryable: false }],
    [
      'a wrong address',
      404,
      'no',
      { code: 'HTTP 404', retryable: false, message: expect.stringContaining('check the configured URL') },
    ],
    ['500', 500, 'oops', { code: 'HTTP 500', retryable: true }],
    ['UnAuthorized', 200, envelope('UnAuthorized'), { code: 'UnAuthorized', retryable: false, detail: 'why' }],
    ['Receiver', 200, envelope('Receiver'), { code: 'Receiver', retryable: true }],
    ['Receiver with a prefix', 200, envelope('soapenv:Receiver'), { code: 'Receiver', retryable: true }],
    ['Sender', 200, envelope('Sender'), { code: 'Sender', retryable: false }],
    ['PayloadRequired', 200, envelope('PayloadRequired'), { code: 'PayloadRequired', retryable: false }],
    ['VersionMismatch', 400, envelope('VersionMismatch'), { code: 'VersionMismatch', retryable: false }],
    [
      'a Receiver fault',
      500,
      writeFault('soap12', 'Receiver', 'down').body,
      { code: 'Receiver', retryable: true, detail: 'down' },
    ],
    ['a Client fault', 500, writeFault('soap11', 'Sender', 'bad').body, { code: 'Client', retryable: false }],
  ])('%s becomes a failure with a code and a decision on retrying', async (_, status, body, expected) => {
    const failure = await failureOf(connect(await serveAlways(status, body))())
    expect(failure).toMatchObject(expected)
    expect(failure.rawResponse).toBe(body.toString())
  })

  test('429 states how long to wait, in seconds or as a date', async () => {
    const seconds = await failureOf(connect(await serveAlways(429, '', { 'retry-after': '7' }))())
    expect(seconds).toMatchObject({ code: 'HTTP 429', retryable: true, retryAfterMs: 7000 })
    const date = { 'retry-after': 'Sat, 31 Jan 2026 12:35:06 GMT' }
    expect((await failureOf(connect(await serveAlways(503, '', date))())).retryAfterMs).toBe(9211)
    // Nobody asks for more than a day on purpose.
    for (const late of ['999999999', 'Fri, 31 Dec 9999 23:59:59 GMT']) {
      const failure = await failureOf(connect(await serveAlways(503, '', { 'retry-after': late }))())
      expect(failure.retryAfterMs).toBe(86_400_000)
    }
  })

  test('429 with a Retry-After that is neither states no time', async () => {
    for (const header of ['-5', '99999999999999999999', 'soon']) {
      const failure = await failureOf(connect(await serveAlways(429, '', { 'retry-after': header }))())
      expect(failure.retryAfterMs).toBeUndefined()
    }
  })

  test('a redirect is not followed, so that the payload reaches no other address', async () => {
    let visits = 0
    const elsewhere = await serve((_, response) => {
      visits += 1
      response.end()
    })
    const failure = await failureOf(connect(await serveAlways(307, '', { location: elsewhere }))())
    expect(failure).toMatchObject({ code: 'HTTP 307', retryable: false })
    expect(visits).toBe(0)
  })

  test.each([
    ['elements', `ISA*00*~ST*271*1~EB*1${'*'.repeat(300_000)}~`],
    ['segments', `ISA*00*${'*'.repeat(14)}:~ST*271*1~${'EB~'.repeat(20_000)}`],
  ])('that holds more %s than any payer sends is rejected, stored in part and not retried', async (_, payload) => {
    for (const form of ['soap12', 'mime'] as const) {
      const { headers, body } = writeEnvelope(form, 'Response', { ...success, Payload: payload })
      const failure = await failureOf(connect(await serveAlways(200, body, headers))())
      expect(failure).toMatchObject({ code: 'AnswerTooLarge', retryable: false })
      expect(failure.rawResponse?.length).toBeLessThanOrEqual(100_000)
    }
  })

  test('is bounded, both as sent and decompressed', async () => {
    const large = Buffer.alloc(20_000_000, 'x')
    expect(await failureOf(connect(await serveAlways(200, large))())).toMatchObject({ code: 'ResponseTooLarge' })
    const bomb = await serveAlways(200, gzipSync(large), { 'content-encoding': 'gzip' })
    expect(await failureOf(connect(bomb)())).toMatchObject({ code: 'ResponseTooLarge', retryable: false })
  })

  test('is abandoned after too many interim responses', async () => {
    const url = await serve((request, response) => {
      request.resume().once('end', () => {
        for (let count = 0; count < 100; count++) response.writeProcessing()
        response.end(answer271)
      })
    })
    expect(await failureOf(connect(url)())).toMatchObject({ code: 'ResponseTooLarge', retryable: false })
  })

  test('is limited in chunks as well, because each takes time and memory', async () => {
    const url = await serve((request, response) => {
      request.resume().once('end', () => {
        sendChunks(response, 5000)
        response.end()
      })
    })
    const failure = await failureOf(connect(url)())
    expect(failure).toMatchObject({ code: 'ResponseTooLarge', retryable: false })
    expect(failure.message).toBe('The clearinghouse sends its answer in too many small parts')
  })

  test('is given up, and may be asked for again, while others fill the memory for answers; afterwards there is room', async () => {
    const reply = writeEnvelope('soap12', 'Response', success)
    const check = connect(await serveAlways(200, reply.body, { ...reply.headers }))
    const most = 128 * 1024 * 1024 - 1
    answersInMemory.add('another organization', most)
    const failure = await failureOf(check()).finally(() => answersInMemory.add('another organization', -most))
    expect(failure).toMatchObject({ code: 'TooManyAnswers', retryable: true, isOurs: true })
    expect((await check()).rawResponse).toBe(answer271)
    // Nothing is held any more: otherwise a text of this length would not have room.
    expect(answersInMemory.hasRoomFor('anyone', 10 * most)).toBe(true)
  })

  test('that is an outage is retryable, however large or corrupt its body is', async () => {
    const large = Buffer.alloc(20_000_000, 'x')
    for (const [body, headers] of [
      [large, {}],
      [gzipSync(large), { 'content-encoding': 'gzip' }],
      [gzipSync('down').subarray(0, 12), { 'content-encoding': 'gzip' }],
    ] as const) {
      const failure = await failureOf(connect(await serveAlways(503, body, headers))())
      expect(failure).toMatchObject({ code: 'HTTP 503', retryable: true })
    }
  })

  test('with corrupt compression is a failure', async () => {
    const url = await serveAlways(200, gzipSync('ISA').subarray(0, 12), { 'content-encoding': 'gzip' })
    expect(await failureOf(connect(url)())).toMatchObject({ code: 'TruncatedResponse', retryable: true })
  })
})

describe('the exchange', () => {
  test('ends at the deadline without an answer, and reports the time waited', async () => {
    const url = await serve(() => {})
    const failure = await failureOf(connect(url, { timeoutMs: 100 })())
    expect(failure).toMatchObject({ code: 'Timeout', retryable: true })
    expect(failure.message).toBe('The clearinghouse did not answer within 0.1 s')
  })

  test('ends at the deadline when the answer trickles in', async () => {
    const url = await serve((_, response) => {
      const drip = setInterval(() => response.write(' '), 20)
      response.on('close', () => clearInterval(drip))
    })
    expect(await failureOf(connect(url, { timeoutMs: 200 })())).toMatchObject({ code: 'Timeout' })
  })

  test('to a closed port is retryable and names the network error', async () => {
    const url = await serveAlways(200, '')
    await new Promise((resolve) => servers.pop()?.close(resolve))
    expect(await failureOf(connect(url)())).toMatchObject({ code: 'ECONNREFUSED', retryable: true })
  })

  test('whose TLS handshake fails by a fault of the server is retryable', async () => {
    // The fatal alert internal_error, as a load balancer without a server behind it sends. Source: RFC 8446 6.2.
    const alert = Buffer.from([0x15, 0x03, 0x03, 0x00, 0x02, 0x02, 80])
    const server = createTcpServer((socket) => socket.on('error', () => {}).once('data', () => socket.end(alert)))
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const failure = await failureOf(connect(`https://127.0.0.1:${(server.address() as AddressInfo).port}/core`)())
    expect(failure).toMatchObject({ code: 'ERR_SSL_TLSV1_ALERT_INTERNAL_ERROR', retryable: true })
    await new Promise((resolve) => server.close(resolve))
  })

  test('succeeds when the server sends "100 Continue" to every request, as old ones of Microsoft do', async () => {
    const { headers, body } = writeEnvelope('soap12', 'Response', success)
    const url = await serve((request, response) => {
      response.writeContinue()
      request.resume().on('end', () => response.writeHead(200, headers).end(body))
    })
    expect(await connect(url)()).toMatchObject({ rawResponse: answer271 })
  })

  test('that the server disconnects is retryable', async () => {
    const url = await serve((request) => request.socket.destroy())
    expect((await failureOf(connect(url)())).retryable).toBe(true)
  })

  test('ends when the caller aborts, before, during and while waiting in the queue', async () => {
    const url = await serve(() => {})
    const check = connect(url, { maxConcurrency: 1 })
    expect(await failureOf(check(AbortSignal.abort()))).toMatchObject({ code: 'Aborted' })
    const [during, waiting] = [new AbortController(), new AbortController()]
    const checks = [check(during.signal), check(waiting.signal)].map(failureOf)
    waiting.abort()
    await expect(checks[1]).resolves.toMatchObject({ code: 'Aborted', isOurs: true })
    during.abort()
    await expect(checks[0]).resolves.toMatchObject({ code: 'Aborted', isOurs: undefined })
  })

  test("that takes longer than the caller's time is called unanswered or unsent, and not cancelled by somebody", async () => {
    const url = await serve(() => {})
    const check = connect(url, { maxConcurrency: 1 })
    const outOfTime = new AbortController()
    const checks = [check(outOfTime.signal), check(outOfTime.signal)].map(failureOf)
    // The reason of AbortSignal.timeout().
    outOfTime.abort(new DOMException('the time is over', 'TimeoutError'))
    const [sent, waiting] = await Promise.all(checks)
    expect(sent).toMatchObject({
      code: 'Timeout',
      retryable: true,
      message: expect.stringContaining('did not answer in time'),
    })
    expect(waiting).toMatchObject({
      code: 'Timeout',
      retryable: true,
      isOurs: true,
      message: expect.stringContaining('was not sent in time'),
    })
  })

  test('never has more than maxConcurrency requests open, and completes all', async () => {
    let most = 0
    const open: ServerResponse[] = []
    const reply = writeEnvelope('soap12', 'Response', success)
    // Answers once three are open, a little later, in which a fourth would arrive.
    const url = await serve((request, response) => {
      request.resume()
      most = Math.max(most, open.push(response))
      if (open.length !== 3) return
      setTimeout(() => {
        for (const each of open.splice(0)) each.writeHead(200, reply.headers).end(reply.body)
      }, 10)
    })
    const check = connect(url, { maxConcurrency: 3 })
    await Promise.all(Array.from({ length: 21 }, () => check()))
    expect(most).toBe(3)
  })
})
