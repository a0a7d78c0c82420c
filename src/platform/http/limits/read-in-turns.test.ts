import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer, type RequestListener, type Server } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { connect as connectTls } from 'node:tls'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { packageFile } from '../../package-root.ts'
import { readInTurns } from './read-in-turns.ts'

/** However slow the machine is. */
const until = (holds: () => void) => vi.waitFor(holds, { timeout: 60_000 })

const closers: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closers.splice(0).toReversed()) await close()
})

const pem = (name: string) => readFileSync(packageFile('test', 'support', 'tls', name))
const CERTIFICATE = { cert: pem('server.pem'), key: pem('server-key.pem') }

/** A server that reads one connection of an address in each turn, or by these options. */
async function start(server: Server, options: Parameters<typeof readInTurns>[1] = {}): Promise<number> {
  readInTurns(server, { readMs: 0, readAllMs: Number.POSITIVE_INFINITY, ...options })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  closers.push(() => {
    server.close()
    server.closeAllConnections()
  })
  return (server.address() as AddressInfo).port
}

async function open(port: number, { localAddress = '127.0.0.1', isSecure = false } = {}): Promise<Socket> {
  const at = { port, host: '127.0.0.1', localAddress }
  const socket = isSecure ? connectTls({ ...at, rejectUnauthorized: false }) : connect(at)
  socket.on('error', () => {})
  closers.push(() => socket.destroy())
  await once(socket, isSecure ? 'secureConnect' : 'connect')
  return socket
}

async function openMany(count: number, port: number, how?: Parameters<typeof open>[1]): Promise<Socket[]> {
  return Promise.all(Array.from({ length: count }, () => open(port, how)))
}

const answerOf = async (socket: Socket) => {
  let text = ''
  socket.on('data', (part) => (text += part))
  await once(socket, 'close')
  return text.split('\r\n\r\n')[1]
}

const get = (path: string) => `GET ${path} HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n`

describe('what connections of one address send at the same moment', () => {
  it('is read in turns, and another address is read between them', async () => {
    const order: string[] = []
    const nextTurn: (() => void)[] = []
    const server = createServer(({ url = '' }, response) => {
      order.push(url)
      response.end()
    })
    const port = await start(server, { inNextTurn: (work) => nextTurn.push(work) })
    const hostile = await openMany(100, port)
    const ends = hostile.map((socket) => once(socket.resume(), 'close'))
    for (const socket of hostile) socket.write(get('/hostile'))
    await until(() => expect(order).toEqual(['/hostile']))
    const other = await open(port, { localAddress: '127.0.0.2' })
    other.write(get('/other'))
    await once(other.resume(), 'close')
    expect(order).toEqual(['/hostile', '/other'])
    let isOver = false
    const all = Promise.all(ends).then(() => {
      isOver = true
    })
    while (!isOver) {
      const before = order.length
      nextTurn.shift()?.()
      await new Promise(setImmediate)
      expect(order.length - before).toBeLessThanOrEqual(1)
    }
    await all
    expect(order).toHaveLength(101)
  })

  it('and from many other addresses is read in turns of them all, which leave nobody out', async () => {
    const order: string[] = []
    const nextTurn: (() => void)[] = []
    const server = createServer(({ url = '' }, response) => {
      order.push(url)
      response.end()
    })
    const port = await start(server, { readAllMs: 0, inNextTurn: (work) => nextTurn.push(work) })
    const accepted = new Promise<void>((resolve) => {
      let count = 0
      server.on('connection', () => ++count === 13 && resolve())
    })
    const sockets = new Map<string, Socket[]>()
    for (const [address, count] of [
      ['127.0.0.3', 6],
      ['127.0.0.4', 6],
      ['127.0.0.5', 1],
    ] as const)
      sockets.set(address, await openMany(count, port, { localAddress: address }))
    await accepted
    for (const [address, all] of sockets) for (const socket of all) socket.resume().write(get(`/${address}`))
    for (let turn = 1; turn <= 13; turn++) {
      await until(() => expect(order).toHaveLength(turn))
      await new Promise(setImmediate)
      expect(order).toHaveLength(turn)
      for (const work of nextTurn.splice(0)) work()
    }
    expect(order.slice(0, 3).toSorted()).toEqual(['/127.0.0.3', '/127.0.0.4', '/127.0.0.5'])
  })

  it.each([
    ['beyond the first of an address waits until a turn accepts none', false, [16, 16, 32, 40]],
    ['of a trusted proxy is read as it comes', true, [40, 40, 40, 40]],
  ])('once they are accepted %s', async (_, isProxy, read) => {
    const order: string[] = []
    const nextTurn: (() => void)[] = []
    const server = createServer(({ url = '' }, response) => {
      order.push(url)
      response.end()
    })
    let accepted = 0
    server.on('connection', () => accepted++)
    const inNextTurn = (work: () => void) => nextTurn.push(work)
    const port = await start(server, { readMs: Number.POSITIVE_INFINITY, inNextTurn, isProxy: () => isProxy })
    const many = await openMany(40, port)
    await until(() => expect(accepted).toBe(40))
    for (const socket of many) socket.resume().write(get('/many'))
    for (const count of read) {
      await until(() => expect(order).toHaveLength(count))
      for (const work of nextTurn.splice(0)) work()
      await new Promise(setImmediate)
    }
    const other = await open(port, { localAddress: '127.0.0.2' })
    other.write(get('/other'))
    await once(other.resume(), 'close')
    expect(order.filter((url) => url === '/many')).toHaveLength(40)
  })

  it.each([
    { protocol: 'HTTP', isSecure: false },
    { protocol: 'HTTPS', isSecure: true },
  ])('arrives whole over $protocol', async ({ isSecure }) => {
    const echoLength: RequestListener = async (request, response) =>
      response.end(`read ${(await buffer(request)).length}`)
    const port = await start(isSecure ? createTlsServer(CERTIFICATE, echoLength) : createServer(echoLength))
    const sockets = await openMany(40, port, { isSecure })
    const answers = sockets.map(answerOf)
    for (const socket of sockets) {
      socket.write('POST / HTTP/1.1\r\nhost: x\r\nconnection: close\r\ncontent-length: 400000\r\n\r\n')
      socket.write(Buffer.alloc(400_000))
    }
    expect(await Promise.all(answers)).toEqual(Array(40).fill('read 400000'))
  })

  it('is not read while nobody takes the body that has arrived', async () => {
    let unread: Socket | undefined
    const port = await start(
      createServer((request, response) => {
        if (request.method === 'GET') response.end()
        else unread = request.socket
      }),
    )
    const [sender, ...others] = await openMany(20, port)
    sender?.write('POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 40000000\r\n\r\n')
    sender?.write(Buffer.alloc(40_000_000))
    for (const socket of others) {
      socket.write(get('/'))
      await once(socket.resume(), 'close')
    }
    expect(unread?.bytesRead).toBeGreaterThan(0)
    expect(unread?.bytesRead).toBeLessThan(1_000_000)
  })
})
