// Attacks of a scanner: on a real connection, with bytes that no client would send.
import { copyFile, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { Agent, get } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readConfig } from '../../src/config.ts'
import { buildApp } from '../../src/main/app.ts'
import { followCertificate, readCertificate } from '../../src/platform/http/tls.ts'
import { readTrustedProxies } from '../../src/platform/http/trusted-proxies.ts'
import { packageFile } from '../../src/platform/package-root.ts'
import { sendRaw } from '../support/raw-socket.ts'
import { testService } from '../support/service.ts'

const service = testService()
const closers: (() => unknown)[] = []
let port = 0

beforeAll(async () => {
  const app = buildApp(service.deps)
  await app.listen({ host: '127.0.0.1', port: 0, listenTextResolver: () => '' })
  port = (app.server.address() as AddressInfo).port
  closers.push(() => app.close())
})
afterAll(async () => {
  for (const close of closers.toReversed()) await close()
})

const send = (text: string) => sendRaw(port, text)

const CLOSE = 'connection: close\r\n\r\n'

describe('the service', () => {
  it.each([
    [
      'a length and chunks',
      'content-length: 4\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\nGET /openapi.json HTTP/1.1\r\n\r\n',
    ],
    ['two lengths', 'content-length: 0\r\ncontent-length: 4\r\n\r\nabcd'],
    ['chunks by another name', 'transfer-encoding: xchunked\r\n\r\n0\r\n\r\n'],
    ['a blank before the colon', 'content-length : 4\r\n\r\nabcd'],
    ['a folded header', 'x: a\r\n b: c\r\ncontent-length: 1, 2\r\n\r\nab'],
  ])('refuses %s as a request, so that no second request can be smuggled', async (_what, rest) => {
    const answer = await send(`POST /notes/v1 HTTP/1.1\r\nhost: x\r\n${rest}`)
    expect(answer).toMatch(/^HTTP\/1\.1 400 /)
    expect(answer.match(/HTTP\/1\.1/g)).toHaveLength(1)
  })

  // Source: RFC 9112 6.1: the framing of such a request is faulty, because a proxy of its version does not know chunks.
  it('refuses chunks in HTTP/1.0, and what follows them', async () => {
    const chunks = 'transfer-encoding: chunked\r\nconnection: keep-alive\r\n\r\n0\r\n\r\n'
    const answer = await send(`POST /notes/v1 HTTP/1.0\r\n${chunks}GET /openapi.json HTTP/1.1\r\nhost: x\r\n\r\n`)
    expect(answer).toMatch(/^HTTP\/1\.1 400 /)
    expect(answer.match(/HTTP\/1\.1/g)).toHaveLength(1)
  })

  it.each(['HTTP/0.9', 'HTTP/2.0', 'HTTP/1.2'])('refuses a request of %s, and what follows it', async (version) => {
    const request = `GET /healthz ${version}\r\nhost: x\r\nconnection: keep-alive\r\n\r\n`
    const answer = await send(`${request}GET /healthz HTTP/1.1\r\nhost: x\r\n\r\n`)
    expect(answer).toMatch(/^HTTP\/1\.1 400 /)
    expect(answer.match(/HTTP\/1\.1/g)).toHaveLength(1)
  })

  it.each(['TRACE', 'PROPFIND', 'OPTIONS'])('refuses %s and echoes nothing of the request', async (method) => {
    const answer = await send(`${method} /notes/v1 HTTP/1.1\r\nhost: x\r\nx-canary: canary\r\n${CLOSE}`)
    expect(answer).toMatch(/^HTTP\/1\.1 40[45] /)
    expect(answer).not.toContain('canary')
  })

  it('does not let a header or parameter override the method', async () => {
    const { call } = await service.newCaller()
    const { body: note } = await call('POST', '/notes/v1', { value: 'kept' })
    const override = { 'x-http-method-override': 'DELETE', 'x-method-override': 'DELETE', 'x-http-method': 'DELETE' }
    await call('GET', `/notes/v1/${note.id}/1?_method=DELETE`, undefined, override)
    expect((await call('GET', `/notes/v1/${note.id}`)).body).toEqual(note)
  })

  it.each(['/healthz', '/docs', '/openapi.json', '/nothing', '/notes/v1/x', '/%'])(
    'names no software or version at %s, and cannot be cached, framed or executed',
    async (path) => {
      const [head = ''] = (
        await send(`GET ${path} HTTP/1.1\r\nhost: x\r\norigin: https://evil.example\r\n${CLOSE}`)
      ).split('\r\n\r\n')
      expect(head).not.toMatch(/^(server|x-powered-by|via|access-control-[\w-]+):/im)
      expect(head).not.toMatch(/fastify|node\.?js|postgres/i)
      for (const header of [
        'cache-control: no-store',
        'x-content-type-options: nosniff',
        'x-frame-options: DENY',
        'referrer-policy: no-referrer',
        'strict-transport-security: max-age=31536000',
        'cross-origin-resource-policy: same-origin',
        "content-security-policy: default-src 'none'",
      ]) {
        expect(head.toLowerCase()).toContain(header.toLowerCase())
      }
    },
  )
})

