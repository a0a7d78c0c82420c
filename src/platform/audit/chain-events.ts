// Moves waiting events into the chain of an organization; one process at a time does this.
import type { Database, Statement, TextRow } from '../database/database.ts'
import { instant, showing } from '../database/instant.ts'
import { type AuditBlock, chainEvents } from './block.ts'
import { cleanIds, type NotedEvent, type StoredAuditEvent } from './event.ts'
import { findPatients } from './patients.ts'

/** The most events in one transaction, so that none is long. */
const PENDING_AT_A_TIME = 2000

/**
 * How long a statement waits for a lock, on the head of the trail or on a table. A trail that waits keeps a connection from calls; its
 * events can wait in memory. Longer than `deadlock_timeout` (1 s), after which PostgreSQL ends whoever closes a circle.
 */
const LOCK_WAIT_MS = 2_000

const beginStatement = {
  name: 'audit_chain_begin',
  text: `select set_config('lock_timeout', '${LOCK_WAIT_MS}', true) from (select $1::uuid) organization`,
}
const headStatement = {
  name: 'audit_head_hold',
  text: 'select number, hash from audit_head where organization_id = $1 for update',
}
const firstHeadStatement = {
  name: 'audit_head_create',
  text: 'insert into audit_head (organization_id) values ($1) on conflict do nothing',
}
const takeStatement = {
  name: 'audit_pending_take',
  text: showing(
    `delete from audit_pending where organization_id = $1
      and id in (select id from audit_pending where organization_id = $1 order by id limit ${PENDING_AT_A_TIME})`,
    {
      as: 'taken',
      columns: 'at, act, record_type, record_ids, version, patient_ids',
      shown: `${instant('at')}, act, record_type, to_json(record_ids), version, to_json(patient_ids)`,
    },
  ),
}
const blockStatement = {
  name: 'audit_block_create',
  text: `insert into audit_block (organization_id, number, first_at, last_at, size, patient_ids, events, previous_hash, hash)
    values ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
}
const moveStatement = {
  name: 'audit_head_move',
  text: 'update audit_head set number = $2, hash = $3 where organization_id = $1',
}

interface Chain {
  key: Buffer
  /** `patientsByClue` */
  byClue: Statement
  organizationId: string
}

/**
 * Chains the events that wait in the database and those that are passed in, all or none: after a failure they still
 * wait. The event of a write is chained exactly once. Returns true when more events are waiting.
 */
export function chainPendingEvents(database: Database, chain: Chain, noted: NotedEvent[]): Promise<boolean> {
  const { key, byClue, organizationId } = chain
  return database.transaction(async (transaction) => {
    await transaction.rows(beginStatement, [organizationId])
    await findPatients(transaction, byClue, organizationId, noted)
    const head = await holdHead(transaction, organizationId)
    const pending = (await transaction.rows(takeStatement, [organizationId])).map(toEvent)
    const events = [...pending, ...noted.map(({ event }) => event)]
    let last: AuditBlock | undefined
    for (const block of chainEvents(key, organizationId, head, events)) {
      await transaction.rows(blockStatement, [organizationId, ...valuesOf(block)])
      last = block
    }
    if (last) await transaction.rows(moveStatement, [organizationId, last.number, last.hash])
    return pending.length === PENDING_AT_A_TIME
  })
}

async function holdHead(transaction: Database, organizationId: string) {
  const found = await transaction.row(headStatement, [organizationId])
  if (!found) await transaction.rows(firstHeadStatement, [organizationId])
  const [number = '0', hash = ''] = found ?? (await transaction.row(headStatement, [organizationId])) ?? []
  return { number: Number(number), hash }
}

function valuesOf({ number, firstAt, lastAt, size, patientIds, events, previousHash, hash }: AuditBlock): unknown[] {
  return [number, firstAt, lastAt, size, patientIds, events, previousHash, hash]
}

function toEvent(row: TextRow): StoredAuditEvent {
  const [at = '', auditContext = '{}', type = '', ids = '[]', version, patients = '[]'] = row
  const patientIds = cleanIds(JSON.parse(patients))
  return {
    at,
    ...JSON.parse(auditContext),
    ...(type !== '' && { record_type: type, record_ids: JSON.parse(ids) }),
    ...(version !== null && { version: Number(version) }),
    ...(patientIds.length > 0 && { patient_ids: patientIds }),
  }
}
