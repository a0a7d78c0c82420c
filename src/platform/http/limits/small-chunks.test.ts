import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { afterEach, expect, it } from 'vitest'
import { refuseSmallChunks } from './small-chunks.ts'

const closers: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closers.splice(0).toReversed()) await close()
})

const reads: RequestListener = async (request, response) => {
  const body = await buffer(request).catch(() => undefined)
  if (body) response.end(`read ${body.length}`)
}

interface Body {
  chunks: number
  bytes: number
}

const answerTo = async (body: Body, listener = reads) => send(await start(listener), body)

async function start(listener: RequestListener, isProxy: (address: string) => boolean = () => false): Promise<number> {
  const server = createServer(listener)
  refuseSmallChunks(server, isProxy)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  closers.push(() => {
    server.close()
    server.closeAllConnections()
  })
  return (server.address() as AddressInfo).port
}

/** What a server answers to a body in chunks of this size, before it closes the connection. */
async function send(port: number, { chunks, bytes }: Body, localAddress = '127.0.0.1'): Promise<string> {
  const socket = connect({ port, host: '127.0.0.1', localAddress })
  // The rest of what was sent is not read.
  socket.on('error', () => {})
  let text = ''
  socket.on('data', (part) => (text += part))
  socket.write('POST / HTTP/1.1\r\nhost: x\r\nconnection: close\r\ntransfer-encoding: chunked\r\n\r\n')
  socket.write(`${bytes.toString(16)}\r\n${'x'.repeat(bytes)}\r\n`.repeat(chunks))
  socket.write('0\r\n\r\n')
  await once(socket, 'close')
  return text
}

it('a body in very many tiny chunks ends its connection with a refusal', async () => {
  const text = await answerTo({ chunks: 4500, bytes: 1 })
  expect(text).toMatch(/^HTTP\/1\.1 400 /)
  expect(text).toContain('"the body is sent in too many small chunks"')
})

it('a body in very many tiny chunks that nobody reads ends its connection, too', async () => {
  expect(await answerTo({ chunks: 4500, bytes: 1 }, (request) => request.resume())).toMatch(/^HTTP\/1\.1 400 /)
})

it('a body in very many tiny chunks is not read to the end, and those of later connections are', async () => {
  let taken = 0
  const port = await start((request, response) => {
    const { push } = request
    request.push = (chunk, encoding) => {
      taken++
      return push.call(request, chunk, encoding)
    }
    reads(request, response)
  })
  expect(await send(port, { chunks: 10_000, bytes: 1 })).toMatch(/^HTTP\/1\.1 400 /)
  expect(taken).toBeLessThan(4200)
  for (let count = 0; count < 5; count++) expect(await send(port, { chunks: 100, bytes: 1 })).toContain('read 100')
})

it('a caller of whom a body was refused may send fewer tiny chunks, and other callers as many as before', async () => {
  const port = await start(reads)
  const body = { chunks: 1000, bytes: 1 }
  expect(await send(port, body)).toContain('read 1000')
  expect(await send(port, { chunks: 4500, bytes: 1 })).toMatch(/^HTTP\/1\.1 400 /)
  expect(await send(port, body)).toMatch(/^HTTP\/1\.1 400 /)
  expect(await send(port, body, '127.0.0.2')).toContain('read 1000')
  expect(await send(port, { chunks: 1000, bytes: 128 })).toContain('read 128000')
})

it('callers behind a proxy may send as many tiny chunks after a body of another was refused', async () => {
  const port = await start(reads, (address) => address === '127.0.0.1')
  expect(await send(port, { chunks: 4500, bytes: 1 })).toMatch(/^HTTP\/1\.1 400 /)
  expect(await send(port, { chunks: 1000, bytes: 1 })).toContain('read 1000')
})

it.each([
  { chunks: 4000, bytes: 1 },
  { chunks: 30_000, bytes: 128 },
])('a body in $chunks chunks of $bytes bytes is read', async ({ chunks, bytes }) => {
  expect(await answerTo({ chunks, bytes })).toContain(`read ${chunks * bytes}`)
})
