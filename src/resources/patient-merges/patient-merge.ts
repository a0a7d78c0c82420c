import { badRequest } from '../../contract/errors.ts'
import { defineRecord } from '../../records/record.ts'
import { MutablePatientMerge } from './patient-merge.schema.ts'

/**
 * Two patient records of one person: the alternative is merged into the primary. Only a mapping
 * by MRN; the patient records do not change. Source: rules.md 16.
 */
export const patientMerge = defineRecord({
  name: 'patient_merge',
  label: 'Patient merge',
  mutable: MutablePatientMerge,
  example: { alternative_patient_mrn: '2603020002', primary_patient_mrn: '2603020001' },
  pathVersions: { deactivate: 'next' },
  patients: [{ mrn: 'alternative_patient_mrn' }, { mrn: 'primary_patient_mrn' }],
  uniqueness: { patient_merge_alternative_unique: alternativeIsMerged },
})

export function alternativeIsMerged() {
  return badRequest('alternative_patient_mrn is already merged into a primary patient')
}
