// Metrics of the parts of the service. Where possible they are measured from outside, without the part's knowledge.
import { LRUCache } from 'lru-cache'
import type { Clearinghouse } from '../clearinghouses/clearinghouse.ts'
import { ClearinghouseError } from '../clearinghouses/clearinghouse.ts'
import type { Clearinghouses, Connection } from '../clearinghouses/clearinghouses.ts'
import type { EventSource } from '../events/event-source.ts'
import type { AuditTrail } from '../platform/audit/trail.ts'
import type { DatabasePool } from '../platform/database/database-pool.ts'
import { isMigrated } from '../platform/database/migrate.ts'
import type { Reads } from '../platform/database/replica/reads.ts'
import type { Metrics } from '../platform/metrics/metrics.ts'
import { recentlyUsed } from '../platform/recently-used.ts'
import type { Tracing } from '../platform/tracing/tracing.ts'
import { withTimeLimit } from '../platform/with-time-limit.ts'

/** The most payers with their own time series in a process. */
const PAYERS_MAX = 100
/** How long a payer id without an entry in the directory is remembered: an import may add it. */
const UNKNOWN_FOR_MS = 60_000
/** The number of such ids that are remembered. */
const UNKNOWN_MAX = 1_000
/** The number of connectors whose kind is cached. */
const CONNECTORS_MAX = 10_000
const OTHER = 'other'
/** Prometheus waits 10 s for the whole scrape by default. */
export const READ_WITHIN_MS = 3_000

/** Whether the directory contains a payer id. Callers may send any text as an id, even a patient's name. */
type IsKnownPayer = (id: string) => Promise<boolean>

/** The labels of payers and connectors: never text that a caller sent, never a name that an organization chose. */
export interface PayerLabels {
  /** Looks the payer up in the directory, unless it was looked up before: a batch asks one payer thousands of times. */
  find(payerId: string): Promise<string>
  /** The label without a look-up. */
  payer(payerId: string): string
  /** Stores the kind of an organization's connector for its label. */
  learn(organizationId: string, connection: Connection): void
  connector(organizationId: string, connection: string): string
}

/**
 * The first PAYERS_MAX payers of the directory have a label of their own, all others share one. A look-up that fails is repeated the next
 * time.
 */
export function createPayerLabels(isKnownPayer: IsKnownPayer): PayerLabels {
  const payers = new Set<string>()
  const lookups = new LRUCache<string, Promise<boolean>>({ max: UNKNOWN_MAX, ttl: UNKNOWN_FOR_MS })
  const kinds = recentlyUsed<string>(CONNECTORS_MAX)
  const keyOf = (organizationId: string, name: string) => JSON.stringify([organizationId, name])

  function lookUp(id: string): Promise<boolean> {
    const known = lookups.get(id)
    if (known) return known
    const lookup = isKnownPayer(id).catch(() => {
      lookups.delete(id)
      return false
    })
    lookups.set(id, lookup)
    return lookup
  }

  return {
    async find(id) {
      if (payers.has(id)) return id
      if (payers.size >= PAYERS_MAX || !(await lookUp(id))) return OTHER
      payers.add(id)
      return id
    },
    payer: (id) => (payers.has(id) ? id : OTHER),
    learn: (organizationId, { name, kind = OTHER }) => kinds.set(keyOf(organizationId, name), kind),
    connector: (organizationId, name) => kinds.get(keyOf(organizationId, name)) ?? OTHER,
  }
}

/** Measures every inquiry through these connectors: its outcome and how long the payer took. */
export function measureClearinghouses(
  clearinghouses: Clearinghouses,
  { metrics, tracing }: { metrics: Metrics; tracing: Tracing },
  labels: PayerLabels,
): Clearinghouses {
  async function count(connector: string, outcome: string, payerId: string): Promise<void> {
    metrics.checks.inc({ connector, outcome, payer: await labels.find(payerId) })
  }

  function measure<T extends Connection | undefined>(organizationId: string, connection: T): T {
    if (connection === undefined) return connection
    labels.learn(organizationId, connection)
    const { clearinghouse, kind: connector = OTHER } = connection
    const checkEligibility: Clearinghouse['checkEligibility'] = async (inquiry, options) => {
      const stop = metrics.payerSeconds.startTimer({ connector })
      try {
        const answer = await tracing.within('payer.inquiry', { connector }, () =>
          clearinghouse.checkEligibility(inquiry, options),
        )
        count(connector, 'answered', inquiry.payer.id)
        return answer
      } catch (error) {
        const isRefusal = error instanceof ClearinghouseError && !error.retryable
        count(connector, isRefusal ? 'refused' : 'unavailable', inquiry.payer.id)
        throw error
      } finally {
        stop()
      }
    }
    return { ...connection, clearinghouse: { ...clearinghouse, checkEligibility } }
  }

  return {
    forPayer: async (organizationId, payerId) =>
      measure(organizationId, await clearinghouses.forPayer(organizationId, payerId)),
    named: async (organizationId, name) => measure(organizationId, await clearinghouses.named(organizationId, name)),
    standard: async (organizationId) => measure(organizationId, await clearinghouses.standard(organizationId)),
  }
}

/** Only where a standby is configured. */
export function measureReads(metrics: Metrics, reads: Pick<Reads, 'counts' | 'standing' | 'lagSeconds'>): void {
  metrics.counts(
    {
      name: 'anteroom_database_reads_total',
      help: 'Statements that a standby may answer, by outcome: answered by the standby, or why the primary answered.',
      labels: ['outcome'],
    },
    () => Object.entries(reads.counts()).map(([outcome, count]) => [{ outcome }, count] as const),
  )
  metrics.gauge(
    { name: 'anteroom_database_replica_in_use', help: 'Whether the standby answers reads.', together: 'min' },
    () => (reads.standing() === 'in use' ? 1 : 0),
  )
  metrics.gauge(
    {
      name: 'anteroom_database_replica_lag_seconds',
      help: 'How much older the state of the standby is, to a second.',
      together: 'max',
    },
    reads.lagSeconds,
  )
}

