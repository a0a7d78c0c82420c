import type { Actor } from '../contract/actor.ts'
import type { Deps } from '../deps.ts'
import { auditContextText, markAudited, type Writer } from '../platform/audit/audit-context.ts'
import { ANSWER_MARGIN_MS } from '../platform/database/database.ts'
import { DatabaseBusy } from '../platform/database/errors.ts'
import { createFairShare, type FairShare, leavingSome, oneEach } from '../platform/fair-share.ts'
import {
  createManyStatement,
  createMissingStatement,
  deactivateManyStatement,
  updateManyStatement,
} from './bulk-statements.ts'
import type { TimelineEvent, VersionedRecord } from './record.ts'
import type { RecordBody } from './store.ts'

type Needs = Pick<Deps, 'database' | 'bulkTurns' | 'newId'>

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
const BULK_TIMEOUT_MS = 5 * 60_000
/** Bulk updates that are at work at a time, each of another organization. */
const AT_A_TIME = 4
const WAITING_MAX = 1000
/** As long as it has worked it rests, that others have the processor of the database half of the time; at most so long. */
const REST_MAX_MS = 5_000

/**
 * Turns for bulk updates: one of an organization at a time, for a second one would only wait for the rows and the processor of the first.
 * Those that wait hold no connection, and after each its organization rests. decisions/0019-fairness.md
 */
export const createBulkTurns = (): FairShare =>
  createFairShare({ places: AT_A_TIME, maxWaiting: WAITING_MAX, rule: oneEach, waitingRule: leavingSome })

/**
 * The first statement of a transaction names its organization, whose share of the connections it takes. Without nested loops: the planner
 * cannot know how many records `where` names, and where it takes thousands for one it would compare each with each.
 */
const longStatement = {
  name: 'bulk_settings',
  text: `select set_config('statement_timeout', '${BULK_TIMEOUT_MS}', true), set_config('enable_nestloop', 'off', true)
    from (select $1::uuid) organization`,
}

/**
 * Writes the next version of every record of the organization that `where` names and the change really changes, all or
 * none, and returns how many. Nothing else waits while records are being locked; the record type's other writers wait while the
 * versions are written. Source: design.md "The change feed"; decisions/0004-change-feed.md.
 * @throws DatabaseBusy when its turn does not come, or when `caller` is gone before that.
 */
export async function updateMany(
  deps: Needs,
  record: VersionedRecord,
  actor: Actor,
  change: BulkChange,
  caller?: AbortSignal,
): Promise<number> {
  const { organizationId } = actor
  const patience = AbortSignal.any([AbortSignal.timeout(BULK_TIMEOUT_MS), ...(caller ? [caller] : [])])
  await deps.bulkTurns.enter(organizationId, patience).catch((cause: unknown) => {
    throw new DatabaseBusy('the bulk update did not have its turn', { cause })
  })
  const beganAt = performance.now()
  try {
    return await writeMany(deps, record, actor, change)
  } finally {
    const restMs = Math.min(performance.now() - beganAt, REST_MAX_MS)
    setTimeout(() => deps.bulkTurns.leave(organizationId), restMs).unref()
  }
}

function writeMany(deps: Needs, record: VersionedRecord, actor: Actor, change: BulkChange): Promise<number> {
  return deps.database.transaction(async (transaction) => {
    await transaction.rows(longStatement, [actor.organizationId])
    const values = [
      actor.organizationId,
      actor.userId,
      ...change.values,
      auditContextText(actor, `${record.name}.update_many`),
    ]
    const statement = { text: updateManyStatement(record, change), timeoutMs: BULK_TIMEOUT_MS + ANSWER_MARGIN_MS }
    const row = await transaction.row(statement, values)
    if (Number(row?.[0]) > 0) markAudited(actor)
    return Number(row?.[0])
  })
}

/** A record to be created with others: its body as `prepare` leaves one, and what its creation tells the timeline. */
export interface NewRecord {
  id: string
  body: RecordBody
  events: TimelineEvent[]
}

type Writing = Pick<Deps, 'database' | 'newId'>

/**
 * Stores version 1 of every record in one statement, all or none, with what `createRecord` would leave of each: head, history,
 * events, counts, and a stamp that at most 50 share. The record type's other writers wait meanwhile: some thousands at a time.
 * Fields that the record encrypts must not be in a body.
 */
export async function createMany(
  deps: Writing,
  record: VersionedRecord,
  actor: Writer,
  records: NewRecord[],
): Promise<void> {
  await deps.database.rows(createManyStatement(record), sentRecords(deps, record, actor, records))
}

/**
 * The same for records whose ids follow from what they are: those that are stored already stay as they are. The caller's
 * transaction holds what they follow from, so that two writers of the same records come one after the other.
 */
export async function createMissing(
  deps: Writing,
  record: VersionedRecord,
  actor: Writer,
  records: NewRecord[],
): Promise<void> {
  const statement = { name: `${record.name}_create_missing`, text: createMissingStatement(record) }
  await deps.database.rows(statement, sentRecords(deps, record, actor, records))
}

function sentRecords(deps: Writing, record: VersionedRecord, actor: Writer, records: NewRecord[]): unknown[] {
  if (record.encrypts?.some((field) => records.some(({ body }) => Object.hasOwn(body, field)))) {
    throw new Error(`${record.name}: an encrypted field cannot be written this way`)
  }
  const rows = records.map(({ id, body, events }) => [
    id,
    body,
    events.map((event) => ({ ...event, id: deps.newId() })),
  ])
  return [
    actor.organizationId,
    actor.userId,
    JSON.stringify(rows),
    auditContextText(actor, `${record.name}.create_many`),
  ]
}

/** Writes a deactivated version of every named record that is active, as `setDeactivated` would, and returns how many. */
export async function deactivateMany(
  deps: Pick<Deps, 'database'>,
  record: VersionedRecord,
  actor: Writer,
  ids: string[],
): Promise<number> {
  const statement = deactivateManyStatement(record)
  const auditContext = auditContextText(actor, `${record.name}.deactivate_many`)
  const row = await deps.database.row(statement, [actor.organizationId, actor.userId, ids, auditContext])
  return Number(row?.[0])
}
