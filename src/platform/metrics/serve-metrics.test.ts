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
