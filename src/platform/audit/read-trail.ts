// Reads the audit trail, newest event first.
import type { Database } from '../database/database.ts'
import type { AuditEvent, StoredAuditEvent } from './event.ts'

/** A query of a trail; instants in the interface's form, `to` exclusive. */
export interface TrailQuery {
  patientId?: string | undefined
  /** Only events that showed or changed patients. */
  isOfPatients?: boolean | undefined
  userId?: string | undefined
  /** `patients.get`, or `patients` for all of that group. */
  operation?: string | undefined
  from?: string | undefined
  to?: string | undefined
  /** Only events before this one. */
  before?: { number: number; place: number } | undefined
  limit: number
}

const BLOCKS_AT_A_TIME = 20

/** The matching events in chained blocks, newest first. Events that should be found must have been flushed before. */
export async function readTrail(
  database: Pick<Database, 'rows'>,
  organizationId: string,
  query: TrailQuery,
): Promise<AuditEvent[]> {
  const found: AuditEvent[] = []
  let upTo = query.before?.number
  while (found.length < query.limit) {
    const blocks = await readBlocks(database, organizationId, query, upTo)
    for (const { number, events } of blocks) {
      const last = number === query.before?.number ? query.before.place : events.length
      for (let place = last - 1; place >= 0; place--) {
        const event = events[place] as StoredAuditEvent
        if (isWanted(event, query)) found.push({ id: `${number}-${place}`, ...event })
      }
    }
    const lowest = blocks.at(-1)?.number
    if (lowest === undefined || blocks.length < BLOCKS_AT_A_TIME) break
    upTo = lowest - 1
  }
  return found.slice(0, query.limit)
}

function isWanted(event: StoredAuditEvent, query: TrailQuery): boolean {
  const { patientId, isOfPatients = false, userId, operation, from, to } = query
  const { at, patient_ids = [] } = event
  return (
    (!isOfPatients || patient_ids.length > 0) &&
    (userId === undefined || event.user_id === userId) &&
    (operation === undefined || event.operation === operation || event.operation.startsWith(`${operation}.`)) &&
    (patientId === undefined || patient_ids.includes(patientId)) &&
    (from === undefined || at >= from) &&
    (to === undefined || at < to)
  )
}

async function readBlocks(
  database: Pick<Database, 'rows'>,
  organizationId: string,
  { patientId, isOfPatients, userId, operation, from, to }: TrailQuery,
  upTo: number | undefined,
): Promise<{ number: number; events: StoredAuditEvent[] }[]> {
  const values: unknown[] = [organizationId]
  const conditions = [
    ['patient_ids @> array[?::uuid]', patientId],
    ['(patient_ids <> array[]::uuid[]) = ?', isOfPatients || undefined],
    // Skips blocks that cannot contain such an event; `isWanted` selects the events within a block.
    ['position(? in events) > 0', userId],
    ['position(? in events) > 0', operation],
    ['last_at >= ?::timestamptz', from],
    ['first_at < ?::timestamptz', to],
    ['number <= ?::bigint', upTo],
  ] as const
  const given = conditions.flatMap(([sql, value]) => {
    if (value === undefined) return []
    values.push(value)
    return [`and ${sql.replace('?', `$${values.length}`)}`]
  })
  const rows = await database.rows(
    `select number, events from audit_block where organization_id = $1 ${given.join(' ')}
    order by number desc limit ${BLOCKS_AT_A_TIME}`,
    values,
  )
  return rows.map(([number, events]) => ({ number: Number(number), events: JSON.parse(events ?? '[]') }))
}
