// Diagnoses of encounters. Source: types.md, "Diagnoses"; rules.md 4.
import { type Static, Type } from 'typebox'

export const DiagnosisTypeCode = Type.Enum(['ABF', 'ABJ', 'ABK', 'APR', 'BF', 'BJ', 'BK', 'PR', 'DR', 'LOI'])
export type DiagnosisTypeCode = Static<typeof DiagnosisTypeCode>

export const YesNoIndicator = Type.Enum(['YES', 'NO', 'UNKNOWN', 'NOT_APPLICABLE'])

export const StandaloneDiagnosisCreate = Type.Object({
  name: Type.Optional(Type.String()),
  code_type: DiagnosisTypeCode,
  code: Type.String(),
  present_on_admission_indicator: Type.Optional(YesNoIndicator),
  encounter_id: Type.String({ format: 'uuid' }),
})
export type StandaloneDiagnosisCreate = Static<typeof StandaloneDiagnosisCreate>

export const DiagnosisUpdate = Type.Object({
  name: Type.Optional(Type.String()),
  code_type: Type.Optional(DiagnosisTypeCode),
  code: Type.Optional(Type.String()),
  present_on_admission_indicator: Type.Optional(YesNoIndicator),
})
export type DiagnosisUpdate = Static<typeof DiagnosisUpdate>

export const Diagnosis = Type.Object({
  diagnosis_id: Type.String({ format: 'uuid' }),
  ...StandaloneDiagnosisCreate.properties,
  created_at: Type.String({ format: 'date-time' }),
  updated_at: Type.String({ format: 'date-time' }),
})
