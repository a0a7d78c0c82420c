// Alerts, the dashboard and the runbook refer to existing metrics, and to each other.
import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { createPayerBreaker } from '../../src/eligibility/checks/payer-breaker.ts'
import { measureInstallation } from '../../src/main/installation.ts'
import { createPayerLabels, measureReads, measureService } from '../../src/main/measure.ts'
import { measureBreaker } from '../../src/main/measure-breaker.ts'
import { packageFile } from '../../src/platform/package-root.ts'
import { testService } from '../support/service.ts'

const service = testService()
const text = (name: string) => readFileSync(packageFile(name), 'utf8')
const alerts = text('deploy/prometheus/alerts.yaml')
const dashboard = text('deploy/grafana/anteroom.json')

it('every metric in the alerts and the dashboard exists', async () => {
  const { metrics, events } = service.deps
  measureService(metrics, { database: service.deps.database as never, events })
  measureReads(metrics, { counts: () => ({ replica: 0 }) as never, standing: () => 'in use', lagSeconds: () => 0 })
  measureInstallation(metrics, { ...service.deps.config, TLS_CERT_FILE: 'certificate.pem' }, service.database)
  measureBreaker(
    createPayerBreaker(),
    metrics,
    createPayerLabels(async () => false),
  )
  const known = new Set(metrics.registry.getMetricsAsArray().map(({ name }) => name))
  const used = [...`${alerts}${dashboard}`.matchAll(/\b(?:anteroom|nodejs)_\w+/g)].map(([name]) =>
    name.replace(/_(bucket|count|sum)$/, ''),
  )
  expect(used.length).toBeGreaterThan(20)
  expect([...new Set(used)].filter((name) => !known.has(name))).toEqual([])
})

it('every alert has an entry in the runbook, and every entry an alert', () => {
  const anchors = [...alerts.matchAll(/runbook: docs\/runbook\.md#(\S+)/g)].map(([, anchor]) => anchor)
  const headings = [...text('docs/runbook.md').matchAll(/^## (.+)$/gm)].map(([, heading = '']) =>
    heading.toLowerCase().replaceAll(' ', '-'),
  )
  expect(anchors.sort()).toEqual(headings.sort())
  expect(anchors.length).toBe([...alerts.matchAll(/- alert:/g)].length)
})

it('the alert of slow requests leaves out the operations that wait for payers, under names that exist', () => {
  const { paths } = JSON.parse(text('openapi.json')) as {
    paths: Record<string, Record<string, { operationId?: string }>>
  }
  const operations = Object.values(paths).flatMap((methods) =>
    Object.values(methods).flatMap(({ operationId }) => operationId ?? []),
  )
  const [, pattern = ''] = /operation!~"([^"]+)"/.exec(alerts) ?? []
  // Prometheus compares the whole label.
  const matching = (regex: string) => operations.filter((operation) => new RegExp(`^(?:${regex})$`).test(operation))
  expect(pattern.split('|').filter((name) => matching(name).length === 0)).toEqual([])
  const waiting = ['eligibilityChecks.post', 'coverages.checkEligibility', 'visitVerification.begin', 'connectors.test']
  expect(matching(pattern)).toEqual(expect.arrayContaining(waiting))
})

it('the dashboard is JSON whose panels do not overlap', () => {
  const { panels } = JSON.parse(dashboard) as { panels: { gridPos: { x: number; y: number } }[] }
  expect(new Set(panels.map(({ gridPos: { x, y } }) => `${x} ${y}`)).size).toBe(panels.length)
})

it('the dashboard shows every metric that an alert watches', () => {
  const watched = [...alerts.matchAll(/\b(?:anteroom|nodejs)_\w+/g)].map(([name]) => name)
  expect([...new Set(watched)].filter((name) => !dashboard.includes(name))).toEqual([])
})
