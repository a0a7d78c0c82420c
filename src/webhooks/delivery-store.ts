// Deliveries as rows: created from the event log, sent in the order of each record, and kept so that they can be
// inspected and sent again.

import { EVENT_COLUMNS, type StoredEvent, toEvent } from '../events/event-log.ts'
import { selectedSql } from '../events/event-types.ts'
import { togetherUnlessOneFails } from '../platform/database/all-organizations.ts'
import type { Database, Statement, SystemDatabase, TextRow } from '../platform/database/database.ts'
import { instant } from '../platform/database/instant.ts'
import { type LateWork, lateWorkOf } from '../platform/database/leases/late-work.ts'
import { type NoteFailure, rethrow } from '../platform/each-organization.ts'
import { withWebhooks } from './logs-to-collect.ts'
import { ATTEMPT_MS, type Attempt } from './send.ts'
import type { Target, WebhookKey } from './webhook-store.ts'

type Rows = Pick<Database, 'rows' | 'row'>

/** The answer to a renewal that arrives later than this is too late: an attempt would not end within the lease. */
export const RENEWED_WITHIN_MS = 5_000
/**
 * Attempts begin right after a renewal and end within the lease, so that no other process sends meanwhile. When its process is killed, a
 * webhook is taken over after this time.
 */
const LEASE_SECONDS = (ATTEMPT_MS + RENEWED_WITHIN_MS) / 1000
const EVENTS_AT_A_TIME = 1000

const dueText = (condition: string) => `select organization_id, id from (
      select w.organization_id, w.id, w.leased_until, row_number() over (partition by w.organization_id order by w.leased_until) as place
      from webhook w join event_log l on l.organization_id = w.organization_id
      where ${condition} w.enabled and w.leased_until < now() and w.retry_at <= now() and (w.position < l.last_number or exists (
        select 1 from webhook_delivery d where d.organization_id = w.organization_id and d.webhook_id = w.id and d.status = 'PENDING' and d.due_at <= now()
      ))
    ) due order by place, leased_until limit $1`
const dueStatement: Statement = { name: 'webhook_due', text: dueText('') }
const dueOfOneStatement: Statement = { name: 'webhook_due_of_one', text: dueText('w.organization_id = $2 and') }

/**
 * Webhooks of any organization that have something to send now, those of each in turn: the webhooks of a few with slow receivers have waited
 * longest at all times, and would be the only ones.
 */
export async function findDue(
  database: SystemDatabase,
  limit: number,
  onFailure: NoteFailure = rethrow,
): Promise<WebhookKey[]> {
  const rows = await togetherUnlessOneFails({
    together: () => database.rows(dueStatement, [limit]),
    organizations: () => withWebhooks(database),
    each: (id, share) => database.rows(dueOfOneStatement, [share, id]),
    limit,
    onFailure,
  })
  return rows.map(([organizationId = '', id = '']) => ({ organizationId, id }))
}

const leaseStatement: Statement = {
  name: 'webhook_lease',
  text: `update webhook set leased_until = now() + interval '${LEASE_SECONDS} seconds'
    where organization_id = $1 and id = $2 and enabled and leased_until < now() returning leased_until`,
}

/** A webhook that one process holds: the end of its lease, which is unique to that lease. */
type WebhookLease = string

/** Undefined while another process holds the webhook. */
export async function takeLease(database: Rows, key: WebhookKey): Promise<WebhookLease | undefined> {
  return (await database.row(leaseStatement, [key.organizationId, key.id]))?.[0]
}

const renewStatement: Statement = {
  name: 'webhook_lease_renew',
  text: `update webhook set leased_until = now() + interval '${LEASE_SECONDS} seconds'
    where organization_id = $1 and id = $2 and enabled and leased_until = $3::timestamptz and leased_until > now() returning leased_until`,
}

/**
 * The extended lease; undefined when the webhook was disabled or removed, or the lease was lost: nothing more may be
 * sent then.
 */
export async function renewLease(
  database: Rows,
  key: WebhookKey,
  lease: WebhookLease,
): Promise<WebhookLease | undefined> {
  return (await database.row(renewStatement, [key.organizationId, key.id, lease]))?.[0]
}

const releaseStatement: Statement = {
  name: 'webhook_lease_release',
  text: `update webhook set leased_until = now() + $4 * interval '1 second'
    where organization_id = $1 and id = $2 and leased_until = $3::timestamptz`,
}

/**
 * Makes the webhook available again: next is the one that has waited longest, and one that had nothing to send, because
 * it waits for a failed delivery, pauses for a while. A lease that another process holds by now is not touched.
 */
