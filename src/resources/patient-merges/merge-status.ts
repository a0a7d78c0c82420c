import type { Actor } from '../../contract/actor.ts'
import { notFound } from '../../contract/errors.ts'
import { isUuid, spellings } from '../../contract/formats.ts'
import type { Deps } from '../../deps.ts'
import { ofUnknownLength } from '../../platform/database/statements/unknown-length.ts'
import type { PatientMergeStatus } from './patient-merge.schema.ts'

type Needs = Pick<Deps, 'database'>

/**
 * A patient's role in the active merges. A UUID is a patient's id, any other text an MRN.
 * @throws NotFoundError for an unknown patient. Source: rules.md 16.
 */
export async function readMergeStatus(deps: Needs, actor: Actor, mrnOrId: string): Promise<PatientMergeStatus> {
  const { organizationId } = actor
  const row = isUuid(mrnOrId)
    ? await deps.database.row(statusById, [organizationId, mrnOrId])
    : await deps.database.row(statusByMrn, [organizationId, spellings(mrnOrId)])
  if (!row) throw notFound('Patient')
  const [primaryMrn, alternativeMrns] = row as [string | null, string | null]
  if (primaryMrn !== null) return { merge_status: 'alternative', primary_mrn: primaryMrn }
  if (alternativeMrns !== null) return { merge_status: 'primary', alternative_mrns: JSON.parse(alternativeMrns) }
  return { merge_status: 'none' }
}

const statusById = { name: 'patient_merge_status_by_id', text: statusOf('p.id = $2') }
const statusByMrn = {
  name: 'patient_merge_status_by_mrn',
  text: statusOf(`p.mrn = any(${ofUnknownLength('$2', 'text')})`),
}

function statusOf(patient: string): string {
  return `select
      (select body ->> 'primary_patient_mrn' from patient_merge
        where organization_id = $1 and not deactivated and body ->> 'alternative_patient_mrn' = p.mrn),
      (select json_agg(body ->> 'alternative_patient_mrn' order by body ->> 'alternative_patient_mrn') from patient_merge
        where organization_id = $1 and not deactivated and body ->> 'primary_patient_mrn' = p.mrn)
    from patient p where p.organization_id = $1 and ${patient}`
}
