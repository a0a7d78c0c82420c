import type { Actor } from '../contract/actor.ts'
import type { Deps } from '../deps.ts'
import type { TimelineEvent } from './record.ts'

type Needs = Pick<Deps, 'database' | 'now' | 'newId'>

const insertStatement = {
  name: 'timeline_event_create',
  text: `insert into timeline_event
      (organization_id, id, at, user_id, event_type, patient_id, coverage_id, appointment_id, appointment_date, payload)
    values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
}

/**
 * Writes one event that does not come from a write of a record, for instance ELIG_CHECK_COMPLETED, with the current
 * time. A record's own events are stored together with its write instead (`events` in record.ts). Automated writes act
 * as the system user (auth/system-user.ts).
 */
export async function recordTimelineEvent(
  deps: Needs,
  actor: Pick<Actor, 'organizationId' | 'userId'>,
  event: TimelineEvent,
): Promise<void> {
  await deps.database.rows(insertStatement, [
    actor.organizationId,
    deps.newId(),
    deps.now().toISOString(),
    actor.userId,
    event.event_type,
    event.patient_id,
    event.coverage_id ?? null,
    event.appointment_id ?? null,
    event.appointment_date ?? null,
    JSON.stringify(event.payload),
  ])
}
