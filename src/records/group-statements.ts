// The SQL of group commit: single writes that arrived while another was under way go to the database in ONE statement
// with one tick of the clock, each on behalf of its own caller. Like every write: record, clock, head, history.
// decisions/0037-group-commit.md
import { eventOfRecord } from '../platform/audit/pending.ts'
import type { Statement } from '../platform/database/database.ts'
import { AS_ROWS, moved } from '../platform/database/instant.ts'
import { tickForBlock } from './bulk-statements.ts'
import {
  COLUMNS,
  changeOf,
  EVENT_COLUMNS,
  EVENT_FIELDS,
  kept,
  markOf,
  type StatedRecord,
  wireColumns,
} from './statements.ts'

export interface GroupStatements {
  createGroup: Statement
  updateGroup: Statement
}

export function buildGroupStatements(record: StatedRecord): GroupStatements {
  return {
    createGroup: { name: `${record.name}_create_group`, text: createGroupText(record) },
    updateGroup: { name: `${record.name}_update_group`, text: updateGroupText(record) },
  }
}

/**
 * $1 organization, $2 a JSON array of `[id, expected version, user, body, events, audit context]`. Returns a row for
 * each record written; a write without a row is sent again alone.
 */
function createGroupText(record: StatedRecord): string {
  const { name: table } = record
  return `with ${sent},
    numbered as (select *, row_number() over (order by place) - 1 as position from sent),
    block as (${blockOf('sent')}),
    clock as (${tickForBlock(table, { total: 'size', live: 'size' })}),
    head as (
      insert into ${table} (${COLUMNS})
      select $1::uuid, id, 1, false, ${stamp}, user_id, ${stamp}, body from numbered, clock, block
      returning ${COLUMNS}
    ),
    ${written(record, COLUMNS)}
    select ${wireColumns('head', record)} from head`
}

/**
 * The same for next versions. A record that another transaction has locked is skipped: its writer waits alone and does
 * not hold up the others. $3 is an array of the ids alone, from which the planner sees that they are few.
 */
function updateGroupText(record: StatedRecord): string {
  const { name: table, updateReactivates } = record
  const { columns, assignment } = markOf(record, false)
  const deactivated = updateReactivates ? 'false' : `${table}.deactivated`
  return `with ${sent},
    current as (
      select ${table}.id, ${table}.deactivated from ${table} join sent on sent.id = ${table}.id and sent.expected = ${table}.version
      where ${table}.organization_id = $1 and ${table}.id = any($3::uuid[])
      order by ${table}.id for update of ${table} skip locked
    ),
    numbered as (select id, row_number() over (order by id) - 1 as position from current),
    block as (${blockOf('current')}),
    clock as (${tickForBlock(table, { live: updateReactivates ? '(select sum(deactivated::int) from current)' : '0' })}),
    head as (
      update ${table} set version = ${table}.version + 1, updated_at = ${stamp}, updating_user_id = sent.user_id,
        deactivated = ${deactivated}, body = sent.body${kept(record)}${assignment}
      from clock, block, numbered join sent using (id)
      where ${table}.organization_id = $1 and ${table}.id = any($3::uuid[]) and ${table}.id = numbered.id
      returning ${columns.replaceAll(/\w+/g, `${table}.$&`)}
    ),
    ${written(record, columns)}
    select ${wireColumns('head', record)} from head`
}

const sent = `sent as (
      select (each ->> 0)::uuid as id, (each ->> 1)::integer as expected, (each ->> 2)::uuid as user_id, each -> 3 as body,
        each -> 4 as events, each ->> 5 as audit_context, place
      from jsonb_array_elements($2::jsonb) with ordinality as item (each, place)
    )`

/** Everything that a write stores besides the head. */
function written(record: StatedRecord, columns: string): string {
  const { name: table, events } = record
  const timeline = `timeline as (
      insert into timeline_event (${EVENT_COLUMNS})
      select $1::uuid, e.id, head.updated_at, sent.user_id, e.event_type, e.patient_id, e.coverage_id, e.appointment_id,
        e.appointment_date, e.payload
      from head join sent using (id), jsonb_to_recordset(sent.events) as e (${EVENT_FIELDS}) ${AS_ROWS}
    ),`
  return `${events ? timeline : ''}
    ${eventOfRecord(record, 'sent.audit_context', 'head join sent on sent.id = head.id')},
    ${changeOf(table, 'head')},
    history as (insert into ${table}_history (${columns}) select ${columns} from head ${AS_ROWS})`
}

/**
 * The most milliseconds that the stamps of a group span. Up to this many writes get a millisecond each; more writes
 * share them, because otherwise the clock would run ahead of real time for as long as many clients write. A client that
 * waits for each answer before its next write still sees its writes in order.
 */
const MILLISECONDS_A_GROUP = 4

/** The size of a group and the span of its stamps. */
function blockOf(records: string): string {
  return `select count(*) as size, least(count(*), ${MILLISECONDS_A_GROUP}) as milliseconds,
        (least(count(*), ${MILLISECONDS_A_GROUP}) - 1) * interval '1 millisecond' as span
      from ${records} having count(*) > 0`
}

const stamp = moved('clock.at', `(position * milliseconds / size * interval '1 millisecond' - block.span)`)
