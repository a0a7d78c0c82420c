import { beforeAll, expect, it } from 'vitest'
import { imageBody } from '../../test/support/bodies.ts'
import { pngOf } from '../../test/support/image-samples.ts'
import { startS3Server } from '../../test/support/s3-server.ts'
import { testService } from '../../test/support/service.ts'
import { openS3Storage } from './s3.ts'
const service = testService(async (deps) => ({ storage: await openS3Storage((await startS3Server()).settings, deps.storage.incomingFolder) }))
let host = ''
beforeAll(async () => { host = new URL(await service.app.listen({ host: '127.0.0.1', port: 0 })).host })
it('abort', async () => {
  process.on('uncaughtException', (e) => console.log('UNCAUGHT', e))
  const caller = await service.newCaller()
  const { body } = await caller.call('POST', '/images/v1', imageBody(), { host })
  console.time('put'); expect((await fetch(body.signed_url, { method: 'PUT', body: pngOf(15_000_000) })).status).toBe(200); console.timeEnd('put')
  for (let i = 0; i < 5; i++) {
    const abort = new AbortController()
    const answer = await fetch(body.signed_url, { signal: abort.signal })
    const reader = answer.body!.getReader(); await reader.read(); abort.abort()
    await reader.read().catch(() => {})
  }
  await fetch(body.signed_url, { method: 'HEAD' })
  await new Promise((r) => setTimeout(r, 500))
  console.time('get'); expect((await (await fetch(body.signed_url)).arrayBuffer()).byteLength).toBe(15_000_000); console.timeEnd('get')
  console.log(process.memoryUsage().rss / 1e6)
})
