// The trail as a process writes it: what a write has left in the database already, and what was only read or refused.

import type { Vault } from '../crypto/encryption.ts'
import type { Database, SystemDatabase } from '../database/database.ts'
import { leavingSome } from '../fair-share.ts'
import { chainPendingEvents } from './chain-events.ts'
import { SERVICE_TRAIL, type StoredAuditEvent } from './event.ts'
import { openAuditKey } from './key.ts'
import { type Clues, findPatients, patientsByClue } from './patients.ts'
import { collapseRefusals } from './refusals.ts'
import type { AuditedRecord } from './whose.ts'

/** An event with what its patients are found by when it is stored. */
export interface NotedEvent {
  event: StoredAuditEvent
  clues?: Clues | undefined
}

export interface AuditTrail {
  /** For what wrote nothing. Kept in memory for FLUSH_MS at most; without an organization it is the service's. */
  note(organizationId: string | undefined, noted: NotedEvent): void
  /** A write has left an event, which is to be chained soon. */
  expect(organizationId: string): void
  /**
   * True while the database takes no events and memory has no room for more of this organization, or of none: its calls must be
   * refused then. One organization leaves room for the others. decisions/0019-fairness.md
   */
  isFull(organizationId: string | undefined): boolean
  /** Stores and chains what this process knows of, and what waits in the database for this organization. */
  flush(organizationId?: string): Promise<void>
  /** Chains now and then what processes that have died left behind. */
  startSweeping(): void
  /** Stores what is in memory and stops. */
  close(): Promise<void>
}

/** How long a read may be in memory only: what kill -9 can lose of it. */
const FLUSH_MS = 200
const FLUSH_AT_EVENTS = 2000
const MOST_EVENTS = 20_000
const RETRY_MS = 1000
const SWEEP_MS = 5000
const TRAILS_AT_A_TIME = 4

/** Opens the trail of a database. `onError` hears of every failure to store; what was not stored is tried again. */
export function openTrail(deps: {
  database: Database
  /** For the key, and for what others have left whosever it is. */
  systemDatabase: SystemDatabase
  vault: Pick<Vault, 'encrypt' | 'decrypt'>
  /** Every kind of record that may be of a patient. */
  records: readonly AuditedRecord[]
  onError(error: Error): void
}): AuditTrail {
  const { database, systemDatabase, onError } = deps
  const byClue = patientsByClue(deps.records)
  let key: Promise<Buffer> | undefined
  const refusals = collapseRefusals()
  let waiting = new Map<string, NotedEvent[]>()
  let count = 0
  /** Of each organization, those included that are being stored. */
  const counts = new Map<string, number>()
  let timer: NodeJS.Timeout | undefined
  let sweeping: NodeJS.Timeout | undefined
  let flushing = Promise.resolve()

  const soon = (ms: number) => {
    timer ??= setTimeout(() => flush().catch(onError), ms).unref()
  }
  const listOf = (organizationId: string) => {
    const list = waiting.get(organizationId) ?? []
    waiting.set(organizationId, list)
    return list
  }

  function add(organizationId: string, events: number): void {
    count += events
    const own = (counts.get(organizationId) ?? 0) + events
    if (own > 0) counts.set(organizationId, own)
    else counts.delete(organizationId)
  }

  /** At the first event: a command that chains none needs no key. */
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
    const events = noted.map(({ event }) => event)
    let isMoreWaiting = await chainPendingEvents(database, chainKey, organizationId, events)
    // Stored is stored, whatever comes of the rest.
    add(organizationId, -noted.splice(0).length)
    while (isMoreWaiting) isMoreWaiting = await chainPendingEvents(database, chainKey, organizationId)
  }

  async function storeAll(): Promise<void> {
    clearTimeout(timer)
    timer = undefined
    const batch = [...waiting]
    waiting = new Map()
    refusals.forget()
    let failure: unknown
    const storeNext = async (): Promise<void> => {
      for (let next = batch.shift(); next; next = batch.shift()) {
        const [organizationId, noted] = next
        try {
          await store(organizationId, noted)
        } catch (error) {
          failure = error
          waiting.set(organizationId, [...noted, ...(waiting.get(organizationId) ?? [])])
        }
      }
    }
    await Promise.all(Array.from({ length: TRAILS_AT_A_TIME }, storeNext))
    if (failure === undefined) return
    soon(RETRY_MS)
    throw failure
  }

  function flush(organizationId?: string): Promise<void> {
    if (organizationId !== undefined) listOf(organizationId)
    const next = flushing.then(storeAll)
    flushing = next.catch(() => {})
    return next
  }

  async function sweep(): Promise<void> {
    const rows = await systemDatabase.rows('select distinct organization_id from audit_pending limit 100')
    for (const [organizationId] of rows) listOf(organizationId ?? SERVICE_TRAIL)
    if (rows.length > 0) await flush()
  }

  return {
    note(organizationId = SERVICE_TRAIL, noted) {
      const list = listOf(organizationId)
      if (refusals.join(organizationId, noted)) return
      list.push(noted)
      add(organizationId, 1)
      if (count % FLUSH_AT_EVENTS === 0) flush().catch(onError)
      else soon(FLUSH_MS)
    },
    expect(organizationId) {
      listOf(organizationId)
      soon(FLUSH_MS)
    },
    isFull: (organizationId = SERVICE_TRAIL) => !leavingSome(counts.get(organizationId) ?? 0, MOST_EVENTS - count),
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
