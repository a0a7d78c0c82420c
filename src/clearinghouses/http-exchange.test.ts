import type { ServerResponse } from 'node:http'
import { expect, it, vi } from 'vitest'
import { clearinghouseServers } from '../../test/support/clearinghouse-servers.ts'
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
    const { body } = await post(connections, url, { headers: {} }, { timeoutMs: 120_000, maxResponseBytes: 1_000_000 })
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
