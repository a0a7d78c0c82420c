import { once } from 'node:events'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { Readable } from 'node:stream'
import Fastify from 'fastify'
import { afterEach, describe, expect, it } from 'vitest'
import { renderErrors } from '../error-handler.ts'
import { reportHealth } from '../health.ts'
import type { LoadLimits } from './admissions.ts'
import { shedLoad } from './load-shedding.ts'
import { type Pressure, watchPressure } from './pressure.ts'

const closers: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closers.splice(0).toReversed()) await close()
})

/** A service whose operations wait until the test releases them. A header names the organization of a call. */
async function newService(limits: Partial<LoadLimits>, pressure?: Pressure) {
  const app = Fastify()
  const waiting: (() => void)[] = []
  const hold = () => new Promise<object>((resolve) => waiting.push(() => resolve({})))
  renderErrors(app)
  app.decorateRequest('actor')
  app.decorateRequest('countsFor')
  app.addHook('onRequest', async (request) => {
    const organizationId = request.headers.organization
    if (typeof organizationId !== 'string') return
    request.actor = { organizationId, userId: '', clientId: '' }
    request.countsFor = organizationId
  })
  shedLoad(app, { requests: 100, bodyBytes: 1e9, answerBytes: 1e9, ...limits }, pressure)
  reportHealth(app, {})
  app.get('/held', hold)
  app.post('/held', hold)
  app.get('/free', async () => ({}))
  app.post('/free', async () => ({}))
  app.get('/long', async () => 'x'.repeat(20_000_000))
  app.get('/file', (_, reply) => {
    reply.send(Readable.from(endless(), { objectMode: false, highWaterMark: 65_536 }))
    return reply
  })
  app.get('/streamed', (_, reply) => {
    reply.send(Readable.from(endless()))
    return reply
  })
  await app.listen({ host: '127.0.0.1', port: 0, listenTextResolver: () => '' })
  closers.push(() => app.close())
  const { port } = app.server.address() as AddressInfo
  const ask = (path: string, organization?: string, init: RequestInit = {}) =>
    fetch(`http://127.0.0.1:${port}${path}`, {
      ...init,
      headers: { ...(init.headers as object), ...(organization && { organization }) },
    })
  const get = (path: string, organization = 'a') => ask(path, organization)
  const asStranger = (path: string, init?: RequestInit) => ask(path, undefined, init)
  const post = (length: number, organization = 'a', path = '/held') =>
    ask(path, organization, {
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
  return { get, post, asStranger, port, held, letGo, server: app.server }
}

function* endless() {
  for (;;) yield 'x'.repeat(1_000_000)
}

/** Sends the head of a request with a body, and half of that body. Reports whether the connection was closed. */
async function halfSend(port: number, path: string, organization?: string) {
  const socket = await openSocket(port)
  const own = organization ? `organization: ${organization}\r\n` : ''
  socket.write(
    `POST ${path} HTTP/1.1\r\nhost: x\r\n${own}content-type: application/json\r\ncontent-length: 99\r\n\r\n{`,
  )
  const state = { isCut: false, end: () => socket.destroy() }
  socket.on('error', () => {})
  socket.resume().once('close', () => {
    state.isCut = true
  })
  closers.push(state.end)
  return state
}

async function halfSendMany(count: number, port: number, path: string, organization?: string) {
  const all = []
  for (let index = 0; index < count; index++) all.push(await halfSend(port, path, organization))
  return all
}

const openSocket = async (port: number): Promise<Socket> => {
  const socket = connect(port, '127.0.0.1')
  await once(socket, 'connect')
  return socket
}

describe('a service that is at its limit', () => {
  it('returns 503 with Retry-After in the envelope, stays alive, and accepts requests again when others have ended', async () => {
    const { get, held, letGo } = await newService({ requests: 2 })
    const first = [get('/held', 'a'), get('/held', 'b')]
    await held(2)
    const refused = await get('/free', 'c')
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '1'])
    expect(await refused.json()).toEqual({ errorName: 'InternalError', content: { message: expect.any(String) } })
    for (const path of ['/healthz', '/readyz']) expect((await get(path)).status).toBe(200)
    letGo()
    expect((await Promise.all(first)).map(({ status }) => status)).toEqual([200, 200])
    expect((await get('/free', 'c')).status).toBe(200)
  })

  it('returns 404 for unknown paths at once, without taking a place or reading the body', async () => {
    const { get, port, held, asStranger } = await newService({ requests: 2 })
    void get('/held', 'a')
    void get('/held', 'b')
    await held(2)
    expect((await asStranger('/nowhere')).status).toBe(404)
    const socket = await openSocket(port)
    socket.write('POST /nowhere HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 99\r\n\r\n')
    const [answer] = await once(socket, 'data')
    expect(String(answer)).toContain('404')
    socket.destroy()
  })

  it('refuses a body that would not fit in addition to the others, and accepts one that is alone', async () => {
    const { post, held, letGo } = await newService({ bodyBytes: 1000 })
    const large = post(5000)
    await held(1)
    expect((await post(10, 'b')).status).toBe(503)
    letGo()
    expect((await large).status).toBe(200)
    const small = [post(400, 'a'), post(400, 'b')]
    await held(2)
    expect((await post(400, 'c')).status).toBe(503)
    letGo()
    expect((await Promise.all(small)).map(({ status }) => status)).toEqual([200, 200])
  })

  it('counts a request until its work is done, also when its caller has disconnected', async () => {
    const { get, port, held, letGo } = await newService({ requests: 1 })
    const socket = await openSocket(port)
    socket.write('GET /held HTTP/1.1\r\nhost: x\r\norganization: a\r\n\r\n')
    await held(1)
    socket.destroy()
    expect((await get('/free', 'b')).status).toBe(503)
    letGo()
    while ((await get('/free', 'b')).status !== 200) await new Promise(setImmediate)
  })
})

