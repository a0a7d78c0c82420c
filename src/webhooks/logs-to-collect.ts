import { hasNews } from '../events/collect.ts'
import type { EventTypes } from '../events/event-types.ts'
import { thoseOrAll, togetherUnlessOneFails } from '../platform/database/all-organizations.ts'
import type { SystemDatabase } from '../platform/database/database.ts'
import { type NoteFailure, rethrow } from '../platform/each-organization.ts'

const LOGS_AT_A_TIME = 100

const textOf = (condition: string) => `select l.organization_id from event_log l
    where exists (select 1 from webhook w where w.organization_id = l.organization_id and w.enabled)
      and ${condition} and ${hasNews('$1')}
    limit ${LOGS_AT_A_TIME}`
const statement = { name: 'webhook_logs_to_collect', text: textOf('l.organization_id <> all ($2::uuid[])') }
const statementOfOne = { name: 'webhook_log_to_collect', text: textOf('l.organization_id = $2') }

/** Organizations with a webhook and changes that are not collected yet: some of them, none of `except`. */
export async function findLogsToCollect(
  database: SystemDatabase,
  types: EventTypes,
  { except = [], onFailure = rethrow }: { except?: string[]; onFailure?: NoteFailure } = {},
): Promise<string[]> {
  const rows = await togetherUnlessOneFails({
    together: () => database.rows(statement, [types.feeds, except]),
    organizations: async () => (await withWebhooks(database)).filter((id) => !except.includes(id)),
    each: (id) => database.rows(statementOfOne, [types.feeds, id]),
    onFailure,
  })
  return rows.slice(0, LOGS_AT_A_TIME).flatMap(([id]) => id ?? [])
}

const withWebhooksStatement = {
  name: 'webhook_organizations',
  text: 'select distinct organization_id from webhook where enabled',
}

/** The organizations with webhooks, or all where that cannot be read. */
export const withWebhooks = (database: SystemDatabase): Promise<string[]> =>
  thoseOrAll(database, async () => (await database.rows(withWebhooksStatement)).map(([id = '']) => id))
