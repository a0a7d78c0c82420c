// The SQL of the record engine. A write is ONE statement: lock the record, tick the clock, write the head, write the
// history. Constraint and table names come from declarations in this program, never from input. Writes of many records
// at once are in bulk-statements.ts, group commit is in group-statements.ts. Source: design.md "Data model" and "The
// change feed"; decisions/0001-versioned-records.md, 0004-change-feed.md.

import type { AuditedRecord } from '../platform/audit/audited-record.ts'
import { eventOfRecord } from '../platform/audit/pending.ts'
import type { Statement } from '../platform/database/database.ts'
import { AS_ROWS, moved } from '../platform/database/instant.ts'

/** The last value of every write is the text of its audit context (audit/audit-context.ts). */
export interface RecordStatements {
  /** $1 organization, $2 id, $3 user, $4 body, and $5 events for records that have events. */
  create: Statement
  /**
   * $1 organization, $2 id, $3 expected version, $4 user, $5 body, and $6 events for records that have events. No row:
   * the record does not exist, is at another version or belongs to another organization.
   */
  update: Statement
  /** Like `update`; also returns no row when another transaction has locked the record. */
  updateFree: Statement
  /**
   * Like `update`, for writes of the server itself: the body replaces the stored one completely, and $6 events is
   * always bound.
   */
  amend: Statement
  /**
   * $1 organization, $2 id, $3 expected version, $4 user, $5 deactivated. Also returns no row when the record is in
   * that state already.
   */
  setDeactivated: Statement
  /** $1 organization, $2 id. */
  read: Statement
  /** $1 organization, $2 id. Like `read`, and locks the row until the transaction ends. */
  hold: Statement
  /** $1 organization, $2 id, $3 the number of versions to read, $4 the number of versions to skip. */
  history: Statement
  /** $1 organization, $2 id. All versions of a record that has a few short ones; no row otherwise. */
  shortHistory: Statement
  /** $1 organization, $2 since, $3 limit, $4 the id after which the scan starts at that instant. */
  scan: Statement
}

/**
 * The columns that `toWire` turns into the wire form, in this order. A body arrives as the text that PostgreSQL prints in any case: to make it
 * a text before would copy it twice. A time that the record does not show is not printed.
 */
export function wireColumns(table: string, { shows }: Pick<StatedRecord, 'shows'> = {}): string {
  const createdAt = shows?.includes('created_at') ? `${table}.created_at` : 'null'
  return `${table}.id, ${table}.organization_id, ${table}.deactivated, ${table}.version, ${table}.updated_at,
    ${table}.updating_user_id, ${createdAt}, ${table}.body`
}

/** How many they are. */
export const WIRE_COLUMN_COUNT = wireColumns('').split(',').length

/** The columns of every versioned record, in head and history alike. */
export const COLUMNS = 'organization_id, id, version, deactivated, updated_at, updating_user_id, created_at, body'

export const EVENT_COLUMNS =
  'organization_id, id, at, user_id, event_type, patient_id, coverage_id, appointment_id, appointment_date, payload'

/** The columns of an event as the engine passes it to a statement. */
export const EVENT_FIELDS =
  'id uuid, event_type text, patient_id uuid, coverage_id uuid, appointment_id uuid, appointment_date text, payload jsonb'

/** The most records that share one millisecond: half a page of a scan, so that a poller always makes progress. */
export const RECORDS_A_MILLISECOND = 50

/** Up to this many versions, of this many stored bytes together, are read over a connection that other reads share. */
const FEW_VERSIONS = 8
const SHORT_BYTES = 16 * 1024

/** The parts of a record that its statements depend on. */
export interface StatedRecord extends AuditedRecord {
  keeps?: readonly string[]
  shows?: readonly 'created_at'[]
  marksAmended?: string
  updateReactivates?: boolean
  events?: unknown
}

export function buildStatements(record: StatedRecord): RecordStatements {
  return { ...writingStatements(record), ...readingStatements(record) }
}

type Reading = 'read' | 'hold' | 'history' | 'shortHistory' | 'scan'

