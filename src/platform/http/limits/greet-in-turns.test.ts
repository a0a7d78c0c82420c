import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:https'
import { type AddressInfo, connect as connectTcp, type Socket } from 'node:net'
import { Duplex } from 'node:stream'
import { connect, type TLSSocket } from 'node:tls'
import { afterEach, expect, it, vi } from 'vitest'
import { packageFile } from '../../package-root.ts'
import { greetInTurns } from './greet-in-turns.ts'

/** However slow the machine is. */
const until = (holds: () => void) => vi.waitFor(holds, { timeout: 60_000 })

const closers: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closers.splice(0).toReversed()) await close()
})

const pem = (name: string) => readFileSync(packageFile('test', 'support', 'tls', name))

/** A server with TLS whose turns come when the test gives them. */
async function newServer(proxy?: string, more: Parameters<typeof greetInTurns>[2] = {}) {
  const server = createServer({ cert: pem('server.pem'), key: pem('server-key.pem') }, (_request, response) =>
    response.end('here'),
  )
  const waiting: { caller: string; begin(): void }[] = []
  greetInTurns(server, (address) => address === proxy, {
    takeTurn: (caller) => new Promise((begin) => waiting.push({ caller, begin })),
    ...more,
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  closers.push(() => {
    server.close()
    server.closeAllConnections()
  })
  return { port: (server.address() as AddressInfo).port, waiting, server }
}

function open(port: number, localAddress = '127.0.0.1'): TLSSocket {
  const socket = connect({ socket: connectTcp({ port, host: '127.0.0.1', localAddress }), rejectUnauthorized: false })
  socket.on('error', () => {})
  closers.push(() => socket.destroy())
  return socket
}

it('TLS handshakes that callers begin at the same moment take turns', async () => {
  const { port, waiting } = await newServer()
  const sockets = Array.from({ length: 20 }, () => open(port))
  let greeted = 0
  for (const socket of sockets) socket.once('secureConnect', () => greeted++)
  await until(() => expect(waiting.map(({ caller }) => caller)).toEqual(Array(16).fill('127.0.0.1')))
  expect(greeted).toBe(0)
  waiting.shift()?.begin()
  await until(() => expect(greeted).toBe(1))
  await until(() => {
    for (const { begin } of waiting.splice(0)) begin()
    expect(greeted).toBe(20)
  })
  const [socket] = sockets
  socket?.write('GET / HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n')
  let text = ''
  socket?.on('data', (part) => (text += part))
  await once(socket as TLSSocket, 'close')
  expect(text).toContain('here')
})

it('no handshake takes its turn in one that has accepted a connection: others may wait for that behind thousands', async () => {
  const looks: (() => void)[] = []
  const inNextTurn = (look: () => void) => looks.push(look)
  const { port, waiting, server } = await newServer(undefined, { inNextTurn, acceptingMs: Number.POSITIVE_INFINITY })
  const look = async () => {
    expect(looks).toHaveLength(1)
    looks.shift()?.()
    await new Promise(setImmediate)
  }
  open(port)
  await until(() => expect(looks).toHaveLength(1))
  await look()
  for (let more = 0; more < 3; more++) {
    const accepted = once(server, 'connection')
    await openPlain(port, '127.0.0.2')
    await accepted
    await look()
    expect(waiting).toEqual([])
  }
  await look()
  expect(waiting.map(({ caller }) => caller)).toEqual(['127.0.0.1'])
})

it('a connection that says nothing takes no turn', async () => {
  const { port, waiting } = await newServer()
  const silent = connectTcp(port, '127.0.0.1')
  closers.push(() => silent.destroy())
  await once(silent, 'connect')
  open(port)
  await until(() => expect(waiting).toHaveLength(1))
})

/** The first message of a client. */
function helloOf(): Promise<Buffer> {
  return new Promise((resolve) => {
    const line = new Duplex({ read() {}, write: (message: Buffer) => resolve(message) })
    connect({ socket: line as unknown as Socket })
  })
}

async function openPlain(port: number, localAddress = '127.0.0.1'): Promise<Socket> {
  const socket = connectTcp({ port, host: '127.0.0.1', localAddress })
  socket.on('error', () => {})
  closers.push(() => socket.destroy())
  await once(socket, 'connect')
  return socket
}

it('a handshake is not begun with a part of its first message, the rest of which would be read in no turn', async () => {
  const { port, waiting } = await newServer()
  const hello = await helloOf()
  const parts = await openPlain(port)
  parts.write(hello.subarray(0, 100))
  const whole = await openPlain(port, '127.0.0.2')
  whole.write(hello)
  await until(() => expect(waiting.map(({ caller }) => caller)).toEqual(['127.0.0.2']))
  parts.write(hello.subarray(100))
  await until(() => expect(waiting.map(({ caller }) => caller)).toEqual(['127.0.0.2', '127.0.0.1']))
  waiting[1]?.begin()
  const [answer] = await once(parts, 'data')
  expect(answer[0]).toBe(22)
})

it.each([
  ['in two records', (hello: Buffer) => [recordOf(hello.subarray(5, 100)), recordOf(hello.subarray(100))]],
  ['byte by byte', (hello: Buffer) => Array.from(hello, (_, at) => hello.subarray(at, at + 1))],
])('a client whose first message comes %s is greeted', async (_how, divide) => {
  const { port, waiting } = await newServer()
  const socket = (await openPlain(port)).setNoDelay()
  for (const part of divide(await helloOf())) await new Promise((resolve) => socket.write(part, resolve))
  await until(() => expect(waiting).toHaveLength(1))
  waiting[0]?.begin()
  const [answer] = await once(socket, 'data')
  expect(answer[0]).toBe(22)
})

it.each([
  [
    'longer than any client’s',
    Buffer.concat([recordOf(Buffer.from([1, 0, 0xff, 0xff])), recordOf(Buffer.alloc(17_000))]),
  ],
  ['in very many records', Buffer.concat(Array.from({ length: 100 }, () => recordOf(Buffer.from([1]))))],
])('a first message that is %s is not waited for', async (_how, message) => {
  const { port, waiting } = await newServer()
  const socket = await openPlain(port)
  socket.write(message)
  await once(socket.resume(), 'close')
  expect(waiting).toEqual([])
})

it('clients that do not finish their handshakes keep others of their address waiting, and no other address', async () => {
  const { port, waiting } = await newServer()
  const hello = await helloOf()
  const unfinished = await Promise.all(Array.from({ length: 20 }, () => openPlain(port)))
  const answers = unfinished.map((socket) => once(socket, 'data'))
  for (const socket of unfinished) socket.write(hello)
  await until(() => expect(waiting.length).toBeGreaterThanOrEqual(16))
  const other = open(port, '127.0.0.2')
  await until(() => expect(waiting.at(-1)?.caller).toBe('127.0.0.2'))
  expect(waiting).toHaveLength(17)
  for (const { begin } of waiting) begin()
  await Promise.all([once(other, 'secureConnect'), ...answers.slice(0, 1)])
  expect(waiting).toHaveLength(17)
  for (const socket of unfinished.slice(0, 16)) socket.destroy()
  await until(() => expect(waiting).toHaveLength(21))
})

it('of a trusted proxy no connection waits for the handshakes of others, which are those of many callers', async () => {
  const { port, waiting } = await newServer('127.0.0.1')
  const hello = await helloOf()
  let answered = 0
  for (let count = 0; count < 20; count++) {
    const socket = await openPlain(port)
    socket.once('data', () => answered++).write(hello)
  }
  await until(() => {
    for (const { begin } of waiting.splice(0)) begin()
    expect(answered).toBe(20)
  })
})

/** A record of a handshake. Source: RFC 8446 5.1. */
function recordOf(content: Buffer): Buffer {
  return Buffer.concat([Buffer.from([22, 3, 1, content.length >> 8, content.length & 255]), content])
}
