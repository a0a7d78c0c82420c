// The console is served from the package: it runs no foreign code, cannot be framed, and no path leads out of its
// folder.
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { compressFolder } from '../../scripts/compress.js'
import { expectEnvelope } from '../../test/support/operations.ts'
import { send, testService } from '../../test/support/service.ts'
import { buildApp } from '../main/app.ts'

const service = testService()
const SCRIPT = `export const text = '${'long enough to be compressed '.repeat(100)}'`
const PAGE = '<base href="__CONSOLE_BASE__"><style nonce="__CSP_NONCE__"></style><meta nonce="__CSP_NONCE__">'

let folder = ''
let app: FastifyInstance
const get = (url: string, headers: Record<string, string> = {}) => app.inject({ url, headers })
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'anteroom-console-'))
  await mkdir(join(folder, 'assets'))
  await writeFile(join(folder, 'index.html'), PAGE)
  await writeFile(join(folder, 'secret.js'), 'nobody may read this')
  await writeFile(join(folder, 'assets', 'main-abc123.js'), SCRIPT)
  await compressFolder(join(folder, 'assets'))
  app = buildApp(service.deps, { consoleFolder: folder })
})
afterAll(() => rm(folder, { recursive: true }))

describe('a path', () => {
  it('with very many dots is answered like any other', async () => {
    // Quadratic work on this length would run into the time limit of the tests.
    expect((await get(`/console/${'.'.repeat(2_000_000)}/today`)).statusCode).toBe(200)
    expect((await get(`/console/today${'.'.repeat(2_000_000)}`)).statusCode).toBe(404)
  })
})

