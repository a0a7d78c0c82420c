import { availableParallelism } from 'node:os'
import { pino } from 'pino'
import { afterAll, expect, it } from 'vitest'
import { eligibilityRequestBody } from '../../test/support/bodies.ts'
import { testService } from '../../test/support/service.ts'
import { readConfig } from '../config.ts'
import { buildApp } from './app.ts'
import { processorsOf } from './open-database.ts'
import { startWorker } from './worker.ts'

const service = testService()
const ending = new AbortController()
afterAll(() => ending.abort())

it('dependencies are assembled once: an app and its workers share dependencies that cannot be changed', async () => {
  const { deps } = service
  const fixed = Object.freeze({ ...deps, config: readConfig({ WORKER_CONCURRENCY: '1' }) })
  const app = buildApp(fixed, { pressure: { isHigh: () => false, isLate: () => false, stop() {} } })
  const worker = startWorker(fixed, pino({ level: 'silent' }), ending.signal)
  const { token } = await service.newCaller()
  let calls = 0
  const stopListening = fixed.queue.listen(() => {
    calls += 1
  })
  const post = () =>
    app.inject({
      method: 'POST',
      url: '/eligibility-checks/v1/batch',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      payload: JSON.stringify([eligibilityRequestBody()]),
    })

  expect((await post()).statusCode).toBe(200)
  expect(calls, 'a batch wakes the workers of its process').toBe(1)
  stopListening()
  expect((await post()).statusCode).toBe(200)
  expect(calls, 'a removed listener is not called').toBe(1)
  await worker.close()
})

it.each([
  ['the embedded one has those of the machine', {}, availableParallelism()],
  ['of an external one they are a setting', { DATABASE_URL: 'postgres://x/y', DATABASE_PROCESSORS: '16' }, 16],
  ['and otherwise unknown', { DATABASE_URL: 'postgres://x/y' }, undefined],
])('processors of the database: %s', (_, settings, processors) => {
  expect(processorsOf(readConfig(settings)).processors).toBe(processors)
})
