// Source: types.md, "Lists".
import { type Static, Type } from 'typebox'
import { pageOf, pageQuery } from '../../records/page.ts'
import { UniversalServiceIdentifier } from '../appointments/appointment.schema.ts'
import { appointment } from '../appointments/appointment.ts'
import { coverage } from '../coverages/coverage.ts'
import { MutablePatientWithMrn } from '../patients/create-patient.ts'
import { patient } from '../patients/patient.ts'

export const PatientListItem = Type.Object({
  patient: patient.wire,
  primary_coverage: Type.Optional(coverage.mutable),
  secondary_coverage: Type.Optional(coverage.mutable),
  tertiary_coverage: Type.Optional(coverage.mutable),
  next_appointment: Type.Optional(appointment.mutable),
  primary_mrn: Type.Optional(Type.String()),
  alternative_mrns: Type.Array(Type.String()),
})

export const PatientListPage = pageOf(PatientListItem)

export const AppointmentListItem = Type.Object({
  appointment: appointment.wire,
  patient: MutablePatientWithMrn,
  primary_coverage: Type.Optional(coverage.mutable),
  secondary_coverage: Type.Optional(coverage.mutable),
  primary_service_type: Type.Optional(UniversalServiceIdentifier),
})

export const AppointmentListPage = pageOf(AppointmentListItem)

/** The query parameters of both lists. */
export const ListQuery = Type.Object({
  ...pageQuery,
  sort_field: Type.Optional(Type.String()),
  sort_direction: Type.Optional(Type.Enum(['asc', 'desc'])),
  filters: Type.Optional(Type.String()),
  include_deactivated: Type.Optional(Type.Boolean()),
})
export type ListQuery = Static<typeof ListQuery>