const REMEMBERED_MS = 5_000

/** The age of the oldest row in seconds, 0 if there is none. */
const ageOf = (instant: string) => `coalesce(extract(epoch from now() - min(${instant})), 0)`
const DUE = `from eligibility_check where status = 'PENDING' and due_at <= now()`
const DELIVERIES = `from webhook_delivery d join webhook w on w.organization_id = d.organization_id and w.id = d.webhook_id`

/**
 * The backlog of background work: the same values for all processes, from the database. $1 the record types whose changes are events. What
 * a webhook has not delivered may be a delivery, an event without one, or a change that is not an event yet: a worker makes each of the one
 * before.
 */
const BACKLOG = [
  { name: 'anteroom_check_queue_depth', help: 'Checks that are waiting.', sql: `select count(*) ${DUE}` },
  {
    name: 'anteroom_check_queue_age_seconds',
    help: 'How long the oldest of them has been due.',
    sql: `select ${ageOf('due_at')} ${DUE}`,
  },
  {
    name: 'anteroom_audit_pending',
    help: 'Audit events that are not chained yet.',
    sql: 'select count(*) from audit_pending',
  },
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
  {
    name: 'anteroom_database_size_bytes',
    help: 'Size of the database.',
    sql: 'select pg_database_size(current_database())',
  },
]

/** The backlog, then the age of the oldest event of the audit trail that waits in the database. */
const backlogStatement = {
  name: 'metrics_backlog',
  text: `select ${BACKLOG.map(({ sql }) => `(${sql})`).join(', ')}, (select ${ageOf('at')} from audit_pending)`,
}

/**
 * Adds the metrics of the live stream, the connections and the backlog. The backlog is read from the database at a scrape, at most every
 * REMEMBERED_MS. What only the database knows is left out while it does not answer; the process's own metrics are exported as usual.
 */
export function measureService(
  metrics: Metrics,
  {
    database,
    events,
    audit,
  }: { database: DatabasePool; events: EventSource; audit: Pick<AuditTrail, 'unstoredForSeconds'> },
): void {
  metrics.gauge({ name: 'anteroom_event_listeners', help: 'Listeners of the live stream.' }, () => events.listeners())
  measureConnections(metrics, database)
  measureBacklog(metrics, database, events.types.feeds, audit)
}

function measureConnections(metrics: Metrics, database: DatabasePool): void {
  const connections = (read: (usage: ReturnType<DatabasePool['usage']>[number]) => number) => () =>
    database.usage().map((usage) => [{ pool: usage.pool }, read(usage)] as const)
  const ofPools = (name: string, help: string) => ({
    name: `anteroom_database_${name}`,
    help,
    labels: ['pool' as const],
  })
  metrics.gauges(
    ofPools('connections', 'Connections to the database.'),
    connections(({ total }) => total),
  )
  metrics.gauges(
    ofPools('connections_idle', 'Of them, the idle ones.'),
    connections(({ idle }) => idle),
  )
  metrics.gauges(
    ofPools('connections_max', 'The most connections that are opened.'),
    connections(({ max }) => max),
  )
  metrics.gauges(
    ofPools('waiting', 'Statements that wait for a connection.'),
    connections(({ waiting }) => waiting),
  )
  metrics.gauge(
    {
      name: 'anteroom_database_available',
      help: 'Whether the database answers and has the tables of this program, as /readyz reports.',
      together: 'min',
    },
    async () =>
      Number(
        (await withTimeLimit(
          READ_WITHIN_MS,
          isMigrated(database.probeDatabase).catch(() => false),
        )) ?? false,
      ),
  )
}

function measureBacklog(
  metrics: Metrics,
  { systemDatabase }: DatabasePool,
  feeds: EventSource['types']['feeds'],
  audit: Pick<AuditTrail, 'unstoredForSeconds'>,
): void {
  const readBacklog = remembered(() => systemDatabase.row(backlogStatement, [feeds]))
  async function readColumn(column: number): Promise<number | undefined> {
    const row = await withTimeLimit(
      READ_WITHIN_MS,
      readBacklog().catch(() => undefined),
    )
    return row && Number(row[column])
  }
  for (const [index, { name, help }] of BACKLOG.entries())
    metrics.gauge({ name, help, together: 'first' }, () => readColumn(index))
  metrics.gauge(
    {
      name: 'anteroom_audit_lag_seconds',
      help: 'Age of the oldest audit event that is not chained, or for how long this process could store none.',
      together: 'max',
    },
    async () => {
      const unstoredFor = audit.unstoredForSeconds()
      const waitingFor = await readColumn(BACKLOG.length)
      return waitingFor === undefined && unstoredFor === 0 ? undefined : Math.max(waitingFor ?? 0, unstoredFor)
    },
  )
}

/** One statement for all gauges, and for scrapes that follow within some seconds. */
function remembered<T>(read: () => Promise<T>): () => Promise<T> {
  let at = Number.NEGATIVE_INFINITY
  let latest: Promise<T> | undefined
  return () => {
    if (latest === undefined || performance.now() - at > REMEMBERED_MS) {
      at = performance.now()
      const reading = read()
      latest = reading
      reading.catch(() => {
        if (latest === reading) latest = undefined
      })
    }
    return latest
  }
}
