import type { FastifyBaseLogger } from 'fastify'
import type { Deps } from '../deps.ts'
import { repeat } from '../platform/repeat.ts'

type Needs = Pick<Deps, 'config' | 'systemDatabase' | 'now'>

const LOOK_EVERY_MS = 60 * 60_000

const logsStatement = { name: 'event_logs', text: 'select organization_id from event_log' }

// The log is cut before the first event that is not old, so that no gap remains in it. Deliveries are removed with
// their events.
const pruneStatement = {
  name: 'event_prune',
  text: `with kept as materialized (
      select coalesce(
        (select min(number) - 1 from event where organization_id = $1 and at >= $2::timestamptz), l.last_number) as number
      from event_log l where l.organization_id = $1
    ),
    deliveries as (
      delete from webhook_delivery d using kept k where d.organization_id = $1 and d.number <= k.number
    ),
    events as (
      delete from event e using kept k where e.organization_id = $1 and e.number <= k.number returning 1
    ),
    pending as (delete from event_pending where organization_id = $1 and at < $2::timestamptz),
    logs as (
      update event_log l set pruned_number = k.number from kept k
      where l.organization_id = $1 and k.number > l.pruned_number
    )
    select count(*) from events`,
  timeoutMs: 600_000,
}

/** Removes events older than EVENT_RETENTION_DAYS, with their deliveries. Returns how many. */
export async function pruneEvents({ config, systemDatabase, now }: Needs): Promise<number> {
  const oldest = new Date(now().getTime() - config.EVENT_RETENTION_DAYS * 86_400_000).toISOString()
  let removed = 0
  for (const [organizationId] of await systemDatabase.rows(logsStatement))
    removed += Number((await systemDatabase.row(pruneStatement, [organizationId, oldest]))?.[0])
  return removed
}

/** Prunes once an hour. Any number of processes may do so: removed events are not found again. */
export function startPruning(deps: Needs, log: FastifyBaseLogger): { stop(): void } {
  return repeat(() => pruneEvents(deps), { everyMs: LOOK_EVERY_MS, failure: 'old events could not be removed', log })
}
