import type { Clearinghouses } from './clearinghouses/clearinghouses.ts'
import type { Config } from './config.ts'
import type { PayerBreaker } from './eligibility/checks/payer-breaker.ts'
import type { QueueSignal } from './eligibility/checks/queue-signal.ts'
import type { EventSource } from './events/event-source.ts'
import type { LiveDirectory } from './payers/live-directory.ts'
import type { AuditTrail } from './platform/audit/trail.ts'
import type { Passwords } from './platform/auth/passwords.ts'
import type { SessionVerifier } from './platform/auth/sessions.ts'
import type { TokenIssuer } from './platform/auth/tokens.ts'
import type { Background } from './platform/background.ts'
import type { Vault } from './platform/crypto/encryption.ts'
import type { Database, SystemDatabase } from './platform/database/database.ts'
import type { FairShare } from './platform/fair-share.ts'
import type { Metrics } from './platform/metrics/metrics.ts'
import type { Networks } from './platform/outbound/public-address.ts'
import type { FileStorage } from './platform/storage/storage.ts'
import type { Tracing } from './platform/tracing/tracing.ts'
import type { PageCache } from './records/page-cache.ts'

/**
 * The dependencies of the service, created once at the start and passed to `buildApp`; tests pass their own. Only the
 * code that assembles the service uses the whole interface: every other module names the few dependencies that it needs
 * (`Pick<Deps, …>`).
 */
export interface Deps {
  readonly config: Config
  readonly database: Database
  /** In place of it for operations that only read, where a standby may answer them. */
  readonly readDatabase?: Database
  /** The database for the few statements that do not belong to one organization. */
  readonly systemDatabase: SystemDatabase
  /** Dedicated connections for authenticating clients. */
  readonly authenticationDatabase: SystemDatabase
  /** The same for users. */
  readonly sessionDatabase: SystemDatabase
  /** The same for counting calls. */
  readonly limitDatabase: SystemDatabase
  /** A dedicated connection for the readiness check. */
  readonly probeDatabase: SystemDatabase
  readonly clearinghouses: Clearinghouses
  /** The networks, besides the public Internet, that connectors may reach whose address an organization has set. */
  readonly connectorNetworks: Networks
  /** The circuit breaker: which payers currently do not answer. */
  readonly breaker: PayerBreaker
  /** Pages of lists that did not change since they were last requested. */
  readonly pageCache: PageCache
  /** Turns for bulk updates. */
  readonly bulkTurns: FairShare
  /** Work that continues after its caller was answered. */
  readonly background: Background
  readonly tokens: TokenIssuer
  readonly passwords: Passwords
  /** Verifies the sessions of people who have signed in. */
  readonly sessions: SessionVerifier
  /** Every scope, with its meaning. */
  readonly scopes: Readonly<Record<string, string>>
  readonly vault: Vault
  /** The audit trail. */
  readonly audit: AuditTrail
  /** The bytes of images. */
  readonly storage: FileStorage
  /** The payer directory, for searches. */
  readonly payers: LiveDirectory
  /** The events of the organizations, for live listeners. */
  readonly events: EventSource
  /** The metrics of this process. */
  readonly metrics: Metrics
  /** Trace spans of this process, when traces are exported. */
  readonly tracing: Tracing
  /** Notifies the workers of this process of new checks. */
  readonly queue: QueueSignal
  now(): Date
  newId(): string
}
