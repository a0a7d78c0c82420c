import type { Actor } from '../../contract/actor.ts'
import { badRequest } from '../../contract/errors.ts'
import type { Deps } from '../../deps.ts'
import type { Database } from '../../platform/database/database.ts'
import { createRecord } from '../../records/store.ts'
import type { MutablePatientMerge } from './patient-merge.schema.ts'
import { alternativeIsMerged, patientMerge } from './patient-merge.ts'

type Needs = Pick<Deps, 'database' | 'vault' | 'now' | 'newId'>

/**
 * Creates a merge if both patients exist and it creates no chain: an alternative cannot be a primary, and a
 * primary cannot be an alternative. Both patients' rows are locked in the order of their ids: two creates that share a
 * patient are serialized, so the second sees the first, and others do not wait. The unique index
 * on active alternatives enforces the rule again.
 * @throws BadRequestError that names the field at fault. Source: rules.md 16.
 */
export async function createPatientMerge(deps: Needs, actor: Actor, body: MutablePatientMerge): Promise<string> {
  if (body.alternative_patient_mrn === body.primary_patient_mrn) {
    throw badRequest('alternative_patient_mrn and primary_patient_mrn must differ')
  }
  return deps.database.transaction(async (transaction) => {
    await holdPatients(transaction, actor, body)
    await refuseChains(transaction, actor, body)
    return createRecord({ ...deps, database: transaction }, patientMerge, actor, body)
  })
}

const holdPatientsStatement = {
  name: 'patient_merge_hold_patients',
  text: `select mrn from patient
    where organization_id = $1 and mrn = any(array[$2, $3]) order by id for no key update`,
}

async function holdPatients(transaction: Database, actor: Actor, body: MutablePatientMerge): Promise<void> {
  const values = [actor.organizationId, body.alternative_patient_mrn, body.primary_patient_mrn]
  const mrns = new Set((await transaction.rows(holdPatientsStatement, values)).map(([mrn]) => mrn))
  for (const field of ['alternative_patient_mrn', 'primary_patient_mrn'] as const) {
    if (!mrns.has(body[field])) throw badRequest(`${field} is not the MRN of a patient`)
  }
}

// A separate statement after the locks, so that it sees what their earlier holders have committed.
const chainsStatement = {
  name: 'patient_merge_chains',
  text: `select
      exists (select from patient_merge where organization_id = $1 and not deactivated and body ->> 'alternative_patient_mrn' = $2),
      exists (select from patient_merge where organization_id = $1 and not deactivated and body ->> 'alternative_patient_mrn' = $3),
      exists (select from patient_merge where organization_id = $1 and not deactivated and body ->> 'primary_patient_mrn' = $2)`,
}

async function refuseChains(transaction: Database, actor: Actor, body: MutablePatientMerge): Promise<void> {
  const values = [actor.organizationId, body.alternative_patient_mrn, body.primary_patient_mrn]
  const [isMerged, primaryIsMerged, isPrimary] = (await transaction.row(chainsStatement, values)) ?? []
  if (isMerged === 't') throw alternativeIsMerged()
  if (primaryIsMerged === 't') throw badRequest('primary_patient_mrn is itself merged into another patient')
  if (isPrimary === 't') throw badRequest('alternative_patient_mrn is the primary of another merge')
}
