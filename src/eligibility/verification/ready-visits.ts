// READY visits for which something has changed since their verification, and how they are set back (withdraw-ready.ts).
import type { Deps } from '../../deps.ts'
import type { CoverageFinding, Scope } from './verification-store.ts'
import { type Basis, basisText, otherVersionsOf } from './visit.ts'

// The coming READY visits of each organization are read from the index of statuses. Versions are compared, not times: the clocks of the
// machines may differ, or be set.
const changedReadyStatement = {
  name: 'verification_changed_ready',
  text: `select o.id, a.id from organization o cross join lateral (
      select a.id, a.start_timestamp from appointment a
        join appointment_verification v on v.organization_id = o.id and v.appointment_id = a.id
        join patient p on p.organization_id = o.id and p.id = a.patient_id
        ${otherVersionsOf('o.id')}
      where a.organization_id = o.id and a.status = 'READY' and not a.deactivated and a.start_timestamp > $2::text
        and a.body ->> 'ready_source' = 'MACHINE' and v.finished_at is not null
        and v.basis is distinct from concat_ws(' ', a.version, others.versions)
      order by a.start_timestamp, a.id limit $3
    ) a
    where $1::uuid is null or o.id = $1 order by o.id, a.start_timestamp, a.id`,
}

/**
 * Coming visits that are READY by MACHINE, and whose decision rests on other versions than the current ones: the soonest of each
 * organization, at most `limit`.
 */
export async function listChangedReady(
  deps: Pick<Deps, 'systemDatabase' | 'now'>,
  { organizationId, limit }: Scope & { limit: number },
): Promise<{ organizationId: string; appointmentId: string }[]> {
  const values = [organizationId ?? null, deps.now().toISOString(), limit]
  const rows = await deps.systemDatabase.rows(changedReadyStatement, values)
  return rows.map(([organization = '', appointment = '']) => ({
    organizationId: organization ?? '',
    appointmentId: appointment ?? '',
  }))
}

const holdFinishedStatement = {
  name: 'verification_hold_finished',
  text: `select answers::text, copay_cents from appointment_verification
    where organization_id = $1 and appointment_id = $2 and finished_at is not null for update skip locked`,
}

/** The result of a finished verification. */
export interface Finished {
  answers: CoverageFinding[]
  /** The estimate that it wrote to the visit, in cents. */
  copayCents: number | undefined
}

/** A finished verification, locked until the transaction of `deps` ends; undefined while another process has it. */
export async function holdFinished(
  deps: Pick<Deps, 'database'>,
  organizationId: string,
  appointmentId: string,
): Promise<Finished | undefined> {
  const row = await deps.database.row(holdFinishedStatement, [organizationId, appointmentId])
  if (!row) return undefined
  const [answers, copayCents] = row
  return {
    answers: JSON.parse(answers ?? '[]') as CoverageFinding[],
    copayCents: copayCents == null ? undefined : Number(copayCents),
  }
}

// Without a day it is due again (`dueVisits`), as after a move to another day.
const settleFinishedStatement = {
  name: 'verification_settle_finished',
  text: `update appointment_verification set finished_at = $3::timestamptz, basis = $5,
      date_of_service = case when $4 then '' else date_of_service end, answers = case when $4 then '[]' else answers end,
      copay_cents = case when $4 then null else copay_cents end
    where organization_id = $1 and appointment_id = $2`,
}

/** Records that a finished verification was reconsidered, and that it is due again if its decision was withdrawn. */
export async function settleFinished(
  deps: Pick<Deps, 'database' | 'now'>,
  about: { organizationId: string; appointmentId: string; isWithdrawn: boolean; basis: Basis },
): Promise<void> {
  const { organizationId, appointmentId, isWithdrawn, basis } = about
  const values = [organizationId, appointmentId, deps.now().toISOString(), isWithdrawn, basisText(basis)]
  await deps.database.rows(settleFinishedStatement, values)
}
