// Leases appointments to the processes that verify them (decisions/0010-verification.md).
import type { Deps } from '../../deps.ts'
import type { TextRow } from '../../platform/database/database.ts'
import { instant, moved, showing } from '../../platform/database/instant.ts'
import { type Hold, LEASE_END, LEASE_MS, leasesOf } from '../../platform/database/leases/leases.ts'
import { type NoteFailure, rethrow } from '../../platform/each-organization.ts'
import type { CoverageFinding } from './decide.ts'
import { type DueVisit, listDueVisits, type Scope } from './due-visits.ts'

type Needs = Pick<Deps, 'database' | 'systemDatabase' | 'now'>

/** The lease of an appointment. */
export const visitLeases = leasesOf({
  table: 'appointment_verification',
  key: 'appointment_id',
  isOpen: 'j.finished_at is null',
})

/** An appointment held under a lease: `id` is the appointment's. */
export interface Claim extends Hold {
  /** Consecutive earlier holders that failed or were killed. */
  faults: number
  dateOfService: string
  begunAt: string
  retries: number
  answers: CoverageFinding[]
  /** The estimate that a verification wrote to the visit last, in cents. */
  copayCents: number | undefined
}

/** A live holder has the row `j`. `now` is SQL. */
export const isRunning = (now = 'now()') => `(j.held and j.finished_at is null and j.due_at > ${now})`

/** When a verification begins: earlier checks do not count, even if the clock of another process was ahead of this one's. */
const beginning = (appointmentId: string, now: string) =>
  `greatest(${now}::timestamptz, (select max(c.initiated_at) + interval '1 ms' from eligibility_check c
        where c.organization_id = $1 and c.appointment_id = ${appointmentId}))`

const COLUMNS = [
  'organization_id',
  'appointment_id',
  'attempt',
  'date_of_service',
  'begun_at',
  'retries',
  'answers',
  'faults',
  'copay_cents',
]
  .map((column) => `j.${column}`)
  .join(', ')

/** What a statement returns that takes appointments, as `toClaim` reads it. */
const CLAIMED = {
  as: 'j',
  columns: COLUMNS,
  shown: COLUMNS.replace('j.begun_at', instant('j.begun_at')).replace('j.answers', 'j.answers::text'),
}

const DUE = 'unnest($2::uuid[], $3::text[]) as due (id, day)'

// One worker inserts a new row, and the others wait for it, so all insert in the order of the keys (decisions/0021-lock-order.md).
const claimNewStatement = {
  name: 'verification_claim_new',
  text: showing(
    `insert into appointment_verification as j (organization_id, appointment_id, date_of_service, begun_at, attempt, held, due_at)
      select $1::uuid, due.id, due.day, $4::timestamptz, 1, true, ${LEASE_END} from ${DUE} order by due.id on conflict do nothing`,
    CLAIMED,
  ),
}

// One worker locks an existing row, and the others skip it.
const claimKnownStatement = {
  name: 'verification_claim_known',
  text: `with known as (
      select v.appointment_id, due.day, v.date_of_service <> due.day as is_moved,
        case when v.date_of_service <> due.day then ${beginning('v.appointment_id', '$4')} end as begun_at
      from ${DUE} join appointment_verification v on v.organization_id = $1 and v.appointment_id = due.id
      where v.finished_at is null and v.due_at <= now() or v.finished_at is not null and v.date_of_service <> due.day
      for update of v skip locked
    ),
    j as (
      update appointment_verification j set ${visitLeases.taking()}, date_of_service = known.day, finished_at = null,
        begun_at = coalesce(known.begun_at, j.begun_at),
        retries = case when known.is_moved then 0 else j.retries end,
        answers = case when known.is_moved then '[]' else j.answers end
      from known where j.organization_id = $1 and j.appointment_id = known.appointment_id
      returning ${CLAIMED.columns}
    )
    select ${CLAIMED.shown} from j`,
}

/** Attempts, because other workers may take the same appointments first. */
const TRIES = 5

