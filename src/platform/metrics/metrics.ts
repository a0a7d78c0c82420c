// The metrics of a process, in the format of Prometheus. No label names a patient, a client or an organization: labels
// are operations, statuses and kinds. decisions/0041-metrics.md
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'

const REQUEST_SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60]
const PAYER_SECONDS = [0.25, 0.5, 1, 2, 4, 8, 15, 30, 60]

/** Background work that goes over all organizations. */
const BACKGROUND_WORK = ['checks', 'collection', 'deliveries', 'verification', 'messages', 'events', 'clock'] as const
export type BackgroundWork = (typeof BACKGROUND_WORK)[number]

export interface Metrics {
  readonly registry: Registry
  readonly requests: Counter<'operation' | 'status'>
  readonly requestSeconds: Histogram<'operation'>
  /** The responses in progress; `sent` is true when only the delivery remains. */
  readonly inFlight: Set<{ readonly sent: boolean }>
  readonly checks: Counter<'connector' | 'payer' | 'outcome'>
  readonly payerSeconds: Histogram<'connector'>
  readonly breakerRefusals: Counter
  readonly webhookAttempts: Counter<'outcome'>
  readonly organizationFailures: Counter<'work'>
  /** A value that is read at each scrape, and left out while it is unknown: of a range with a NaN in it nothing can be computed. */
  gauge(metric: GaugeText, read: () => Known | Promise<Known>): void
  /** The same for several values, by labels. */
  gauges<Label extends string>(metric: Labeled<Label>, read: ReadValues<Label>): void
  /** The same for values that only grow. */
  counts<Label extends string>(metric: Labeled<Label>, read: ReadValues<Label>): void
}

type Known = number | undefined

/** A metric with labels whose values are read at each scrape. */
type Labeled<Label extends string> = GaugeText & { labels: Label[] }

type ReadValues<Label extends string> = () => Iterable<readonly [Record<Label, string>, number]>

interface GaugeText {
  name: string
  help: string
  /** How the values of several processes are combined; their sum by default. */
  together?: 'sum' | 'first' | 'max' | 'min'
}

/** A registry of Node's own metrics, which measure the event loop from now on. */
function registryOfNode(): Registry {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  // Gauges with names of counters, which promtool refuses; the metrics without the suffix have the same numbers, by
  // type.
  for (const what of ['handles', 'requests', 'resources']) registry.removeSingleMetric(`nodejs_active_${what}_total`)
  // Of several processes the slowest one counts: a mean would hide it.
  for (const metric of registry.getMetricsAsArray()) {
    if (metric.name.startsWith('nodejs_eventloop_lag_')) Object.assign(metric, { aggregator: 'max' })
  }
  return registry
}

/** A name that is registered twice throws. */
export function createMetrics(): Metrics {
  const registry = registryOfNode()
  const registers = [registry]
  const counter = <Label extends string>(name: string, help: string, labelNames: Label[]) =>
    new Counter({ name, help, labelNames, registers })
  const inFlight: Metrics['inFlight'] = new Set()
  const organizationFailures = counter(
    'anteroom_organization_failures_total',
    'Background work that failed in one organization and went on in the others, by work.',
    ['work'],
  )
  // The first failure is an increase, too.
  for (const work of BACKGROUND_WORK) organizationFailures.inc({ work }, 0)
  new Gauge({
    name: 'anteroom_http_requests_in_flight',
    help: 'Requests that have no answer yet; live streams are not counted.',
    registers,
    collect() {
      this.set([...inFlight].filter(({ sent }) => !sent).length)
    },
  })
  return {
    registry,
    inFlight,
    requests: counter('anteroom_http_requests_total', 'Requests, by operation and status.', ['operation', 'status']),
    requestSeconds: new Histogram({
      name: 'anteroom_http_request_duration_seconds',
      help: 'From the headers of a request to the end of its answer.',
      labelNames: ['operation'],
      buckets: REQUEST_SECONDS,
      registers,
    }),
    checks: counter('anteroom_payer_inquiries_total', 'Inquiries sent to payers, by outcome.', [
      'connector',
      'payer',
      'outcome',
    ]),
    payerSeconds: new Histogram({
      name: 'anteroom_payer_inquiry_duration_seconds',
      help: 'How long payers take to answer.',
      labelNames: ['connector'],
      buckets: PAYER_SECONDS,
      registers,
    }),
    breakerRefusals: counter(
      'anteroom_payer_breaker_refusals_total',
      'Inquiries not sent because the circuit breaker is open.',
      [],
    ),
    webhookAttempts: counter('anteroom_webhook_attempts_total', 'Attempts to deliver events to webhooks.', ['outcome']),
    organizationFailures,
    gauge({ name, help, together = 'sum' }, read) {
      new Gauge({
        name,
        help,
        registers,
        aggregator: together,
        async collect() {
          const value = await read()
          if (value === undefined) this.remove()
          else this.set(value)
        },
      })
    },
    gauges({ name, help, labels, together = 'sum' }, read) {
      new Gauge({
        name,
        help,
        labelNames: labels,
        registers,
        aggregator: together,
        collect() {
          this.reset()
          for (const [values, number] of read()) this.set(values, number)
        },
      })
    },
    counts({ name, help, labels }, read) {
      new Counter({
        name,
        help,
        labelNames: labels,
        registers,
        collect() {
          this.reset()
          for (const [values, number] of read()) this.inc(values, number)
        },
      })
    },
  }
}
