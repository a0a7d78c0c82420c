import { defineRecord, type RuleContext } from '../../records/record.ts'
import { refuseBlank, refuseFuture } from '../existing-values.ts'
import { refuseDomesticAreas } from '../international-addresses.ts'
import { requirePatient } from '../patients/require-patient.ts'
import { coverageExample } from './coverage.example.ts'
import { MutableCoverage } from './coverage.schema.ts'
import { coverageEvents } from './coverage-events.ts'

/** One insurance coverage of one patient. Source: rules.md 10. */
export const coverage = defineRecord({
  name: 'coverage',
  label: 'Coverage',
  mutable: MutableCoverage,
  example: coverageExample,
  pathVersions: { update: 'next' },
  patients: [{ patient: 'patient' }],
  // Eligibility checks own these fields: they stay even when a client sends back a record that it read (rules.md 10.2).
  keeps: ['eligibility_checks', 'latest_eligibility_check'],
  // A later PUT may repeat `autoUpdatedEligibilityCheckId`, so a column records the origin of each version (rules.md
  // 10.2).
  marksAmended: 'auto_updated',
  columns: { patient: 'text', 'insurance_plan.payer_plan_group_id': 'text' },
  prepare: applyCoverageRules,
  events: coverageEvents,
})

/** @throws NotFoundError for a patient that does not exist, BadRequestError that names the field. */
async function applyCoverageRules(sent: MutableCoverage, context: RuleContext): Promise<MutableCoverage> {
  await refuseBlank(sent, context, ({ subscriber }) => ({ 'subscriber.name.family': subscriber.name.family }))
  await refuseFuture(sent, context, ({ subscriber }) => ({ 'subscriber.date_of_birth': subscriber.date_of_birth }))
  await refuseDomesticAreas(sent, context, ({ subscriber, insurance_plan }) => ({
    'subscriber.address': subscriber.address,
    'insurance_plan.address': insurance_plan.address,
  }))
  await requirePatient(sent.patient, context, 'patient')
  const { eligibility_checks: _checks, latest_eligibility_check: _latest, ...body } = sent
  return {
    ...body,
    orcon: body.orcon ?? false,
    auto_update_enabled: body.auto_update_enabled ?? true,
  }
}