/**
 * Takes up to `limit` appointments, none of the organizations `except`, and none of those for which that fails. An empty result means that
 * nothing is due.
 */
export async function claimVisits(
  deps: Needs,
  scope: Scope,
  { limit, except = [], onFailure = rethrow }: { limit: number; except?: string[]; onFailure?: NoteFailure },
): Promise<Claim[]> {
  const failed: string[] = []
  const leaveOut: NoteFailure = (error, organizationId) => {
    onFailure(error, organizationId)
    failed.push(organizationId)
  }
  // Others may be due behind those of an organization that is left out.
  for (let attempt = 0; attempt < TRIES + failed.length; attempt++) {
    const due = await listDueVisits(deps, scope, { limit, except: [...except, ...failed], onFailure: leaveOut })
    if (due.length === 0) return []
    const claims = await claimListed(deps, due, leaveOut)
    if (claims.length > 0) return claims
  }
  return []
}

/** Takes those that no other worker has taken, organization by organization. */
async function claimListed(deps: Needs, due: readonly DueVisit[], onFailure: NoteFailure): Promise<Claim[]> {
  const claims: Claim[] = []
  for (const organizationId of new Set(due.map((visit) => visit.organizationId))) {
    try {
      for (const isKnown of [false, true]) {
        const visits = due.filter((visit) => visit.organizationId === organizationId && visit.isKnown === isKnown)
        if (visits.length === 0) continue
        const days = visits.map(({ dateOfService }) => dateOfService)
        const ids = visits.map(({ appointmentId }) => appointmentId)
        const values = [organizationId, ids, days, deps.now().toISOString()]
        const rows = await deps.systemDatabase.rows(isKnown ? claimKnownStatement : claimNewStatement, values)
        claims.push(...rows.map(toClaim))
      }
    } catch (error) {
      onFailure(error, organizationId)
    }
  }
  return claims
}

const beginningStatement = { name: 'verification_beginning', text: `select ${instant(beginning('$2', '$3'))}` }

// A leased appointment is not taken: the lease that is offered began now. The given version counts as written by a verification, so that it
// may be replaced.
const claimOneStatement = {
  name: 'verification_claim_one',
  text: showing(
    `insert into appointment_verification as j
      (organization_id, appointment_id, date_of_service, begun_at, attempt, held, due_at, written_version)
    values ($1, $2, $3, $4, 1, true, ${LEASE_END}, $5)
    on conflict (organization_id, appointment_id) do update set ${visitLeases.taking('excluded.due_at')}, date_of_service = excluded.date_of_service,
      begun_at = excluded.begun_at, retries = 0, answers = '[]', written_version = excluded.written_version, finished_at = null
    where not ${isRunning(moved('excluded.due_at', `interval '-${LEASE_MS} milliseconds'`))}`,
    CLAIMED,
  ),
}

/** Takes one appointment in the version that was read, to be verified from the beginning; undefined while another worker verifies it. */
export async function claimVisit(
  { database, now }: Pick<Deps, 'database' | 'now'>,
  visit: { organizationId: string; appointmentId: string; dateOfService: string; version: number },
): Promise<Claim | undefined> {
  const { organizationId, appointmentId, dateOfService, version } = visit
  const begun = await database.row(beginningStatement, [organizationId, appointmentId, now().toISOString()])
  const row = await database.row(claimOneStatement, [organizationId, appointmentId, dateOfService, begun?.[0], version])
  return row && toClaim(row)
}

function toClaim(row: TextRow): Claim {
  const [organizationId = '', id = '', attempt, dateOfService = '', begunAt = '', retries, answers = '[]', ...rest] =
    row
  const [faults, copayCents] = rest as (string | null)[]
  return {
    organizationId,
    id,
    attempt: Number(attempt),
    faults: Number(faults),
    dateOfService,
    begunAt,
    retries: Number(retries),
    answers: JSON.parse(answers) as CoverageFinding[],
    copayCents: copayCents == null ? undefined : Number(copayCents),
  }
}
