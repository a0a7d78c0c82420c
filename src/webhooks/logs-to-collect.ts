import type { EventTypes } from '../events/event-types.ts'
import type { SystemDatabase } from '../platform/database/database.ts'

const statement = {
  name: 'webhook_logs_to_collect',
  text: `select l.organization_id from event_log l
    where exists (select from webhook w where w.organization_id = l.organization_id and w.enabled)
      and (exists (select from change_clock c left join event_cursor k on k.organization_id = c.organization_id and k.record_type = c.record_type
        where c.organization_id = l.organization_id and c.record_type = any($1) and c.at > coalesce(k.at, '-infinity'))
      or exists (select from event_pending p where p.organization_id = l.organization_id))
    limit 100`,
}

/** Organizations with a webhook in which something has happened. */
export async function findLogsToCollect(database: SystemDatabase, types: EventTypes): Promise<string[]> {
  const feeds = types.subjects.flatMap(({ name, record }) => (record ? [name] : []))
  return (await database.rows(statement, [feeds])).map(([organizationId]) => organizationId ?? '')
}
