// Tools of an operator: the doctor, the settings, traces, and the root URL in a browser.
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { rename } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { eligibilityRequestBody } from '../support/bodies.ts'
import { type Desk, openDesk } from '../support/desk.ts'
import { runHere } from '../support/finished-command.ts'
import { pngOf } from '../support/image-samples.ts'
import { startS3Server } from '../support/s3-server.ts'
import { newClonePlace, runCommand, type StartedServer, startServer } from '../support/started-server.ts'

interface SentSpan {
  traceId: string
  spanId: string
  parentSpanId?: string
  name: string
}

interface SentLog {
  traceId?: string
  spanId?: string
  severityText: string
  body: { stringValue: string }
  attributes: { key: string; value: { stringValue?: string } }[]
}

const spans: SentSpan[] = []
const logs: SentLog[] = []
const collector = createServer((request, response) => {
  const chunks: Buffer[] = []
  request.on('data', (chunk) => chunks.push(chunk))
  request.on('end', () => {
    const { resourceSpans = [], resourceLogs = [] } = JSON.parse(Buffer.concat(chunks).toString())
    for (const { scopeLogs } of resourceLogs) for (const scope of scopeLogs) logs.push(...scope.logRecords)
    for (const { scopeSpans } of resourceSpans) for (const scope of scopeSpans) spans.push(...scope.spans)
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}')
  })
})

