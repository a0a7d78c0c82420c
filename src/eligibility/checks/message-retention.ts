import type { FastifyBaseLogger } from 'fastify'
import type { Deps } from '../../deps.ts'
import { auditContextText } from '../../platform/audit/audit-context.ts'
import { eventByOrganization } from '../../platform/audit/pending.ts'
import { systemUser } from '../../platform/auth/system-user.ts'
import { repeat } from '../../platform/repeat.ts'

type Needs = Pick<Deps, 'config' | 'systemDatabase' | 'now'>

const LOOK_EVERY_MS = 60 * 60_000
/** How many are deleted at a time, so that no statement locks many rows for long. */
const ROWS_AT_A_TIME = 1000

const deleteStatement = {
  name: 'check_messages_forget',
  text: `with old as (
      select c.organization_id, c.id from organization o cross join lateral (
        select organization_id, id from eligibility_check
        where organization_id = o.id and initiated_at < $1 and (raw_inquiry is not null or raw_response is not null)
        order by initiated_at limit $2
      ) c limit $2
    ),
    held as materialized (
      select e.organization_id, e.id from eligibility_check e join old using (organization_id, id)
      order by e.organization_id, e.id for update of e
    ),
    forgotten as (
      update eligibility_check e set raw_inquiry = null, raw_response = null, answer_form = null
      from held where e.organization_id = held.organization_id and e.id = held.id returning e.organization_id, e.id
    ),
    ${eventByOrganization({ type: 'eligibility_check', auditContext: '$3', from: 'forgotten' })}
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
  for (;;) {
    const { length } = await deps.systemDatabase.rows(deleteStatement, [oldest, ROWS_AT_A_TIME, auditContext])
    forgotten += length
    if (length < ROWS_AT_A_TIME) return forgotten
  }
}

/** Deletes old messages once an hour. Any number of processes may do so concurrently. */
export function startMessageRetention(deps: Needs, log: FastifyBaseLogger): { stop(): void } {
  const forget = async () => {
    const forgotten = await deleteOldMessages(deps)
    if (forgotten > 0) log.info({ forgotten }, 'old messages of checks were forgotten')
  }
  return repeat(forget, { everyMs: LOOK_EVERY_MS, failure: 'old messages of checks could not be forgotten', log })
}
