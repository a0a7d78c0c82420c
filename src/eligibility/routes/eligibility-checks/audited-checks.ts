// Audit declarations of checks and batches, which are not versioned records.
import { type AuditedRecord, patientThrough } from '../../../platform/audit/audited-record.ts'
import { appointment } from '../../../resources/appointments/appointment.ts'
import { coverage } from '../../../resources/coverages/coverage.ts'

/** A check is about the patient of the coverage or the appointment that it was made for, if any. */
export const eligibilityCheck: AuditedRecord = {
  name: 'eligibility_check',
  patients: [{ sql: (row) => `coalesce(${leading(coverage, row)}, ${leading(appointment, row)})` }],
}

export const eligibilityBatch: AuditedRecord = { name: 'eligibility_batch', patients: 'none' }

function leading(record: AuditedRecord, row: string): string {
  return patientThrough(record, `${row}.${record.name}_id`)
}
