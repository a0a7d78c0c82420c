import { beforeAll, describe, expect, it } from 'vitest'
import { imageBody } from '../../../test/support/bodies.ts'
import { sendRaw } from '../../../test/support/raw-socket.ts'
import { testService } from '../../../test/support/service.ts'
import { buildApp } from '../../main/app.ts'

const service = testService()
let port = 0
let behindProxy = 0

beforeAll(async () => {
  const listen = async (TRUSTED_PROXIES?: string) => {
    const config = { ...service.deps.config, ...(TRUSTED_PROXIES && { TRUSTED_PROXIES }) }
    const app = buildApp({ ...service.deps, config })
    const url = await app.listen({ host: '127.0.0.1', port: 0, listenTextResolver: () => '' })
    return { port: Number(new URL(url).port), close: () => app.close() }
  }
  const [plain, proxied] = [await listen(), await listen('127.0.0.1')]
  ;[port, behindProxy] = [plain.port, proxied.port]
  return () => Promise.all([plain.close(), proxied.close()])
})

describe('a request without exactly one valid Host header', () => {
  it.each([
    ['two hosts', 'HTTP/1.1', ['Host: clinic.example', 'Host: evil.example']],
    ['the same host twice', 'HTTP/1.1', ['Host: clinic.example', 'host: clinic.example']],
    ['two hosts in HTTP/1.0', 'HTTP/1.0', ['Host: clinic.example', 'Host: evil.example']],
    ['no host', 'HTTP/1.1', ['X: y']],
    ['an empty host', 'HTTP/1.1', ['Host:']],
    ['a list of hosts', 'HTTP/1.1', ['Host: clinic.example, evil.example']],
    ['a path', 'HTTP/1.1', ['Host: clinic.example/evil']],
    ['a user', 'HTTP/1.1', ['Host: me@clinic.example']],
    ['a query', 'HTTP/1.1', ['Host: clinic.example?evil']],
    ['a blank', 'HTTP/1.1', ['Host: clinic example']],
    ['a quote', 'HTTP/1.1', ['Host: "clinic.example"']],
    ['no port', 'HTTP/1.1', ['Host: clinic.example:']],
    ['an invalid port', 'HTTP/1.1', ['Host: clinic.example:http']],
    ['a byte beyond ASCII', 'HTTP/1.1', ['Host: clinic\u0085example']],
  ])('%s (%s) is 400 in the envelope', async (_what, version, lines) => {
    for (const path of ['/notes/v1', '/healthz', '/docs', '/nowhere']) {
      const answer = await sendRaw(port, `GET ${path} ${version}\r\n${lines.join('\r\n')}\r\n\r\n`)
      const [head = '', body = ''] = answer.split('\r\n\r\n')
      expect(head).toMatch(/^HTTP\/1\.1 400 /)
      expect(JSON.parse(body)).toEqual({ errorName: 'BadRequestError', content: { message: expect.any(String) } })
      expect(body).not.toMatch(/evil|clinic/)
    }
  })

  it.each([
    ['a name', 'HTTP/1.1', 'Host: clinic.example'],
    ['a name and a port', 'HTTP/1.1', 'Host: clinic_1.example:8080'],
    ['an address of IPv6', 'HTTP/1.1', 'Host: [::1]:4000'],
    ['none in HTTP/1.0', 'HTTP/1.0', 'X: y'],
    ['one beside many headers', 'HTTP/1.1', `Host: clinic.example${'\r\na: b'.repeat(197)}`],
  ])('%s (%s) is taken', async (_what, version, line) => {
    const answer = await sendRaw(port, `GET /healthz ${version}\r\n${line}\r\nConnection: close\r\n\r\n`)
    expect(answer).toMatch(/^HTTP\/1\.1 200 /)
  })
})