/** Names are those of prepared statements, unique in the service. */
const naming = (table: string) => (operation: string, text: string) => ({ name: `${table}_${operation}`, text })

function writingStatements(record: StatedRecord): Omit<RecordStatements, Reading> {
  const table = record.name
  const named = naming(table)
  const deactivated = record.updateReactivates ? 'false' : `${table}.deactivated`
  const update = {
    assignments: `deactivated = ${deactivated}, body = $5::jsonb${kept(record)}`,
    live: record.updateReactivates ? 'deactivated::int' : (0 as const),
    also: record.events ? recordEvents('$6', '$4') : undefined,
    auditContext: record.events ? '$7' : '$6',
    isAmended: false,
  }
  return {
    create: named(
      'create',
      `with clock as (${tick(table, { total: 1, live: 1 })}),
      head as (
        insert into ${table} (${COLUMNS})
        select $1::uuid, $2::uuid, 1, false, clock.at, $3::uuid, clock.at, $4::jsonb from clock returning ${COLUMNS}
      ),
      ${record.events ? `${recordEvents('$5', '$3')},` : ''}
      ${eventOfRecord(record, record.events ? '$6' : '$5')},
      ${changeOf(table, 'head')},
      history as (insert into ${table}_history (${COLUMNS}) select ${COLUMNS} from head ${AS_ROWS})
      select ${wireColumns('head', record)} from head`,
    ),
    update: named('update', writeVersion(record, update)),
    updateFree: named('update_free', writeVersion(record, { ...update, lock: 'for update skip locked' })),
    amend: named(
      'amend',
      writeVersion(record, {
        assignments: 'body = $5::jsonb',
        live: 0,
        also: recordEvents('$6', '$4'),
        auditContext: '$7',
        isAmended: true,
      }),
    ),
    setDeactivated: named(
      'set_deactivated',
      writeVersion(record, {
        condition: 'and deactivated is distinct from $5::boolean',
        assignments: 'deactivated = $5::boolean',
        live: 'case when deactivated then 1 else -1 end',
        auditContext: '$6',
        isAmended: false,
      }),
    ),
  }
}

function readingStatements(record: StatedRecord): Pick<RecordStatements, Reading> {
  const table = record.name
  const named = naming(table)
  return {
    read: named('read', `select ${wireColumns(table, record)} from ${table} where organization_id = $1 and id = $2`),
    hold: named(
      'hold',
      `select ${wireColumns(table, record)} from ${table} where organization_id = $1 and id = $2 for update`,
    ),
    history: named(
      'history',
      `select ${wireColumns('h', record)} from ${table}_history h
      where organization_id = $1 and id = $2 order by version limit $3 offset $4`,
    ),
    // Printing takes longer than reading, so the versions are read once to see whether they are few and short.
    shortHistory: named(
      'short_history',
      `with versions as materialized (
        select ${COLUMNS} from ${table}_history where organization_id = $1 and id = $2 order by version limit ${FEW_VERSIONS + 1}
      )
      select ${wireColumns('versions', record)} from versions
      where (select count(*) <= ${FEW_VERSIONS} and sum(pg_column_size(body)) <= ${SHORT_BYTES} from versions) order by version`,
    ),
    scan: named(
      'scan',
      // The page first: the planner may join all records of an organization before it takes a page of them.
      `select ${wireColumns(table, record)} from (
        select id, at from record_change
        where organization_id = $1 and record_type = '${table}' and (at, id) > ($2::timestamptz, $4::uuid)
        order by at, id limit $3
      ) c
      join ${table} on ${table}.organization_id = $1 and ${table}.id = c.id
      order by c.at, c.id`,
    ),
  }
}