describe('X-Forwarded-For', () => {
  const addressSeen = async (TRUSTED_PROXIES: string | undefined, header: string) => {
    const config = { ...service.deps.config, ...(TRUSTED_PROXIES && { TRUSTED_PROXIES }) }
    const app = buildApp({ ...service.deps, config })
    app.get('/seen', async (request) => ({ ip: request.ip, protocol: request.protocol }))
    const headers = { 'x-forwarded-for': header, 'x-forwarded-proto': 'https' }
    return (await app.inject({ url: '/seen', headers, remoteAddress: '10.1.2.3' })).json()
  }

  it('is trusted only from a trusted proxy, and only the part that trusted proxies wrote', async () => {
    expect(await addressSeen(undefined, '1.1.1.1')).toEqual({ ip: '10.1.2.3', protocol: 'http' })
    expect(await addressSeen('192.168.0.0/16', '1.1.1.1')).toEqual({ ip: '10.1.2.3', protocol: 'http' })
    expect(await addressSeen('10.0.0.0/8', '1.1.1.1')).toEqual({ ip: '1.1.1.1', protocol: 'https' })
    expect(await addressSeen('10.1.2.3, 9.9.9.9', '6.6.6.6, 1.1.1.1, 9.9.9.9')).toMatchObject({ ip: '1.1.1.1' })
  })

  it.each(['everybody', '0.0.0.0/0', '::/0', '10.0.0.0/33', '10.0.0/8', '10.0.0.0/8/8'])(
    'is not trusted with the invalid setting "%s"',
    (setting) => {
      expect(() => readTrustedProxies(setting)).toThrow(
        /^TRUSTED_PROXIES must be comma-separated addresses or networks/,
      )
    },
  )
})

describe("the service's own certificate", () => {
  const file = (name: string) => packageFile('test', 'support', 'tls', name)
  const ask = (tlsPort: number, path: string) =>
    new Promise<{ status: number; subject: string }>((resolve, reject) => {
      // The second certificate is for clients; the test only compares its subject.
      const agent = new Agent({ rejectUnauthorized: false })
      get({ host: '127.0.0.1', port: tlsPort, path, agent }, (response) => {
        const socket = response.socket as unknown as { getPeerCertificate(): { subject: { CN: string } } }
        const subject = socket.getPeerCertificate().subject.CN
        response.resume().on('end', () => resolve({ status: response.statusCode ?? 0, subject }))
      }).on('error', reject)
    })

  it('enables HTTPS, and is replaced while the service runs; files that do not match change nothing', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'anteroom-tls-'))
    closers.push(() => rm(folder, { recursive: true }))
    const [TLS_CERT_FILE, TLS_KEY_FILE] = [join(folder, 'cert.pem'), join(folder, 'key.pem')]
    const use = (name: string) =>
      Promise.all([copyFile(file(`${name}.pem`), TLS_CERT_FILE), copyFile(file(`${name}-key.pem`), TLS_KEY_FILE)])
    await use('server')
    const config = readConfig({ TLS_CERT_FILE, TLS_KEY_FILE })
    const certificate = await readCertificate(config)
    const app = buildApp(service.deps, { certificate })
    await app.listen({ host: '127.0.0.1', port: 0, listenTextResolver: () => '' })
    closers.push(() => app.close())
    const server = app.server as unknown as { setSecureContext(): void; address(): AddressInfo }
    const said: string[] = []
    const log = pino({}, { write: (line: string) => void said.push(JSON.parse(line).msg) })
    const following = followCertificate(config, { current: certificate!, servers: [server], log, everyMs: 5 })
    closers.push(following.stop)
    const tlsPort = server.address().port
    const first = await ask(tlsPort, '/healthz')
    expect(first.status).toBe(200)

    await writeFile(TLS_KEY_FILE, 'half a key')
    await expect.poll(() => said).toContain('the new certificate cannot be used')
    expect(await ask(tlsPort, '/healthz')).toEqual(first)
    await use('client')
    await expect.poll(() => said).toContain('the certificate was replaced')
    expect((await ask(tlsPort, '/healthz')).subject).not.toBe(first.subject)
  })
})