let place: Awaited<ReturnType<typeof newClonePlace>>
let server: StartedServer
let desk: Desk
let token = ''
beforeAll(async () => {
  await once(collector.listen(0, '127.0.0.1'), 'listening')
  const { port } = collector.address() as AddressInfo
  place = await newClonePlace()
  server = await startServer({
    ...place.settings,
    PORT: '0',
    LOG_LEVEL: 'info',
    OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}`,
  })
  await runCommand(['organization', 'create', 'Harbor'], place.settings)
  const made = await runCommand(['client', 'create', 'desk', '--organization', 'Harbor', '--json'], place.settings)
  const credentials = JSON.parse(made.stdout)
  desk = await openDesk(server.url, credentials)
  const answer = await fetch(`${server.url}/api/auth/v2/token`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ client_id: credentials.client_id, client_secret: credentials.client_secret }),
  })
  token = ((await answer.json()) as { access_token: string }).access_token
})
afterAll(async () => {
  await server?.stop()
  await place?.remove()
  collector.closeAllConnections()
  collector.close()
})

describe('a trace', () => {
  it("continues the caller's trace through the operation to the payer, and its id is in the log", async () => {
    const traceId = '0af7651916cd43dd8448eb211c80319c'
    const answer = await fetch(`${server.url}/eligibility-checks/v1`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
        traceparent: `00-${traceId}-b7ad6b7169203331-01`,
      },
      body: JSON.stringify(eligibilityRequestBody()),
    })
    expect(answer.status).toBe(200)
    const requestId = answer.headers.get('x-request-id')
    expect(requestId).toBeTruthy()
    await vi.waitFor(
      () =>
        expect(
          spans
            .filter((span) => span.traceId === traceId)
            .map(({ name }) => name)
            .sort(),
        ).toEqual(['eligibilityChecks.post', 'payer.inquiry']),
      { timeout: 60_000 },
    )
    const [operation, inquiry] = ['eligibilityChecks.post', 'payer.inquiry'].map((name) =>
      spans.find((span) => span.name === name && span.traceId === traceId),
    )
    expect(operation?.parentSpanId).toBe('b7ad6b7169203331')
    expect(inquiry?.parentSpanId).toBe(operation?.spanId)
    const line = server
      .output()
      .split('\n')
      .find((each) => each.includes('"operation":"eligibilityChecks.post"'))
    expect(JSON.parse(line ?? '{}')).toMatchObject({ request: requestId, trace_id: traceId })
  })

  it('starts a new trace when the caller sends none, or an invalid one', async () => {
    await desk.call('GET', '/tags/v1')
    await fetch(`${server.url}/tags/v1`, { headers: { authorization: `Bearer ${token}`, traceparent: 'nonsense' } })
    await vi.waitFor(
      () =>
        expect(spans.filter(({ name }) => name === 'tags.getMulti' || name.startsWith('tags.')).length).toBeGreaterThan(
          1,
        ),
      {
        timeout: 60_000,
      },
    )
    for (const { name, parentSpanId = '' } of spans.filter(({ name }) => name.startsWith('tags.')))
      expect([name, parentSpanId]).toEqual([name, ''])
  })
})

describe('the log by OTLP', () => {
  const attribute = ({ attributes }: SentLog, name: string) =>
    attributes.find(({ key }) => key === name)?.value.stringValue

  it('has every line of the log, with the request and the trace of its call', async () => {
    const traceId = '1af7651916cd43dd8448eb211c80319c'
    const answer = await fetch(`${server.url}/notes/v1`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
        traceparent: `00-${traceId}-b7ad6b7169203331-01`,
      },
      body: JSON.stringify({ value: 'Nobody shall read Rivera here' }),
    })
    expect(answer.status).toBe(200)
    const ofCall = () => logs.filter((log) => log.traceId === traceId)
    await vi.waitFor(() => expect(ofCall()).toHaveLength(1), { timeout: 60_000 })
    const [log] = ofCall() as [SentLog]
    expect(log).toMatchObject({ severityText: 'INFO', spanId: expect.stringMatching(/^[0-9a-f]{16}$/) })
    expect(log.body.stringValue).not.toBe('')
    expect(attribute(log, 'request')).toBe(answer.headers.get('x-request-id'))
    expect(attribute(log, 'operation')).toBe('notes.create')
    await vi.waitFor(() => expect(spans.map(({ spanId }) => spanId)).toContain(log.spanId), { timeout: 60_000 })
  })

  it('contains nothing that the printed lines do not contain', async () => {
    const printed = server
      .output()
      .split('\n')
      .filter((line) => line.startsWith('{'))
      .map((line) => JSON.parse(line))
    const known = new Set(printed.flatMap((line) => [line.msg, ...Object.keys(line)]))
    await vi.waitFor(() => expect(logs.length).toBeGreaterThan(3), { timeout: 60_000 })
    for (const { body, attributes } of logs) {
      expect(known).toContain(body.stringValue)
      for (const { key } of attributes) expect(known).toContain(key)
    }
    expect(JSON.stringify(logs)).not.toMatch(/Rivera|Bearer|client_secret/)
  })
})

describe('/', () => {
  it('redirects a browser to the console, and returns 404 to a program', async () => {
    const browser = await fetch(server.url, {
      headers: { accept: 'text/html,application/xhtml+xml' },
      redirect: 'manual',
    })
    expect([browser.status, browser.headers.get('location')]).toEqual([302, '/console/'])
    const program = await fetch(server.url, { headers: { accept: 'application/json' } })
    expect([program.status, ((await program.json()) as { errorName: string }).errorName]).toEqual([
      404,
      'NotFoundError',
    ])
  })
})

describe('anteroom doctor', () => {
  it('makes no database where there is none, and says what to do', async () => {
    const DATA_DIR = join(tmpdir(), `anteroom-none-${crypto.randomUUID()}`)
    const { code, stdout } = await runCommand(['doctor'], { DATA_DIR })
    expect([code, stdout]).toEqual([1, expect.stringContaining('there is no data in')])
    expect(existsSync(DATA_DIR)).toBe(false)
  })

  it('reports only what is wrong: the database of these tests trades durability for speed', async () => {
    const { code, stdout } = await runCommand(['doctor', '--json'], place.settings)
    const faults = JSON.parse(stdout).filter(({ state }: { state: string }) => state === 'fault')
    expect(faults.map(({ what }: { what: string }) => what)).toEqual(['durability'])
    expect(code).toBe(1)
  })

  it('reports a database that cannot be reached, and exits with 1', async () => {
    const { code, stdout } = await runCommand(['doctor'], {
      ...place.settings,
      DATABASE_URL: 'postgres://x:y@127.0.0.1:1/none',
    })
    expect(code).toBe(1)
    expect(stdout).toContain('the database of DATABASE_URL cannot be reached')
    expect(stdout).not.toContain('x:y')
  })

  it('reports images whose folder is not there', async () => {
    const image = { file_name: 'card.png', display_name: 'Card', file_type: 'image/png', status: 'PENDING' }
    const created = await fetch(`${server.url}/images/v1`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify(image),
    })
    const { signed_url: url } = (await created.json()) as { signed_url: string }
    expect((await fetch(url, { method: 'PUT', body: new Uint8Array(pngOf(1_000)) })).status).toBe(200)
    const folder = join(place.settings.DATA_DIR ?? '', 'images')
    await rename(folder, `${folder}-elsewhere`)
    const { stdout } = await runCommand(['doctor'], place.settings)
    expect((await fetch(url)).status).toBe(503)
    await rename(`${folder}-elsewhere`, folder)
    expect((await fetch(url)).status).toBe(200)
    expect(stdout).toMatch(/images\s+fault/)
  })

  it('reports a bucket that cannot be used, and why', async () => {
    const bucket = await startS3Server()
    const right = {
      ...place.settings,
      S3_BUCKET: bucket.settings.bucket,
      S3_ENDPOINT: bucket.settings.endpoint,
      S3_ACCESS_KEY_ID: 'S3RVER',
      S3_SECRET_ACCESS_KEY: 'S3RVER',
      S3_FORCE_PATH_STYLE: 'true',
    }
    const imagesOf = async (settings: Record<string, string>) =>
      (await runHere(['doctor'], { ...right, ...settings })).stdout.match(/^images .*/m)?.[0]
    try {
      expect(await imagesOf({})).toMatch(/ok\s+the bucket of S3_BUCKET can be read/)
      expect(await imagesOf({ S3_SECRET_ACCESS_KEY: 'wrong' })).toMatch(/fault.*403 \(SignatureDoesNotMatch\)/)
      expect(await imagesOf({ S3_BUCKET: 'other' })).toMatch(/fault.*there is no such bucket/)
      expect(await imagesOf({ S3_ENDPOINT: 'http://127.0.0.1:1' })).toMatch(/fault.*ECONNREFUSED/)
    } finally {
      await bucket.close()
    }
  })

  it('reports a key that decrypts nothing', async () => {
    const { code, stdout } = await runCommand(['doctor'], { ...place.settings, ENCRYPTION_KEY: 'ab'.repeat(32) })
    expect(code).toBe(1)
    expect(stdout).toMatch(/encryption\s+fault/)
  })
})

it('anteroom config check shows the source of a setting, and no password', async () => {
  const { code, stdout, stderr } = await runCommand(['config', 'check'], { ...place.settings, WEBHOOK_PRIVAT: 'x' })
  expect(code, stderr).toBe(0)
  expect(stdout).toMatch(/DATABASE_URL\s+\S+\s+environment/)
  expect(stderr).toContain('WEBHOOK_PRIVAT is not a setting')
})
