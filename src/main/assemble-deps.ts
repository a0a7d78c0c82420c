// From settings and an open database to the dependencies of a server, a worker or a command that asks payers.
import type { FastifyBaseLogger } from 'fastify'
import { v7 as uuidv7 } from 'uuid'
import { openClearinghouses } from '../clearinghouses/registry.ts'
import type { Config } from '../config.ts'
import type { Deps } from '../deps.ts'
import { createPayerBreaker } from '../eligibility/checks/payer-breaker.ts'
import { createQueueSignal } from '../eligibility/checks/queue-signal.ts'
import { openEventSource } from '../events/event-source.ts'
import { openLiveDirectory } from '../payers/live-directory.ts'
import { openTrail } from '../platform/audit/trail.ts'
import { createPasswords } from '../platform/auth/passwords.ts'
import { openSessions } from '../platform/auth/sessions.ts'
import { openTokenIssuer } from '../platform/auth/tokens.ts'
import { createBackground } from '../platform/background.ts'
import type { DatabasePool } from '../platform/database/database-pool.ts'
import { createFailureLog } from '../platform/failure-log.ts'
import { describeScopes } from '../platform/http/scopes.ts'
import { createMetrics } from '../platform/metrics/metrics.ts'
import { stopLimits } from '../platform/stop-limits.ts'
import { openStorage } from '../platform/storage/index.ts'
import { holdsFiles } from '../platform/storage/storage.ts'
import { openTracing } from '../platform/tracing/tracing.ts'
import { createBulkTurns } from '../records/bulk.ts'
import { createPageCache } from '../records/page-cache.ts'
import { readSandboxPayers } from '../tools/sandbox/directory-payers.ts'
import { eventTypes } from './events.ts'
import { measureInstallation } from './installation.ts'
import { operationsOf } from './interface.ts'
import { isKnownPayer } from './known-payer.ts'
import { createPayerLabels, measureClearinghouses, measureReads, measureService } from './measure.ts'
import { measureBreaker } from './measure-breaker.ts'
import { openVault } from './open-database.ts'
import { auditedRecords } from './resources.ts'
import { connectorNetworks } from './service-settings.ts'
import { createStandardConnection } from './standard-connection.ts'

/** Everything that `buildApp` needs, over an open database. */
export async function assembleDeps(
  config: Config,
  database: DatabasePool,
  clearinghouseUrl: string | undefined,
  log: FastifyBaseLogger,
): Promise<Deps> {
  const { systemDatabase, authenticationDatabase, sessionDatabase, limitDatabase, probeDatabase } = database
  const vault = await openVault(config, systemDatabase, (place) =>
    log.error({ place }, 'a value cannot be decrypted: it was altered, or copied from another record'),
  )
  const now = () => new Date()
  const networks = connectorNetworks(config)
  const logFailure = createFailureLog(log)
  const metrics = createMetrics()
  const tracing = await openTracing(config.OTEL_EXPORTER_OTLP_ENDPOINT)
  const payers = openLiveDirectory(database, () => readSandboxPayers(config.SANDBOX_ROSTER))
  const payerLabels = createPayerLabels((id) => isKnownPayer({ database, payers }, id))
  const events = openEventSource({
    database,
    systemDatabase,
    types: eventTypes,
    baseUrl: config.PUBLIC_URL,
    onError: (error) => logFailure('events could not be read', error),
  })
  const audit = openTrail({
    database,
    systemDatabase,
    vault,
    records: auditedRecords,
    onError: (error) => logFailure('the audit trail could not be written and will be retried', error),
  })
  measureService(metrics, { database, events, audit })
  measureInstallation(metrics, config, systemDatabase)
  if (database.reads) measureReads(metrics, database.reads)
  return {
    config,
    database,
    ...(database.reads && { readDatabase: database.reads.database }),
    systemDatabase,
    authenticationDatabase,
    sessionDatabase,
    limitDatabase,
    probeDatabase,
    // A standby may be behind the clocks that the state of a page was read from, so its pages are not kept.
    pageCache: createPageCache(database.reads ? 0 : config.PAGE_CACHE_MB),
    bulkTurns: createBulkTurns(),
    audit,
    connectorNetworks: networks,
    scopes: describeScopes(operationsOf()),
    clearinghouses: measureClearinghouses(
      openClearinghouses(
        { database, vault, connectorNetworks: networks },
        createStandardConnection(config, clearinghouseUrl),
        config.CLEARINGHOUSE_MAX_CONCURRENCY,
      ),
      { metrics, tracing },
      payerLabels,
    ),
    tokens: await openTokenIssuer({
      database: authenticationDatabase,
      vault,
      issuer: config.PUBLIC_URL ?? 'anteroom',
      lifetimeSeconds: config.TOKEN_LIFETIME_SECONDS,
      now,
    }),
    passwords: createPasswords(),
    sessions: openSessions(sessionDatabase),
    vault,
    breaker: measureBreaker(createPayerBreaker(), metrics, payerLabels),
    background: createBackground(stopLimits(config).inquiriesMs),
    storage: await openStorage(config, vault, { now: now(), isUsed: holdsFiles(systemDatabase) }),
    payers,
    events,
    metrics,
    tracing,
    queue: createQueueSignal(),
    now,
    newId: uuidv7,
  }
}
