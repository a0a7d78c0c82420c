import { notFound } from '../../contract/errors.ts'
import { isUuid } from '../../contract/formats.ts'
import type { RuleContext } from '../../records/record.ts'

const existsStatement = {
  name: 'patient_exists',
  text: 'select 1 from patient where organization_id = $1 and id = $2',
}

/**
 * The id as it is stored, once the organization has a patient of that id; a deactivated one counts.
 * @throws NotFoundError.
 */
export async function requirePatient(id: string, { actor, deps }: RuleContext): Promise<string> {
  const row = isUuid(id) ? await deps.database.row(existsStatement, [actor.organizationId, id]) : undefined
  if (!row) throw notFound('Patient')
  return id.toLowerCase()
}
