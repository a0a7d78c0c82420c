// Alerts, the dashboard and the runbook refer to existing metrics and labels, and to each other; and every alert fires.
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseYaml } from '@redocly/openapi-core'
import { beforeAll, expect, it } from 'vitest'
import { createPayerBreaker } from '../../src/eligibility/checks/payer-breaker.ts'
import { measureInstallation } from '../../src/main/installation.ts'
import { createPayerLabels, measureReads, measureService } from '../../src/main/measure.ts'
import { measureBreaker } from '../../src/main/measure-breaker.ts'
import { packageFile } from '../../src/platform/package-root.ts'
import { webhookBody } from '../support/bodies.ts'
import { testService } from '../support/service.ts'
import { alertCases } from './alert-cases.ts'

interface Rule {
  alert: string
  expr: string
  labels: { severity: string }
  annotations: { summary: string; runbook: string }
}
interface Panel {
  gridPos: { x: number; y: number }
  targets?: { expr: string; legendFormat?: string }[]
}

const service = testService()
const text = (name: string) => readFileSync(packageFile(name), 'utf8')
const alerts = text('deploy/prometheus/alerts.yaml')
const dashboard = text('deploy/grafana/anteroom.json')
const rules = (parseYaml(alerts) as { groups: { rules: Rule[] }[] }).groups.flatMap((group) => group.rules)
const { panels } = JSON.parse(dashboard) as { panels: Panel[] }
const targets = panels.flatMap((panel) => panel.targets ?? [])
const expressions = [...rules, ...targets].map(({ expr }) => expr)

/** The labels of every metric of a service, by the name of the metric. */
const known = new Map<string, string[]>([['up', ['job']]])
/** Prometheus adds them. */
const OF_PROMETHEUS = ['instance', 'job']

beforeAll(() => {
  const { metrics, events, audit } = service.deps
  measureService(metrics, { database: service.deps.database as never, events, audit })
  measureReads(metrics, { counts: () => ({ replica: 0 }) as never, standing: () => 'in use', lagSeconds: () => 0 })
  measureInstallation(metrics, { ...service.deps.config, TLS_CERT_FILE: 'certificate.pem' }, service.database)
  measureBreaker(
    createPayerBreaker(),
    metrics,
    createPayerLabels(async () => false),
  )
  for (const { name, type } of metrics.registry.getMetricsAsArray()) {
    const { labelNames } = metrics.registry.getSingleMetric(name) as unknown as { labelNames: string[] }
    known.set(name, String(type) === 'histogram' ? [...labelNames, 'le'] : labelNames)
  }
})

const metricOf = (name: string) => name.replace(/_(bucket|count|sum)$/, '')

