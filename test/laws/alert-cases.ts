// For each alert a state in which it fires and one in which it does not, as series of its metrics in the notation of `promtool test rules`.

/** A series and its values, one every minute unless the case says otherwise. */
type Series = Record<string, string>

interface AlertCase {
  /** The minutes between two values. */
  minutes?: number
  /** One state, or several that each make it fire. */
  fires: Series | Series[]
  silent: Series | Series[]
  /** When both states have lasted long enough. */
  at: string
  /** Of the alert that fires, beside its severity. */
  labels: Record<string, string>
}

const target = { instance: 'server:9464' }
const SOON = '30m'

/** A gauge that keeps one value for three hours. */
const steady = (metric: string, value: number, labels: Record<string, string> = {}): Series => ({
  [`${metric}{${Object.entries({ ...labels, ...target })
    .map(([name, label]) => `${name}="${label}"`)
    .join(',')}}`]: `${value}+0x180`,
})

/** A counter that grows by as much every minute. */
const growing = (metric: string, labels: string, perMinute: number): Series => ({
  [`${metric}{${labels},instance="server:9464"}`]: `0+${perMinute}x180`,
})
const requests = (status: string, perMinute: number) =>
  growing('anteroom_http_requests_total', `operation="patients.get",status="${status}"`, perMinute)
const inquiries = (outcome: string, perMinute: number) =>
  growing('anteroom_payer_inquiries_total', `connector="stedi",payer="60054",outcome="${outcome}"`, perMinute)
/** Every half hour one that is not answered, as often as stated. */
const unavailable = (times: number): Series => ({
  [Object.keys(inquiries('unavailable', 0))[0] ?? '']: [...Array(times + 1).keys()]
    .map((sent) => `${sent}x29`)
    .join(' '),
})
const breakers = (count: number) =>
  steady('anteroom_payer_breakers', count, { connector: 'stedi', payer: '60054', state: 'closed' })
const durations = (operation: string, withinSecond: number, all: number): Series => ({
  ...growing('anteroom_http_request_duration_seconds_bucket', `operation="${operation}",le="1"`, withinSecond),
  ...growing('anteroom_http_request_duration_seconds_bucket', `operation="${operation}",le="2.5"`, all),
  ...growing('anteroom_http_request_duration_seconds_bucket', `operation="${operation}",le="+Inf"`, all),
})

export const alertCases: Record<string, AlertCase> = {
  AnteroomDown: {
    fires: steady('up', 0, { job: 'anteroom' }),
    silent: steady('up', 1, { job: 'anteroom' }),
    at: SOON,
    labels: { ...target, job: 'anteroom' },
  },
  AnteroomDatabaseUnavailable: {
    fires: steady('anteroom_database_available', 0),
    silent: steady('anteroom_database_available', 1),
    at: SOON,
    labels: target,
  },
  AnteroomErrors: {
    fires: { ...requests('200', 98), ...requests('503', 2) },
    silent: { ...requests('200', 995), ...requests('404', 50), ...requests('503', 5) },
    at: SOON,
    labels: {},
  },
  AnteroomSlow: {
    fires: durations('patients.get', 90, 100),
    silent: { ...durations('patients.get', 1000, 1000), ...durations('eligibilityChecks.post', 0, 100) },
    at: SOON,
    labels: {},
  },
  AnteroomEventLoopLate: {
    fires: steady('nodejs_eventloop_lag_p99_seconds', 0.7),
    silent: steady('nodejs_eventloop_lag_p99_seconds', 0.2),
    at: SOON,
    labels: target,
  },
  AnteroomDatabaseConnectionsWaiting: {
    fires: steady('anteroom_database_waiting', 45, { pool: 'application' }),
    silent: steady('anteroom_database_waiting', 5, { pool: 'application' }),
    at: SOON,
    labels: { ...target, pool: 'application' },
  },
  AnteroomReplicaNotUsed: {
    fires: steady('anteroom_database_replica_in_use', 0),
    silent: steady('anteroom_database_replica_in_use', 1),
    at: SOON,
    labels: target,
  },
  AnteroomCheckQueueOld: {
    fires: { 'anteroom_check_queue_age_seconds{instance="server:9464"}': '600+60x180' },
    silent: steady('anteroom_check_queue_age_seconds', 300),
    at: SOON,
    labels: {},
  },
  AnteroomPayerUnavailable: {
    fires: [
      { ...inquiries('unavailable', 6), ...inquiries('answered', 4) },
      // Asked every half hour: between two inquiries their rate is unknown, and the alert would begin to wait again.
      { ...unavailable(5), ...breakers(1) },
    ],
    silent: [
      { ...inquiries('unavailable', 4), ...inquiries('answered', 4), ...inquiries('refused', 4), ...breakers(0) },
      // Answered since.
      { ...unavailable(5), ...breakers(0) },
      // One outage, and nobody asked again.
      { ...unavailable(1), ...breakers(1) },
    ],
    at: '170m',
    labels: { connector: 'stedi', payer: '60054' },
  },
  AnteroomAuditLag: {
    fires: { 'anteroom_audit_lag_seconds{instance="server:9464"}': '0+60x180' },
    silent: steady('anteroom_audit_lag_seconds', 1),
    at: SOON,
    labels: {},
  },
  AnteroomOrganizationFailures: {
    fires: { 'anteroom_organization_failures_total{work="messages",instance="server:9464"}': '0x59 1x59 2x59 3x30' },
    silent: { 'anteroom_organization_failures_total{work="messages",instance="server:9464"}': '0x59 1x120' },
    at: '170m',
    labels: { work: 'messages' },
  },
  AnteroomWebhookLag: {
    fires: { 'anteroom_webhook_lag_seconds{instance="server:9464"}': '3600+60x180' },
    silent: steady('anteroom_webhook_lag_seconds', 600),
    at: SOON,
    labels: {},
  },
  AnteroomWebhookDisabled: {
    fires: steady('anteroom_webhooks_disabled', 1),
    silent: steady('anteroom_webhooks_disabled', 0),
    at: '90m',
    labels: {},
  },
  AnteroomDatabaseGrows: {
    minutes: 30,
    // It grows for four days; for an hour of the fourth its size was unknown, after which the alert begins to wait again.
    fires: { 'anteroom_database_size_bytes{instance="server:9464"}': '10000000+300000x143 _x2 53800000+300000x50' },
    // A new database grows in its first hours, and no more.
    silent: { 'anteroom_database_size_bytes{instance="server:9464"}': '10000000+3000000x13 50000000+0x200' },
    at: '82h',
    labels: target,
  },
  AnteroomDiskNearlyFull: {
    fires: steady('anteroom_disk_free_ratio', 0.05),
    silent: steady('anteroom_disk_free_ratio', 0.3),
    at: SOON,
    labels: target,
  },
  AnteroomCertificateExpires: {
    // The time of promtool begins at 0.
    fires: steady('anteroom_certificate_expires_timestamp_seconds', 10 * 86_400),
    silent: steady('anteroom_certificate_expires_timestamp_seconds', 60 * 86_400),
    at: '90m',
    labels: target,
  },
  AnteroomClocksDiffer: {
    fires: steady('anteroom_database_clock_difference_seconds', 8),
    silent: steady('anteroom_database_clock_difference_seconds', 1),
    at: SOON,
    labels: target,
  },
}
