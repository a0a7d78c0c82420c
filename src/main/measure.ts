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
import { measureBacklog, READ_WITHIN_MS } from './measure-backlog.ts'

/** The most payers with their own time series in a process. */
const PAYERS_MAX = 100
/** How long a payer id without an entry in the directory is remembered: an import may add it. */
const UNKNOWN_FOR_MS = 60_000
/** The number of such ids that are remembered. */
const UNKNOWN_MAX = 1_000
/** The number of connectors whose kind is cached. */
const CONNECTORS_MAX = 10_000
const OTHER = 'other'

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

/**
 * Adds the metrics of the live stream, the connections and the backlog. What only the database knows is left out while it does not answer;
 * the process's own metrics are exported as usual.
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