/** The metrics of an expression, each with the labels that it names in braces. */
const metricsIn = (expression: string) =>
  [...expression.matchAll(/\b((?:anteroom|nodejs)_\w+|up(?=\{))(?:\{(.*?)\})?/g)].map(
    ([, name = '', matchers = '']) => ({
      name: metricOf(name),
      labels: [...matchers.matchAll(/(\w+)(?:=~|!~|!=|=)"/g)].map(([, label = '']) => label),
    }),
  )

/** The labels that are left in the result of an expression. */
const groupedBy = (expression: string) =>
  [...expression.matchAll(/\bby \(([^)]*)\)/g)].flatMap(([, list = '']) => list.split(/,\s*/))

it('every metric in the alerts and the dashboard exists', () => {
  const used = expressions.flatMap((expression) => metricsIn(expression).map(({ name }) => name))
  expect(used.length).toBeGreaterThan(20)
  expect([...new Set(used)].filter((name) => !known.has(name))).toEqual([])
})

it('every label in the alerts and the dashboard is one of its metric, and every legend names a label that is left', () => {
  const labelsOf = (name: string) => [...(known.get(name) ?? []), ...OF_PROMETHEUS]
  const wrong = expressions.flatMap((expression) => {
    const metrics = metricsIn(expression)
    const selected = metrics.flatMap(({ name, labels }) => labels.filter((label) => !labelsOf(name).includes(label)))
    const all = metrics.flatMap(({ name }) => labelsOf(name))
    return [...selected, ...groupedBy(expression).filter((label) => !all.includes(label))].map((label) => [
      expression,
      label,
    ])
  })
  expect(wrong).toEqual([])
  expect(expressions.flatMap(groupedBy).length).toBeGreaterThan(10)
  const legends = targets.flatMap(({ expr, legendFormat = '' }) =>
    [...legendFormat.matchAll(/\{\{(\w+)\}\}/g)].flatMap(([, label = '']) =>
      groupedBy(expr).includes(label) ? [] : [[expr, label]],
    ),
  )
  expect(legends).toEqual([])
})

it('the runbook names every kind of background work that can fail in one organization', async () => {
  const { values } = await service.deps.metrics.organizationFailures.get()
  const runbook = text('docs/runbook.md')
  const kinds = values.map(({ labels }) => `${labels.work}`)
  expect(kinds.length).toBeGreaterThan(3)
  expect(kinds.filter((work) => !runbook.includes(`\`${work}\``))).toEqual([])
})

it('the alert of processes that are down names the job of the configuration of Prometheus', () => {
  const { scrape_configs } = parseYaml(text('deploy/prometheus/prometheus.yaml')) as {
    scrape_configs: { job_name: string }[]
  }
  const jobs = [...alerts.matchAll(/job="(\w+)"/g)].map(([, job]) => job)
  expect(jobs).toEqual(scrape_configs.map(({ job_name }) => job_name))
})

it('a webhook is behind while no worker runs that would prepare its deliveries', async () => {
  const { call } = await service.newCaller()
  expect((await call('POST', '/anteroom/v1/webhooks', webhookBody())).status).toBe(200)
  expect((await call('POST', '/notes/v1', { value: 'a note' })).status).toBe(200)
  const lines = (await service.deps.metrics.registry.metrics()).split('\n')
  expect(lines).toContain('anteroom_webhook_deliveries_pending 0')
  const lag = lines.find((line) => line.startsWith('anteroom_webhook_lag_seconds '))?.split(' ')[1]
  expect(Number(lag)).toBeGreaterThan(0)
})

it('every alert has a state in which it fires and one in which it does not, of series that a service exports', () => {
  expect(Object.keys(alertCases).sort()).toEqual(rules.map(({ alert }) => alert).sort())
  for (const { alert, expr } of rules) {
    const { fires, silent } = alertCases[alert] ?? { fires: {}, silent: {} }
    const series = [fires, silent].flat().flatMap(Object.keys).flatMap(metricsIn)
    const watched = new Set(metricsIn(expr).map(({ name }) => name))
    expect(new Set(series.map(({ name }) => name)), alert).toEqual(watched)
    for (const { name, labels } of series)
      expect([...(known.get(name) ?? []), 'instance', 'job'], alert).toEqual(expect.arrayContaining(labels))
  }
})

it('every alert fires in its state, and in no other', async ({ skip }) => {
  const folder = await mkdtemp(join(tmpdir(), 'anteroom-alerts-'))
  try {
    const files = await Promise.all(
      [...new Set(rules.map(({ alert }) => minutesOf(alert)))].map(async (minutes) => {
        const file = join(folder, `${minutes}.yaml`)
        await writeFile(file, JSON.stringify(promtoolTests(minutes)))
        return file
      }),
    )
    const { error, status, stdout, stderr } = spawnSync('promtool', ['test', 'rules', ...files])
    if (error) return skip('promtool is not installed: it is in the package prometheus of Debian')
    expect([status, String(stderr)], String(stdout)).toEqual([0, ''])
  } finally {
    await rm(folder, { recursive: true })
  }
})

const minutesOf = (alert: string) => alertCases[alert]?.minutes ?? 1

/** The cases with values at this interval in the format of promtool, which reads JSON as YAML. */
function promtoolTests(minutes: number) {
  const tests = rules.flatMap(({ alert, labels, annotations }) => {
    const found = alertCases[alert]
    if (!found || minutesOf(alert) !== minutes) return []
    const expected = { exp_labels: { ...found.labels, ...labels }, exp_annotations: annotations }
    const testOf = (series: Record<string, string>, exp_alerts: object[]) => ({
      interval: `${minutes}m`,
      input_series: Object.entries(series).map(([name, values]) => ({ series: name, values })),
      alert_rule_test: [{ eval_time: found.at, alertname: alert, exp_alerts }],
    })
    return [
      ...[found.fires].flat().map((series) => testOf(series, [expected])),
      ...[found.silent].flat().map((series) => testOf(series, [])),
    ]
  })
  return {
    rule_files: [packageFile('deploy/prometheus/alerts.yaml')],
    evaluation_interval: `${minutes}m`,
    tests,
  }
}

it('every alert has an entry in the runbook, and every entry an alert', () => {
  const anchors = rules.map(({ annotations }) => /^docs\/runbook\.md#(\S+)$/.exec(annotations.runbook)?.[1])
  const headings = [...text('docs/runbook.md').matchAll(/^## (.+)$/gm)].map(([, heading = '']) =>
    heading.toLowerCase().replaceAll(' ', '-'),
  )
  expect(anchors.sort()).toEqual(headings.sort())
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
  expect(new Set(panels.map(({ gridPos: { x, y } }) => `${x} ${y}`)).size).toBe(panels.length)
})

it('the dashboard shows every metric that an alert watches', () => {
  const shown = new Set(targets.flatMap(({ expr }) => metricsIn(expr).map(({ name }) => name)))
  const watched = rules.flatMap(({ expr }) => metricsIn(expr).map(({ name }) => name))
  expect([...new Set(watched)].filter((name) => !shown.has(name) && name !== 'up')).toEqual([])
})
