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

/**
 * Everything that the service stands on, made once at start and handed to `buildApp`; tests hand in their own. Only what puts the service
 * together knows all of it: every other module names the few things it needs (`Pick<Deps, …>`).
 */
export interface Deps {
  readonly config: Config
  readonly database: Database
  /** The database for the few statements that are not of one organization. */
  readonly systemDatabase: SystemDatabase
  /** What every call needs before it is let in, on connections of its own. */
  readonly authenticationDatabase: SystemDatabase
  /** Whether the database answers, on a connection of its own. */
  readonly probeDatabase: SystemDatabase
  readonly clearinghouses: Clearinghouses
  /** What connectors reach beside the public Internet whose address an organization has chosen. */
  readonly connectorNetworks: Networks
  /** Which payers do not answer at present. */
  readonly breaker: PayerBreaker
  /** Whose bulk update may be at work. */
  readonly bulkTurns: FairShare
  /** What goes on after its caller was answered. */
  readonly background: Background
  readonly tokens: TokenIssuer
  readonly passwords: Passwords
  /** The sessions of people who have signed in. */
  readonly sessions: SessionVerifier
  /** Every scope that a client can have, and what it permits. */
  readonly scopes: Readonly<Record<string, string>>
  readonly vault: Vault
  /** Who did what. */
  readonly audit: AuditTrail
  /** The bytes of images. */
  readonly storage: FileStorage
  /** The payers of the directory, for searches. */
  readonly payers: LiveDirectory
  /** What happens in the organizations, for those that listen. */
  readonly events: EventSource
  /** What this process counts of itself. */
  readonly metrics: Metrics
  /** Spans of what this process does, where traces are kept. */
  readonly tracing: Tracing
  /** Tells the workers of this process that there are checks to answer. */
  readonly queue: QueueSignal
  now(): Date
  newId(): string
}