describe('one caller', () => {
  it('never takes all places: another organization and an unknown caller still get one', async () => {
    const { get, held, asStranger } = await newService({ requests: 16 })
    const own = Array.from({ length: 20 }, () => get('/held', 'a'))
    await held(12)
    expect((await get('/free', 'a')).status).toBe(503)
    expect((await get('/free', 'b')).status).toBe(200)
    expect((await asStranger('/free')).status).toBe(200)
    expect(own).toHaveLength(20)
  })

  it('without a token takes no place of clients, and not all places for callers without a token', async () => {
    const { get, held, asStranger } = await newService({ requests: 16 })
    const strangers = Array.from({ length: 10 }, () => asStranger('/held'))
    await held(3)
    expect((await asStranger('/free')).status).toBe(503)
    expect((await Promise.all(Array.from({ length: 5 }, () => get('/free')))).map(({ status }) => status)).toEqual(
      Array(5).fill(200),
    )
    expect(strangers).toHaveLength(10)
  })

  it('that sends only half of its bodies takes no place: all other requests succeed, including its own', async () => {
    const { get, post, asStranger, port } = await newService({ requests: 8 })
    const half = await halfSendMany(40, port, '/free', 'a')
    for (const organization of ['a', 'b']) {
      expect((await get('/free', organization)).status).toBe(200)
      expect((await post(50, organization, '/free')).status).toBe(200)
    }
    expect((await asStranger('/free')).status).toBe(200)
    // The oldest connections were closed in favor of the newest.
    while (half.filter(({ isCut }) => !isCut).length > 8) await new Promise(setImmediate)
    expect(half.at(-1)?.isCut).toBe(false)
  })

  it('that sends half of its bodies without a token keeps no other caller from sending complete ones', async () => {
    const { port, asStranger } = await newService({ requests: 16 })
    await halfSendMany(40, port, '/free')
    const json = { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{}' }
    for (let index = 0; index < 10; index++) expect((await asStranger('/free', json)).status).toBe(200)
  })

  it('that announces long bodies and sends none leaves room for the bodies of others', async () => {
    const { port, post } = await newService({ bodyBytes: 1000 })
    await halfSendMany(20, port, '/free', 'a')
    expect((await post(200, 'b', '/free')).status).toBe(200)
  })

  it('that does not read its responses takes no place from others', async () => {
    const { port, asStranger } = await newService({ requests: 8 })
    for (let index = 0; index < 20; index++) {
      const socket = await openSocket(port)
      socket.on('error', () => {})
      socket.pause().write('GET /long HTTP/1.1\r\nhost: x\r\n\r\n')
      closers.push(() => socket.destroy())
    }
    for (let index = 0; index < 5; index++) expect((await asStranger('/free')).status).toBe(200)
  })

  it.each(['/long', '/streamed'])(
    'that does not read its responses of %s loses the oldest when they fill the memory, and nobody else loses any',
    async (path) => {
      const { port, get, server } = await newService({ answerBytes: 70_000_000 })
      const closed: number[] = []
      let opened = 0
      server.on('connection', (socket) => {
        const index = opened++
        socket.once('close', () => closed.push(index))
      })
      const askUnread = async (organization: string) => {
        const socket = await openSocket(port)
        socket.on('error', () => {}).pause()
        socket.write(`GET ${path} HTTP/1.1\r\nhost: x\r\norganization: ${organization}\r\n\r\n`)
        closers.push(() => socket.destroy())
      }
      await askUnread('b')
      const fits = path === '/long' ? 2 : 7
      for (let index = 0; index < fits + 2; index++) await askUnread('a')
      await expect.poll(() => closed).toEqual([1, 2])
      expect((await get('/free', 'b')).status).toBe(200)
    },
  )

  it('may download many files slowly: the stream of a file takes little memory', async () => {
    const { port, server } = await newService({ answerBytes: 70_000_000 })
    let closed = 0
    server.on('connection', (socket) => socket.once('close', () => closed++))
    for (let index = 0; index < 100; index++) {
      const socket = await openSocket(port)
      closers.push(() => socket.destroy())
      socket.on('error', () => {})
      socket.write('GET /file HTTP/1.1\r\nhost: x\r\norganization: a\r\n\r\n')
      await once(socket, 'readable')
    }
    expect(closed).toBe(0)
  })

  it('that disconnects in the middle of a body leaves nothing behind', async () => {
    const { post, port } = await newService({ bodyBytes: 150 })
    const half = await halfSend(port, '/free', 'a')
    const status = async () => (await post(99, 'b', '/free')).status
    await expect.poll(status, { interval: 1 }).toBe(503)
    half.end()
    await expect.poll(status, { interval: 1 }).toBe(200)
  })
})

describe('a process under pressure', () => {
  const limits = { everyMs: 1, delayMs: 100, heapShare: 0.9 }
  const untilStatus = async (ask: () => Promise<Response>, status: number) => {
    while ((await ask()).status !== status) await new Promise(setImmediate)
  }

  it('refuses the sharers with the most requests while its event loop is late, and no one after a single pause', async () => {
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
    const { get, asStranger, held, letGo } = await newService({}, pressure)
    const inside = [...'aaab'].map((organization) => get('/held', organization))
    await held(4)
    pauses.push(1000, 1, 1000, 1)
    while (pauses.length > 0) {
      seen.add(pressure.isHigh() || pressure.isLate())
      await new Promise((resolve) => setTimeout(resolve, 1))
    }
    expect(seen).toEqual(new Set([false]))
    const late = setInterval(() => pauses.push(1000, 1000, 1000), 1)
    await untilStatus(() => get('/free'), 503)
    for (let round = 0; round < 3; round++) {
      expect((await get('/free')).status).toBe(503)
      expect([(await get('/free', 'b')).status, (await get('/free', 'c')).status]).toEqual([200, 200])
      expect((await asStranger('/free')).status).toBe(200)
    }
    clearInterval(late)
    await untilStatus(() => get('/free'), 200)
    letGo()
    expect((await Promise.all(inside)).map(({ status }) => status)).toEqual([200, 200, 200, 200])
  })

  it('refuses while its heap is almost full, and accepts again when it is not', async () => {
    let share = 0.95
    const { get } = await newService({}, watchPressure(limits, { nowMs: () => 0, heapShare: () => share }))
    await untilStatus(() => get('/free'), 503)
    expect((await get('/healthz')).status).toBe(200)
    share = 0.5
    await untilStatus(() => get('/free'), 200)
  })
})
