import { Type } from 'typebox'
import { alreadyInUse } from '../../contract/errors.ts'
import { defineRecord } from '../../records/record.ts'
import { patientExample } from './patient.example.ts'
import { MutablePatient } from './patient.schema.ts'
import { patientEvents } from './patient-events.ts'
import { applyPatientRules } from './patient-rules.ts'

/** A person who receives care. Source: rules.md 6. */
export const patient = defineRecord({
  name: 'patient',
  label: 'Patient',
  mutable: MutablePatient,
  example: patientExample,
  pathVersions: { update: 'next', deactivate: 'next', reactivate: 'next' },
  patients: 'itself',
  adds: { mrn: Type.String() },
  keeps: ['mrn'],
  encrypts: ['social_security_number'],
  searched: ['name.family'],
  columns: {
    mrn: 'text',
    'name.family': 'text',
    birth_date: 'text',
    'primary_telecom.value': 'text',
    tag_ids: 'jsonb',
    'external_provenance.system_name': 'text',
    'external_provenance.external_id': 'text',
  },
  prepare: applyPatientRules,
  events: patientEvents,
  uniqueness: {
    patient_mrn_unique: () => alreadyInUse('this MRN is in use'),
    patient_external_id_unique: () => alreadyInUse('external_provenance.external_id is in use for this system'),
  },
})
