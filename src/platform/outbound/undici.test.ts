import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Agent, fetch, request } from './undici.ts'

const interim: Record<string, (answer: ServerResponse) => void> = {
  '100': (answer) => answer.writeContinue(),
  '102': (answer) => answer.writeProcessing(),
  '103': (answer) => answer.writeEarlyHints({ link: '</style.css>; rel=preload' }),
}

describe('a server that sends an interim response which nobody asked for', () => {
  const server = createServer((asked, answer) => {
    const [status = '', times = ''] = (asked.url ?? '').slice(1).split('x')
    // Before and after it has read the request.
    for (let sent = 0; sent < Number(times); sent++) interim[status]?.(answer)
    asked.resume().once('end', () => {
      for (let sent = 0; sent < Number(times); sent++) interim[status]?.(answer)
      answer.end(`${asked.method} ${asked.socket.remotePort}`)
    })
  })
  const agent = new Agent({ connections: 1 })
  let url = ''
  beforeAll(async () => {
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  })
  afterAll(async () => {
    await agent.destroy()
    server.close()
  })

  it.each(Object.keys(interim).flatMap((status) => [`${status}x1`, `${status}x3`]))(
    'is answered like any other, and its connection is used again: %s',
    async (path) => {
      const options = { dispatcher: agent, method: 'POST', body: 'an inquiry' } as const
      const asked = await request(`${url}/${path}`, options)
      expect(asked.statusCode).toBe(200)
      const text = await asked.body.text()
      expect(text).toMatch(/^POST \d+$/)
      const fetched = await fetch(`${url}/${path}`, options)
      expect([fetched.status, await fetched.text()]).toEqual([200, text])
    },
  )
})
