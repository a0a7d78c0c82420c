import { type Static, Type } from 'typebox'
import type { Actor } from '../../contract/actor.ts'
import { isUuid } from '../../contract/formats.ts'
import type { Deps } from '../../deps.ts'
import { systemUser, systemUserNameInTimeline } from '../../platform/auth/system-user.ts'
import type { TextRow } from '../../platform/database/database.ts'
import { instant } from '../../platform/database/instant.ts'
import { endpoint } from '../../platform/http/endpoint.ts'
import type { Listing } from '../../records/listing.ts'
import { pageOf, pageQuery, readPage } from '../../records/page.ts'

type Needs = Pick<Deps, 'config' | 'database' | 'vault'>

export const EligibilityAuditEventType = Type.Enum([
  'APPOINTMENT_STATUS_CHANGED',
  'APPOINTMENT_WORK_QUEUE_CHANGED',
  'APPOINTMENT_COPAY_UPDATED',
  'COVERAGE_CREATED',
  'COVERAGE_UPDATED',
  'ELIG_CHECK_COMPLETED',
  'PATIENT_TAGS_UPDATED',
])

export const EligibilityTimelineEvent = Type.Object({
  id: Type.String(),
  event_type: EligibilityAuditEventType,
  patient_id: Type.String(),
  coverage_id: Type.Optional(Type.String({ format: 'uuid' })),
  appointment_id: Type.Optional(Type.String()),
  appointment_date: Type.Optional(Type.String()),
  timestamp: Type.String({ format: 'date-time' }),
  user_id: Type.String(),
  user_name: Type.String(),
  payload: Type.Record(Type.String(), Type.Unknown()),
})

export const EligibilityTimelinePage = pageOf(EligibilityTimelineEvent)

const TimelineQuery = Type.Object({
  ...pageQuery,
  event_types: Type.Optional(Type.Array(EligibilityAuditEventType)),
  coverage_id: Type.Optional(Type.String()),
  appointment_id: Type.Optional(Type.String()),
})

/** GET /:id/eligibility-timeline: newest first; empty for a patient that does not exist. Source: rules.md 6. */
export const eligibilityTimeline = endpoint({
  operation: 'getEligibilityTimeline',
  method: 'GET',
  path: '/:id/eligibility-timeline',
  summary: "What happened to a patient's eligibility, appointments, coverages and tags, newest first.",
  query: TimelineQuery,
  answer: EligibilityTimelinePage,
  errors: [],
  handle: (deps: Needs, { actor, params, query }) =>
    readPage(deps, timelineOf(deps, actor, params.id ?? '', query), query),
})

function timelineOf({ config }: Needs, actor: Actor, patientId: string, query: Static<typeof TimelineQuery>): Listing {
  const values: unknown[] = [actor.organizationId, knownId(patientId), systemUserNameInTimeline(config), systemUser.id]
  const conditions = ['e.organization_id = $1', 'e.patient_id = $2::uuid']
  const narrow = (column: string, operator: string, value: unknown) =>
    conditions.push(`e.${column} ${operator.replace('?', `$${values.push(value)}`)}`)
  const { event_types, coverage_id, appointment_id } = query
  if (event_types) narrow('event_type', '= any(?::text[])', event_types)
  if (coverage_id !== undefined) narrow('coverage_id', '= ?::uuid', knownId(coverage_id))
  if (appointment_id !== undefined) narrow('appointment_id', '= ?::uuid', knownId(appointment_id))
  return {
    from: `from timeline_event e
      cross join (select $3::text as name, $4::text as id) automatic
      left join app_user u on u.organization_id = e.organization_id and u.id = e.user_id
      where ${conditions.join(' and ')}`,
    values,
    // The patient's events are few.
    hasOnePlan: true,
    columns: `e.id, e.event_type, e.patient_id, e.coverage_id, e.appointment_id, e.appointment_date,
      ${instant('e.at')}, coalesce(e.user_id::text, automatic.id),
      coalesce(u.name, automatic.name), e.payload::text`,
    sort: { sql: 'e.at', type: 'timestamptz', direction: 'desc', isAlwaysSet: true },
    id: 'e.id',
    request: { operation: 'patients.getEligibilityTimeline', coverage_id, appointment_id },
    toText: eventText,
  }
}

/** An id that is not a UUID matches nothing: nothing equals null. */
function knownId(text: string): string | null {
  return isUuid(text) ? text : null
}

function eventText(row: TextRow): string {
  const [id, event_type, patient_id, coverage_id, appointment_id, appointment_date, timestamp, user_id, user_name] = row
  const event = { id, event_type, patient_id, timestamp, user_id, user_name }
  const about = {
    ...(coverage_id !== null && { coverage_id }),
    ...(appointment_id !== null && { appointment_id }),
    ...(appointment_date !== null && { appointment_date }),
  }
  return `${JSON.stringify({ ...event, ...about }).slice(0, -1)},"payload":${row[9]}}`
}
