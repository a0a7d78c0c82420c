import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { beforeAll, expect, it } from 'vitest'
import { sendRaw } from '../../../test/support/raw-socket.ts'
import { refuseProxyRequests, refuseUnreadable } from './client-errors.ts'

let port = 0

beforeAll(async () => {
  const server = createServer((_request, response) => setImmediate(() => response.end()))
  server.on('clientError', refuseUnreadable)
  refuseProxyRequests(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  port = (server.address() as AddressInfo).port
  return () => server.close()
})

const send = (text: string) => sendRaw(port, text)

it.each([
  ['nonsense', 400, 'secret nonsense\r\n\r\n'],
  ['a bad content-length', 400, 'POST / HTTP/1.1\r\nhost: x\r\ncontent-length: secret\r\n\r\n'],
  ['headers of 64 KB', 431, `GET / HTTP/1.1\r\nhost: x\r\nx: ${'y'.repeat(65_536)}\r\n\r\n`],
  [
    'a length and chunks at once',
    400,
    'POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 1\r\ntransfer-encoding: chunked\r\n\r\n',
  ],
  ['an unknown expectation', 417, 'POST / HTTP/1.1\r\nhost: x\r\nexpect: secret\r\ncontent-length: 0\r\n\r\n'],
  ['a request for a tunnel', 400, 'CONNECT secret:443 HTTP/1.1\r\nhost: secret:443\r\n\r\n'],
])('%s is answered %i in the envelope, and the connection is closed', async (_what, status, bytes) => {
  const [head = '', body = ''] = (await send(bytes)).split('\r\n\r\n')
  expect(head).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `))
  expect(head).toContain('content-type: application/json')
  expect(head).toContain(`content-length: ${Buffer.byteLength(body)}`)
  expect(JSON.parse(body)).toEqual({ errorName: 'BadRequestError', content: { message: expect.any(String) } })
  expect(body).not.toContain('secret')
})

it('nothing is written to a closed connection', () => {
  const calls: string[] = []
  const socket = { writable: true, end: () => calls.push('end'), destroy: () => calls.push('destroy') } as never
  refuseUnreadable(Object.assign(new Error('reset'), { code: 'ECONNRESET' }), socket)
  expect(calls).toEqual(['destroy'])
})

it('bytes behind whole requests are refused after the answers to these, which would else read as refused though they are carried out', async () => {
  const get = 'GET / HTTP/1.1\r\nhost: x\r\n\r\n'
  const post = 'POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 2\r\n\r\n{}'
  const statuses = async (bytes: string) => (await send(bytes)).match(/^HTTP\/1\.1 \d+/gm)
  const [done, refused] = ['HTTP/1.1 200', 'HTTP/1.1 400']
  expect(await statuses(`${get}nonsense\r\n\r\n`)).toEqual([done, refused])
  expect(await statuses(`${post}}}}`)).toEqual([done, refused])
  expect(await statuses(`${get}${post}${get}nonsense\r\n\r\n`)).toEqual([done, done, done, refused])
  const unfinished = 'POST / HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n\r\nno length\r\n'
  expect(await statuses(unfinished)).toEqual([refused])
})