export async function releaseLease(
  database: Rows,
  key: WebhookKey,
  { lease, restSeconds }: { lease: WebhookLease; restSeconds: number },
): Promise<void> {
  await database.rows(releaseStatement, [key.organizationId, key.id, lease, restSeconds])
}

const prepareStatement: Statement = {
  name: 'webhook_delivery_prepare',
  text: `with next as materialized (
      select e.number, e.type, e.record_id from event e
      join webhook w on w.organization_id = $1 and w.id = $2
      where e.organization_id = $1 and e.number > w.position order by e.number limit ${EVENTS_AT_A_TIME}
    ),
    made as (
      insert into webhook_delivery (organization_id, webhook_id, number, record_id)
      select $1, $2, n.number, n.record_id from next n
      join webhook w on w.organization_id = $1 and w.id = $2 and ${selectedSql('n.type', 'w.event_types')}
      on conflict do nothing
    )
    update webhook w set position = greatest(w.position, coalesce((select max(number) from next),
      (select last_number from event_log l where l.organization_id = $1)))
    where w.organization_id = $1 and w.id = $2`,
}

/** Creates the deliveries of the next events, a bounded number of them. */
export async function prepareDeliveries(database: Rows, key: WebhookKey): Promise<void> {
  await database.rows(prepareStatement, [key.organizationId, key.id])
}

export interface DueDelivery {
  event: StoredEvent
  attempts: number
  /** The time since its first attempt. */
  triedForMs: number
}

// Deliveries of one record are sent in order: a later one waits until the earlier one is sent.
const takeStatement: Statement = {
  name: 'webhook_delivery_take',
  text: `select d.attempts, coalesce(extract(epoch from now() - d.first_attempt_at) * 1000, 0)::bigint, ${EVENT_COLUMNS}
    from webhook_delivery d join event e on e.organization_id = $1 and e.number = d.number
    where d.organization_id = $1 and d.webhook_id = $2 and d.status = 'PENDING' and d.due_at <= now()
      and not exists (
        select from webhook_delivery f where f.organization_id = $1 and f.webhook_id = d.webhook_id
          and f.record_id = d.record_id and f.status = 'PENDING' and f.number < d.number
      )
    order by d.due_at, d.number limit $3`,
}

/** Deliveries that are due, at most one per record. */
export async function findDeliveries(database: Rows, key: WebhookKey, limit: number): Promise<DueDelivery[]> {
  const rows = await database.rows(takeStatement, [key.organizationId, key.id, limit])
  return rows.map(([attempts, triedForMs, ...event]) => ({
    event: toEvent(event),
    attempts: Number(attempts),
    triedForMs: Number(triedForMs),
  }))
}

/** The result of an attempt: when the delivery is retried, or that it is not. */
export interface Outcome {
  number: number
  attempt: Attempt
  next: 'DELIVERED' | 'FAILED' | { inMs: number }
}

const recordStatement: Statement = {
  name: 'webhook_delivery_record',
  text: `update webhook_delivery d set status = o.status, attempts = d.attempts + 1, due_at = o.due_at,
      first_attempt_at = coalesce(d.first_attempt_at, o.at), last_attempt_at = o.at,
      response_status = o.response_status, duration_ms = o.duration_ms, error = o.error
    from (
      select *, now() as at, now() + in_ms * interval '1 millisecond' as due_at from jsonb_to_recordset($3::jsonb)
        as sent (number bigint, status text, in_ms bigint, response_status integer, duration_ms integer, error text)
    ) o
    where d.organization_id = $1 and d.webhook_id = $2 and d.number = o.number`,
}

const standingStatement: Statement = {
  name: 'webhook_standing',
  text: `update webhook set failures = $3, retry_at = now() + $4 * interval '1 millisecond',
      failing_since = case when $3 = 0 then null else coalesce(failing_since, moment.at) end
    from (select now() as at) moment
    where organization_id = $1 and id = $2`,
}

const resumeStatement: Statement = {
  name: 'webhook_resume',
  text: `update webhook_delivery set due_at = now() where organization_id = $1 and webhook_id = $2 and status = 'PENDING' and due_at > now()`,
}

/** Webhooks and deliveries that wait for too long. */
export const lateDeliveries: readonly LateWork[] = [
  lateWorkOf({
    table: 'webhook',
    key: ['id'],
    isLate: '(j.leased_until > moment.just_taken_end or j.retry_at > moment.late)',
    changes: {
      leased_until: 'case when j.leased_until > moment.just_taken_end then moment.lease_end else j.leased_until end',
      retry_at: 'case when j.retry_at > moment.late then moment.at else j.retry_at end',
    },
    leaseMs: LEASE_SECONDS * 1000,
  }),
  lateWorkOf({
    table: 'webhook_delivery',
    key: ['webhook_id', 'number'],
    isLate: `j.status = 'PENDING' and j.due_at > moment.late`,
    changes: { due_at: 'moment.at' },
    leaseMs: 0,
  }),
]

