import { once } from 'node:events'
import { type AddressInfo, connect, type Socket } from 'node:net'
import Fastify from 'fastify'
import { afterEach, describe, expect, it } from 'vitest'
import { renderErrors } from './error-handler.ts'
import { reportHealth } from './health.ts'
import { type LoadLimits, shedLoad } from './load-shedding.ts'
import { type Pressure, watchPressure } from './pressure.ts'

const closers: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closers.splice(0).toReversed()) await close()
})

/** A service whose operations wait until they are let go. */
async function newService(limits: Partial<LoadLimits>, pressure?: Pressure) {
  const app = Fastify()
  const waiting: (() => void)[] = []
  const hold = () => new Promise<object>((resolve) => waiting.push(() => resolve({})))
  renderErrors(app)
  shedLoad(app, { requests: 100, bodyBytes: 1e9, ...limits }, pressure)
  reportHealth(app, {})
  app.get('/held', { config: { access: 'client' } }, hold)
  app.post('/held', { config: { access: 'client' } }, hold)
  app.get('/free', { config: { access: 'client' } }, async () => ({}))
  app.get('/stranger', { config: { access: 'public' } }, hold)
  await app.listen({ host: '127.0.0.1', port: 0, listenTextResolver: () => '' })
  closers.push(() => app.close())
  const { port } = app.server.address() as AddressInfo
  const get = (path: string) => fetch(`http://127.0.0.1:${port}${path}`)
  const post = (length: number) =>
    fetch(`http://127.0.0.1:${port}/held`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify('x'.repeat(length - 2)),
    })
  const held = async (count: number) => {
    while (waiting.length < count) await new Promise(setImmediate)
  }
  const letGo = () => {
    for (const go of waiting.splice(0)) go()
  }
  closers.push(letGo)
  return { get, post, port, held, letGo }
}

const openSocket = async (port: number): Promise<Socket> => {
  const socket = connect(port, '127.0.0.1')
  await once(socket, 'connect')
  return socket
}

describe('a service that is at its limit', () => {
  it('answers 503 with Retry-After in the envelope, stays alive, and takes requests again when others have ended', async () => {
    const { get, held, letGo } = await newService({ requests: 2 })
    const first = [get('/held'), get('/held')]
    await held(2)
    const refused = await get('/free')
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '1'])
    expect(await refused.json()).toEqual({ errorName: 'InternalError', content: { message: expect.any(String) } })
    for (const path of ['/healthz', '/readyz']) expect((await get(path)).status).toBe(200)
    letGo()
    expect((await Promise.all(first)).map(({ status }) => status)).toEqual([200, 200])
    expect((await get('/free')).status).toBe(200)
  })

  it('keeps places for clients whatever strangers do', async () => {
    const { get, held } = await newService({ requests: 8 })
    const strangers = [get('/stranger'), get('/stranger')]
    await held(2)
    expect((await get('/stranger')).status).toBe(503)
    expect((await get('/free')).status).toBe(200)
    expect(strangers).toHaveLength(2)
  })

  it('refuses a body that would not fit beside the others, and takes one that is alone', async () => {
    const { post, held, letGo } = await newService({ bodyBytes: 1000 })
    const large = post(5000)
    await held(1)
    expect((await post(10)).status).toBe(503)
    letGo()
    expect((await large).status).toBe(200)
    const small = [post(400), post(400)]
    await held(2)
    expect((await post(400)).status).toBe(503)
    letGo()
    expect((await Promise.all(small)).map(({ status }) => status)).toEqual([200, 200])
  })

  it('counts a request whose caller has gone until its work is done, and no longer', async () => {
    const { get, port, held, letGo } = await newService({ requests: 1 })
    const socket = await openSocket(port)
    socket.write('GET /held HTTP/1.1\r\nhost: x\r\n\r\n')
    await held(1)
    socket.destroy()
    expect((await get('/free')).status).toBe(503)
    letGo()
    while ((await get('/free')).status !== 200) await new Promise(setImmediate)
  })

  it('forgets a caller who breaks off in the middle of a body', async () => {
    const { get, port } = await newService({ requests: 1 })
    const socket = await openSocket(port)
    socket.write('POST /held HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 99\r\n\r\n{')
    while ((await get('/free')).status !== 503) await new Promise(setImmediate)
    socket.destroy()
    while ((await get('/free')).status !== 200) await new Promise(setImmediate)
  })
})

describe('a process under pressure', () => {
  const limits = { everyMs: 1, delayMs: 100, heapShare: 0.9 }
  const untilStatus = async (ask: () => Promise<Response>, status: number) => {
    while ((await ask()).status !== status) await new Promise(setImmediate)
  }

  it('refuses while its event loop cannot follow, and not after a single pause', async () => {
    let nowMs = 0
    const pauses: number[] = []
    const seen = new Set<boolean>()
    const gauges = {
      nowMs: () => {
        nowMs += pauses.shift() ?? 1
        return nowMs
      },
      heapShare: () => 0,
    }
    const pressure = watchPressure(limits, gauges)
    const { get } = await newService({}, pressure)
    pauses.push(1000, 1, 1000, 1)
    while (pauses.length > 0) {
      seen.add(pressure.isHigh())
      await new Promise((resolve) => setTimeout(resolve, 1))
    }
    expect(seen).toEqual(new Set([false]))
    const late = setInterval(() => pauses.push(1000, 1000, 1000), 1)
    await untilStatus(() => get('/free'), 503)
    clearInterval(late)
    await untilStatus(() => get('/free'), 200)
  })

  it('refuses while its heap is almost full, and goes on once it is not', async () => {
    let share = 0.95
    const { get } = await newService({}, watchPressure(limits, { nowMs: () => 0, heapShare: () => share }))
    await untilStatus(() => get('/free'), 503)
    expect((await get('/healthz')).status).toBe(200)
    share = 0.5
    await untilStatus(() => get('/free'), 200)
  })
})
