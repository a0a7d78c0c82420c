import { expect, it } from 'vitest'
import { createMetrics } from '../platform/metrics/metrics.ts'
import { createPayerLabels, measureService } from './measure.ts'

const away = () => Promise.reject(new Error('no connection'))

async function linesOf(
  row: (statement: { name: string }) => Promise<string[]>,
  { isAway = false, unstoredFor = 0 } = {},
) {
  const metrics = createMetrics()
  const probeDatabase = { rows: isAway ? away : async () => [] }
  const database = { usage: () => [], systemDatabase: { row }, probeDatabase }
  const audit = { unstoredForSeconds: () => unstoredFor }
  measureService(metrics, {
    database: database as never,
    events: { listeners: () => 3, types: { feeds: [] } } as never,
    audit,
  })
  metrics.requests.inc({ operation: 'patients.get', status: '503' })
  return (await metrics.registry.metrics()).split('\n')
}

it("while the database is unavailable, the process's own metrics are exported, and unknown ones are neither NaN nor zero", async () => {
  for (const row of [away, () => new Promise<never>(() => {})]) {
    const lines = await linesOf(row, { isAway: true })
    expect(lines).toContain('anteroom_http_requests_total{operation="patients.get",status="503"} 1')
    expect(lines).toContain('anteroom_event_listeners 3')
    expect(lines).toContain('anteroom_database_available 0')
    expect(lines.filter((line) => /^anteroom_(check|webhook|audit|database_size)/.test(line))).toEqual([])
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

it('while some tables are locked or cannot be read, the backlog of the others is known', async () => {
  for (const ofWebhooks of [away, () => new Promise<never>(() => {})]) {
    let asked = 0
    const row = async ({ name }: { name: string }) => {
      if (name !== 'metrics_webhooks') return ['7', '8']
      asked++
      return ofWebhooks()
    }
    const lines = await linesOf(row)
    expect(lines).toEqual(
      expect.arrayContaining([
        'anteroom_check_queue_depth 7',
        'anteroom_audit_lag_seconds 8',
        'anteroom_database_size_bytes 7',
      ]),
    )
    expect(lines.filter((line) => line.startsWith('anteroom_webhook'))).toEqual([])
    expect(asked).toBe(1)
  }
})

it('the audit trail is late by its oldest event in the database, or for as long as a process could store none', async () => {
  const found = async ({ name }: { name: string }) => (name === 'metrics_audit' ? ['0', '70'] : ['0', '0', '0'])
  expect(await linesOf(found)).toContain('anteroom_audit_lag_seconds 70')
  expect(await linesOf(found, { unstoredFor: 400 })).toContain('anteroom_audit_lag_seconds 400')
  expect(await linesOf(away, { unstoredFor: 400 })).toContain('anteroom_audit_lag_seconds 400')
})
