// The SQL of writes to many records at once. Like a single write, each is ONE statement in the order record, clock,
// head, history; the clock is ticked once for the whole block. Source: decisions/0004-change-feed.md.

import type { AuditedRecord } from '../platform/audit/audited-record.ts'
import { eventOfMany } from '../platform/audit/pending.ts'
import { AS_ROWS, moved } from '../platform/database/instant.ts'
import {
  COLUMNS,
  changeOf,
  EVENT_COLUMNS,
  EVENT_FIELDS,
  RECORDS_A_MILLISECOND,
  type StatedRecord,
} from './statements.ts'

/** SQL over the column `body`, written in this program. Values from clients go into `values` only. */
export interface BulkChange {
  /**
   * Selects the records, deactivated ones too unless it excludes them, e.g. `body -> 'insurance_plan' ->>
   * 'payer_plan_group_id' = $3`.
   */
  where: string
  /** The new body, e.g. `body || $4::jsonb`. */
  change: string
  /** The timeline event of each changed record: SQL over its bodies `before` and `after`. */
  event: BulkEvent
  /** Bound to $3, $4, …; the engine binds $1 and $2. */
  values: unknown[]
}

/** The timeline event of every changed record, which names it in the column `<record>_id` (rules.md 6, "Timeline"). */
interface BulkEvent {
  type: string
  /** The patient's id as text, e.g. `after ->> 'patient'`. */
  patient: string
  /** As jsonb. */
  payload: string
}

/**
 * Applies one change to every record that `where` names, except those that it would not change. The records are locked
 * in id order before the clock, and 50 share a millisecond. `where` and `change` are SQL over `body`, written in this
 * program. $1 organization, $2 user, `values` from $3, then the text of `auditContextText`. Returns one row: the number
 * of changed records.
 */
export function updateManyStatement(record: StatedRecord, { where, change, event, values }: BulkChange): string {
  const { marksAmended } = record
  return writeBlock(record, {
    condition: `(${where}) and body is distinct from (${change})`,
    assignments: `body = (${change})${marksAmended ? `, ${marksAmended} = false` : ''}`,
    before: 'body as before',
    also: recordBulkEvents(record, event),
    auditContext: `$${values.length + 3}`,
  })
}

/**
 * Deactivates the active records among $3. $1 organization, $2 user, $4 `auditContextText`. Returns one row: the number
 * of deactivated records.
 */
export function deactivateManyStatement(record: AuditedRecord): string {
  return writeBlock(record, {
    condition: 'id = any($3::uuid[]) and not deactivated',
    assignments: 'deactivated = true',
    live: '-size',
    auditContext: '$4',
  })
}

/** $1 organization, $2 user, $3 a JSON array of `[id, body, events]`, $4 `auditContextText`. */
export function createManyStatement(record: AuditedRecord): string {
  return createBlock(record, 'true')
}

/**
 * Like `createManyStatement`, but skips records that exist already. Two writers of the same record must not run at
 * once: the caller holds a lock that the other one needs.
 */
export function createMissingStatement(record: AuditedRecord): string {
  // Not an anti-join, for which the whole table may be read: each key is looked up (decisions/0064-few-rows-by-key.md).
  return createBlock(
    record,
    `(select true from ${record.name} where organization_id = $1::uuid and id = (each ->> 0)::uuid) is null`,
  )
}

