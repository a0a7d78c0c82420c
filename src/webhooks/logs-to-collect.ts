import { hasNews } from '../events/collect.ts'
import type { EventTypes } from '../events/event-types.ts'
import type { SystemDatabase } from '../platform/database/database.ts'

const statement = {
  name: 'webhook_logs_to_collect',
  text: `select l.organization_id from event_log l
    where exists (select 1 from webhook w where w.organization_id = l.organization_id and w.enabled)
      and l.organization_id <> all ($2::uuid[]) and ${hasNews('$1')}
    limit 100`,
}

/** Organizations with a webhook and changes that are not collected yet: some of them, none of `except`. */
export async function findLogsToCollect(
  database: SystemDatabase,
  types: EventTypes,
  except: string[] = [],
): Promise<string[]> {
  return (await database.rows(statement, [types.feeds, except])).map(([organizationId]) => organizationId ?? '')
}
