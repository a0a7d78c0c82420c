// The backlog of background work: the same values for all processes, from the database.
import type { EventSource } from '../events/event-source.ts'
import type { AuditTrail } from '../platform/audit/trail.ts'
import type { DatabasePool } from '../platform/database/database-pool.ts'
import type { Metrics } from '../platform/metrics/metrics.ts'
import { withTimeLimit } from '../platform/with-time-limit.ts'

/** Prometheus waits 10 s for the whole scrape by default. */
export const READ_WITHIN_MS = 3_000
const REMEMBERED_MS = 5_000

/** The age of the oldest row in seconds, 0 if there is none. */
const ageOf = (instant: string) => `coalesce(extract(epoch from now() - min(${instant})), 0)`
const DUE = `from eligibility_check where status = 'PENDING' and due_at <= now()`
const DELIVERIES = `from webhook_delivery d join webhook w on w.organization_id = d.organization_id and w.id = d.webhook_id`

interface Value {
  name: string
  help: string
  sql: string
}

/**
 * What is read in one statement, by its tables: while one is locked or cannot be read, the others are known.
 * decisions/0239-trails-wait-for-no-other.md
 */
const CHECKS: readonly Value[] = [
  { name: 'anteroom_check_queue_depth', help: 'Checks that are waiting.', sql: `select count(*) ${DUE}` },
  {
    name: 'anteroom_check_queue_age_seconds',
    help: 'How long the oldest of them has been due.',
    sql: `select ${ageOf('due_at')} ${DUE}`,
  },
]

/**
 * $1 the record types whose changes are events. What a webhook has not delivered may be a delivery, an event without one, or a change that
 * is not an event yet: a worker makes each of the one before.
 */
const WEBHOOKS: readonly Value[] = [
  {
    name: 'anteroom_webhook_deliveries_pending',
    help: 'Deliveries that wait, of webhooks that are enabled.',
    sql: `select count(*) ${DELIVERIES} where d.status = 'PENDING' and w.enabled`,
  },
  {
    name: 'anteroom_webhook_lag_seconds',
    help: 'Age of the oldest event that an enabled webhook has not delivered.',
    sql: `select greatest(
      (select ${ageOf('e.at')} ${DELIVERIES}
        join event e on e.organization_id = d.organization_id and e.number = d.number where d.status = 'PENDING' and w.enabled),
      (select ${ageOf('next.at')} from webhook w cross join lateral (
        select e.at from event e where e.organization_id = w.organization_id and e.number > w.position order by e.number limit 1
      ) next where w.enabled),
      (select ${ageOf('next.at')} from webhook w
        join change_clock c on c.organization_id = w.organization_id and c.record_type = any($1)
        left join event_cursor k on k.organization_id = c.organization_id and k.record_type = c.record_type
        cross join lateral (
          select r.at from record_change r where r.organization_id = c.organization_id and r.record_type = c.record_type
            and r.at > coalesce(k.at, '-infinity') order by r.at limit 1
        ) next where w.enabled and c.at > coalesce(k.at, '-infinity')))`,
  },
  {
    name: 'anteroom_webhooks_disabled',
    help: 'Webhooks that the service has disabled.',
    sql: 'select count(*) from webhook where disabled_at is not null',
  },
]

const SIZE: readonly Value[] = [
  {
    name: 'anteroom_database_size_bytes',
    help: 'Size of the database.',
    sql: 'select pg_database_size(current_database())',
  },
]

const PENDING: Value = {
  name: 'anteroom_audit_pending',
  help: 'Audit events that are not chained yet.',
  sql: 'select count(*) from audit_pending',
}

/** Adds the metrics of the backlog, which is read at a scrape, at most every REMEMBERED_MS. */
export function measureBacklog(
  metrics: Metrics,
  { systemDatabase }: Pick<DatabasePool, 'systemDatabase'>,
  feeds: EventSource['types']['feeds'],
  audit: Pick<AuditTrail, 'unstoredForSeconds'>,
): void {
  /** Reads the values of one statement; undefined while they are not known. */
  function readerOf(name: string, sqls: readonly string[], values: readonly unknown[] = []) {
    const statement = { name: `metrics_${name}`, text: `select ${sqls.map((sql) => `(${sql})`).join(', ')}` }
    const read = remembered(() => systemDatabase.row(statement, [...values]))
    return async (column: number): Promise<number | undefined> => {
      const row = await withTimeLimit(
        READ_WITHIN_MS,
        read().catch(() => undefined),
      )
      return row && Number(row[column])
    }
  }

  function expose(values: readonly Value[], read: (column: number) => Promise<number | undefined>): void {
    for (const [column, { name, help }] of values.entries())
      metrics.gauge({ name, help, together: 'first' }, () => read(column))
  }

  const sqlOf = (values: readonly Value[]) => values.map(({ sql }) => sql)
  expose(CHECKS, readerOf('checks', sqlOf(CHECKS)))
  expose(WEBHOOKS, readerOf('webhooks', sqlOf(WEBHOOKS), [feeds]))
  expose(SIZE, readerOf('size', sqlOf(SIZE)))
  const readAudit = readerOf('audit', [PENDING.sql, `select ${ageOf('at')} from audit_pending`])
  expose([PENDING], readAudit)
  metrics.gauge(
    {
      name: 'anteroom_audit_lag_seconds',
      help: 'Age of the oldest audit event that is not chained, or for how long this process could store none.',
      together: 'max',
    },
    async () => {
      const unstoredFor = audit.unstoredForSeconds()
      const waitingFor = await readAudit(1)
      return waitingFor === undefined && unstoredFor === 0 ? undefined : Math.max(waitingFor ?? 0, unstoredFor)
    },
  )
}

/** One statement for its gauges, for scrapes that follow within some seconds, and for those during which it waits. */
function remembered<T>(read: () => Promise<T>): () => Promise<T> {
  let at = Number.NEGATIVE_INFINITY
  let isReading = false
  let latest: Promise<T> | undefined
  return () => {
    if (latest === undefined || (!isReading && performance.now() - at > REMEMBERED_MS)) {
      at = performance.now()
      isReading = true
      const reading = read()
      latest = reading
      reading
        .catch(() => {
          latest = undefined
        })
        .finally(() => {
          isReading = false
        })
    }
    return latest
  }
}
