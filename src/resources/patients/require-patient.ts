import { notFound } from '../../contract/errors.ts'
import { isUuid } from '../../contract/formats.ts'
import type { RuleContext } from '../../records/record.ts'

const existsStatement = {
  name: 'patient_exists',
  text: 'select 1 from patient where organization_id = $1 and id = $2',
}

/**
 * The id, when the organization has a patient with that id; a deactivated one counts. The patient that the replaced version names under `field` need not be looked up, because no patient is ever
 * removed.
 * @throws NotFoundError.
 */
export async function requirePatient(
  id: string,
  { actor, deps, replaced }: RuleContext,
  field: 'patient' | 'patient_id',
): Promise<string> {
  if (replaced && (await replaced.read())[field] === id) return id
  const row = isUuid(id) ? await deps.database.rowByKey(existsStatement, [actor.organizationId, id]) : undefined
  if (!row) throw notFound('Patient')
  return id
}
