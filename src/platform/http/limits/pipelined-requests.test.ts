import { once } from 'node:events'
import type { Server } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import Fastify from 'fastify'
import { afterEach, describe, expect, it } from 'vitest'
import { answerInTurn } from './pipelined-requests.ts'

const closers: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closers.splice(0).toReversed()) await close()
})

const countConnections = (server: Server) =>
  new Promise<number>((resolve) => server.getConnections((_, count) => resolve(count)))

/** A service whose answers wait until the test releases them, and one connection to it. */
async function newConnection() {
  const app = Fastify()
  answerInTurn(app, 3)
  const begun: string[] = []
  const answers: (() => void)[] = []
  app.get('/:name', ({ params }) => {
    const { name } = params as { name: string }
    begun.push(name)
    return new Promise((resolve) => answers.push(() => resolve(name)))
  })
  await app.listen({ host: '127.0.0.1', port: 0, listenTextResolver: () => '' })
  closers.push(() => app.close())
  const socket = connect((app.server.address() as AddressInfo).port, '127.0.0.1')
  await once(socket, 'connect')
  let received = ''
  socket
    .on('error', () => {})
    .on('data', (data) => {
      received += data
    })
  closers.push(() => socket.destroy())
  return {
    begun,
    socket,
    server: app.server,
    send: (...names: string[]) =>
      socket.write(names.map((name) => `GET /${name} HTTP/1.1\r\nhost: x\r\n\r\n`).join('')),
    answer: () => answers.shift()?.(),
    received: () => received.match(/(?<=\r\n\r\n)\w/g) ?? [],
    untilServerCloses: () => expect.poll(() => countConnections(app.server)).toBe(0),
  }
}

describe('requests that are sent on one connection without waiting', () => {
  it('are begun one after the other and answered in their order', async () => {
    const { begun, send, answer, received } = await newConnection()
    send('a', 'b', 'c')
    for (const done of ['a', 'ab', 'abc']) {
      await expect.poll(() => begun.join('')).toBe(done)
      answer()
      await expect.poll(() => received().join('')).toBe(done)
    }
    send('d')
    await expect.poll(() => begun.join('')).toBe('abcd')
  })

  it('are not begun when the connection has ended', async () => {
    const { begun, send, socket, answer, untilServerCloses } = await newConnection()
    send('a', 'b', 'c')
    await expect.poll(() => begun.join('')).toBe('a')
    socket.destroy()
    await untilServerCloses()
    answer()
    await new Promise(setImmediate)
    expect(begun).toEqual(['a'])
  })

  it('end the connection when there are too many', async () => {
    const { begun, send, untilServerCloses } = await newConnection()
    send('a', 'b', 'c', 'd', 'e')
    await untilServerCloses()
    expect(begun.join('')).toBe('a')
  })

  it('are not parsed any more when there are too many', async () => {
    const { server, send, untilServerCloses } = await newConnection()
    let parsed = 0
    server.on('request', () => parsed++)
    send(...Array(2000).fill('a'))
    await untilServerCloses()
    expect(parsed).toBe(5)
  })
})
