// The appointments that are to be verified (decisions/0010-verification.md).
import type { Deps } from '../../deps.ts'
import { togetherOrEach } from '../../platform/database/all-organizations.ts'
import type { TextRow } from '../../platform/database/database.ts'
import { instant } from '../../platform/database/instant.ts'
import { type NoteFailure, rethrow } from '../../platform/each-organization.ts'
import { isAsDecided } from './visit.ts'

type Needs = Pick<Deps, 'systemDatabase' | 'now'>

/** The organization, and how many days ahead. */
export interface Scope {
  /** Without it: every organization that has enabled the verification. */
  organizationId?: string
  /** Without it: the number of days that the organization has set. */
  days?: number
}

/** An appointment of which a verification is due. */
export interface DueVisit {
  organizationId: string
  appointmentId: string
  /** YYYY-MM-DD, in the organization's calendar. */
  dateOfService: string
  /** It was verified before, or its verification has begun. */
  isKnown: boolean
}

/**
 * The appointments to take up, of $1 or of all that have it enabled but those of $4, $2 days ahead of $3: PENDING ones that never were verified, or only
 * for another day, and those with open inquiries whose status no user has changed since. A lateral join reads those days of each organization from
 * the index of starts, regardless of the planner's estimates.
 */
const dueVisits = (
  organizationId: 'o.id' | '$1',
) => `select o.id as organization_id, a.id, a.start_timestamp as start, a.day, a.is_known,
      row_number() over (partition by o.id order by a.start_timestamp, a.id) as turn
    from organization o cross join lateral (
      select a.id, a.start_timestamp, day.day, v.appointment_id is not null as is_known
      from appointment a
        cross join lateral (select (a.start_timestamp::timestamptz at time zone o.time_zone)::date::text) day (day)
        left join appointment_verification v on v.organization_id = ${organizationId} and v.appointment_id = a.id
      where a.organization_id = ${organizationId} and not a.deactivated and a.start_timestamp > $3::text and a.start_timestamp <=
          ${instant("$3::timestamptz + coalesce($2::integer, o.verification_days) * interval '24 hours'")}
        and (
          a.status = 'PENDING' and (v.appointment_id is null or v.finished_at is not null and v.date_of_service <> day.day)
          or v.finished_at is null and v.due_at <= now() and (a.status = 'PENDING' or ${isAsDecided(organizationId)})
        )
      offset 0
    ) a
    where ${organizationId === '$1' ? 'o.id = $1' : 'case when $1::uuid is null then o.verification else o.id = $1 end'} and o.id <> all ($4::uuid[])`

// Organizations take turns.
const nextText = (organizationId: 'o.id' | '$1') =>
  `select organization_id, id, day, is_known from (${dueVisits(organizationId)}) due order by turn, start limit $5`

const nextStatement = { name: 'verification_due', text: nextText('o.id') }
const nextOfOneStatement = { name: 'verification_due_of_one', text: nextText('$1') }

const enabledStatement = { name: 'verification_organizations', text: 'select id from organization where verification' }

/**
 * The appointments to verify, at most `limit` and none of the organizations `except`; each organization has its turn. They are only read:
 * other processes may take them meanwhile.
 */
export async function listDueVisits(
  { systemDatabase, now }: Needs,
  scope: Scope,
  { limit, except = [], onFailure = rethrow }: { limit?: number; except?: string[]; onFailure?: NoteFailure } = {},
): Promise<DueVisit[]> {
  const { organizationId } = scope
  const values = [scope.days ?? null, now().toISOString(), except]
  const listed = await togetherOrEach(systemDatabase, {
    together: () => systemDatabase.rows(nextStatement, [organizationId ?? null, ...values, limit ?? null]),
    organizations: async () =>
      organizationId ? [organizationId] : (await systemDatabase.rows(enabledStatement)).map(([id = '']) => id),
    each: (id, share) => systemDatabase.rows(nextOfOneStatement, [id, ...values, share ?? null]),
    limit,
    onFailure: organizationId ? rethrow : onFailure,
  })
  return toVisits(listed)
}

const toVisits = (rows: TextRow[]): DueVisit[] =>
  rows.map(([organizationId = '', appointmentId = '', dateOfService = '', isKnown]) => ({
    organizationId,
    appointmentId,
    dateOfService,
    isKnown: isKnown === 't',
  }))
