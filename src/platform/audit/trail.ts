// The audit trail as a process writes it: events of writes, which are in the database already, and events of reads and
// refusals.

import type { Vault } from '../crypto/encryption.ts'
import type { Database, SystemDatabase } from '../database/database.ts'
import { createFairShare, firstCome } from '../fair-share.ts'
import type { AuditedRecord } from './audited-record.ts'
import { chainPendingEvents } from './chain-events.ts'
import { type NotedEvent, SERVICE_TRAIL } from './event.ts'
import { openAuditKey } from './key.ts'
import { NotedEvents } from './noted-events.ts'
import { patientsByClue } from './patients.ts'

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
  /**
   * Stores and chains the events of this organization, those of this process and those that wait in the database; without one, the events of
   * this process.
   */
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
/** How many organizations' events are stored at a time, of those whose last attempt succeeded and of those whose last attempt failed. */
const TRAILS_AT_A_TIME = 4
const FAILING_AT_A_TIME = 1

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

const placesFor = (places: number) => createFairShare({ places, maxWaiting: Number.POSITIVE_INFINITY, rule: firstCome })

/** The events of each organization are stored by themselves: none waits for another one's. decisions/0239-trails-wait-for-no-other.md */
class ProcessTrail implements AuditTrail {
  readonly #deps: TrailDeps
  readonly #byClue: ReturnType<typeof patientsByClue>
  readonly #events = new NotedEvents()
  #key: Promise<Buffer> | undefined
  #timer: NodeJS.Timeout | undefined
  #retrying: NodeJS.Timeout | undefined
  #sweeping: NodeJS.Timeout | undefined
  readonly #places = placesFor(TRAILS_AT_A_TIME)
  readonly #failingPlaces = placesFor(FAILING_AT_A_TIME)
  #isClosing = false
  /** The end of what is being stored, by organization: never rejected. */
  readonly #storing = new Map<string, Promise<unknown>>()
  /** What is stored next. */
  readonly #next = new Map<string, Promise<void>>()
  /** When the first of the attempts that have failed since the last success began, in milliseconds, by organization. */
  readonly #failingSince = new Map<string, number>()

  constructor(deps: TrailDeps) {
    this.#deps = deps
    this.#byClue = patientsByClue(deps.records)
  }

  note(organizationId = SERVICE_TRAIL, noted: NotedEvent): void {
    if (!this.#events.add(organizationId, noted)) return
    if (this.#events.count % FLUSH_AT_EVENTS === 0) this.#storeNow()
    else this.#storeSoon()
  }

  expect(organizationId: string): void {
    this.#events.expect(organizationId)
    this.#storeSoon()
  }

  isFull(organizationId = SERVICE_TRAIL): boolean {
    return this.#events.isFull(organizationId)
  }

  unstoredForSeconds(): number {
    const since = Math.min(...this.#failingSince.values())
    return since === Number.POSITIVE_INFINITY ? 0 : (performance.now() - since) / 1000
  }

  async flush(organizationId?: string): Promise<void> {
    if (organizationId !== undefined) {
      this.#events.expect(organizationId)
      return this.#storeOf(organizationId)
    }
    const all = new Set([...this.#storing.keys(), ...this.#events.organizations])
    const results = await Promise.allSettled([...all].map((id) => this.#storeOf(id)))
    for (const result of results) if (result.status === 'rejected') throw result.reason
  }

  startSweeping(): void {
    this.#sweeping ??= setInterval(() => this.#sweep().catch(this.#deps.onError), SWEEP_MS).unref()
  }

  async close(): Promise<void> {
    clearInterval(this.#sweeping)
    this.#isClosing = true
    await this.flush().catch(this.#deps.onError)
    clearTimeout(this.#timer)
    clearTimeout(this.#retrying)
  }

  #storeSoon(): void {
    this.#timer ??= setTimeout(() => this.#storeNow(), FLUSH_MS).unref()
  }

  /** Those whose last attempt failed are tried again at their time. */
  #storeNow(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    for (const id of this.#events.organizations) {
      if (!this.#failingSince.has(id)) this.#storeOf(id).catch(this.#deps.onError)
    }
  }

  #retryLater(): void {
    this.#retrying ??= setTimeout(() => {
      this.#retrying = undefined
      for (const id of this.#failingSince.keys()) {
        if (!this.#storing.has(id)) this.#storeOf(id).catch(this.#deps.onError)
      }
    }, RETRY_MS).unref()
  }

  /** Stores what waits of this organization, after what is being stored of it; those who ask meanwhile wait for the same. */
  #storeOf(organizationId: string): Promise<void> {
    const known = this.#next.get(organizationId)
    if (known) return known
    const begin = async () => {
      this.#next.delete(organizationId)
      const storing = this.#attempt(organizationId)
      const ended = storing.catch(() => {}).then(() => this.#storing.delete(organizationId))
      this.#storing.set(organizationId, ended)
      return storing
    }
    const next = Promise.resolve(this.#storing.get(organizationId)).then(begin)
    this.#next.set(organizationId, next)
    return next
  }

  /** What cannot be stored is kept and tried again. */
  async #attempt(organizationId: string): Promise<void> {
    const beganAt = performance.now()
    try {
      // A stop waits for one last attempt of all of them.
      const isApart = this.#failingSince.has(organizationId) && !this.#isClosing
      const places = isApart ? this.#failingPlaces : this.#places
      await places.pass(organizationId, undefined, () => this.#store(organizationId))
      this.#failingSince.delete(organizationId)
    } catch (error) {
      if (!this.#failingSince.has(organizationId)) this.#failingSince.set(organizationId, beganAt)
      this.#retryLater()
      throw error
    }
  }

  async #store(organizationId: string): Promise<void> {
    const noted = this.#events.take(organizationId)
    if (noted === undefined) return
    const { database } = this.#deps
    try {
      const key = await this.#findKey()
      const chain = (events: NotedEvent[]) =>
        chainPendingEvents(database, { key, byClue: this.#byClue, organizationId }, events)
      let isMoreWaiting = await chain(noted)
      // These events are stored, regardless of what happens to the rest.
      this.#events.removeStored(organizationId, noted.splice(0).length)
      while (isMoreWaiting) isMoreWaiting = await chain([])
    } catch (error) {
      this.#events.putBack(organizationId, noted)
      throw error
    }
  }

  /** Loaded at the first event: a command that chains nothing needs no key. */
  #findKey(): Promise<Buffer> {
    this.#key ??= openAuditKey(this.#deps.systemDatabase, this.#deps.vault).catch((error) => {
      this.#key = undefined
      throw error
    })
    return this.#key
  }

  /** Those whose events wait in memory or are being stored are left to that, and take no place of another one. */
  async #sweep(): Promise<void> {
    const known = [...this.#storing.keys(), ...this.#events.organizations]
    const rows = await this.#deps.systemDatabase.rows(pendingStatement, [known])
    for (const [organizationId] of rows) this.expect(organizationId ?? SERVICE_TRAIL)
  }
}
