import { type Static, Type } from 'typebox'
import { violatedConstraint } from '../../database/errors.ts'
import type { Deps } from '../../deps.ts'
import { alreadyInUse } from '../../errors.ts'
import type { Actor } from '../../http/endpoint.ts'
import { createRecord } from '../../records/store.ts'
import { checkMrn, nextMrn } from './mrn.ts'
import { MutablePatient } from './patient.schema.ts'
import { patient } from './patient.ts'
import { applyPatientRules } from './patient-rules.ts'

export const MutablePatientWithMrn = Type.Object({ ...MutablePatient.properties, mrn: Type.String() })

/** More would mean that callers hand out the generator's own numbers on purpose. */
const MRN_ATTEMPTS = 20

/**
 * Creates a patient, with the given MRN or the next generated one. The checks come in this order: MRN length 400, external
 * id 409, MRN 409, duplicates 409. Source: rules.md 6.
 */
export async function createPatient(
  deps: Deps,
  actor: Actor,
  sent: MutablePatient & { mrn?: string },
  options: { skipDuplicateCheck: boolean },
): Promise<string> {
  if (sent.mrn !== undefined) checkMrn(sent.mrn)
  const body = { ...(await applyPatientRules(sent, { actor, deps })), ...(sent.mrn !== undefined && { mrn: sent.mrn }) }
  await refuseKnown(deps, actor, body, options)
  if (body.mrn !== undefined) return createRecord(deps, patient, actor, body)
  for (let attempt = 1; ; attempt++) {
    try {
      return await createRecord(deps, patient, actor, { ...body, mrn: await nextMrn(deps, actor.organizationId) })
    } catch (error) {
      // Somebody has used this number as an MRN of their own.
      const isTaken = violatedConstraint((error as Error).cause) === 'patient_mrn_unique'
      if (!isTaken || attempt === MRN_ATTEMPTS) throw error
    }
  }
}

const NAME_MATCHES = `lower(btrim(body -> 'name' ->> 'family')) = lower(btrim($5))
  and left(lower(btrim(body -> 'name' ->> 'family')), 50) = left(lower(btrim($5)), 50)
  and lower(btrim(coalesce(body -> 'name' -> 'given' ->> 0, ''))) = lower(btrim($6))`

/** One look for everything that speaks against a create; the unique indexes decide where two creates race. */
const knownStatement = {
  name: 'patient_known',
  text: `select
      (select 1 from patient where organization_id = $1 and body ? 'external_provenance'
        and body -> 'external_provenance' ->> 'system_name' = $2 and body -> 'external_provenance' ->> 'external_id' = $3),
      (select 1 from patient where organization_id = $1 and body ->> 'mrn' = $4),
      (select json_agg(json_build_object('existing_patient_id', id, 'existing_patient_mrn', body ->> 'mrn') order by id)
        from patient where organization_id = $1 and not deactivated and body ->> 'birth_date' = $7 and ${NAME_MATCHES})`,
}

async function refuseKnown(
  deps: Deps,
  actor: Actor,
  body: MutablePatient & { mrn?: string },
  options: { skipDuplicateCheck: boolean },
): Promise<void> {
  const provenance = body.external_provenance
  const row = await deps.database.row(knownStatement, [
    actor.organizationId,
    provenance?.system_name ?? null,
    provenance?.external_id ?? null,
    body.mrn ?? null,
    body.name.family,
    body.name.given[0] ?? '',
    options.skipDuplicateCheck ? null : body.birth_date,
  ])
  const [externalId, mrn, duplicates] = row ?? []
  const { patient_external_id_unique, patient_mrn_unique } = patient.uniqueness ?? {}
  if (externalId && patient_external_id_unique) throw patient_external_id_unique()
  if (mrn && patient_mrn_unique) throw patient_mrn_unique()
  if (duplicates) throw alreadyInUse('a patient with this name and birth date exists already', JSON.parse(duplicates))
}

export type MutablePatientWithMrn = Static<typeof MutablePatientWithMrn>
