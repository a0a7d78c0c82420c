import type { FastifyBaseLogger } from 'fastify'
import type { Deps } from '../../deps.ts'
import { auditContextText } from '../../platform/audit/audit-context.ts'
import { eventOf } from '../../platform/audit/pending.ts'
import { systemUser } from '../../platform/auth/system-user.ts'
import { repeat } from '../../platform/repeat.ts'

type Needs = Pick<Deps, 'config' | 'systemDatabase' | 'now'>

const LOOK_EVERY_MS = 60 * 60_000
/** How many are deleted at a time, so that no statement locks many rows for long; no more than an audit event names (PATIENTS_A_BLOCK). */
const ROWS_AT_A_TIME = 1000

const organizationsStatement = { name: 'check_messages_organizations', text: 'select id from organization' }

const deleteStatement = {
  name: 'check_messages_forget',
  text: `with old as materialized (
      select c.id from eligibility_check c
      where c.organization_id = $1 and c.initiated_at < $2 and (c.raw_inquiry is not null or c.raw_response is not null)
      order by c.initiated_at limit $3
    ),
    held as materialized (
      select e.id from eligibility_check e where e.organization_id = $1 and e.id = any (array(select id from old)) order by e.id for update
    ),
    forgotten as (
      update eligibility_check e set raw_inquiry = null, raw_response = null, answer_form = null
      from held where e.organization_id = $1 and e.id = held.id returning e.id
    ),
    ${eventOf({
      type: 'eligibility_check',
      auditContext: '$4',
      ids: 'array_agg(id::text)',
      from: 'forgotten having count(*) > 0',
    })}
    select 1 from forgotten`,
}

/** Deletes the messages of checks older than CHECK_MESSAGE_DAYS; the decoded results stay. Returns the number of checks. */
export async function deleteOldMessages(deps: Needs): Promise<number> {
  const oldest = new Date(deps.now().getTime() - deps.config.CHECK_MESSAGE_DAYS * 86_400_000).toISOString()
  const auditContext = auditContextText(
    { organizationId: '', userId: systemUser.id },
    'eligibility_check.forget_messages',
  )
  let forgotten = 0
  for (const [organizationId] of await deps.systemDatabase.rows(organizationsStatement)) {
    for (let length = ROWS_AT_A_TIME; length === ROWS_AT_A_TIME; forgotten += length)
      ({ length } = await deps.systemDatabase.rows(deleteStatement, [
        organizationId,
        oldest,
        ROWS_AT_A_TIME,
        auditContext,
      ]))
  }
  return forgotten
}

/** Deletes old messages once an hour. Any number of processes may do so concurrently. */
export function startMessageRetention(deps: Needs, log: FastifyBaseLogger): { stop(): void } {
  const forget = async () => {
    const forgotten = await deleteOldMessages(deps)
    if (forgotten > 0) log.info({ forgotten }, 'old messages of checks were forgotten')
  }
  return repeat(forget, { everyMs: LOOK_EVERY_MS, failure: 'old messages of checks could not be forgotten', log })
}
