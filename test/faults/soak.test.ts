// A short run of mixed traffic; `npm run bench:soak` is a long one that also measures memory.
import { setTimeout as delay } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { startTraffic } from '../support/mixed-traffic.ts'
import { newClient } from '../support/new-client.ts'
import { newClonePlace, startServer } from '../support/started-server.ts'
import { countDeadlocks } from './own-cluster.ts'
import { newToken } from './writers.ts'

const SECONDS = 15
const CALLERS = 8

test('mixed traffic with bad input, slow callers and broken connections gets no 5xx except the 503 of an overload', async () => {
  const place = await newClonePlace()
  const server = await startServer({ ...place.settings, LOG_LEVEL: 'error', MAX_REQUESTS_IN_FLIGHT: '6' })
  try {
    const token = await newToken(server.url, await newClient({ connectionString: place.settings.DATABASE_URL }))
    const traffic = startTraffic(server.url, token, CALLERS)
    await delay(SECONDS * 1000)
    const alive = await fetch(`${server.url}/healthz`)
    await traffic.stop()
    expect(traffic.failures).toEqual([])
    expect(alive.status).toBe(200)
    const faults = server
      .output()
      .split('\n')
      .filter((line) => /uncaught error|"level":[56]0/.test(line))
    expect(faults.slice(0, 5)).toEqual([])
    const answered = [...traffic.statuses].sort(([a], [b]) => a - b)
    for (const status of [200, 400, 404]) expect(traffic.statuses.get(status), `${answered}`).toBeGreaterThan(0)
    console.info(`soak: ${answered.map(([status, count]) => `${count} of ${status}`).join(', ')}`)
    expect((await fetch(`${server.url}/readyz`)).status).toBe(200)
    expect(await countDeadlocks(place.settings.DATABASE_URL), 'transactions that waited for each other').toBe(0)
    await server.stop()
  } finally {
    await server.kill()
    await place.remove()
  }
})
