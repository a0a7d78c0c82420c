import type { AuditTrail } from './audit/trail.ts'
import type { TokenIssuer } from './auth/tokens.ts'
import type { Background } from './background.ts'
import type { PayerBreaker } from './checks/payer-breaker.ts'
import type { Clearinghouses } from './clearinghouses/clearinghouses.ts'
import type { Config } from './config.ts'
import type { Database, WholeDatabase } from './database/database.ts'
import type { Vault } from './encryption.ts'
import type { FairShare } from './fair-share.ts'
import type { FileStorage } from './storage/storage.ts'

/** Everything that the service stands on, made at start and handed to `buildApp`; tests hand in their own. */
export interface Deps {
  config: Config
  database: Database
  /** The database for the few statements that are not of one organization. */
  acrossOrganizations: WholeDatabase
  /** What every call needs before it is let in, on connections of its own. */
  authenticationDatabase: WholeDatabase
  /** Whether the database answers, on a connection of its own. */
  probeDatabase: WholeDatabase
  clearinghouses: Clearinghouses
  /** Which payers do not answer at present. */
  breaker: PayerBreaker
  /** Whose bulk update may be at work. */
  bulkTurns: FairShare
  /** What goes on after its caller was answered. */
  background: Background
  tokens: TokenIssuer
  vault: Vault
  /** Who did what. */
  audit: AuditTrail
  /** The bytes of images. */
  storage: FileStorage
  /** Tells the workers of this process that there are checks to answer. */
  wakeWorkers(): void
  now(): Date
  newId(): string
}