function writeVersion(
  record: StatedRecord,
  change: {
    condition?: string
    lock?: string
    assignments: string
    live: string | 0
    also?: string | undefined
    auditContext: string
    isAmended: boolean
  },
): string {
  const { name: table } = record
  const { condition = '', lock = 'for update', assignments, live, also, auditContext, isAmended } = change
  const { columns, assignment } = markOf(record, isAmended)
  return `with current as (
      select id, deactivated from ${table} where organization_id = $1 and id = $2 and version = $3 ${condition} ${lock}
    ),
    clock as (${tick(table, { total: 0, live, from: 'from current' })}),
    head as (
      update ${table} set version = ${table}.version + 1, updated_at = clock.at, updating_user_id = $4, ${assignments}${assignment}
      from clock where ${table}.organization_id = $1 and ${table}.id = $2
      returning ${columns.replaceAll(/\w+/g, `${table}.$&`)}
    ),
    ${also ? `${also},` : ''}
    ${eventOfRecord(record, auditContext)},
    ${changeOf(table, 'head')},
    history as (insert into ${table}_history (${columns}) select ${columns} from head ${AS_ROWS})
    select ${wireColumns('head', record)} from head`
}

/**
 * Moves the records that `written` lists with `id`, `updated_at` and `version` to their new position in the change
 * feed.
 */
export function changeOf(table: string, written: string): string {
  return `changed as (
      insert into record_change (organization_id, record_type, id, at, version)
      select $1::uuid, '${table}', id, updated_at, version from ${written}
      on conflict (organization_id, record_type, id) do update set at = excluded.at, version = excluded.version
    )`
}

/**
 * The position of each record in the change feed, for lists in that order: joins `<table>_change`, which `changePath`
 * refers to.
 */
export function changeJoin(table: string): string {
  return `join record_change ${table}_change on ${table}_change.organization_id = $1 and ${table}_change.record_type = '${table}'
      and ${table}_change.id = ${table}.id`
}

/**
 * Timeline events, written together with the version that caused them and with its time. Source: rules.md 6,
 * "Timeline".
 */
function recordEvents(events: string, user: string): string {
  return `events as (
        insert into timeline_event (${EVENT_COLUMNS})
        select head.organization_id, e.id, head.updated_at, ${user}::uuid, e.event_type, e.patient_id, e.coverage_id, e.appointment_id,
          e.appointment_date, e.payload
        from head, jsonb_to_recordset(${events}::jsonb) as e (${EVENT_FIELDS}) ${AS_ROWS}
      )`
}

/**
 * Advances the clock of the organization and record type and returns the stamp. The row stays locked until commit, so
 * that transactions commit in the order of their stamps; the clock never goes back, regardless of the machine's clock.
 * `total` and `live` (SQL over `from`) are the changes to the counts that live-count.ts reads.
 */
function tick(table: string, change: { total: number; live: number | string; from?: string }): string {
  const { total, live, from = '' } = change
  // Single writes rise strictly (rules.md 20.12); the time that a waiting writer read may be older than the clock by
  // then.
  return `insert into change_clock as c (organization_id, record_type, at, total, live)
      select $1::uuid, '${table}', date_trunc('milliseconds', clock_timestamp()), ${total}, ${live} ${from}
      on conflict (organization_id, record_type) do update set
        at = greatest(excluded.at, ${moved('c.at', `interval '1 millisecond'`)}),
        total = c.total + excluded.total,
        live = c.live + excluded.live
      returning at`
}

/** The columns of a version, and the assignment of the column that marks versions written by the server itself. */
export function markOf({ marksAmended }: StatedRecord, isAmended: boolean): { columns: string; assignment: string } {
  if (marksAmended === undefined) return { columns: COLUMNS, assignment: '' }
  return { columns: `${COLUMNS}, ${marksAmended}`, assignment: `, ${marksAmended} = ${isAmended}` }
}

/** The fields that an update keeps from the stored body, merged over the new body. */
export function kept(record: { name: string; keeps?: readonly string[] }): string {
  const body = `${record.name}.body`
  const parts = (record.keeps ?? []).map((key) => ` || coalesce(jsonb_set('{}', '{${key}}', ${body}->'${key}'), '{}')`)
  return record.keeps?.length ? ` - array[${record.keeps.map((key) => `'${key}'`)}]${parts.join('')}` : ''
}