describe('the page', () => {
  it.each(['/console', '/console/', '/console/today', '/console/patients/0198c0de/coverages?tab=1'])(
    'is at %s',
    async (url) => {
      const reply = await get(url)
      expect([reply.statusCode, reply.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8'])
      expect(reply.body).toContain('<base href="/console/">')
    },
  )

  it('allows only its own scripts, uses a new nonce each time, and cannot be framed', async () => {
    const nonces = new Set<string>()
    for (let index = 0; index < 3; index++) {
      const { body, headers } = await get('/console/')
      const policy = String(headers['content-security-policy'])
      const nonce = /'nonce-([^']+)'/.exec(policy)?.[1] ?? ''
      nonces.add(nonce)
      expect(body.match(/nonce="([^"]+)"/g)).toEqual([`nonce="${nonce}"`, `nonce="${nonce}"`])
      expect(policy).toContain(`default-src 'none'`)
      expect(policy).toContain(`script-src 'self';`)
      expect(policy).toContain(`frame-ancestors 'none'`)
      expect(policy).not.toMatch(/unsafe|\*|https?:/)
      expect(headers).toMatchObject({
        'x-frame-options': 'DENY',
        'cache-control': 'no-store',
        'cross-origin-opener-policy': 'same-origin',
      })
    }
    expect(nonces.size).toBe(3)
  })

  it('answers HEAD, and no other method', async () => {
    expect((await app.inject({ method: 'HEAD', url: '/console/' })).statusCode).toBe(200)
    expectEnvelope(await send(app, { method: 'POST', url: '/console/' }), 405)
  })

  it('is served below the path of PUBLIC_URL', async () => {
    const { config } = service.deps
    const below = (PUBLIC_URL: string) => {
      const deps = { ...service.deps, config: { ...config, PUBLIC_URL } }
      return buildApp(deps, { consoleFolder: folder }).inject('/console/')
    }
    expect((await below('https://clinic.example/anteroom/')).body).toContain('<base href="/anteroom/console/">')
    expect((await below(`https://clinic.example/"><script>`)).body).toContain(
      '<base href="/%22%3E%3Cscript%3E/console/">',
    )
  })

  it('and every page of the documentation, with their links and redirects, stay below the path of PUBLIC_URL', async () => {
    const deps = { ...service.deps, config: { ...service.deps.config, PUBLIC_URL: 'https://clinic.example/anteroom/' } }
    const below = buildApp(deps, { consoleFolder: folder })
    const headers = { accept: 'text/html' }
    const location = async (url: string) => (await below.inject({ url, headers })).headers.location
    expect([await location('/'), await location('/docs/guide')]).toEqual([
      '/anteroom/console/',
      '/anteroom/docs/guide/README',
    ])
    for (const url of ['/docs', '/docs/guide/concepts', '/docs/search?q=patient']) {
      const { body } = await below.inject(url)
      const addresses = [...body.matchAll(/(?:href|src|action)="(\/[^"]*)"/g)].map(([, address]) => address)
      expect(addresses.length).toBeGreaterThan(3)
      expect(addresses.filter((address) => !address?.startsWith('/anteroom/'))).toEqual([])
    }
    expect((await below.inject('/openapi.json')).json().servers[0].url).toBe('/anteroom')
    // The script of the reference finds the service by its own address.
    expect((await below.inject('/docs/reference.js')).body).not.toMatch(/fetch\('\/|location\.origin/)
  })

  it('is where the root path redirects a browser, or the documentation when there is no console', async () => {
    const headers = { accept: 'text/html' }
    expect((await get('/', headers)).headers.location).toBe('/console/')
    const without = buildApp(service.deps, { consoleFolder: join(folder, 'assets') })
    expect((await without.inject({ url: '/', headers })).headers.location).toBe('/docs')
    expectEnvelope(await send(without, { url: '/console/' }), 404)
  })
})

describe('an asset', () => {
  const ASSET = '/console/assets/main-abc123.js'

  it('is cached by browsers for a year, because its name changes with its content', async () => {
    const { statusCode, headers, body } = await get(ASSET)
    expect([statusCode, body]).toEqual([200, SCRIPT])
    expect(headers).toMatchObject({
      'content-type': 'text/javascript; charset=utf-8',
      'cache-control': 'public, max-age=31536000, immutable',
      vary: 'Accept-Encoding',
      'x-content-type-options': 'nosniff',
    })
    expect((await app.inject({ method: 'HEAD', url: ASSET })).headers['content-length']).toBe(String(SCRIPT.length))
  })

  it('is compressed for callers that accept an encoding', async () => {
    const as = async (accept: string) => (await get(ASSET, { 'accept-encoding': accept })).headers['content-encoding']
    const both = await get(ASSET, { 'accept-encoding': 'gzip, deflate, br, zstd' })
    expect(both.headers['content-encoding']).toBe('br')
    expect(String(brotliDecompressSync(both.rawPayload))).toBe(SCRIPT)
    const gzip = await get(ASSET, { 'accept-encoding': 'GZIP;q=0.5, br;q=0' })
    expect(gzip.headers['content-encoding']).toBe('gzip')
    expect(String(gunzipSync(gzip.rawPayload))).toBe(SCRIPT)
    expect([await as(''), await as('identity'), await as('br;q=0.0, gzip;q=0')]).toEqual([
      undefined,
      undefined,
      undefined,
    ])
  })

  it('and the page are those of the start, while a build or an upgrade replaces the folder of a running service', async () => {
    const replaced = await mkdtemp(join(tmpdir(), 'anteroom-console-'))
    await mkdir(join(replaced, 'assets'))
    await writeFile(join(replaced, 'index.html'), PAGE)
    await writeFile(join(replaced, 'assets', 'week-abc123.js'), SCRIPT)
    const running = buildApp(service.deps, { consoleFolder: replaced })
    await rm(replaced, { recursive: true })
    expect((await running.inject('/console/')).statusCode).toBe(200)
    expect((await running.inject('/console/assets/week-abc123.js')).body).toBe(SCRIPT)
  })

  it.each([
    '/console/assets/gone-abc123.js',
    '/console/assets/',
    '/console/assets/..%2fsecret.js',
    '/console/assets/%2e%2e%2fsecret.js',
    '/console/assets/..%5csecret.js',
    '/console/assets/../secret.js',
    '/console/../package.json',
    '/console/secret.js',
    '/console/assets/main-abc123.js%00.css',
    '/console/assets/main-abc123.js.br',
    '/console/index.html',
    '/console/favicon.ico',
  ])('that does not exist is not found: %s', async (url) => {
    const reply = await send(app, { url })
    expect(reply.text).not.toContain('nobody may')
    if (reply.status !== 404) expect(reply.text).toContain('<base href="/console/">')
    if (/\.\w+$/.test(url)) expectEnvelope(reply, 404)
  })
})
