// Copies the change feed into the event log: every version of every record since the last run, once, in the order of
// its record. decisions/0039-events.md
import type { OtherEventType, OtherSubject, RecordVerb } from '../contract/event-verbs.ts'
import type { Database, Statement } from '../platform/database/database.ts'
import { AS_ROWS } from '../platform/database/instant.ts'
import type { EventSubject, EventTypes, VersionEvents } from './event-types.ts'

/** A listener that returns after a long time has much to collect in one statement. */
const COLLECT_TIMEOUT_MS = 600_000

/**
 * The condition that the log `l` has changes that are not collected yet; `feeds` are the record types with a change
 * feed.
 */
export const hasNews = (feeds: string) =>
  `(exists (select 1 from change_clock c left join event_cursor k on k.organization_id = c.organization_id and k.record_type = c.record_type
        where c.organization_id = l.organization_id and c.record_type = any(${feeds}) and c.at > coalesce(k.at, '-infinity'))
      or exists (select 1 from event_pending p where p.organization_id = l.organization_id))`

const lockStatement: Statement = {
  name: 'event_log_lock',
  text: 'select last_number from event_log where organization_id = $1 for update skip locked',
}

/**
 * $2 the record types with a change feed. Returns those that have changed, and the stamps between which they changed.
 */
const changedStatement: Statement = {
  name: 'event_changed',
  text: `select c.record_type, coalesce(k.at, '-infinity')::text, c.at::text
    from change_clock c left join event_cursor k on k.organization_id = $1 and k.record_type = c.record_type
    where c.organization_id = $1 and c.record_type = any($2) and c.at > coalesce(k.at, '-infinity') order by c.record_type`,
}

const advanceStatement: Statement = {
  name: 'event_cursor_advance',
  text: `insert into event_cursor (organization_id, record_type, at) values ($1, $2, $3)
    on conflict (organization_id, record_type) do update set at = excluded.at`,
}

const finishStatement: Statement = {
  name: 'event_log_advance',
  text: 'update event_log set last_number = $2 where organization_id = $1',
}

const beginStatement: Statement = {
  name: 'event_log_begin',
  text: `with log as (insert into event_log (organization_id) values ($1) on conflict do nothing returning organization_id)
    insert into event_cursor (organization_id, record_type, at)
    select $1, c.record_type, c.at from log, change_clock c where c.organization_id = $1 ${AS_ROWS}`,
}

/** Starts collecting events of this organization. Does nothing when collecting has started already. */
export async function beginLog(database: Pick<Database, 'rows'>, organizationId: string): Promise<void> {
  await database.rows(beginStatement, [organizationId])
}

/**
 * Numbers the changes since the last run. Returns the number of the latest event; undefined while another process
 * collects for this organization, or when the organization has no listener. All or nothing, so that a process that is
 * killed midway loses and duplicates nothing.
 */
export function collectEvents(
  database: Database,
  types: EventTypes,
  organizationId: string,
): Promise<number | undefined> {
  const feeds = new Map(types.subjects.filter(({ record }) => record).map((subject) => [subject.name, subject]))
  const within = types.subjects.flatMap((subject) => subject.within ?? [])
  return database.transaction(async (transaction) => {
    const [locked] = await transaction.rows(lockStatement, [organizationId])
    if (!locked) return undefined
    await transaction.rows(`set local statement_timeout = ${COLLECT_TIMEOUT_MS}`)
    const first = Number(locked[0])
    let last = first
    for (const [name = '', since, upTo] of await transaction.rows(changedStatement, [
      organizationId,
      [...feeds.keys()],
    ])) {
      const subject = feeds.get(name)
      if (!subject) continue
      last += await insert(transaction, recordEvents(subject, within), [organizationId, last, since, upTo])
      await transaction.rows(advanceStatement, [organizationId, name, upTo])
    }
    last += await insert(transaction, pendingEvents, [organizationId, last])
    if (last > first) await transaction.rows(finishStatement, [organizationId, last])
    return last
  })
}

async function insert(database: Pick<Database, 'rows'>, statement: Statement, values: unknown[]): Promise<number> {
  const [row] = await database.rows({ ...statement, timeoutMs: COLLECT_TIMEOUT_MS }, values)
  return Number(row?.[0] ?? 0)
}

