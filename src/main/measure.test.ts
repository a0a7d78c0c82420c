import { expect, it } from 'vitest'
import { createMetrics } from '../platform/metrics/metrics.ts'
import { createPayerLabels, measureService } from './measure.ts'

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

it('a hundred payers of the directory have their own time series, and all others one together', async () => {
  const labels = createPayerLabels(async (id) => id !== 'a name')
  const found: string[] = []
  for (const id of ['a name', ...Array.from({ length: 101 }, (_, index) => `P${index}`)])
    found.push(await labels.find(id))
  expect([found[0], found[1], found[100], found[101]]).toEqual(['other', 'P0', 'P99', 'other'])
  expect([labels.payer('P99'), labels.payer('P100'), labels.payer('a name')]).toEqual(['P99', 'other', 'other'])
})
