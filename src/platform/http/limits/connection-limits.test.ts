import { once } from 'node:events'
import { createServer } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { serveMetrics } from '../../metrics/serve-metrics.ts'
import { connectionLimits, limitConnections } from './connection-limits.ts'

const closers: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closers.splice(0).toReversed()) await close()
})

async function newServer(trustedProxies: string[]) {
  const server = createServer((_request, response) => response.end('here'))
  limitConnections(server, { answerMs: 1000, trustedProxies, connectionsMax: 20 })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  closers.push(() => {
    server.close()
    server.closeAllConnections()
  })
  return callersOf((server.address() as AddressInfo).port)
}

function callersOf(port: number) {
  const open = async (localAddress: string): Promise<Socket> => {
    const socket = connect({ port, host: '127.0.0.1', localAddress })
    socket.on('error', () => {})
    closers.push(() => socket.destroy())
    await once(socket, 'connect')
    return socket
  }
  /** Whether a connection from this address is answered. */
  const isServed = async (localAddress: string, path = '/') => {
    const socket = await open(localAddress)
    socket.write(`GET ${path} HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n`)
    let text = ''
    socket.on('data', (part) => (text += part))
    await once(socket, 'close')
    return text.includes('here')
  }
  return { open, isServed }
}

describe('connections', () => {
  it.each([
    [256, 0, 128],
    [1_024, 0, 512],
    [1_024, 5050, 256],
    [1_048_576, 5050, 5_000],
    [undefined, 0, expect.any(Number)],
  ])(
    'are so few that a process with %d open files, CORE_PORT %d, still reaches its database',
    (files, port, connectionsMax) => {
      const config = { CLEARINGHOUSE_TIMEOUT_MS: 1000, TRUSTED_PROXIES: undefined, CORE_PORT: port }
      expect(connectionLimits(config, files)).toMatchObject({ connectionsMax })
    },
  )

  it('of one address never take all places, and release them when they close', async () => {
    const { open, isServed } = await newServer([])
    const idle = []
    for (let index = 0; index < 18; index++) idle.push(await open('127.0.0.1'))
    expect(await isServed('127.0.0.1')).toBe(false)
    expect(await isServed('127.0.0.2')).toBe(true)
    for (const socket of idle) socket.destroy()
    while (!(await isServed('127.0.0.1'))) await new Promise(setImmediate)
  })

  it('of a trusted proxy may take all places, because they carry many callers', async () => {
    const { open, isServed } = await newServer(['127.0.0.0/8'])
    for (let index = 0; index < 19; index++) await open('127.0.0.1')
    expect(await isServed('127.0.0.1')).toBe(true)
  })

  it('of the metrics are limited in the same way: those that never finish a request leave room for the monitoring', async () => {
    const source = { contentType: 'text/plain', metrics: async () => 'here' }
    const metrics = await serveMetrics(source, { host: '127.0.0.1', port: 0, onError: () => {} })
    closers.push(metrics.close)
    const { open, isServed } = callersOf(Number(new URL(metrics.url).port))
    for (let index = 0; index < 180; index++) (await open('127.0.0.1')).write('GET /metrics HTTP/1.1\r\nx: ')
    expect(await isServed('127.0.0.1', '/metrics')).toBe(false)
    expect(await isServed('127.0.0.2', '/metrics')).toBe(true)
  })
})