/** When a version is which event; the first condition that is true decides. */
const CONDITIONS: Readonly<Record<RecordVerb, string>> = {
  created: 'version = 1',
  deactivated: 'deactivated and not was_deactivated',
  reactivated: 'was_deactivated and not deactivated',
  updated: 'true',
}
const VERB = `case ${Object.entries(CONDITIONS)
  .map(([verb, condition]) => `when ${condition} then '${verb}'`)
  .join(' ')} end`

/**
 * $1 organization, $2 the number before the first event, $3 and $4 the stamps after which and up to which events are
 * collected. The clock value $4 was committed, and with it every write up to it (decisions/0004-change-feed.md), so the
 * bound is exact. `record_change` lists the changed records; their history has the versions in between. Encrypted
 * fields are not compared, because every encryption gives another ciphertext.
 */
function recordEvents({ name, record }: EventSubject, within: readonly VersionEvents[]): Statement {
  const hidden = record?.encrypts?.length ? ` - array[${record.encrypts.map((field) => `'${field}'`)}]` : ''
  return {
    name: `event_collect_${name}`,
    text: `with version as materialized (
        select h.id, h.version, h.updated_at as at, h.deactivated, h.body${hidden} as body, o.deactivated as was_deactivated, o.body${hidden} as old_body
        from record_change r join ${name}_history h on h.organization_id = $1 and h.id = r.id
          left join ${name}_history o on o.organization_id = $1 and o.id = h.id and o.version = h.version - 1
        where r.organization_id = $1 and r.record_type = '${name}' and r.at > $3::timestamptz
          and h.updated_at > $3::timestamptz and h.updated_at <= $4::timestamptz
      ),
      happened as (
        select id, version, at, 1 as place,
          '${name}.' || ${VERB} as type,
          case when old_body is null then '{}'::jsonb else jsonb_build_object('changed', to_jsonb(changed_paths(old_body, body))) end as detail
        from version
        ${within
          .filter(({ record: of }) => of.name === name)
          .map(eventsWithin)
          .join('\n')}
      ),
      numbered as (select *, $2::bigint + row_number() over (order by at, id, version, place) as number from happened),
      inserted as (
        insert into event (organization_id, number, at, type, record_type, record_id, version, detail)
        select $1, number, at, type, '${name}', id, version, detail from numbered returning 1
      )
      select count(*) from inserted`,
  }
}

const eventsWithin = ({ select: { type, detail, where } }: VersionEvents, index: number) =>
  `union all select id, version, at, ${index + 2}, ${type}, ${detail} from version where ${where}`

const CHECK_FINISHED: OtherEventType = 'eligibility_check.finished'
const BATCH_FINISHED: OtherEventType = 'eligibility_batch.finished'
const BATCH: OtherSubject = 'eligibility_batch'

/**
 * The events in event_pending, and the batches that they complete. A batch is complete when its last check is. When two
 * checks end concurrently neither transaction sees the other, but the collector sees both.
 */
const pendingEvents: Statement = {
  name: 'event_collect_pending',
  text: `with moved as (delete from event_pending where organization_id = $1 returning id, at, type, record_type, record_id, detail),
    happened as (
      select at, id, 1 as place, type, record_type, record_id, detail from moved
      union all
      select m.at, m.id, 2, '${BATCH_FINISHED}', '${BATCH}', b.id, jsonb_build_object('size', b.size)
      from (
        select (detail ->> 'batch_id')::uuid as batch_id, max(at) as at, max(id) as id from moved
        where type = '${CHECK_FINISHED}' and detail ? 'batch_id' group by 1
      ) m join eligibility_batch b on b.organization_id = $1 and b.id = m.batch_id
      where not exists (
        select from eligibility_check c where c.organization_id = $1 and c.batch_id = b.id and c.completed_at is null
      )
    ),
    inserted as (
      insert into event (organization_id, number, at, type, record_type, record_id, detail)
      select $1, $2::bigint + row_number() over (order by at, id, place), at, type, record_type, record_id, detail from happened
      returning 1
    )
    select count(*) from inserted`,
}