describe('the address in a signed URL without PUBLIC_URL', () => {
  async function addressFor(at: number, headers: string[], target = '/images/v1'): Promise<string> {
    const { token } = await service.newCaller()
    const body = JSON.stringify(imageBody())
    const fixed = [
      `authorization: Bearer ${token}`,
      'content-type: application/json',
      `content-length: ${Buffer.byteLength(body)}`,
      'connection: close',
    ]
    const answer = await sendRaw(at, `POST ${target} HTTP/1.1\r\n${[...headers, ...fixed].join('\r\n')}\r\n\r\n${body}`)
    return /"signed_url":"([^"]*?)\/anteroom\//.exec(answer)?.[1] ?? answer
  }

  it("is the address at which the request arrived, regardless of the caller's headers", async () => {
    const here = `http://127.0.0.1:${port}`
    for (const headers of [
      ['host: evil.example'],
      ['host: evil.example', 'x-forwarded-host: evil.example', 'x-forwarded-for: 10.0.0.1', 'x-forwarded-proto: https'],
      [`host: 127.0.0.1:1`, 'forwarded: host=evil.example', 'x-host: evil.example', 'x-original-host: evil.example'],
    ]) {
      expect(await addressFor(port, headers)).toBe(here)
    }
  })

  it('is the one that a trusted proxy forwards, and not one that its caller claims', async () => {
    const proxy = ['x-forwarded-for: 10.0.0.1', 'x-forwarded-proto: https']
    const said = await addressFor(behindProxy, ['host: inner', 'x-forwarded-host: clinic.example', ...proxy])
    expect(said).toBe('https://clinic.example')
    expect(await addressFor(behindProxy, ['host: evil.example', ...proxy])).toBe(`https://127.0.0.1:${behindProxy}`)
    const odd = await addressFor(behindProxy, ['host: inner', 'x-forwarded-host: evil.example/"x?', ...proxy])
    expect(odd).toBe(`https://127.0.0.1:${behindProxy}`)
  })
})

describe('a request that a proxy could read differently', () => {
  const post = async (...lines: string[]) => {
    const { token } = await service.newCaller()
    const head = ['POST /notes/v1 HTTP/1.1', 'Host: clinic.example', 'Connection: close', 'Content-Length: 2', ...lines]
    const text = `${head.join('\r\n').replaceAll('TOKEN', token)}\r\n\r\n{}`
    const [status = '', body = ''] = (await sendRaw(port, text)).split('\r\n\r\n')
    return [status.split(' ')[1], JSON.parse(body).content.message]
  }
  const OWN = 'Authorization: Bearer TOKEN'
  const JSON_TYPE = 'Content-Type: application/json'

  it.each([
    ['names two callers', [OWN, 'authorization: Bearer other', JSON_TYPE], '400', 'one authorization header'],
    ['names two callers, near', [OWN, JSON_TYPE, ...Array(150).fill('a: b'), OWN], '400', 'one authorization header'],
    ['names one caller twice', [OWN, OWN, JSON_TYPE], '400', 'one authorization header'],
    ['names two content types', [OWN, JSON_TYPE, 'content-type: text/plain'], '400', 'one content-type header'],
    ['has a compressed body', [OWN, JSON_TYPE, 'Content-Encoding: gzip'], '415', 'must not be compressed'],
    ['has a body compressed twice', [OWN, JSON_TYPE, 'Content-Encoding: gzip, br'], '415', 'must not be compressed'],
  ])('%s is refused in the envelope', async (_what, lines, status, message) => {
    expect(await post(...lines)).toEqual([status, expect.stringContaining(message)])
  })

  // Newer releases of Node 22 and 24 refuse more headers than they keep; older ones hide them.
  it.each(['Host: evil.example', 'Authorization: Bearer other'])(
    'hides %s behind a thousand headers and is refused in the envelope',
    async (hidden) => {
      const lines = ['GET /notes/v1 HTTP/1.1', 'Host: clinic.example', ...Array(1000).fill('a: b'), hidden]
      const [head = '', body = ''] = (await sendRaw(port, `${lines.join('\r\n')}\r\n\r\n`)).split('\r\n\r\n')
      expect(head).toMatch(/^HTTP\/1\.1 (400|431) /)
      const message = head.includes(' 400 ') ? 'fewer than 200 headers' : 'the headers are too large'
      expect(JSON.parse(body).content.message).toContain(message)
      expect(head.toLowerCase()).toContain('connection: close')
    },
  )

  it('may say that its body is not compressed', async () => {
    expect(await post(OWN, JSON_TYPE, 'Content-Encoding: identity')).toEqual(['400', expect.stringMatching(/required/)])
  })
})

it('a URL of more than 2,000 parameters is 400 before anybody reads them; one of 2,000 is read', async () => {
  const get = async (count: number) => {
    const query = Array.from({ length: count }, (_, index) => index.toString(36)).join('&')
    return sendRaw(port, `GET /patients/v1?${query} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`)
  }
  const refused = await get(2001)
  expect(refused).toMatch(/^HTTP\/1\.1 400 /)
  expect(refused).toContain('a URL has at most 2000 parameters')
  // The next check: it has no token.
  expect(await get(2000)).toMatch(/^HTTP\/1\.1 401 /)
})
