import type { FastifyBaseLogger } from 'fastify'
import { NIL_UUID } from '../../contract/formats.ts'
import type { Deps } from '../../deps.ts'
import { auditContextText } from '../../platform/audit/audit-context.ts'
import { eventOf } from '../../platform/audit/pending.ts'
import { systemUser } from '../../platform/auth/system-user.ts'
import { daysAgo } from '../../platform/database/clock.ts'
import { forEachOrganization } from '../../platform/each-organization.ts'
import { repeat } from '../../platform/repeat.ts'

type Needs = Pick<Deps, 'config' | 'systemDatabase' | 'metrics' | 'now'>

const LOOK_EVERY_MS = 60 * 60_000
/** How many are deleted at a time, so that no statement locks many rows for long; no more than an audit event names (PATIENTS_A_BLOCK). */
const ROWS_AT_A_TIME = 1000

const organizationsStatement = { name: 'check_messages_organizations', text: 'select id from organization' }

/** $3 and $4: after which check, in the order of their age. The rows before it have been read by earlier pieces. */
const deleteStatement = {
  name: 'check_messages_delete',
  text: `with old as materialized (
      select c.initiated_at, c.id from eligibility_check c
      where c.organization_id = $1 and c.initiated_at < $2 and (c.raw_inquiry is not null or c.raw_response is not null)
        and (c.initiated_at, c.id) > ($3::timestamptz, $4::uuid)
      order by c.initiated_at, c.id limit $5
    ),
    held as materialized (
      select e.id from eligibility_check e where e.organization_id = $1 and e.id = any (array(select id from old))
        and (e.raw_inquiry is not null or e.raw_response is not null)
      order by e.id for update
    ),
    deleted as (
      update eligibility_check e set raw_inquiry = null, raw_response = null, answer_form = null
      from held where e.organization_id = $1 and e.id = held.id returning e.id
    ),
    ${eventOf({
      type: 'eligibility_check',
      auditContext: '$6',
      ids: 'array_agg(id::text)',
      from: 'deleted having count(*) > 0',
    })}
    select (select count(*) from deleted), (select count(*) from old), old.initiated_at::text, old.id
    from old order by old.initiated_at desc, old.id desc limit 1`,
}

type After = [initiatedAt: string, id: string]
const FROM_THE_FIRST: After = ['-infinity', NIL_UUID]

/**
 * Deletes the messages of checks older than CHECK_MESSAGE_DAYS, of each organization by itself; the decoded results stay. Returns the number of
 * checks.
 */
export async function deleteOldMessages(deps: Needs, log: FastifyBaseLogger): Promise<number> {
  const { config, systemDatabase, metrics } = deps
  const oldest = await daysAgo(deps, config.CHECK_MESSAGE_DAYS)
  const auditContext = auditContextText(
    { organizationId: '', userId: systemUser.id },
    'eligibility_check.forget_messages',
  )
  const reached = new Map<string, After>()
  const deleteSome = async (organizationId: string) => {
    const after = reached.get(organizationId) ?? FROM_THE_FIRST
    const values = [organizationId, oldest, ...after, ROWS_AT_A_TIME, auditContext]
    const [deleted, read, initiatedAt = '', id = ''] = (await systemDatabase.row(deleteStatement, values)) ?? []
    reached.set(organizationId, [initiatedAt, id])
    return { done: Number(deleted ?? 0), isMoreLeft: Number(read ?? 0) === ROWS_AT_A_TIME }
  }
  const organizations = (await systemDatabase.rows(organizationsStatement)).map(([id = '']) => id)
  const run = { piece: deleteSome, work: 'messages', failure: FAILURE } as const
  return forEachOrganization(organizations, run, { metrics, log })
}

const FAILURE = 'old messages of checks could not be deleted'

/** Deletes old messages once an hour. Any number of processes may do so concurrently. */
export function startMessageRetention(deps: Needs, log: FastifyBaseLogger): { stop(): void } {
  const run = async () => {
    const checks = await deleteOldMessages(deps, log)
    if (checks > 0) log.info({ checks }, 'old messages of checks were deleted')
  }
  return repeat(run, { everyMs: LOOK_EVERY_MS, failure: FAILURE, log })
}
