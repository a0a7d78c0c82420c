import { notFound } from '../../contract/errors.ts'
import { isUuid } from '../../contract/formats.ts'
import type { RuleContext } from '../../records/record.ts'

const existsStatement = {
  name: 'patient_exists',
  text: 'select 1 from patient where organization_id = $1 and id = $2',
}

/**
 * A deactivated patient counts. The one that the replaced version names under `field` need not be looked up, because no patient is ever removed.
 * @throws NotFoundError when the organization has no patient with this id.
 */
export async function requirePatient(
  id: string,
  { actor, deps, replaced }: RuleContext,
  field: 'patient' | 'patient_id',
): Promise<void> {
  if (replaced && (await replaced.read())[field] === id) return
  const row = isUuid(id) ? await deps.database.rowByKey(existsStatement, [actor.organizationId, id]) : undefined
  if (!row) throw notFound('Patient')
}
