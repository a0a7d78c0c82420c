// The audit trail as a process writes it: events of writes, which are in the database already, and events of reads and
// refusals.

import type { Vault } from '../crypto/encryption.ts'
import type { Database, SystemDatabase } from '../database/database.ts'
import type { AuditedRecord } from './audited-record.ts'
import { chainPendingEvents } from './chain-events.ts'
import { type NotedEvent, SERVICE_TRAIL } from './event.ts'
import { openAuditKey } from './key.ts'
import { NotedEvents } from './noted-events.ts'
import { findPatients, patientsByClue } from './patients.ts'

export interface AuditTrail {
  /**
   * Notes a call that wrote nothing. The event stays in memory for at most FLUSH_MS; without an organization it goes to
   * the service's trail.
   */
  note(organizationId: string | undefined, noted: NotedEvent): void
  /** Announces that a write has stored an event, which is to be chained soon. */
  expect(organizationId: string): void
  /**
   * True while the database accepts no events and memory has no room for more events of this organization, or of none:
   * its calls must then be refused. One organization leaves room for the others. decisions/0019-fairness.md
   */
  isFull(organizationId: string | undefined): boolean
  /** For how many seconds the events in memory could not be stored; 0 when the latest attempt succeeded. */
  unstoredForSeconds(): number
  /** Stores and chains the events of this process, and those that wait in the database for this organization. */
  flush(organizationId?: string): Promise<void>
  /** Starts chaining, from time to time, the events that killed processes left behind. */
  startSweeping(): void
  /** Stores the events in memory and stops. */
  close(): Promise<void>
}

/** How long the event of a read may exist only in memory: kill -9 loses at most this much. */
const FLUSH_MS = 200
const FLUSH_AT_EVENTS = 2000
const RETRY_MS = 1000
const SWEEP_MS = 5000
const pendingStatement = {
  name: 'audit_pending_organizations',
  text: 'select distinct organization_id from audit_pending where organization_id <> all ($1::uuid[]) limit 100',
}
const TRAILS_AT_A_TIME = 4

interface TrailDeps {
  database: Database
  /** Reads the key, and finds leftover events of any organization. */
  systemDatabase: SystemDatabase
  vault: Pick<Vault, 'encrypt' | 'decrypt'>
  /** Every record type that may belong to a patient. */
  records: readonly AuditedRecord[]
  onError(error: Error): void
}

/** Opens the trail of a database. `onError` is called for every failure to store; unstored events are retried. */
export const openTrail = (deps: TrailDeps): AuditTrail => new ProcessTrail(deps)

class ProcessTrail implements AuditTrail {
  readonly #deps: TrailDeps
  readonly #byClue: ReturnType<typeof patientsByClue>
  readonly #events = new NotedEvents()
  #key: Promise<Buffer> | undefined
  #timer: NodeJS.Timeout | undefined
  #sweeping: NodeJS.Timeout | undefined
  #flushing: Promise<unknown> = Promise.resolve()
  /** When the first of the attempts that have failed since the last success began, in milliseconds. */
  #failingSince: number | undefined

  constructor(deps: TrailDeps) {
    this.#deps = deps
    this.#byClue = patientsByClue(deps.records)
  }

  note(organizationId = SERVICE_TRAIL, noted: NotedEvent): void {
    if (!this.#events.add(organizationId, noted)) return
    if (this.#events.count % FLUSH_AT_EVENTS === 0) this.#flushNow()
    else this.#flushIn(FLUSH_MS)
  }

  expect(organizationId: string): void {
    this.#events.expect(organizationId)
    this.#flushIn(FLUSH_MS)
  }

  isFull(organizationId = SERVICE_TRAIL): boolean {
    return this.#events.isFull(organizationId)
  }

  unstoredForSeconds(): number {
    return this.#failingSince === undefined ? 0 : (performance.now() - this.#failingSince) / 1000
  }

  flush(organizationId?: string): Promise<void> {
    if (organizationId !== undefined) this.#events.expect(organizationId)
    const next = this.#flushing.then(() => this.#storeAll())
    this.#flushing = next.catch(() => {})
    return next.then((failures) => {
      const failed = organizationId ?? failures.keys().next().value
      if (failed !== undefined && failures.has(failed)) throw failures.get(failed)
    })
  }

  startSweeping(): void {
    this.#sweeping ??= setInterval(() => this.#sweep().catch(this.#deps.onError), SWEEP_MS).unref()
  }

  async close(): Promise<void> {
    clearInterval(this.#sweeping)
    await this.flush().catch(this.#deps.onError)
    clearTimeout(this.#timer)
  }

  #flushIn(ms: number): void {
    this.#timer ??= setTimeout(() => this.#flushNow(), ms).unref()
  }

  #flushNow(): void {
    this.flush().catch(this.#deps.onError)
  }

  /**
   * Stores the events in memory, of several organizations at a time. What cannot be stored is kept and retried. Returns the errors by
   * organization: one that reads its trail does not depend on another one's.
   */
  async #storeAll(): Promise<Map<string, unknown>> {
    clearTimeout(this.#timer)
    this.#timer = undefined
    const taken = this.#events.takeAll()
    const beganAt = performance.now()
    const failures = new Map<string, unknown>()
    const storeNext = async (): Promise<void> => {
      for (let next = taken.shift(); next; next = taken.shift()) {
        const [organizationId, noted] = next
        try {
          await this.#store(organizationId, noted)
        } catch (error) {
          failures.set(organizationId, error)
          this.#events.putBack(organizationId, noted)
        }
      }
    }
    await Promise.all(Array.from({ length: TRAILS_AT_A_TIME }, storeNext))
    if (failures.size === 0) this.#failingSince = undefined
    else {
      this.#failingSince ??= beganAt
      this.#flushIn(RETRY_MS)
    }
    return failures
  }

  async #store(organizationId: string, noted: NotedEvent[]): Promise<void> {
    const { database } = this.#deps
    const key = await this.#findKey()
    await findPatients(database, this.#byClue, organizationId, noted)
    const unchained = noted.map(({ event }) => event)
    let isMoreWaiting = await chainPendingEvents(database, key, organizationId, unchained)
    // These events are stored, regardless of what happens to the rest.
    this.#events.removeStored(organizationId, noted.splice(0).length)
    while (isMoreWaiting) isMoreWaiting = await chainPendingEvents(database, key, organizationId)
  }

  /** Loaded at the first event: a command that chains nothing needs no key. */
  #findKey(): Promise<Buffer> {
    this.#key ??= openAuditKey(this.#deps.systemDatabase, this.#deps.vault).catch((error) => {
      this.#key = undefined
      throw error
    })
    return this.#key
  }

  /** Those whose events could not be stored wait in memory, are tried again without this, and take no place of another one. */
  async #sweep(): Promise<void> {
    const rows = await this.#deps.systemDatabase.rows(pendingStatement, [this.#events.organizations])
    for (const [organizationId] of rows) this.#events.expect(organizationId ?? SERVICE_TRAIL)
    if (rows.length > 0) await this.flush()
  }
}
