import type { Deps } from '../deps.ts'
import type { Actor } from '../http/endpoint.ts'
import type { VersionedRecord } from './record.ts'
import { updateManyStatement } from './statements.ts'

/** SQL over the column `body`, written in this program: what a client sent goes into `values` only. */
export interface BulkChange {
  /** Which records, deactivated ones too unless it says so, e.g. `body -> 'insurance_plan' ->> 'payer_plan_group_id' = $3`. */
  where: string
  /** The new body, e.g. `body || $4::jsonb`. */
  change: string
  /** What each changed record tells the timeline: SQL over its bodies `before` and `after`. */
  event?: BulkEvent
  /** Bound to $3, $4, …; $1 and $2 are the engine's. */
  values: unknown[]
}

/** An event of every changed record (rules.md 6, "Timeline"). */
export interface BulkEvent {
  type: string
  /** The column that names the changed record. */
  subject: 'coverage_id' | 'appointment_id'
  /** The patient's id as text, e.g. `after ->> 'patient'`. */
  patient: string
  /** As jsonb. */
  payload: string
}

/** Thousands of records take longer than a request's statement may; waiting for one that somebody holds counts too. */
const BULK_TIMEOUT = '5min'

/**
 * Writes the next version of every record of the organization that `where` names and the change really changes, all or
 * none, and returns how many. Nothing else waits while records are being locked; the record type's other writers wait while the
 * versions are written. Source: design.md "The change feed"; decisions/0004-change-feed.md.
 */
export function updateMany(deps: Deps, record: VersionedRecord, actor: Actor, change: BulkChange): Promise<number> {
  return deps.database.transaction(async (transaction) => {
    await transaction.rows(`set local statement_timeout = '${BULK_TIMEOUT}'`)
    const values = [actor.organizationId, actor.userId, ...change.values]
    const row = await transaction.row(updateManyStatement(record.name, change), values)
    return Number(row?.[0])
  })
}