function createBlock(record: AuditedRecord, condition: string): string {
  const { name: table } = record
  return `with sent as (
      select (each ->> 0)::uuid as id, each -> 1 as body, each -> 2 as events, row_number() over (order by place) - 1 as position
      from jsonb_array_elements($3::jsonb) with ordinality as sent (each, place) where ${condition}
    ),
    block as (${blockOf('sent')}),
    clock as (${tickForBlock(table, { total: 'size', live: 'size' })}),
    stamped as (
      select $1::uuid as organization_id, id, 1 as version, body, events, ${stamp} as updated_at from sent, clock, block
    ),
    head as (insert into ${table} (${COLUMNS}) ${firstVersion} ${AS_ROWS}),
    history as (insert into ${table}_history (${COLUMNS}) ${firstVersion} ${AS_ROWS}),
    ${eventOfMany(record, 'stamped', '$4')},
    ${changeOf(table, 'stamped')},
    timeline as (
      insert into timeline_event (${EVENT_COLUMNS})
      select $1::uuid, e.id, updated_at, $2::uuid, event_type, patient_id, coverage_id, appointment_id, appointment_date, payload
      from stamped, jsonb_to_recordset(events) as e (${EVENT_FIELDS}) ${AS_ROWS}
    )
    select count(*) from stamped`
}

const firstVersion = 'select $1::uuid, id, version, false, updated_at, $2::uuid, updated_at, body from stamped'

function writeBlock(
  record: AuditedRecord,
  change: {
    condition: string
    assignments: string
    live?: string
    before?: string | undefined
    also?: string | undefined
    auditContext: string
  },
): string {
  const { name: table } = record
  const { condition, assignments, live, before, also, auditContext } = change
  return `with current as (
      select id${before ? `, ${before}` : ''} from ${table} where organization_id = $1 and ${condition} order by id for update
    ),
    numbered as (select id, row_number() over (order by id) - 1 as position from current),
    block as (${blockOf('current')}),
    clock as (${tickForBlock(table, { live })}),
    head as (
      update ${table} set version = ${table}.version + 1, updating_user_id = $2, updated_at = ${stamp}, ${assignments}
      from clock, block, numbered where ${table}.organization_id = $1 and ${table}.id = numbered.id
        and ${table}.id = any(array(select id from current))
      returning ${COLUMNS.replaceAll(/\w+/g, `${table}.$&`)}
    ),
    ${also ? `${also},` : ''}
    ${eventOfMany(record, 'head', auditContext)},
    ${changeOf(table, 'head')},
    history as (insert into ${table}_history (${COLUMNS}) select ${COLUMNS} from head ${AS_ROWS})
    select count(*) from head`
}

/** The size of a block and the span of its stamps. */
function blockOf(records: string): string {
  return `select count(*) as size, (count(*) - 1) / ${RECORDS_A_MILLISECOND} * interval '1 millisecond' as span
      from ${records} having count(*) > 0`
}

const stamp = moved('clock.at', `(position / ${RECORDS_A_MILLISECOND} * interval '1 millisecond' - block.span)`)

/**
 * Ticks the clock for a block. `block` has a `size` and a `span`, the distance from its first stamp to its last. The
 * block starts on a new millisecond; the clock moves to the end of the block, even where that is ahead of the machine's
 * clock. `total` and `live` (SQL over the block) are the changes to the record counts.
 */
export function tickForBlock(
  table: string,
  { total = '0', live = '0' }: { total?: string; live?: string | undefined },
): string {
  return `insert into change_clock as c (organization_id, record_type, at, span, total, live)
      select $1::uuid, '${table}', date_trunc('milliseconds', clock_timestamp()) + block.span, block.span, ${total}, ${live}
      from block
      on conflict (organization_id, record_type) do update set
        at = greatest(excluded.at, ${moved('c.at', `interval '1 millisecond' + excluded.span`)}),
        span = excluded.span,
        total = c.total + excluded.total,
        live = c.live + excluded.live
      returning at`
}

function recordBulkEvents({ name }: AuditedRecord, { type, patient, payload }: BulkEvent): string {
  return `event_source as (select head.*, before, body as after from head join current using (id)),
    events as (
      insert into timeline_event (organization_id, id, at, user_id, event_type, patient_id, ${name}_id, payload)
      select organization_id, gen_random_uuid(), updated_at, updating_user_id, '${type}', (${patient})::uuid, id, ${payload}
      from event_source ${AS_ROWS}
    )`
}
