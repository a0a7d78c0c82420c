// Source: types.md, "Patient merges".
import { type Static, Type } from 'typebox'
import { pageQuery } from '../../records/page.ts'

export const MutablePatientMerge = Type.Object({
  alternative_patient_mrn: Type.String(),
  primary_patient_mrn: Type.String(),
})
export type MutablePatientMerge = Static<typeof MutablePatientMerge>

/** Every member has `merge_status` and its own further fields. */
export const PatientMergeStatus = Type.Union([
  Type.Object({ merge_status: Type.Literal('none') }),
  Type.Object({ merge_status: Type.Literal('alternative'), primary_mrn: Type.String() }),
  Type.Object({ merge_status: Type.Literal('primary'), alternative_mrns: Type.Array(Type.String()) }),
])
export type PatientMergeStatus = Static<typeof PatientMergeStatus>

export const PatientMergeSearchRequest = Type.Object({ mrns: Type.Array(Type.String()), ...pageQuery })
export type PatientMergeSearchRequest = Static<typeof PatientMergeSearchRequest>
