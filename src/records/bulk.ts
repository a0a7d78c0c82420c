import type { Actor } from '../contract/actor.ts'
import type { Deps } from '../deps.ts'
import { auditContextText, markAudited, type Writer } from '../platform/audit/audit-context.ts'
import { ANSWER_MARGIN_MS } from '../platform/database/connections/pool-settings.ts'
import { DatabaseBusy } from '../platform/database/errors.ts'
import { createFairShare, type FairShare, leavingSome, oneEach } from '../platform/fair-share.ts'
import {
  type BulkChange,
  createManyStatement,
  createMissingStatement,
  deactivateManyStatement,
  updateManyStatement,
} from './bulk-statements.ts'
import type { TimelineEvent, VersionedRecord } from './record.ts'
import type { RecordBody } from './store.ts'

type Needs = Pick<Deps, 'database' | 'bulkTurns' | 'newId'>

/**
 * A bulk update of thousands of records takes longer than the statement timeout of a request. Waiting for a locked
 * record counts too.
 */
const BULK_TIMEOUT_MS = 5 * 60_000
/** The number of bulk updates that run at a time, each of another organization. */
const AT_A_TIME = 4
const WAITING_MAX = 1000
/**
 * After a bulk update its organization pauses for as long as the update took, up to this limit, so that others get half
 * of the database's processor time.
 */
const REST_MAX_MS = 5_000

/**
 * Turns for bulk updates. One of an organization runs at a time: a second one would only compete with the first for
 * rows and processor. An update that waits holds no connection, and after each one its organization pauses.
 * decisions/0019-fairness.md
 */
export const createBulkTurns = (): FairShare =>
  createFairShare({ places: AT_A_TIME, maxWaiting: WAITING_MAX, rule: oneEach, waitingRule: leavingSome })

/**
 * The first statement of a transaction names its organization, so that the transaction counts towards that
 * organization's share of the connections. Nested loops are off: the planner cannot know how many records `where`
 * names, and if it takes thousands for one, it compares every row with every other.
 */
const longStatement = {
  name: 'bulk_settings',
  text: `select set_config('statement_timeout', '${BULK_TIMEOUT_MS}', true), set_config('enable_nestloop', 'off', true)
    from (select $1::uuid) organization`,
}

/**
 * Writes the next version of every record of the organization that `where` names and that the change alters, all or
 * none, and returns how many. Other writers do not wait while the records are being locked; writers of the same record
 * type wait while the versions are written. Source: design.md "The change feed"; decisions/0004-change-feed.md.
 * @throws DatabaseBusy when its turn does not come, or when `caller` disconnects before that.
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
    throw new DatabaseBusy('the bulk update timed out waiting for its turn', { cause })
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

/**
 * A record to create together with others: its body as `prepare` returns it, and the timeline events of its creation.
 */
export interface NewRecord {
  id: string
  body: RecordBody
  events: TimelineEvent[]
}

type Writing = Pick<Deps, 'database' | 'newId'>

/**
 * Stores version 1 of every record in one statement, all or none, with everything that `createRecord` writes for each:
 * head, history, events, counts, and a stamp that at most 50 records share. Other writers of the record type wait
 * meanwhile, so a call takes a few thousand records at most. A body must not contain fields that the record encrypts.
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
 * Like `createMany`, for records whose ids are derived from other data: records that exist already stay unchanged. The
 * caller's transaction locks the data that the ids are derived from, so that two writers of the same records run one
 * after the other.
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

/**
 * Writes a deactivated version of every active record among the named ones, as `setDeactivated` would, and returns how
 * many.
 */
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