/** Records the attempts of one round, and the state of the receiver after it. */
export async function recordOutcomes(
  database: Database,
  target: Target,
  outcomes: readonly Outcome[],
  standing: { failures: number; retryInMs: number },
): Promise<void> {
  const rows = outcomes.map(({ number, attempt, next }) => ({
    number,
    status: typeof next === 'string' ? next : 'PENDING',
    in_ms: typeof next === 'string' ? 0 : Math.round(next.inMs),
    response_status: attempt.status,
    duration_ms: attempt.durationMs,
    error: attempt.error,
  }))
  await database.transaction(async (transaction) => {
    const key = [target.organizationId, target.id]
    await transaction.rows(recordStatement, [...key, JSON.stringify(rows)])
    if (standing.failures === 0 && target.failures === 0) return
    // The receiver answers again: deliveries that waited for it are due now.
    if (standing.failures === 0) await transaction.rows(resumeStatement, key)
    await transaction.rows(standingStatement, [...key, standing.failures, Math.round(standing.retryInMs)])
  })
}

const disableStatement: Statement = {
  name: 'webhook_disable',
  text: `update webhook set enabled = false, disabled_reason = $3, disabled_at = now(), updated_at = now()
    where organization_id = $1 and id = $2 and enabled returning id`,
}

/** Disables a webhook automatically; returns false when it was disabled already. `database` is a transaction. */
export async function disableWebhook(database: Rows, key: WebhookKey, reason: string): Promise<boolean> {
  return (await database.rows(disableStatement, [key.organizationId, key.id, reason])).length > 0
}

export const DELIVERY_JSON = `json_strip_nulls(json_build_object('number', d.number, 'event_id', e.id, 'event_type', e.type,
  'record_id', d.record_id, 'status', d.status, 'attempts', d.attempts,
  'due_at', case when d.status = 'PENDING' then ${instant('d.due_at')} end,
  'first_attempt_at', ${instant('d.first_attempt_at')}, 'last_attempt_at', ${instant('d.last_attempt_at')},
  'response_status', d.response_status, 'duration_ms', d.duration_ms, 'error', d.error))::text`

const againAt = (due: string) => `status = 'PENDING', attempts = 0, due_at = ${due}, first_attempt_at = null`

/** A receiver that failed is tried now: a user who sends deliveries again knows that it works. */
const RECEIVER_NOW = `update webhook set retry_at = '-infinity' where organization_id = $1 and id = $2 and retry_at > now()`

const replayOneStatement: Statement = {
  name: 'webhook_delivery_replay',
  text: `with d as (update webhook_delivery set ${againAt('now()')} where organization_id = $1 and webhook_id = $2 and number = $3 returning *),
      receiver as (${RECEIVER_NOW} and exists (select from d))
    select ${DELIVERY_JSON} from d join event e on e.organization_id = $1 and e.number = d.number`,
}

/** Sends one delivery again, also to a receiver that waits for its next attempt. Returns its JSON; undefined when there is none. */
export async function replayDelivery(database: Rows, key: WebhookKey, number: number): Promise<string | undefined> {
  return (await database.row(replayOneStatement, [key.organizationId, key.id, number]))?.[0]
}

const replayStatement: Statement = {
  name: 'webhook_delivery_replay_since',
  text: `with again as (
      insert into webhook_delivery as d (organization_id, webhook_id, number, record_id, due_at)
      select $1, w.id, e.number, e.record_id, now() from event e
      join webhook w on w.organization_id = $1 and w.id = $2 and ${selectedSql('e.type', 'w.event_types')}
      where e.organization_id = $1 and e.at >= $3::timestamptz and e.at < coalesce($4::timestamptz, 'infinity') and e.number <= w.position
      on conflict (organization_id, webhook_id, number) do update set ${againAt('excluded.due_at')} returning 1
    ),
    receiver as (${RECEIVER_NOW})
    select count(*) from again`,
}

/** Sends the events of this period again, regardless of earlier results and of the receiver's next attempt. Returns the number of deliveries. */
export async function replaySince(
  database: Rows,
  key: WebhookKey,
  { since, until }: { since: string; until?: string | undefined },
): Promise<number> {
  const row: TextRow | undefined = await database.row(replayStatement, [
    key.organizationId,
    key.id,
    since,
    until ?? null,
  ])
  return Number(row?.[0])
}
