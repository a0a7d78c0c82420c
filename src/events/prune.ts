import type { FastifyBaseLogger } from 'fastify'
import type { Deps } from '../deps.ts'
import { daysAgo } from '../platform/database/clock.ts'
import { forEachOrganization } from '../platform/each-organization.ts'
import { repeat } from '../platform/repeat.ts'

type Needs = Pick<Deps, 'config' | 'systemDatabase' | 'metrics' | 'now'>

const LOOK_EVERY_MS = 60 * 60_000
/** How many are removed at a time, with the deliveries of each to every webhook, so that no statement takes long. */
const EVENTS_AT_A_TIME = 2_000

const logsStatement = { name: 'event_logs', text: 'select organization_id from event_log' }

// The log is cut before the first event that is not old, so that no gap remains in it. Deliveries are removed with
// their events, of each webhook by a part of its key. Events are numbered without gaps: as many numbers are as many events.
const pruneStatement = {
  name: 'event_prune',
  text: `with first as materialized (
      select number, at from event where organization_id = $1 and number > (select pruned_number from event_log where organization_id = $1)
      order by number limit $3
    ),
    kept as materialized (
      select coalesce(min(number) filter (where at >= $2::timestamptz) - 1, max(number)) as number from first
    ),
    deliveries as (
      delete from webhook_delivery d using kept k
      where d.organization_id = $1 and d.webhook_id = any (array(select id from webhook where organization_id = $1)) and d.number <= k.number
    ),
    events as (
      delete from event e using kept k where e.organization_id = $1 and e.number <= k.number returning 1
    ),
    old as materialized (
      select id from event_pending where organization_id = $1 and at < $2::timestamptz order by id limit $3
    ),
    pending as (delete from event_pending where organization_id = $1 and id = any (array(select id from old)) returning 1),
    logs as (
      update event_log l set pruned_number = k.number from kept k
      where l.organization_id = $1 and k.number > l.pruned_number
    )
    select (select count(*) from events), (select count(*) from pending)`,
}

/** Removes events older than EVENT_RETENTION_DAYS, with their deliveries, of each organization by itself. Returns how many. */
export async function pruneEvents(deps: Needs, log: FastifyBaseLogger): Promise<number> {
  const { config, systemDatabase } = deps
  const oldest = await daysAgo(deps, config.EVENT_RETENTION_DAYS)
  const removeSome = async (organizationId: string) => {
    const row = await systemDatabase.row(pruneStatement, [organizationId, oldest, EVENTS_AT_A_TIME])
    const [events = 0, pending = 0] = row?.map(Number) ?? []
    return { done: events, isMoreLeft: Math.max(events, pending) === EVENTS_AT_A_TIME }
  }
  const organizations = (await systemDatabase.rows(logsStatement)).map(([id = '']) => id)
  return forEachOrganization(organizations, { piece: removeSome, work: 'events', failure: FAILURE }, { ...deps, log })
}

const FAILURE = 'old events could not be deleted'

/** Prunes once an hour. Any number of processes may do so: removed events are not found again. */
export function startPruning(deps: Needs, log: FastifyBaseLogger): { stop(): void } {
  return repeat(() => pruneEvents(deps, log), { everyMs: LOOK_EVERY_MS, failure: FAILURE, log })
}
