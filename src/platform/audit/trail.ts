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
const TRAILS_AT_A_TIME = 4

/** Opens the trail of a database. `onError` is called for every failure to store; unstored events are retried. */
export function openTrail(deps: {
  database: Database
  /** Reads the key, and finds leftover events of any organization. */
  systemDatabase: SystemDatabase
  vault: Pick<Vault, 'encrypt' | 'decrypt'>
  /** Every record type that may belong to a patient. */
  records: readonly AuditedRecord[]
  onError(error: Error): void
}): AuditTrail {
  const { database, systemDatabase, onError } = deps
  const byClue = patientsByClue(deps.records)
  let key: Promise<Buffer> | undefined
  const events = new NotedEvents()
  let timer: NodeJS.Timeout | undefined
  let sweeping: NodeJS.Timeout | undefined
  let flushing = Promise.resolve()

  const soon = (ms: number) => {
    timer ??= setTimeout(() => flush().catch(onError), ms).unref()
  }

  /** Loaded at the first event: a command that chains nothing needs no key. */
  function findKey(): Promise<Buffer> {
    key ??= openAuditKey(systemDatabase, deps.vault).catch((error) => {
      key = undefined
      throw error
    })
    return key
  }

  async function store(organizationId: string, noted: NotedEvent[]): Promise<void> {
    const chainKey = await findKey()
    await findPatients(database, byClue, organizationId, noted)
    const unchained = noted.map(({ event }) => event)
    let isMoreWaiting = await chainPendingEvents(database, chainKey, organizationId, unchained)
    // These events are stored, regardless of what happens to the rest.
    events.removeStored(organizationId, noted.splice(0).length)
    while (isMoreWaiting) isMoreWaiting = await chainPendingEvents(database, chainKey, organizationId)
  }

  async function storeAll(): Promise<void> {
    clearTimeout(timer)
    timer = undefined
    const taken = events.takeAll()
    let failure: unknown
    const storeNext = async (): Promise<void> => {
      for (let next = taken.shift(); next; next = taken.shift()) {
        const [organizationId, noted] = next
        try {
          await store(organizationId, noted)
        } catch (error) {
          failure = error
          events.putBack(organizationId, noted)
        }
      }
    }
    await Promise.all(Array.from({ length: TRAILS_AT_A_TIME }, storeNext))
    if (failure === undefined) return
    soon(RETRY_MS)
    throw failure
  }

  function flush(organizationId?: string): Promise<void> {
    if (organizationId !== undefined) events.expect(organizationId)
    const next = flushing.then(storeAll)
    flushing = next.catch(() => {})
    return next
  }

  async function sweep(): Promise<void> {
    const rows = await systemDatabase.rows('select distinct organization_id from audit_pending limit 100')
    for (const [organizationId] of rows) events.expect(organizationId ?? SERVICE_TRAIL)
    if (rows.length > 0) await flush()
  }

  return {
    note(organizationId = SERVICE_TRAIL, noted) {
      if (!events.add(organizationId, noted)) return
      if (events.count % FLUSH_AT_EVENTS === 0) flush().catch(onError)
      else soon(FLUSH_MS)
    },
    expect(organizationId) {
      events.expect(organizationId)
      soon(FLUSH_MS)
    },
    isFull: (organizationId = SERVICE_TRAIL) => events.isFull(organizationId),
    flush,
    startSweeping() {
      sweeping ??= setInterval(() => sweep().catch(onError), SWEEP_MS).unref()
    },
    async close() {
      clearInterval(sweeping)
      await flush().catch(onError)
      clearTimeout(timer)
    },
  }
}
