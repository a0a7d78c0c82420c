import { createServer } from 'node:net'
import { expect, it } from 'vitest'
import { serveMetrics } from './serve-metrics.ts'

it('names the setting to change when the port of the metrics is in use', async () => {
  const other = createServer()
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve))
  const { port } = other.address() as { port: number }
  const source = { contentType: 'text/plain', metrics: async () => '' }
  const serving = serveMetrics(source, { host: '127.0.0.1', port, onError: () => {} })
  await expect(serving).rejects.toThrow(`port ${port} is in use: set METRICS_PORT to another port`)
  other.close()
})

it('writes the metrics once for all who ask at the same moment, since that takes milliseconds', async () => {
  const answers: ((text: string) => void)[] = []
  const source = { contentType: 'text/plain', metrics: () => new Promise<string>((resolve) => answers.push(resolve)) }
  const server = await serveMetrics(source, { host: '127.0.0.1', port: 0, onError: () => {} })
  try {
    const replies = Array.from({ length: 50 }, async () => (await fetch(server.url)).text())
    let isOver = false
    const all = Promise.all(replies).finally(() => {
      isOver = true
    })
    let asked = 0
    while (!isOver) {
      await new Promise(setImmediate)
      const open = answers.splice(0)
      asked += open.length
      expect(open.length).toBeLessThanOrEqual(1)
      for (const answer of open) answer('up 1\n')
    }
    expect(await all).toEqual(Array(50).fill('up 1\n'))
    expect(asked).toBeGreaterThan(0)
  } finally {
    await server.close()
  }
})

it('answers GET and HEAD of /metrics, and nothing else', async () => {
  const source = { contentType: 'text/plain', metrics: async () => 'up 1\n' }
  const server = await serveMetrics(source, { host: '127.0.0.1', port: 0, onError: () => {} })
  const ask = async (method: string, url = server.url) => {
    const reply = await fetch(url, { method })
    return [reply.status, await reply.text()]
  }
  try {
    expect(await ask('GET')).toEqual([200, 'up 1\n'])
    expect(await ask('HEAD')).toEqual([200, ''])
    expect(await ask('POST')).toEqual([404, ''])
    expect(await ask('GET', new URL('/', server.url).href)).toEqual([404, ''])
  } finally {
    await server.close()
  }
})
