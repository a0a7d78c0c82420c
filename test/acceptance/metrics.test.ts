// The metrics of a started server, and the data that they must not contain.
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { packageFile } from '../../src/platform/package-root.ts'
import { eligibilityRequestBody, patientBody } from '../support/bodies.ts'
import { type Desk, openDesk } from '../support/desk.ts'
import { freePort } from '../support/free-port.ts'
import { startPrometheus } from '../support/prometheus.ts'
import { type StartedServer, startServerOnClone } from '../support/started-server.ts'

let server: StartedServer
let desk: Desk
let url = ''
let organizationId = ''
let clientId = ''
beforeAll(async () => {
  const port = await freePort()
  url = `http://127.0.0.1:${port}/metrics`
  server = await startServerOnClone({ METRICS_PORT: String(port) })
  const credentials = await server.newCredentials()
  organizationId = credentials.organization_id
  clientId = credentials.client_id
  desk = await openDesk(server.url, credentials)
})
afterAll(() => server?.stop())

const read = async () => (await fetch(url)).text()

it('counts requests by operation and status, and inquiries by connector, payer and outcome', async () => {
  const { body: patient } = await desk.call('POST', '/patients/v1', patientBody())
  await desk.call('GET', `/patients/v1/${patient.id}`)
  await desk.call('GET', '/patients/v1/nobody')
  await desk.call('POST', '/eligibility-checks/v1', eligibilityRequestBody())
  await desk.call('POST', '/eligibility-checks/v1', { ...eligibilityRequestBody(), payer_id: 'RIVERA' })
  await vi.waitFor(
    async () => {
      const text = await read()
      expect(text).toContain('anteroom_http_requests_total{operation="patients.get",status="200"} 1')
      expect(text).toContain('anteroom_http_requests_total{operation="patients.get",status="404"} 1')
      expect(text).toMatch(/anteroom_payer_inquiries_total\{connector="sandbox",outcome="answered",payer="60054"\} 1/)
      expect(text).toMatch(/anteroom_http_request_duration_seconds_count\{operation="patients.create"\} 1/)
    },
    { timeout: 60_000 },
  )
})

it.each([
  'anteroom_http_requests_in_flight',
  'anteroom_database_connections{pool="application"}',
  'anteroom_database_waiting{pool="application"}',
  'anteroom_check_queue_depth',
  'anteroom_check_queue_age_seconds',
  'anteroom_audit_lag_seconds',
  'anteroom_webhook_deliveries_pending',
  'anteroom_event_listeners',
  'anteroom_database_size_bytes',
  'nodejs_eventloop_lag_seconds',
])('exports %s', async (name) => {
  expect((await read()).split('\n').some((line) => line.startsWith(`${name} `))).toBe(true)
})

it('names no patient, no client, no organization, and no payer that the directory does not know', async () => {
  const text = await read()
  const shown = ['Rivera', 'RIVERA', 'W123456789', organizationId, clientId].filter((each) => text.includes(each))
  expect(shown).toEqual([])
  expect(text).not.toMatch(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-/)
  const labels = new Set([...text.matchAll(/[{,](\w+)="/g)].map(([, label]) => label))
  const known = [
    'connector',
    'kind',
    'le',
    'major',
    'minor',
    'operation',
    'outcome',
    'patch',
    'payer',
    'pool',
    'quantile',
    'space',
    'state',
    'status',
    'type',
    'version',
    'work',
  ]
  expect([...labels].filter((label) => !known.includes(label ?? ''))).toEqual([])
})

it('is on a separate port, which serves nothing else', async () => {
  expect((await fetch(`${server.url}/metrics`)).status).toBe(404)
  expect((await fetch(url.replace('/metrics', '/patients/v1'))).status).toBe(404)
  expect((await fetch(url, { method: 'POST' })).status).toBe(404)
})

it('is scraped by Prometheus with the configuration, the alerts and the queries of deploy/', async ({ skip }) => {
  const prometheus = await startPrometheus(new URL(url).host)
  if (prometheus === undefined) return skip('prometheus is not installed: it is in the package prometheus of Debian')
  try {
    await vi.waitFor(
      async () => {
        const [up] = await prometheus.query('up{job="anteroom"}')
        expect(up?.value[1]).toBe('1')
        const [requests] = await prometheus.query('sum(anteroom_http_requests_total)')
        expect(Number(requests?.value[1])).toBeGreaterThan(0)
      },
      { timeout: 60_000, interval: 500 },
    )
    const rules = await prometheus.rules()
    expect(rules.length).toBeGreaterThan(8)
    expect(rules.filter(({ health }) => health === 'err')).toEqual([])
    expect(rules.filter(({ state }) => state === 'firing').map(({ name }) => name)).toEqual([])
    const { panels } = JSON.parse(readFileSync(packageFile('deploy/grafana/anteroom.json'), 'utf8'))
    const queries = panels.flatMap(({ targets = [] }: { targets?: { expr: string }[] }) => targets)
    expect(queries.length).toBeGreaterThan(10)
    for (const { expr } of queries) await prometheus.query(expr.replaceAll('$__rate_interval', '1m'))
  } finally {
    await prometheus.stop()
  }
})

it('passes promtool', async ({ skip }) => {
  const { error, status, stderr, stdout } = spawnSync('promtool', ['check', 'metrics'], { input: await read() })
  if (error) return skip('promtool is not installed: it is in the package prometheus of Debian')
  expect(`${stdout}${stderr}`).toBe('')
  expect(status).toBe(0)
})
