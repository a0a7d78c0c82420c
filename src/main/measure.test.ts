import { expect, it } from 'vitest'
import { createMetrics } from '../platform/metrics/metrics.ts'
import { measureService } from './measure.ts'

const linesOf = async (row: () => Promise<string[]>) => {
  const metrics = createMetrics()
  const database = { usage: () => [], systemDatabase: { row } }
  measureService(metrics, { database: database as never, events: { listeners: () => 3 } as never })
  metrics.requests.inc({ operation: 'patients.get', status: '503' })
  return (await metrics.registry.metrics()).split('\n')
}

it("while the database is unavailable, the process's own metrics are exported, and unknown ones are NaN and not zero", async () => {
  for (const away of [() => Promise.reject(new Error('no connection')), () => new Promise<never>(() => {})]) {
    const lines = await linesOf(away)
    expect(lines).toContain('anteroom_http_requests_total{operation="patients.get",status="503"} 1')
    expect(lines).toContain('anteroom_event_listeners 3')
    expect(lines).toContain('anteroom_check_queue_depth Nan')
  }
})

it('the backlog comes from the database', async () => {
  expect(await linesOf(async () => ['7', '0', '0', '0', '0', '0', '0', '0'])).toContain('anteroom_check_queue_depth 7')
})
