import type { ServerResponse } from 'node:http'
import { gzipSync } from 'node:zlib'
import { expect, it, vi } from 'vitest'
import { clearinghouseServers } from '../../test/support/clearinghouse-servers.ts'
import { answersInMemory, NoRoom } from './answers-in-memory.ts'
import { openDispatcher, post } from './http-exchange.ts'

const { serve } = clearinghouseServers()

it('large answers that a partner ends at the same moment are read one in a turn of the event loop, so that others are answered in between', async () => {
  const open: ServerResponse[] = []
  const url = await serve((request, response) => {
    request.resume()
    response.write('x'.repeat(200_000))
    open.push(response)
  })
  const connections = openDispatcher({ maxConcurrency: 10, timeoutMs: 120_000 })
  const events: string[] = []
  const answers = Array.from({ length: 10 }, async () => {
    const { body } = await post(connections, url, { headers: {} }, { timeoutMs: 120_000 })
    events.push('an answer')
    setImmediate(() => events.push('a turn'))
    return body.length
  })
  await vi.waitFor(() => expect(open).toHaveLength(10), { timeout: 60_000 })
  for (const response of open) response.end()
  expect(await Promise.all(answers)).toEqual(Array(10).fill(200_000))
  expect(events).toEqual(Array.from({ length: 19 }, (_, index) => (index % 2 === 0 ? 'an answer' : 'a turn')))
  await (await connections()).destroy()
})

it('a compressed answer counts with what it becomes, until it is handed on: thousands of small ones cannot fill the memory', async () => {
  const LENGTH = 1_000_000
  const compressed = gzipSync(Buffer.alloc(LENGTH))
  const url = await serve((request, response) => {
    request.resume()
    response.writeHead(request.url === '/refused' ? 400 : 200, { 'content-encoding': 'gzip' }).end(compressed)
  })
  const connections = openDispatcher({ maxConcurrency: 10, timeoutMs: 120_000 })
  const ask = (path = '') => post(connections, url + path, { headers: {} }, { timeoutMs: 120_000 })
  // Room for what arrives, and not for what it becomes.
  const most = 128 * 1024 * 1024 - 10 * compressed.length
  answersInMemory.add('another organization', most)
  try {
    await expect(ask()).rejects.toThrow(NoRoom)
    expect(await ask('/refused')).toMatchObject({ status: 400, body: Buffer.alloc(0) })
  } finally {
    answersInMemory.add('another organization', -most)
  }
  const together = await Promise.all(Array.from({ length: 20 }, () => ask()))
  expect(together.map(({ body }) => body.length)).toEqual(Array(20).fill(LENGTH))
  // Nothing is held any more: otherwise a text of this length would not have room.
  expect(answersInMemory.hasRoomFor('anyone', 10 * most)).toBe(true)
  await (await connections()).destroy()
})
