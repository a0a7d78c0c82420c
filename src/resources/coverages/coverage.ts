import { notFound } from '../../errors.ts'
import { isUuid } from '../../http/formats.ts'
import { defineRecord, type RuleContext } from '../../records/record.ts'
import { MutableCoverage } from './coverage.schema.ts'

/** One insurance cover of one patient. Source: rules.md 10. */
export const coverage = defineRecord({
  name: 'coverage',
  label: 'Coverage',
  mutable: MutableCoverage,
  // What checks have written stays, whatever a client that round-trips a record sends along (rules.md 10.2).
  keeps: ['eligibility_checks', 'latest_eligibility_check'],
  prepare: applyCoverageRules,
})

/** @throws NotFoundError for a patient that is not there. */
async function applyCoverageRules(sent: MutableCoverage, context: RuleContext): Promise<MutableCoverage> {
  await checkPatient(sent.patient, context)
  const { eligibility_checks: _checks, latest_eligibility_check: _latest, ...body } = sent
  return {
    ...body,
    patient: body.patient.toLowerCase(),
    orcon: body.orcon ?? false,
    auto_update_enabled: body.auto_update_enabled ?? true,
  }
}

async function checkPatient(id: string, { actor, deps }: RuleContext): Promise<void> {
  const statement = { name: 'patient_exists', text: 'select 1 from patient where organization_id = $1 and id = $2' }
  const row = isUuid(id) ? await deps.database.row(statement, [actor.organizationId, id]) : undefined
  if (!row) throw notFound('Patient')
}
