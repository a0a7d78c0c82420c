// The SQL of single writes that came while another was under way: several in ONE statement, with one tick of the clock, each for the caller
// who sent it. Like every write: record, clock, head, history. decisions/0037-group-commit.md
import { eventOfRecord } from '../platform/audit/pending.ts'
import type { Statement } from '../platform/database/database.ts'
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
 * $1 organization, $2 a JSON array of `[id, expected version, user, body, events, audit context]`. A row for each record written; who has
 * none is answered alone.
 */
function createGroupText(record: StatedRecord): string {
  const { name: table } = record
  return `with ${asked},
    numbered as (select *, row_number() over (order by place) - 1 as position from asked),
    block as (${blockOf('asked')}),
    clock as (${tickForBlock(table, { total: 'size', live: 'size' })}),
    head as (
      insert into ${table} (${COLUMNS})
      select $1::uuid, id, 1, false, ${stamp}, user_id, ${stamp}, body from numbered, clock, block
      returning ${COLUMNS}
    ),
    ${written(record, COLUMNS)}
    select ${wireColumns('head')} from head`
}

/**
 * The same for next versions. A record that somebody else holds is passed by: whoever waits for it waits alone. $3 is the ids by
 * themselves, which let the planner see that they are few.
 */
function updateGroupText(record: StatedRecord): string {
  const { name: table, updateReactivates } = record
  const { columns, assignment } = markOf(record, false)
  const deactivated = updateReactivates ? 'false' : `${table}.deactivated`
  return `with ${asked},
    current as (
      select ${table}.id, ${table}.deactivated from ${table} join asked on asked.id = ${table}.id and asked.expected = ${table}.version
      where ${table}.organization_id = $1 and ${table}.id = any($3::uuid[])
      order by ${table}.id for update of ${table} skip locked
    ),
    numbered as (select id, row_number() over (order by id) - 1 as position from current),
    block as (${blockOf('current')}),
    clock as (${tickForBlock(table, { live: updateReactivates ? '(select sum(deactivated::int) from current)' : '0' })}),
    head as (
      update ${table} set version = ${table}.version + 1, updated_at = ${stamp}, updating_user_id = asked.user_id,
        deactivated = ${deactivated}, body = asked.body${kept(record)}${assignment}
      from clock, block, numbered join asked using (id)
      where ${table}.organization_id = $1 and ${table}.id = any($3::uuid[]) and ${table}.id = numbered.id
      returning ${columns.replaceAll(/\w+/g, `${table}.$&`)}
    ),
    ${written(record, columns)}
    select ${wireColumns('head')} from head`
}

const asked = `asked as (
      select (each ->> 0)::uuid as id, (each ->> 1)::integer as expected, (each ->> 2)::uuid as user_id, each -> 3 as body,
        each -> 4 as events, each ->> 5 as audit_context, place
      from jsonb_array_elements($2::jsonb) with ordinality as sent (each, place)
    )`

/** What a write leaves beside the head. */
function written(record: StatedRecord, columns: string): string {
  const { name: table, events } = record
  const told = `told as (
      insert into timeline_event (${EVENT_COLUMNS})
      select $1::uuid, e.id, head.updated_at, asked.user_id, e.event_type, e.patient_id, e.coverage_id, e.appointment_id,
        e.appointment_date, e.payload
      from head join asked using (id), jsonb_to_recordset(asked.events) as e (${EVENT_FIELDS})
    ),`
  return `${events ? told : ''}
    ${eventOfRecord(record, 'asked.audit_context', 'head join asked on asked.id = head.id')},
    ${changeOf(table, 'head')},
    history as (insert into ${table}_history (${columns}) select ${columns} from head)`
}

/**
 * How many milliseconds a group takes at most. Up to so many writes have one each; more share them, or the clock would run ahead of the time
 * as long as many clients write. Whoever waits for an answer before the next write still has its writes in their order.
 */
const MILLISECONDS_A_GROUP = 4

/** How far the stamps of a group reach. */
function blockOf(records: string): string {
  return `select count(*) as size, least(count(*), ${MILLISECONDS_A_GROUP}) as milliseconds,
        (least(count(*), ${MILLISECONDS_A_GROUP}) - 1) * interval '1 millisecond' as span
      from ${records} having count(*) > 0`
}

const stamp = `clock.at - block.span + position * milliseconds / size * interval '1 millisecond'`
