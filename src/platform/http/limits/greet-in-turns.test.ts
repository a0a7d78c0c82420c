import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:https'
import { type AddressInfo, connect as connectTcp } from 'node:net'
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
async function newServer() {
  const server = createServer({ cert: pem('server.pem'), key: pem('server-key.pem') }, (_request, response) =>
    response.end('here'),
  )
  const waiting: { caller: string; begin(): void }[] = []
  greetInTurns(server, (caller) => new Promise((begin) => waiting.push({ caller, begin })))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  closers.push(() => {
    server.close()
    server.closeAllConnections()
  })
  return { port: (server.address() as AddressInfo).port, waiting }
}

function open(port: number): TLSSocket {
  const socket = connect({ port, host: '127.0.0.1', rejectUnauthorized: false })
  socket.on('error', () => {})
  closers.push(() => socket.destroy())
  return socket
}

it('TLS handshakes that callers begin at the same moment take turns', async () => {
  const { port, waiting } = await newServer()
  const sockets = Array.from({ length: 20 }, () => open(port))
  let greeted = 0
  for (const socket of sockets) socket.once('secureConnect', () => greeted++)
  await until(() => expect(waiting.map(({ caller }) => caller)).toEqual(Array(20).fill('127.0.0.1')))
  expect(greeted).toBe(0)
  waiting.shift()?.begin()
  await until(() => expect(greeted).toBe(1))
  for (const { begin } of waiting) begin()
  await until(() => expect(greeted).toBe(20))
  const [socket] = sockets
  socket?.write('GET / HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n')
  let text = ''
  socket?.on('data', (part) => (text += part))
  await once(socket as TLSSocket, 'close')
  expect(text).toContain('here')
})

it('a connection that says nothing takes no turn', async () => {
  const { port, waiting } = await newServer()
  const silent = connectTcp(port, '127.0.0.1')
  closers.push(() => silent.destroy())
  await once(silent, 'connect')
  open(port)
  await until(() => expect(waiting).toHaveLength(1))
})
